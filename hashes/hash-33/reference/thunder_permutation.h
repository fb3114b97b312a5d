/* SPDX-License-Identifier: MIT */
/* The permutation of the Thunder family, step by step as the specification has it. Coordinates are
 * modulo 5: column x, row y. */
#ifndef THUNDER_PERMUTATION_H
#define THUNDER_PERMUTATION_H

#include <string.h>

#include "thunder_constants.h"

static const unsigned RHO[5][5] = {{45, 33, 13, 1, 27},
                                   {40, 52, 19, 47, 9},
                                   {34, 5, 0, 2, 37},
                                   {48, 30, 61, 8, 38},
                                   {6, 18, 49, 17, 43}};
/* Row amounts of the column mixing: T builds Q, and U = T + 26 modulo 64 spreads F. */
static const unsigned T[5] = {41, 50, 6, 10, 27};
static const unsigned U[5] = {3, 12, 32, 36, 53};

/* One amount is 0, so that the count of the other shift is masked. */
static uint64_t rotr(uint64_t v, unsigned n) { return (v >> n) | (v << ((64 - n) & 63)); }

static void rotate_lanes(uint64_t A[LANES]) {
  unsigned x, y;
  for (y = 0; y < 5; ++y) {
    for (x = 0; x < 5; ++x) {
      A[x + 5 * y] = rotr(A[x + 5 * y], RHO[y][x]);
    }
  }
}

static void mix_columns(uint64_t A[LANES]) {
  uint64_t P[5], Q[5];
  unsigned x, y;
  for (x = 0; x < 5; ++x) {
    P[x] = 0;
    Q[x] = 0;
    for (y = 0; y < 5; ++y) {
      P[x] ^= A[x + 5 * y];
      Q[x] ^= rotr(A[x + 5 * y], T[y]);
    }
  }
  for (x = 0; x < 5; ++x) {
    const uint64_t E = rotr(P[x], 26) ^ rotr(P[(x + 4) % 5], 27);
    const uint64_t F = Q[(x + 1) % 5] ^ rotr(Q[(x + 3) % 5], 36);
    for (y = 0; y < 5; ++y) {
      A[x + 5 * y] ^= E ^ rotr(F, U[y]);
    }
  }
}

/* The lane at (x, y) moves to column y, row 2x + 3y + 2. */
static void transpose(uint64_t A[LANES]) {
  uint64_t old[LANES];
  unsigned x, y;
  memcpy(old, A, sizeof old);
  for (y = 0; y < 5; ++y) {
    for (x = 0; x < 5; ++x) {
      A[y + 5 * ((2 * x + 3 * y + 2) % 5)] = old[x + 5 * y];
    }
  }
}

static void substitute(uint64_t A[LANES]) {
  uint64_t a[5];
  unsigned x, y;
  for (x = 0; x < 5; ++x) {
    for (y = 0; y < 5; ++y) {
      a[y] = A[x + 5 * y];
    }
    for (y = 0; y < 5; ++y) {
      A[x + 5 * y] = a[(y + 3) % 5] ^ (~a[(y + 1) % 5] & a[(y + 2) % 5] & ~a[(y + 4) % 5]);
    }
  }
}

static void permutation_round(uint64_t A[LANES], unsigned round) {
  A[0] ^= RC[round];
  rotate_lanes(A);
  mix_columns(A);
  transpose(A);
  substitute(A);
}

static void permute(uint64_t A[LANES]) {
  unsigned round;
  for (round = 0; round < ROUNDS; ++round) {
    permutation_round(A, round);
  }
}

#endif
