/* SPDX-License-Identifier: MIT */
/*
 * LLH-256, -512, -768 and -1024 from the specification of the family, with its names: s, T, sigma,
 * RC. One text for the four; LLH_BITS selects. Plain C99, no heap, no state between calls. A model
 * to be read and measured, not tuned.
 */
#include "CryptHash_AlgorithmInstance.h"

#include <string.h>

#include "llh_constants.h"
#include "llh_word.h"

/* Words and bytes convert little endian. */
static word load(const unsigned char* bytes) {
  word a = ZERO;
  unsigned i;
  for (i = WORD_BYTES; i != 0; i -= 4) {
    a = word_append(a, (uint32_t)bytes[i - 1] << 24 | (uint32_t)bytes[i - 2] << 16 |
                           (uint32_t)bytes[i - 3] << 8 | (uint32_t)bytes[i - 4]);
  }
  return a;
}

static void store(unsigned char* bytes, word a) {
  unsigned i;
  for (i = 0; i < WORD_BYTES; ++i) {
    bytes[i] = word_byte(a, i);
  }
}

/* Non-linear step for the group a, which b, c and d follow. */
static inline void nonlinear(word T[4], const word a[4], const word b[4], const word c[4],
                             const word d[4]) {
  unsigned j;
  for (j = 0; j < 4; ++j) {
    T[j] = word_xor(word_xor(a[j], c[j]), word_and(b[j], d[j]));
  }
}

static inline void complement(word T[4]) {
  unsigned j;
  for (j = 0; j < 4; ++j) {
    T[j] = word_not(T[j]);
  }
}

/* Mixing and rotation for group k: from four words of T each of the four sums of three. */
static inline void mix(word s[STATE_WORDS], unsigned k, word a, word b, word c, word d) {
  s[4 * k] = word_rotl(word_xor(word_xor(b, c), d), SIGMA[4 * k]);
  s[4 * k + 1] = word_rotl(word_xor(word_xor(a, c), d), SIGMA[4 * k + 1]);
  s[4 * k + 2] = word_rotl(word_xor(word_xor(a, b), d), SIGMA[4 * k + 2]);
  s[4 * k + 3] = word_rotl(word_xor(word_xor(a, b), c), SIGMA[4 * k + 3]);
}

/* The round constant: w bits of the fraction of e. */
static inline word RC(unsigned round) {
  word constant = ZERO;
  unsigned i;
  for (i = 0; i < PIECES_PER_WORD; ++i) {
    constant = word_append(constant, E_FRACTION[round * PIECES_PER_WORD + i]);
  }
  return constant;
}

/* One round, the same for every w. */
static void apply_round(word s[STATE_WORDS], unsigned round) {
  word T[STATE_WORDS];
  unsigned g;
  for (g = 0; g < GROUPS; ++g) {
    nonlinear(T + 4 * g, s + 4 * g, s + 4 * ((g + 1) % GROUPS), s + 4 * ((g + 2) % GROUPS),
              s + 4 * ((g + 3) % GROUPS));
    if (g % 3 != 2) {
      complement(T + 4 * g);
    }
  }
  mix(s, 0, T[4], T[9], T[18], T[23]);
  mix(s, 1, T[8], T[1], T[22], T[15]);
  mix(s, 2, T[12], T[17], T[6], T[3]);
  mix(s, 3, T[20], T[5], T[10], T[19]);
  mix(s, 4, T[0], T[21], T[14], T[11]);
  mix(s, 5, T[16], T[13], T[2], T[7]);
  s[23] = word_xor(s[23], RC(round));
}

static void permute(word s[STATE_WORDS]) {
  unsigned round;
  for (round = 0; round < ROUNDS; ++round) {
    apply_round(s, round);
  }
}

/* Initial value: zero but for the length in bits, which for w = 32 fills two words. */
static void initialise(word s[STATE_WORDS], uint64_t length_bits) {
  const uint32_t low = (uint32_t)(length_bits & 0xffffffffU), high = (uint32_t)(length_bits >> 32);
  memset(s, 0, STATE_WORDS * sizeof s[0]);
  s[23] = word_append(s[23], high);
  if (WORD_BITS == 32) {
    s[22] = word_append(s[22], low);
  } else {
    s[23] = word_append(s[23], low);
  }
}

/* Absorbing: the permutation comes before the block, and feeds forward on the capacity only. */
static void absorb(word s[STATE_WORDS], const unsigned char* block) {
  word copy[STATE_WORDS];
  unsigned i;
  memcpy(copy, s, sizeof copy);
  permute(s);
  for (i = RATE_WORDS; i < STATE_WORDS; ++i) {
    s[i] = word_xor(s[i], copy[i]);
  }
  for (i = 0; i < RATE_WORDS; ++i) {
    s[i] = word_xor(s[i], load(block + i * WORD_BYTES));
  }
}

/* Padding: the first `bits` bits of a byte from the other end, and ones above them. */
static unsigned char partial_byte(unsigned char byte, unsigned bits) {
  unsigned result = 0xffU, i;
  for (i = 0; i < bits; ++i) {
    if ((byte & 0x80U >> i) == 0) {
      result &= ~(1U << i);
    }
  }
  return (unsigned char)result;
}

/* Padding: the bits after the last whole block, filled up with ones. */
static void pad(unsigned char block[BLOCK_BYTES], const unsigned char* rest, unsigned rest_bits) {
  const unsigned bytes = rest_bits / 8, bits = rest_bits % 8;
  memset(block, 0xff, BLOCK_BYTES);
  memcpy(block, rest, bytes);
  if (bits != 0) {
    block[bytes] = partial_byte(rest[bytes], bits);
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
