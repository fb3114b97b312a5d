/* SPDX-License-Identifier: MIT */
/* The permutation PI on 25 words, step by step as the specification has it. */
#ifndef LAURUS_PERMUTATION_H
#define LAURUS_PERMUTATION_H

#include <string.h>

#include "laurus_constants.h"

/* Rotation amounts of step 3, row by row; none is 0. */
static const unsigned T[5][5] = {{31, 1, 4, 21, 22},
                                 {19, 12, 15, 34, 13},
                                 {28, 35, 58, 9, 23},
                                 {55, 18, 5, 27, 44},
                                 {14, 43, 53, 20, 25}};

static uint64_t rotl(uint64_t a, unsigned n) { return (a << n) | (a >> (64 - n)); }
static uint64_t rotr(uint64_t a, unsigned n) { return (a >> n) | (a << (64 - n)); }

/* Step 2, on each column: products are AND, sums XOR. */
static void substitute(uint64_t w[WORDS]) {
  unsigned j;
  for (j = 0; j < 5; ++j) {
    const uint64_t x0 = w[j], x1 = w[5 + j], x2 = w[10 + j], x3 = w[15 + j], x4 = w[20 + j];
    w[j] = x1 ^ (x0 & x4) ^ (x3 & x4) ^ (x0 & x2 & x3) ^ (x2 & x3 & x4);
    w[5 + j] = x2 ^ (x0 & x1) ^ (x1 & x3 & x4);
    w[10 + j] = x3 ^ (x1 & x2);
    w[15 + j] = x4 ^ (x2 & x3);
    w[20 + j] = x0 ^ (x3 & x4);
  }
}

/* Step 3, on each row: rotations to the left build q, rotations to the right spread p. */
static void mix(uint64_t w[WORDS]) {
  unsigned i, j;
  for (i = 0; i < 5; ++i) {
    uint64_t p = 0, q = 0;
    for (j = 0; j < 5; ++j) {
      p ^= w[5 * i + j];
      q ^= rotl(w[5 * i + j], T[i][j]);
    }
    for (j = 0; j < 5; ++j) {
      w[5 * i + j] ^= rotr(p, T[i][j]) ^ q;
    }
  }
}

/* Step 4. */
static void transpose(uint64_t w[WORDS]) {
  uint64_t u[WORDS];
  unsigned i, j;
  memcpy(u, w, sizeof u);
  for (i = 0; i < 5; ++i) {
    for (j = 0; j < 5; ++j) {
      w[5 * i + j] = u[5 * ((i + 2 * j) % 5) + (3 * i + 3 * j) % 5];
    }
  }
}

/* Round t of PI. */
static void pi_round(uint64_t w[WORDS], unsigned t) {
  w[0] ^= RC[t];
  substitute(w);
  mix(w);
  transpose(w);
}

static void PI(uint64_t w[WORDS]) {
  unsigned t;
  for (t = 0; t < ROUNDS; ++t) {
    pi_round(w, t);
  }
}

#endif
