/* SPDX-License-Identifier: MIT */
/*
 * CHIME-512 and CHIME-1024 in plain C99, tuned; CHIME_BITS selects. Step D costs nothing, since six
 * unrolled rounds bring every register back to its name. The other steps are merged into loops over
 * lanes that a compiler turns into vector instructions on registers that stay in the processor.
 * Whole blocks are read where the message lies; no heap.
 */
#include "CryptHash_AlgorithmInstance.h"

#include <string.h>

#include "chime_constants.h"

#define RATE_BITS (8 * RATE_BYTES)

/* A loop for each half, so that vectors of two lanes leave no loop at all. */
#define EACH_LANE(j, statements) \
  for (j = 0; j < 2; ++j) {      \
    statements                   \
  }                              \
  for (j = 2; j < 4; ++j) {      \
    statements                   \
  }

/* A register of 256 bits. */
typedef struct {
  uint64_t lane[LANES];
} reg;

static inline uint64_t rotl(uint64_t a, unsigned n) { return (a << n) | (a >> (64 - n)); }

/* Lane j of W32(x). */
static inline uint64_t w32(const uint64_t x[LANES], unsigned j) {
  return (x[j] >> 32) | (x[j ^ 1] << 32);
}

/* Step A, lines 1 to 7, then the new values of X0 and X1 (lines 8 and 9). */
#define MIX(x0, x1, x2, x3, x4, x5, new0, new1)                             \
  EACH_LANE(j, (x3).lane[j] ^= w32((x5).lane, j) ^ rotl((x1).lane[j], 31);) \
  EACH_LANE(j, (x2).lane[j] ^= (x1).lane[j];)                               \
  EACH_LANE(j, (x4).lane[j] ^= rotl((x0).lane[j], 29) ^ (x3).lane[j];)      \
  EACH_LANE(j, (x5).lane[j] ^= rotl((x0).lane[j], 13) ^ w32((x3).lane, j);) \
  EACH_LANE(j, (new0)[j] = (x0).lane[(j + 3) % LANES] ^ (x4).lane[j ^ 1];)  \
  EACH_LANE(j, (new1)[j] = (x1).lane[(j + 2) % LANES] ^ w32((x2).lane, j);)

/* Step A, lines 10 and 11, and step B. */
#define FINISH(x0, x1, x3, x5, new0, new1, r)                                  \
  EACH_LANE(j, (x3).lane[j] ^= (new0)[j] << 7; (x5).lane[j] ^= (new1)[j] >> 5; \
            (x0).lane[j] = (new0)[j] ^ RC[r]; (x1).lane[j] = (new1)[j];)

/* CHI, step C. */
#define CHI(a, b, c)                                                                    \
  EACH_LANE(j, const uint64_t old_a = (a).lane[j]; const uint64_t old_b = (b).lane[j];  \
            const uint64_t old_c = (c).lane[j]; (a).lane[j] = old_a ^ (~old_b & old_c); \
            (b).lane[j] = old_b ^ (~old_c & old_a); (c).lane[j] = old_c ^ (~old_a & old_b);)

/* A round without step D; its caller renames the registers. */
#define EVEN_ROUND(x0, x1, x2, x3, x4, x5, r) \
  do {                                        \
    uint64_t new0[LANES], new1[LANES];        \
    unsigned j;                               \
    MIX(x0, x1, x2, x3, x4, x5, new0, new1)   \
    FINISH(x0, x1, x3, x5, new0, new1, r)     \
    CHI(x0, x2, x4)                           \
    CHI(x1, x3, x5)                           \
  } while (0)

#define ODD_ROUND(x0, x1, x2, x3, x4, x5, r) \
  do {                                       \
    uint64_t new0[LANES], new1[LANES];       \
    unsigned j;                              \
    MIX(x0, x1, x2, x3, x4, x5, new0, new1)  \
    FINISH(x0, x1, x3, x5, new0, new1, r)    \
    CHI(x0, x3, x5)                          \
    CHI(x1, x2, x4)                          \
  } while (0)

/*
 * P_ROUNDS on the state X0, X1, ... of 24 lanes. Rounds 0, 1, 2 of every six move the registers
 * forward by one place each, and rounds 3, 4, 5 backward.
 */
static void permute(uint64_t X[REGISTERS * LANES]) {
  reg x0, x1, x2, x3, x4, x5;
  unsigned r;
  memcpy(&x0, X, sizeof x0);
  memcpy(&x1, X + 4, sizeof x1);
  memcpy(&x2, X + 8, sizeof x2);
  memcpy(&x3, X + 12, sizeof x3);
  memcpy(&x4, X + 16, sizeof x4);
  memcpy(&x5, X + 20, sizeof x5);
  for (r = 0; r + 6 <= ROUNDS; r += 6) {
    EVEN_ROUND(x0, x1, x2, x3, x4, x5, r);
    ODD_ROUND(x5, x0, x1, x2, x3, x4, r + 1);
    EVEN_ROUND(x4, x5, x0, x1, x2, x3, r + 2);
    ODD_ROUND(x3, x4, x5, x0, x1, x2, r + 3);
    EVEN_ROUND(x4, x5, x0, x1, x2, x3, r + 4);
    ODD_ROUND(x5, x0, x1, x2, x3, x4, r + 5);
  }
  EVEN_ROUND(x0, x1, x2, x3, x4, x5, r);
  ODD_ROUND(x5, x0, x1, x2, x3, x4, r + 1);
#if ROUNDS % 6 == 3
  EVEN_ROUND(x4, x5, x0, x1, x2, x3, r + 2);
#endif
#if ROUNDS % 6 == 3
  memcpy(X, &x3, sizeof x3);
  memcpy(X + 4, &x4, sizeof x4);
  memcpy(X + 8, &x5, sizeof x5);
  memcpy(X + 12, &x0, sizeof x0);
  memcpy(X + 16, &x1, sizeof x1);
  memcpy(X + 20, &x2, sizeof x2);
#else
  memcpy(X, &x4, sizeof x4);
  memcpy(X + 4, &x5, sizeof x5);
  memcpy(X + 8, &x0, sizeof x0);
  memcpy(X + 12, &x1, sizeof x1);
  memcpy(X + 16, &x2, sizeof x2);
  memcpy(X + 20, &x3, sizeof x3);
#endif
}

/* Lanes and bytes convert little endian. */
static inline uint64_t load(const unsigned char* b) {
  return (uint64_t)b[0] | (uint64_t)b[1] << 8 | (uint64_t)b[2] << 16 | (uint64_t)b[3] << 24 |
         (uint64_t)b[4] << 32 | (uint64_t)b[5] << 40 | (uint64_t)b[6] << 48 | (uint64_t)b[7] << 56;
}

static inline void store(unsigned char* b, uint64_t lane) {
  b[0] = (unsigned char)lane;
  b[1] = (unsigned char)(lane >> 8);
  b[2] = (unsigned char)(lane >> 16);
  b[3] = (unsigned char)(lane >> 24);
  b[4] = (unsigned char)(lane >> 32);
  b[5] = (unsigned char)(lane >> 40);
  b[6] = (unsigned char)(lane >> 48);
  b[7] = (unsigned char)(lane >> 56);
}

#if CHIME_BITS == 512

#define DIGEST_LANE 0 /* X0 */

static void absorb(uint64_t X[REGISTERS * LANES], const unsigned char* block) {
  unsigned i;
  for (i = 0; i < RATE_BYTES / LANE_BYTES; ++i) {
    X[i] ^= load(block + i * LANE_BYTES);
  }
  permute(X);
}

/* No block is marked. */
static void mark_last_block(uint64_t X[REGISTERS * LANES]) { (void)X; }

#else

#define DIGEST_LANE 8 /* X2 */

/* The capacity before the block is fed forward: X1[0], and all from X2 on. */
static void absorb(uint64_t X[REGISTERS * LANES], const unsigned char* block) {
  uint64_t F[(REGISTERS - 2) * LANES];
  const uint64_t F1 = X[LANES];
  unsigned i;
  memcpy(F, X + 2 * LANES, sizeof F);
  for (i = 0; i < LANES; ++i) {
    X[i] ^= load(block + i * LANE_BYTES);
  }
  for (; i < RATE_BYTES / LANE_BYTES; ++i) {
    X[i + 1] ^= load(block + i * LANE_BYTES);
  }
  permute(X);
  X[LANES] ^= F1;
  for (i = 0; i < (REGISTERS - 2) * LANES; ++i) {
    X[2 * LANES + i] ^= F[i];
  }
}

static void mark_last_block(uint64_t X[REGISTERS * LANES]) { X[5 * LANES] ^= 1; }

#endif

/* Padding from the rest of less than a block; one block more if a single bit is free. */
static void absorb_rest(uint64_t X[REGISTERS * LANES], const unsigned char* rest,
                        unsigned rest_bits) {
  const unsigned bytes = rest_bits / 8, bits = rest_bits % 8;
  unsigned char block[RATE_BYTES] = {0};
  if (bytes != 0) {
    memcpy(block, rest, bytes);
  }
  if (bits != 0) {
    block[bytes] = (unsigned char)(rest[bytes] & ~(0xffU >> bits));
  }
  block[bytes] |= (unsigned char)(0x80U >> bits);
  if (rest_bits == RATE_BITS - 1) {
    absorb(X, block);
    memset(block, 0, RATE_BYTES);
  }
  block[RATE_BYTES - 1] |= 0x01U;
  mark_last_block(X);
  absorb(X, block);
}

int CryptHash(int digest_len_bits, const unsigned char* msg, unsigned long long msg_len_bits,
              unsigned char* digest) {
  uint64_t X[REGISTERS * LANES] = {0};
  unsigned long long whole;
  unsigned i;
  (void)digest_len_bits;
  if (msg == NULL && msg_len_bits != 0) {
    return -1;
  }
  for (whole = msg_len_bits / RATE_BITS; whole != 0; --whole) {
    absorb(X, msg);
    msg += RATE_BYTES;
  }
  absorb_rest(X, msg, (unsigned)(msg_len_bits % RATE_BITS));
  for (i = 0; i < DIGEST_BYTES / LANE_BYTES; ++i) {
    store(digest + i * LANE_BYTES, X[DIGEST_LANE + i]);
  }
  return 0;
}
