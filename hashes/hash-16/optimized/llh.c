/* SPDX-License-Identifier: MIT */
/*
 * LLH-256, -512, -768 and -1024 in plain C99, tuned; LLH_BITS selects. Each word of T enters one
 * group of the mixing only: a round computes six groups from the old state, without T in between
 * and with every index and rotation amount a constant; two rounds lead to a second state and back.
 * Complements move into the sum of a group. Whole blocks are read where the message lies; no heap.
 */
#include "CryptHash_AlgorithmInstance.h"

#include <string.h>

#include "llh_constants.h"
#include "llh_fast_word.h"

/* T[4g + j] before its complement, from the state s. */
#define NONLINEAR(s, g, j)                                                    \
  word_xor(word_xor((s)[4 * (g) + (j)], (s)[4 * (((g) + 2) % GROUPS) + (j)]), \
           word_and((s)[4 * (((g) + 1) % GROUPS) + (j)], (s)[4 * (((g) + 3) % GROUPS) + (j)]))

#define IS_COMPLEMENTED(g) ((g) % 3 != 2)

/* Word 4k + j of the new state: the sum of the four words of T without t, which is from group g. */
#define MIX(to, k, j, g, t) \
  (to)[4 * (k) + (j)] =     \
      word_rotl(word_xor(IS_COMPLEMENTED(g) ? inverse : sum, t), SIGMA[4 * (k) + (j)])

/*
 * Group k of the new state, whose four words of T are from the groups g0..g3. Two or four of these
 * are complemented, which the sum of four does not show; the sum without such a word is inverted.
 */
#define GROUP(to, from, k, g0, g1, g2, g3)                                                  \
  do {                                                                                      \
    const word t0 = NONLINEAR(from, g0, 0), t1 = NONLINEAR(from, g1, 1);                    \
    const word t2 = NONLINEAR(from, g2, 2), t3 = NONLINEAR(from, g3, 3);                    \
    const word sum = word_xor(word_xor(t0, t1), word_xor(t2, t3)), inverse = word_not(sum); \
    MIX(to, k, 0, g0, t0);                                                                  \
    MIX(to, k, 1, g1, t1);                                                                  \
    MIX(to, k, 2, g2, t2);                                                                  \
    MIX(to, k, 3, g3, t3);                                                                  \
  } while (0)

/* The round constant: w bits of the fraction of e. */
#define RC(round) word_of(E_FRACTION + (round)*PIECES_PER_WORD)

/* One round, the same for every w; the groups of T come from the table of the mixing. */
#define ROUND(to, from, round)                \
  do {                                        \
    GROUP(to, from, 0, 1, 2, 4, 5);           \
    GROUP(to, from, 1, 2, 0, 5, 3);           \
    GROUP(to, from, 2, 3, 4, 1, 0);           \
    GROUP(to, from, 3, 5, 1, 2, 4);           \
    GROUP(to, from, 4, 0, 5, 3, 2);           \
    GROUP(to, from, 5, 4, 3, 0, 1);           \
    (to)[23] = word_xor((to)[23], RC(round)); \
  } while (0)

static void permute(word s[STATE_WORDS]) {
  word other[STATE_WORDS];
  unsigned round;
  for (round = 0; round < ROUNDS; round += 2) {
    ROUND(other, s, round);
    ROUND(s, other, round + 1);
  }
}

/* Initial value: zero but for the length in bits, which for w = 32 fills two words. */
static void initialise(word s[STATE_WORDS], uint64_t length_bits) {
  unsigned char bytes[2 * WORD_BYTES] = {0}; /* s[22], s[23] */
  store_64(bytes + (WORD_BITS == 32 ? 0 : WORD_BYTES), length_bits);
  memset(s, 0, STATE_WORDS * sizeof s[0]);
  s[22] = load(bytes);
  s[23] = load(bytes + WORD_BYTES);
}

/* Absorbing: the permutation comes before the block, and feeds forward on the capacity only. */
static void absorb(word s[STATE_WORDS], const unsigned char* block) {
  word capacity[STATE_WORDS - RATE_WORDS];
  unsigned i;
  memcpy(capacity, s + RATE_WORDS, sizeof capacity);
  permute(s);
  for (i = 0; i < RATE_WORDS; ++i) {
    s[i] = word_xor(s[i], load(block + i * WORD_BYTES));
  }
  for (i = RATE_WORDS; i < STATE_WORDS; ++i) {
    s[i] = word_xor(s[i], capacity[i - RATE_WORDS]);
  }
}

/* Padding: the byte with its bits in reverse order. */
static unsigned reversed(unsigned byte) {
  byte = (byte & 0x0fU) << 4 | (byte & 0xf0U) >> 4;
  byte = (byte & 0x33U) << 2 | (byte & 0xccU) >> 2;
  return (byte & 0x55U) << 1 | (byte & 0xaaU) >> 1;
}

/* Padding: the bits after the last whole block, filled up with ones. */
static void pad(unsigned char block[BLOCK_BYTES], const unsigned char* rest, unsigned rest_bits) {
  const unsigned bytes = rest_bits / 8, bits = rest_bits % 8;
  memset(block, 0xff, BLOCK_BYTES);
  memcpy(block, rest, bytes);
  if (bits != 0) {
    block[bytes] = (unsigned char)(reversed(rest[bytes] | 0xffU >> bits));
  }
}

int CryptHash(int digest_len_bits, const unsigned char* msg, unsigned long long msg_len_bits,
              unsigned char* digest) {
  const unsigned rest_bits = (unsigned)(msg_len_bits % (8U * BLOCK_BYTES));
  unsigned long long whole = msg_len_bits / (8U * BLOCK_BYTES);
  unsigned char last[BLOCK_BYTES];
  word s[STATE_WORDS];
  unsigned i;
  if (digest == NULL) {
    return -2;
  }
  if (digest_len_bits != DIGEST_BIT_LENGTH) {
    return -1;
  }
  if (msg == NULL && msg_len_bits != 0) {
    return -2;
  }
  initialise(s, msg_len_bits);
  for (; whole != 0; --whole, msg += BLOCK_BYTES) {
    absorb(s, msg);
  }
  if (rest_bits != 0) {
    pad(last, msg, rest_bits);
    absorb(s, last);
  }
  permute(s);
  for (i = 0; i < RATE_WORDS; ++i) {
    store(digest + i * WORD_BYTES, s[i]);
  }
  return 0;
}
