/* SPDX-License-Identifier: MIT */
/*
 * Thunder-512, -768, -1024 and Thunder-XOF-256, -384, -512 with the names of their specification:
 * the state A of 25 lanes, C capacity and R rate lanes, S lanes a squeeze. C99 to be read. No heap;
 * the message is read where it lies.
 */
#include "CryptHash_AlgorithmInstance.h"

#include <string.h>

#include "thunder_permutation.h"

/* Lanes are big endian in messages and digests. */
static uint64_t load(const unsigned char* b) {
  uint64_t lane = 0;
  unsigned i;
  for (i = 0; i < LANE_BYTES; ++i) {
    lane = lane << 8 | b[i];
  }
  return lane;
}

static void store(unsigned char* b, uint64_t lane) {
  unsigned i;
  for (i = 0; i < LANE_BYTES; ++i) {
    b[i] = (unsigned char)(lane >> (56 - 8 * i) & 0xff);
  }
}

static void initialize(uint64_t A[LANES]) {
  unsigned i;
  memset(A, 0, LANES * sizeof A[0]);
  for (i = 0; i < C; ++i) {
    A[C - 1 - i] = IV[i];
  }
}

/* The permutation, with the capacity before it fed forward. */
static void step(uint64_t A[LANES]) {
  uint64_t saved[C];
  unsigned i;
  memcpy(saved, A, sizeof saved);
  permute(A);
  for (i = 0; i < C; ++i) {
    A[i] ^= saved[i];
  }
}

/* Section 5; d marks the last block. */
static void absorb(uint64_t A[LANES], const unsigned char block[RATE_BYTES], uint64_t d) {
  unsigned k;
  for (k = 0; k < R; ++k) {
    A[24 - k] ^= load(block + LANE_BYTES * k);
  }
  A[0] ^= d;
  step(A);
}

/* Section 6: the n bits that are left, a 1 and zeros; one block more if the 1 takes the last place.
 */
static void absorb_rest(uint64_t A[LANES], const unsigned char* rest, unsigned n) {
  unsigned char block[RATE_BYTES] = {0};
  if (n != 0) {
    memcpy(block, rest, (n + 7) / 8);
  }
  if (n % 8 != 0) {
    block[n / 8] = (unsigned char)(block[n / 8] & (0xff00U >> n % 8));
  }
  block[n / 8] = (unsigned char)(block[n / 8] | 0x80U >> n % 8);
  if (n == RATE_BITS - 1) {
    absorb(A, block, 0);
    memset(block, 0, sizeof block);
  }
  absorb(A, block, 1);
}

static void squeeze(const uint64_t A[LANES], unsigned char bytes[S * LANE_BYTES]) {
  unsigned i;
  for (i = 0; i < S; ++i) {
    store(bytes + LANE_BYTES * i, A[S - 1 - i]);
  }
}

#ifdef THUNDER_XOF

/* Section 7, bit by bit as the submission copies its output. */
static void output(uint64_t A[LANES], int bits, unsigned char* digest) {
  unsigned char bytes[S * LANE_BYTES];
  unsigned i;
  for (i = 0; i < (unsigned)bits; ++i) {
    const unsigned at = i % (64 * S);
    if (at == 0) {
      if (i != 0) {
        step(A);
      }
      squeeze(A, bytes);
    }
    if (i % 8 == 0) {
      digest[i / 8] = 0;
    }
    digest[i / 8] =
        (unsigned char)(digest[i / 8] | ((bytes[at / 8] >> (7 - at % 8) & 1) << (7 - i % 8)));
  }
}

#else

static void output(uint64_t A[LANES], int bits, unsigned char* digest) {
  (void)bits;
  squeeze(A, digest);
}

#endif

int CryptHash(int digest_len_bits, const unsigned char* msg, unsigned long long msg_len_bits,
              unsigned char* digest) {
  uint64_t A[LANES];
  unsigned long long blocks;
  initialize(A);
  for (blocks = msg_len_bits / RATE_BITS; blocks != 0; --blocks, msg += RATE_BYTES) {
    absorb(A, msg, 0);
  }
  absorb_rest(A, msg, (unsigned)(msg_len_bits % RATE_BITS));
  output(A, digest_len_bits, digest);
  return 0;
}
