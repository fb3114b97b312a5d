/* SPDX-License-Identifier: MIT */
/* The permutation P_N, step by step as the specification has it, on a state of six registers. */
#ifndef CHIME_PERMUTATION_H
#define CHIME_PERMUTATION_H

#include <stdint.h>
#include <string.h>

#include "chime_constants.h"

/* A register of 256 bits. */
typedef struct {
  uint64_t lane[LANES];
} reg;

static inline reg XOR(reg a, reg b) {
  unsigned j;
  for (j = 0; j < LANES; ++j) {
    a.lane[j] ^= b.lane[j];
  }
  return a;
}

/* Rotation of every lane to the left by 0 < n < 64. */
static inline reg ROTL(reg a, unsigned n) {
  unsigned j;
  for (j = 0; j < LANES; ++j) {
    a.lane[j] = (a.lane[j] << n) | (a.lane[j] >> (64 - n));
  }
  return a;
}

static inline reg SHL(reg a, unsigned n) {
  unsigned j;
  for (j = 0; j < LANES; ++j) {
    a.lane[j] <<= n;
  }
  return a;
}

static inline reg SHR(reg a, unsigned n) {
  unsigned j;
  for (j = 0; j < LANES; ++j) {
    a.lane[j] >>= n;
  }
  return a;
}

static inline reg LROT(reg a) {
  const reg y = {{a.lane[3], a.lane[0], a.lane[1], a.lane[2]}};
  return y;
}

static inline reg HSWAP(reg a) {
  const reg y = {{a.lane[2], a.lane[3], a.lane[0], a.lane[1]}};
  return y;
}

static inline reg PSWAP(reg a) {
  const reg y = {{a.lane[1], a.lane[0], a.lane[3], a.lane[2]}};
  return y;
}

/* Each half, an integer of 128 bits with its low lane first, rotated to the right by 32. */
static inline reg W32(reg a) {
  const reg y = {{(a.lane[0] >> 32) ^ (a.lane[1] << 32), (a.lane[1] >> 32) ^ (a.lane[0] << 32),
                  (a.lane[2] >> 32) ^ (a.lane[3] << 32), (a.lane[3] >> 32) ^ (a.lane[2] << 32)}};
  return y;
}

/* Step A, linear mixing: each line sees the results of those before. */
static inline void step_a(reg X[REGISTERS]) {
  X[3] = XOR(X[3], W32(X[5]));
  X[2] = XOR(X[2], X[1]);
  X[4] = XOR(X[4], ROTL(X[0], 29));
  X[3] = XOR(X[3], ROTL(X[1], 31));
  X[5] = XOR(X[5], ROTL(X[0], 13));
  X[4] = XOR(X[4], X[3]);
  X[5] = XOR(X[5], W32(X[3]));
  X[0] = XOR(LROT(X[0]), PSWAP(X[4]));
  X[1] = XOR(HSWAP(X[1]), W32(X[2]));
  X[3] = XOR(X[3], SHL(X[0], 7));
  X[5] = XOR(X[5], SHR(X[1], 5));
}

/* Step B, constant: the same in each lane. */
static inline void step_b(reg X[REGISTERS], unsigned r) {
  unsigned j;
  for (j = 0; j < LANES; ++j) {
    X[0].lane[j] ^= RC[r];
  }
}

static inline void CHI(reg* a, reg* b, reg* c) {
  unsigned j;
  for (j = 0; j < LANES; ++j) {
    const uint64_t aj = a->lane[j], bj = b->lane[j], cj = c->lane[j];
    a->lane[j] = aj ^ (~bj & cj);
    b->lane[j] = bj ^ (~cj & aj);
    c->lane[j] = cj ^ (~aj & bj);
  }
}

/* Step C, nonlinear: the pairing changes with the parity of the round. */
static inline void step_c(reg X[REGISTERS], unsigned r) {
  if (r % 2 == 0) {
    CHI(&X[0], &X[2], &X[4]);
    CHI(&X[1], &X[3], &X[5]);
  } else {
    CHI(&X[0], &X[3], &X[5]);
    CHI(&X[1], &X[2], &X[4]);
  }
}

/* Step D, register rotation: three rounds forward, three rounds backward. */
static inline void step_d(reg X[REGISTERS], unsigned r) {
  if (r / 3 % 2 == 0) {
    const reg last = X[REGISTERS - 1];
    memmove(X + 1, X, (REGISTERS - 1) * sizeof X[0]);
    X[0] = last;
  } else {
    const reg first = X[0];
    memmove(X, X + 1, (REGISTERS - 1) * sizeof X[0]);
    X[REGISTERS - 1] = first;
  }
}

/* P_rounds; the round number starts at 0 in every call. */
static inline void permute(reg X[REGISTERS], unsigned rounds) {
  unsigned r;
  for (r = 0; r < rounds; ++r) {
    step_a(X);
    step_b(X, r);
    step_c(X, r);
    step_d(X, r);
  }
}

#endif
