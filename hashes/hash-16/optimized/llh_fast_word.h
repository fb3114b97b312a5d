/* SPDX-License-Identifier: MIT */
/*
 * A word of w bits in integers as wide as the machine's. A word of 128 bits is two halves. A word
 * of 96 bits is held as the first 128 bits of its endless repetition: operations bit by bit need no
 * mask, and a rotation is two windows into that repetition.
 */
#ifndef LLH_FAST_WORD_H
#define LLH_FAST_WORD_H

#include <stdint.h>

#include "llh_constants.h"

/* Bytes convert little endian. */
static inline uint32_t load_32(const unsigned char* b) {
  return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static inline uint64_t load_64(const unsigned char* b) {
  return (uint64_t)b[0] | (uint64_t)b[1] << 8 | (uint64_t)b[2] << 16 | (uint64_t)b[3] << 24 |
         (uint64_t)b[4] << 32 | (uint64_t)b[5] << 40 | (uint64_t)b[6] << 48 | (uint64_t)b[7] << 56;
}

static inline void store_32(unsigned char* b, uint32_t a) {
  b[0] = (unsigned char)(a & 0xffU);
  b[1] = (unsigned char)(a >> 8 & 0xffU);
  b[2] = (unsigned char)(a >> 16 & 0xffU);
  b[3] = (unsigned char)(a >> 24);
}

static inline void store_64(unsigned char* b, uint64_t a) {
  store_32(b, (uint32_t)(a & 0xffffffffU));
  store_32(b + 4, (uint32_t)(a >> 32));
}

#if WORD_BITS <= 64

#if WORD_BITS == 32
typedef uint32_t word;

static inline word load(const unsigned char* b) { return load_32(b); }

static inline void store(unsigned char* b, word a) { store_32(b, a); }

/* From pieces of 32 bits, the first the most significant. */
static inline word word_of(const uint32_t piece[PIECES_PER_WORD]) { return piece[0]; }
#else
typedef uint64_t word;

static inline word load(const unsigned char* b) { return load_64(b); }

static inline void store(unsigned char* b, word a) { store_64(b, a); }

/* From pieces of 32 bits, the first the most significant. */
static inline word word_of(const uint32_t piece[PIECES_PER_WORD]) {
  return (uint64_t)piece[0] << 32 | piece[1];
}
#endif

static inline word word_xor(word a, word b) { return a ^ b; }

static inline word word_and(word a, word b) { return a & b; }

static inline word word_not(word a) { return ~a; }

/* Rotation to the left by 0 < n < w. */
static inline word word_rotl(word a, unsigned n) { return (a << n) | (a >> (WORD_BITS - n)); }

#else

typedef struct {
  uint64_t low, high;
} word;

static inline word word_xor(word a, word b) {
  const word r = {a.low ^ b.low, a.high ^ b.high};
  return r;
}

static inline word word_and(word a, word b) {
  const word r = {a.low & b.low, a.high & b.high};
  return r;
}

static inline word word_not(word a) {
  const word r = {~a.low, ~a.high};
  return r;
}

/* 64 bits of the 128 from bit 0 <= n < 64; two shifts, because one by 64 would be undefined. */
static inline uint64_t window(uint64_t low, uint64_t high, unsigned n) {
  return (low >> n) | (high << 1 << (63 - n));
}

#if WORD_BITS == 96

/* 64 bits of the repetition from bit 0 <= n < 96. */
static inline uint64_t repetition(word a, unsigned n) {
  const uint64_t next = window(a.low, a.high, 32); /* bits 128..191, which are bits 32..95 */
  return n < 64 ? window(a.low, a.high, n) : window(a.high, next, n - 64);
}

/* Rotation to the left by 0 < n < w. */
static inline word word_rotl(word a, unsigned n) {
  const word r = {repetition(a, 96 - n), repetition(a, (160 - n) % 96)};
  return r;
}

static inline word load(const unsigned char* b) {
  const uint64_t low = load_64(b);
  const word r = {low, low << 32 | load_32(b + 8)};
  return r;
}

static inline void store(unsigned char* b, word a) {
  store_64(b, a.low);
  store_32(b + 8, (uint32_t)(a.high & 0xffffffffU));
}

/* From pieces of 32 bits, the first the most significant. */
static inline word word_of(const uint32_t piece[PIECES_PER_WORD]) {
  const word r = {(uint64_t)piece[1] << 32 | piece[2], (uint64_t)piece[2] << 32 | piece[0]};
  return r;
}

#else

/* Rotation to the left by 0 < n < w: windows into the word and its repetition. */
static inline word word_rotl(word a, unsigned n) {
  const unsigned from = (128 - n) % 64;
  const uint64_t first = n > 64 ? a.low : a.high, second = n > 64 ? a.high : a.low;
  const word r = {window(first, second, from), window(second, first, from)};
  return r;
}

static inline word load(const unsigned char* b) {
  const word r = {load_64(b), load_64(b + 8)};
  return r;
}

static inline void store(unsigned char* b, word a) {
  store_64(b, a.low);
  store_64(b + 8, a.high);
}

/* From pieces of 32 bits, the first the most significant. */
static inline word word_of(const uint32_t piece[PIECES_PER_WORD]) {
  const word r = {(uint64_t)piece[2] << 32 | piece[3], (uint64_t)piece[0] << 32 | piece[1]};
  return r;
}

#endif
#endif
#endif
