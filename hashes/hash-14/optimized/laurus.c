/* SPDX-License-Identifier: MIT */
/*
 * Laurus-512, -768, -1024 and Laurus-XOF in plain C99, tuned. A round is unrolled over the square:
 * step 2 shares its products, and step 3 writes each word to where step 4 takes it, so that nothing
 * is copied or looked up. Whole blocks are read where the message lies; no heap.
 */
#include "CryptHash_AlgorithmInstance.h"

#include <string.h>

#include "laurus_constants.h"

#define RATE_BYTES (RATE_BITS / 8)
#define LAST_BYTES (LAST_BITS / 8)
#define OUTPUT_BITS (64 * OUTPUT_WORDS)

static inline uint64_t rotl(uint64_t a, unsigned n) { return (a << n) | (a >> (64 - n)); }
static inline uint64_t rotr(uint64_t a, unsigned n) { return (a >> n) | (a << (64 - n)); }

/* Step 2 on column j: x0 x4 + x0 x2 x3 = x0 y3, x3 x4 + x2 x3 x4 = x3 x4 not x2, and
 * x0 x1 + x1 x3 x4 = x1 y4. */
#define SUBSTITUTE(w, u, j)                                               \
  do {                                                                    \
    const uint64_t x0 = (w)[j], x1 = (w)[5 + (j)], x2 = (w)[10 + (j)];    \
    const uint64_t x3 = (w)[15 + (j)], x4 = (w)[20 + (j)], x34 = x3 & x4; \
    const uint64_t y3 = x4 ^ (x2 & x3), y4 = x0 ^ x34;                    \
    (u)[j] = x1 ^ (x0 & y3) ^ (x34 & ~x2);                                \
    (u)[5 + (j)] = x2 ^ (x1 & y4);                                        \
    (u)[10 + (j)] = x3 ^ (x1 & x2);                                       \
    (u)[15 + (j)] = y3;                                                   \
    (u)[20 + (j)] = y4;                                                   \
  } while (0)

/* Step 3 on row i with its rotation amounts t0 to t4; word j goes to place nj (step 4). */
#define MIX(u, w, i, t0, t1, t2, t3, t4, n0, n1, n2, n3, n4)                                \
  do {                                                                                      \
    const uint64_t a = (u)[5 * (i)], b = (u)[5 * (i) + 1], c = (u)[5 * (i) + 2];            \
    const uint64_t d = (u)[5 * (i) + 3], e = (u)[5 * (i) + 4], p = a ^ b ^ c ^ d ^ e;       \
    const uint64_t q = rotl(a, t0) ^ rotl(b, t1) ^ rotl(c, t2) ^ rotl(d, t3) ^ rotl(e, t4); \
    (w)[n0] = a ^ rotr(p, t0) ^ q;                                                          \
    (w)[n1] = b ^ rotr(p, t1) ^ q;                                                          \
    (w)[n2] = c ^ rotr(p, t2) ^ q;                                                          \
    (w)[n3] = d ^ rotr(p, t3) ^ q;                                                          \
    (w)[n4] = e ^ rotr(p, t4) ^ q;                                                          \
  } while (0)

static void PI(uint64_t w[WORDS]) {
  uint64_t u[WORDS];
  unsigned t;
  for (t = 0; t < ROUNDS; ++t) {
    w[0] ^= RC[t];
    SUBSTITUTE(w, u, 0);
    SUBSTITUTE(w, u, 1);
    SUBSTITUTE(w, u, 2);
    SUBSTITUTE(w, u, 3);
    SUBSTITUTE(w, u, 4);
    MIX(u, w, 0, 31, 1, 4, 21, 22, 0, 23, 16, 14, 7);
    MIX(u, w, 1, 19, 12, 15, 34, 13, 21, 19, 12, 5, 3);
    MIX(u, w, 2, 28, 35, 58, 9, 23, 17, 10, 8, 1, 24);
    MIX(u, w, 3, 55, 18, 5, 27, 44, 13, 6, 4, 22, 15);
    MIX(u, w, 4, 14, 43, 53, 20, 25, 9, 2, 20, 18, 11);
  }
}

static inline uint64_t load(const unsigned char* b) {
  return (uint64_t)b[0] << 56 | (uint64_t)b[1] << 48 | (uint64_t)b[2] << 40 | (uint64_t)b[3] << 32 |
         (uint64_t)b[4] << 24 | (uint64_t)b[5] << 16 | (uint64_t)b[6] << 8 | (uint64_t)b[7];
}

static inline void store(unsigned char* b, uint64_t word) {
  b[0] = (unsigned char)(word >> 56);
  b[1] = (unsigned char)(word >> 48);
  b[2] = (unsigned char)(word >> 40);
  b[3] = (unsigned char)(word >> 32);
  b[4] = (unsigned char)(word >> 24);
  b[5] = (unsigned char)(word >> 16);
  b[6] = (unsigned char)(word >> 8);
  b[7] = (unsigned char)word;
}

/* ABSORB(i, block): V is the last k words of S, then the block and what is left of S. */
static void absorb(uint64_t S[CHAIN_WORDS], uint64_t i, const unsigned char* block) {
  uint64_t w[WORDS], V[CHAIN_WORDS];
  unsigned j;
  w[0] = i;
  for (j = 0; j < K; ++j) {
    w[1 + j] = load(block + WORD_BYTES * j);
  }
  memcpy(w + 1 + K, S, (CHAIN_WORDS - K) * sizeof w[0]);
  memcpy(V, S + CHAIN_WORDS - K, K * sizeof V[0]);
  memcpy(V + K, w + 1, (CHAIN_WORDS - K) * sizeof V[0]);
  PI(w);
  for (j = 0; j < CHAIN_WORDS; ++j) {
    S[j] = w[1 + j] ^ V[j];
  }
}

/* The first `bits` bits that are left of the message, cleared behind them; a 1 is set at `bits`
 * unless they fill the block. */
static void take_rest(unsigned char* block, unsigned block_bytes, const unsigned char* rest,
                      unsigned bits) {
  const unsigned bytes = bits / 8, odd = bits % 8;
  memset(block, 0, block_bytes);
  if (bytes != 0) {
    memcpy(block, rest, bytes);
  }
  if (odd != 0) {
    block[bytes] = (unsigned char)(rest[bytes] & (0xff00U >> odd));
  }
  if (bytes < block_bytes) {
    block[bytes] = (unsigned char)(block[bytes] | 0x80U >> odd);
  }
}

/* Absorbs the message; the last block goes to `last`. Returns d. */
static unsigned absorb_message(uint64_t S[CHAIN_WORDS], const unsigned char* msg,
                               unsigned long long bits, unsigned char last[LAST_BYTES]) {
  unsigned long long blocks = bits / RATE_BITS, i;
  unsigned rest = (unsigned)(bits % RATE_BITS);
  if (RATE_BITS == LAST_BITS && bits != 0 && rest == 0) {
    --blocks;
    rest = LAST_BITS;
  }
  for (i = 0; i < blocks; ++i, msg += RATE_BYTES) {
    absorb(S, i, msg);
  }
  if (rest > LAST_BITS) {
    unsigned char block[RATE_BYTES];
    take_rest(block, RATE_BYTES, msg, rest);
    absorb(S, blocks, block);
    memset(last, 0, LAST_BYTES);
    return 0;
  }
  take_rest(last, LAST_BYTES, msg, rest);
  return rest == LAST_BITS;
}

/* Output block t: its first `bits` bits. Y is S then e; the permutation takes Y[8..31]. */
static void output(const uint64_t Y[CHAIN_WORDS + LAST_WORDS], uint64_t first,
                   unsigned char* digest, unsigned bits) {
  uint64_t w[WORDS];
  unsigned char word[WORD_BYTES];
  unsigned j;
  w[0] = first;
  memcpy(w + 1, Y + 8, CHAIN_WORDS * sizeof w[0]);
  PI(w);
  for (j = 0; j < bits / 64; ++j) {
    store(digest + WORD_BYTES * j, w[8 + j] ^ Y[15 + j]);
  }
  bits %= 64;
  if (bits != 0) {
    store(word, (w[8 + j] ^ Y[15 + j]) & ~(~0ULL >> bits));
    memcpy(digest + WORD_BYTES * j, word, (bits + 7) / 8);
  }
}

int CryptHash(int digest_len_bits, const unsigned char* msg, unsigned long long msg_len_bits,
              unsigned char* digest) {
  uint64_t Y[CHAIN_WORDS + LAST_WORDS] = {0};
  unsigned char last[LAST_BYTES];
  uint64_t first;
  unsigned bits, j;
#ifdef LAURUS_XOF
  if (digest_len_bits < 0) {
    return -1;
  }
#else
  if (digest_len_bits != DIGEST_BIT_LENGTH) {
    return -1;
  }
#endif
  Y[CHAIN_WORDS - 1] = ((uint64_t)F << 63) + C;
  first = (uint64_t)(2 + absorb_message(Y, msg, msg_len_bits, last)) << 62;
  for (j = 0; j < LAST_WORDS; ++j) {
    Y[CHAIN_WORDS + j] = load(last + WORD_BYTES * j);
  }
  for (bits = (unsigned)digest_len_bits; bits > OUTPUT_BITS; bits -= OUTPUT_BITS) {
    output(Y, first++, digest, OUTPUT_BITS);
    digest += OUTPUT_BITS / 8;
  }
  output(Y, first, digest, bits);
  return 0;
}
