/* SPDX-License-Identifier: MIT */
/*
 * The Thunder family in plain C99, tuned. A round is unrolled: the lanes of a row are mixed and,
 * since transposition makes a column of each row, go straight into the non-linear step; Q is summed
 * down the column by differences of the amounts. Whole lanes are read, and written where the output
 * is. No heap.
 */
#include "CryptHash_AlgorithmInstance.h"

#include <string.h>

#include "thunder_constants.h"

static inline uint64_t rotr(uint64_t v, unsigned n) { return (v >> n) | (v << (64 - n)); }

/* Rotated lanes of column x into b, with their sums P and Q: the amounts of Q, 41, 50, 6, 10 and
 * 27, are 9, 20, 4 and 17 apart. */
#define COLUMN(x, b0, b1, b2, b3, b4)                                   \
  do {                                                                  \
    b[x] = b0;                                                          \
    b[5 + (x)] = b1;                                                    \
    b[10 + (x)] = b2;                                                   \
    b[15 + (x)] = b3;                                                   \
    b[20 + (x)] = b4;                                                   \
    P[x] = b[x] ^ b[5 + (x)] ^ b[10 + (x)] ^ b[15 + (x)] ^ b[20 + (x)]; \
    Q[x] = b[15 + (x)] ^ rotr(b[20 + (x)], 17);                         \
    Q[x] = b[5 + (x)] ^ rotr(b[10 + (x)] ^ rotr(Q[x], 4), 20);          \
    Q[x] = rotr(b[x] ^ rotr(Q[x], 9), 41);                              \
  } while (0)

/* Row y of b, mixed, becomes column y: lane x in row rx = 2x + 3y + 2. */
#define MIXED(x, y, u) (b[5 * (y) + (x)] ^ E[x] ^ rotr(F[x], u))
#define ROW(y, u, r0, r1, r2, r3, r4)             \
  do {                                            \
    uint64_t a[5];                                \
    a[r0] = MIXED(0, y, u);                       \
    a[r1] = MIXED(1, y, u);                       \
    a[r2] = MIXED(2, y, u);                       \
    a[r3] = MIXED(3, y, u);                       \
    a[r4] = MIXED(4, y, u);                       \
    A[y] = a[3] ^ (a[2] & ~(a[1] | a[4]));        \
    A[5 + (y)] = a[4] ^ (a[3] & ~(a[2] | a[0]));  \
    A[10 + (y)] = a[0] ^ (a[4] & ~(a[3] | a[1])); \
    A[15 + (y)] = a[1] ^ (a[0] & ~(a[4] | a[2])); \
    A[20 + (y)] = a[2] ^ (a[1] & ~(a[0] | a[3])); \
  } while (0)

#define MIX_COLUMN(x, before, next, third)     \
  E[x] = rotr(P[x], 26) ^ rotr(P[before], 27); \
  F[x] = Q[next] ^ rotr(Q[third], 36)

static void permute(uint64_t A[LANES]) {
  uint64_t b[LANES], P[5], Q[5], E[5], F[5];
  unsigned round;
  for (round = 0; round < ROUNDS; ++round) {
    COLUMN(0, rotr(A[0] ^ RC[round], 45), rotr(A[5], 40), rotr(A[10], 34), rotr(A[15], 48),
           rotr(A[20], 6));
    COLUMN(1, rotr(A[1], 33), rotr(A[6], 52), rotr(A[11], 5), rotr(A[16], 30), rotr(A[21], 18));
    COLUMN(2, rotr(A[2], 13), rotr(A[7], 19), A[12], rotr(A[17], 61), rotr(A[22], 49));
    COLUMN(3, rotr(A[3], 1), rotr(A[8], 47), rotr(A[13], 2), rotr(A[18], 8), rotr(A[23], 17));
    COLUMN(4, rotr(A[4], 27), rotr(A[9], 9), rotr(A[14], 37), rotr(A[19], 38), rotr(A[24], 43));
    MIX_COLUMN(0, 4, 1, 3);
    MIX_COLUMN(1, 0, 2, 4);
    MIX_COLUMN(2, 1, 3, 0);
    MIX_COLUMN(3, 2, 4, 1);
    MIX_COLUMN(4, 3, 0, 2);
    ROW(0, 3, 2, 4, 1, 3, 0);
    ROW(1, 12, 0, 2, 4, 1, 3);
    ROW(2, 32, 3, 0, 2, 4, 1);
    ROW(3, 36, 1, 3, 0, 2, 4);
    ROW(4, 53, 4, 1, 3, 0, 2);
  }
}

static inline uint64_t load(const unsigned char* b) {
  return (uint64_t)b[0] << 56 | (uint64_t)b[1] << 48 | (uint64_t)b[2] << 40 | (uint64_t)b[3] << 32 |
         (uint64_t)b[4] << 24 | (uint64_t)b[5] << 16 | (uint64_t)b[6] << 8 | (uint64_t)b[7];
}

static inline void store(unsigned char* b, uint64_t lane) {
  b[0] = (unsigned char)(lane >> 56);
  b[1] = (unsigned char)(lane >> 48);
  b[2] = (unsigned char)(lane >> 40);
  b[3] = (unsigned char)(lane >> 32);
  b[4] = (unsigned char)(lane >> 24);
  b[5] = (unsigned char)(lane >> 16);
  b[6] = (unsigned char)(lane >> 8);
  b[7] = (unsigned char)lane;
}

static void step(uint64_t A[LANES]) {
  uint64_t saved[C];
  unsigned i;
  memcpy(saved, A, sizeof saved);
  permute(A);
  for (i = 0; i < C; ++i) {
    A[i] ^= saved[i];
  }
}

static void absorb(uint64_t A[LANES], const unsigned char* block, uint64_t d) {
  unsigned k;
  for (k = 0; k < R; ++k) {
    A[24 - k] ^= load(block + LANE_BYTES * k);
  }
  A[0] ^= d;
  step(A);
}

static void absorb_rest(uint64_t A[LANES], const unsigned char* rest, unsigned bits) {
  const unsigned bytes = bits / 8, odd = bits % 8;
  unsigned char block[RATE_BYTES] = {0};
  if (bytes != 0) {
    memcpy(block, rest, bytes);
  }
  block[bytes] = 0x80;
  if (odd != 0) {
    block[bytes] = (unsigned char)((rest[bytes] & (0xff00U >> odd)) | (0x80U >> odd));
  }
  if (bits == RATE_BITS - 1) {
    absorb(A, block, 0);
    memset(block, 0, RATE_BYTES);
  }
  absorb(A, block, 1);
}

/* The first `bits` bits of a squeeze, at most 64 S. */
static void squeeze(const uint64_t A[LANES], unsigned char* digest, unsigned bits) {
  unsigned char lane[LANE_BYTES];
  unsigned i;
  for (i = 0; i < bits / 64; ++i) {
    store(digest + LANE_BYTES * i, A[S - 1 - i]);
  }
  bits %= 64;
  if (bits != 0) {
    store(lane, A[S - 1 - i] & ~(~0ULL >> bits));
    memcpy(digest + LANE_BYTES * i, lane, (bits + 7) / 8);
  }
}

int CryptHash(int digest_len_bits, const unsigned char* msg, unsigned long long msg_len_bits,
              unsigned char* digest) {
  uint64_t A[LANES] = {0};
  unsigned long long blocks;
  unsigned bits = DIGEST_BIT_LENGTH, i;
#ifdef THUNDER_XOF
  if (digest_len_bits < 0) {
    return -1;
  }
  bits = (unsigned)digest_len_bits;
#else
  (void)digest_len_bits;
#endif
  for (i = 0; i < C; ++i) {
    A[C - 1 - i] = IV[i];
  }
  for (blocks = msg_len_bits / RATE_BITS; blocks != 0; --blocks, msg += RATE_BYTES) {
    absorb(A, msg, 0);
  }
  absorb_rest(A, msg, (unsigned)(msg_len_bits % RATE_BITS));
  for (; bits > 64 * S; bits -= 64 * S, digest += LANE_BYTES * S) {
    squeeze(A, digest, 64 * S);
    step(A);
  }
  squeeze(A, digest, bits);
  return 0;
}
