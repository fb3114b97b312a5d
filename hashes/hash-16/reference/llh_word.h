/* SPDX-License-Identifier: MIT */
/*
 * A word of w bits and what LLH does with words. C99 has integers for w = 32 and 64; a longer word
 * is two halves of w / 2 bits, each in the low bits of an integer of 64.
 */
#ifndef LLH_WORD_H
#define LLH_WORD_H

#include <stdint.h>

#include "llh_constants.h"

#if WORD_BITS <= 64

#if WORD_BITS == 32
typedef uint32_t word;
#else
typedef uint64_t word;
#endif

static const word ZERO = 0;

static inline word word_xor(word a, word b) { return a ^ b; }

static inline word word_and(word a, word b) { return a & b; }

static inline word word_not(word a) { return ~a; }

/* Rotation to the left by 0 < n < w. */
static inline word word_rotl(word a, unsigned n) { return (a << n) | (a >> (WORD_BITS - n)); }

/* The low w bits of a * 2^32 + piece; two shifts, because one by 32 would be undefined. */
static inline word word_append(word a, uint32_t piece) { return a << 16 << 16 | piece; }

/* Byte i of the word, the least significant first. */
static inline unsigned char word_byte(word a, unsigned i) {
  return (unsigned char)(a >> (8 * i) & 0xffU);
}

#else

#define HALF_BITS (WORD_BITS / 2)
#define HALF_MASK (UINT64_MAX >> (64 - HALF_BITS))

typedef struct {
  uint64_t low, high;
} word;

static const word ZERO = {0, 0};

static inline word word_xor(word a, word b) {
  const word r = {a.low ^ b.low, a.high ^ b.high};
  return r;
}

static inline word word_and(word a, word b) {
  const word r = {a.low & b.low, a.high & b.high};
  return r;
}

static inline word word_not(word a) {
  const word r = {a.low ^ HALF_MASK, a.high ^ HALF_MASK};
  return r;
}

/*
 * A half moved to the left by 0 <= n < w / 2, its low bits filled from the top of the half below;
 * two shifts to the right, because one by 64 would be undefined.
 */
static inline uint64_t half_shift(uint64_t half, uint64_t below, unsigned n) {
  return ((half << n) | (below >> 1 >> (HALF_BITS - 1 - n))) & HALF_MASK;
}

/* Rotation to the left by 0 < n < w: from n = w / 2 on the halves change places. */
static inline word word_rotl(word a, unsigned n) {
  const uint64_t low = n < HALF_BITS ? a.low : a.high;
  const uint64_t high = n < HALF_BITS ? a.high : a.low;
  const word r = {half_shift(low, high, n % HALF_BITS), half_shift(high, low, n % HALF_BITS)};
  return r;
}

/* The low w bits of a * 2^32 + piece. */
static inline word word_append(word a, uint32_t piece) {
  const word r = {half_shift(a.low, (uint64_t)piece << (HALF_BITS - 32), 32),
                  half_shift(a.high, a.low, 32)};
  return r;
}

/* Byte i of the word, the least significant first. */
static inline unsigned char word_byte(word a, unsigned i) {
  const uint64_t half = 8 * i < HALF_BITS ? a.low : a.high;
  return (unsigned char)(half >> (8 * i % HALF_BITS) & 0xffU);
}

#endif

#endif
