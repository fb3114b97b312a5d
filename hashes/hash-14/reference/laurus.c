/* SPDX-License-Identifier: MIT */
/*
 * Laurus-512, -768, -1024 and Laurus-XOF with the names of their specification: S, Z, V and Y, PI,
 * c, f, d and e. C99 to be read: every copy that the specification makes is made here. No heap; the
 * message is read where it lies.
 */
#include "CryptHash_AlgorithmInstance.h"

#include <string.h>

#include "laurus_permutation.h"

/* Words are big endian in messages and digests. */
static uint64_t load(const unsigned char* b) {
  uint64_t word = 0;
  unsigned i;
  for (i = 0; i < WORD_BYTES; ++i) {
    word = word << 8 | b[i];
  }
  return word;
}

static void load_words(uint64_t* words, unsigned count, const unsigned char* b) {
  unsigned i;
  for (i = 0; i < count; ++i) {
    words[i] = load(b + WORD_BYTES * i);
  }
}

static void store(unsigned char* b, uint64_t word) {
  unsigned i;
  for (i = 0; i < WORD_BYTES; ++i) {
    b[i] = (unsigned char)(word >> (56 - 8 * i) & 0xff);
  }
}

/* ABSORB(i, m), section 4. */
static void absorb(uint64_t S[CHAIN_WORDS], uint64_t i, const uint64_t m[K]) {
  uint64_t Z[K + CHAIN_WORDS], V[CHAIN_WORDS], w[WORDS];
  unsigned j;
  memcpy(Z, m, K * sizeof Z[0]);
  memcpy(Z + K, S, CHAIN_WORDS * sizeof Z[0]);
  w[0] = i;
  memcpy(w + 1, Z, CHAIN_WORDS * sizeof w[0]);
  PI(w);
  for (j = 0; j < CHAIN_WORDS; ++j) {
    V[j] = j < K ? S[CHAIN_WORDS - K + j] : Z[j - K];
  }
  for (j = 0; j < CHAIN_WORDS; ++j) {
    S[j] = w[j + 1] ^ V[j];
  }
}

/* The message's bits from `from` on, `bits` of them, and if `is_padded` a 1 and zeros after them.
 */
static void take_bits(unsigned char* block, unsigned block_bytes, const unsigned char* msg,
                      unsigned long long from, unsigned bits, int is_padded) {
  const unsigned char* const rest = bits == 0 ? msg : msg + from / 8;
  memset(block, 0, block_bytes);
  if (bits != 0) {
    memcpy(block, rest, (bits + 7) / 8);
  }
  if (bits % 8 != 0) {
    block[bits / 8] = (unsigned char)(block[bits / 8] & (0xff00U >> bits % 8));
  }
  if (is_padded) {
    block[bits / 8] = (unsigned char)(block[bits / 8] | 0x80U >> bits % 8);
  }
}

/* Section 5: absorbs all blocks but the last one, which becomes e. Returns d. */
static unsigned absorb_message(uint64_t S[CHAIN_WORDS], const unsigned char* msg,
                               unsigned long long n, uint64_t e[LAST_WORDS]) {
  unsigned char last[RATE_BITS / 8];
  uint64_t m[K];
  unsigned long long blocks = n / RATE_BITS, i;
  unsigned rem = (unsigned)(n % RATE_BITS), d = 0;
  /* With blocks of the size of e, a whole one at the end is e itself. */
  if (RATE_BITS == LAST_BITS && n != 0 && rem == 0) {
    --blocks;
    rem = LAST_BITS;
  }
  for (i = 0; i < blocks; ++i) {
    load_words(m, K, msg + i * (RATE_BITS / 8));
    absorb(S, i, m);
  }
  if (rem > LAST_BITS) {
    take_bits(last, RATE_BITS / 8, msg, blocks * RATE_BITS, rem, 1);
    load_words(m, K, last);
    absorb(S, blocks, m);
    memset(e, 0, LAST_WORDS * sizeof e[0]);
  } else {
    d = rem == LAST_BITS;
    take_bits(last, LAST_BITS / 8, msg, blocks * RATE_BITS, rem, !d);
    load_words(e, LAST_WORDS, last);
  }
  return d;
}

/* Section 6: output block t, of which the first `bytes` are kept. */
static void output(const uint64_t S[CHAIN_WORDS], const uint64_t e[LAST_WORDS], unsigned d,
                   uint64_t t, unsigned char* digest, unsigned bytes) {
  uint64_t Y[CHAIN_WORDS + LAST_WORDS], w[WORDS];
  unsigned char block[OUTPUT_WORDS * WORD_BYTES];
  unsigned j;
  memcpy(Y, S, CHAIN_WORDS * sizeof Y[0]);
  memcpy(Y + CHAIN_WORDS, e, LAST_WORDS * sizeof Y[0]);
  w[0] = ((uint64_t)(2 + d) << 62) + t;
  memcpy(w + 1, Y + 8, CHAIN_WORDS * sizeof w[0]);
  PI(w);
  for (j = 0; j < OUTPUT_WORDS; ++j) {
    store(block + WORD_BYTES * j, w[8 + j] ^ Y[15 + j]);
  }
  memcpy(digest, block, bytes);
}

int CryptHash(int digest_len_bits, const unsigned char* msg, unsigned long long msg_len_bits,
              unsigned char* digest) {
  uint64_t S[CHAIN_WORDS] = {0}, e[LAST_WORDS];
  const unsigned block_bytes = OUTPUT_WORDS * WORD_BYTES;
  unsigned d, at, t = 0;
  (void)digest_len_bits;
  S[CHAIN_WORDS - 1] = ((uint64_t)F << 63) + C;
  d = absorb_message(S, msg, msg_len_bits, e);
  for (at = 0; at < DIGEST_BIT_LENGTH / 8; at += block_bytes) {
    const unsigned rest = DIGEST_BIT_LENGTH / 8 - at;
    output(S, e, d, t++, digest + at, rest < block_bytes ? rest : block_bytes);
  }
  return 0;
}
