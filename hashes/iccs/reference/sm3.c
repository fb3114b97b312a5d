/* SPDX-License-Identifier: MIT */
/*
 * SM3, written from GB/T 32905-2016 with the names of the standard: CF, FF, GG, P0, P1, W, W' and
 * V. Both arrays of message words are filled before the rounds and the round constant is rotated
 * within them, as in the SM3 that the published ratios rest on.
 */
#include "sm3.h"

#include <stdint.h>
#include <string.h>

#define BLOCK_BYTES 64
#define LENGTH_BYTES 8
#define ROUNDS 64

/* Section 4.1. */
static const uint32_t IV[8] = {0x7380166fU, 0x4914b2b9U, 0x172442d7U, 0xda8a0600U,
                               0xa96f30bcU, 0x163138aaU, 0xe38dee4dU, 0xb0fb0e4eU};

/* Rotation to the left; the count is masked because a shift by 32 is undefined. */
static uint32_t rotate(uint32_t x, unsigned count) {
  return (x << (count & 31U)) | (x >> ((32U - count) & 31U));
}

/* Section 4.2. */
static uint32_t T(unsigned j) { return j < 16 ? 0x79cc4519U : 0x7a879d8aU; }

/* Section 4.3. */
static uint32_t FF(unsigned j, uint32_t x, uint32_t y, uint32_t z) {
  return j < 16 ? x ^ y ^ z : (x & y) | (x & z) | (y & z);
}

static uint32_t GG(unsigned j, uint32_t x, uint32_t y, uint32_t z) {
  return j < 16 ? x ^ y ^ z : (x & y) | (~x & z);
}

/* Section 4.4. */
static uint32_t P0(uint32_t x) { return x ^ rotate(x, 9) ^ rotate(x, 17); }

static uint32_t P1(uint32_t x) { return x ^ rotate(x, 15) ^ rotate(x, 23); }

/* Section 5.3.2: the words W and W' of the block B. */
static void expand(uint32_t W[ROUNDS + 4], uint32_t W_prime[ROUNDS], const unsigned char* B) {
  unsigned j;
  for (j = 0; j < 16; ++j) {
    W[j] = (uint32_t)B[4 * j] << 24 | (uint32_t)B[4 * j + 1] << 16 | (uint32_t)B[4 * j + 2] << 8 |
           (uint32_t)B[4 * j + 3];
  }
  for (j = 16; j < ROUNDS + 4; ++j) {
    W[j] = P1(W[j - 16] ^ W[j - 9] ^ rotate(W[j - 3], 15)) ^ rotate(W[j - 13], 7) ^ W[j - 6];
  }
  for (j = 0; j < ROUNDS; ++j) {
    W_prime[j] = W[j] ^ W[j + 4];
  }
}

/* Section 5.3.3: V = CF(V, B). */
static void CF(uint32_t V[8], const unsigned char* B) {
  uint32_t W[ROUNDS + 4], W_prime[ROUNDS];
  uint32_t a = V[0], b = V[1], c = V[2], d = V[3];
  uint32_t e = V[4], f = V[5], g = V[6], h = V[7];
  unsigned j;
  expand(W, W_prime, B);
  for (j = 0; j < ROUNDS; ++j) {
    const uint32_t SS1 = rotate(rotate(a, 12) + e + rotate(T(j), j), 7);
    const uint32_t SS2 = SS1 ^ rotate(a, 12);
    const uint32_t TT1 = FF(j, a, b, c) + d + SS2 + W_prime[j];
    const uint32_t TT2 = GG(j, e, f, g) + h + SS1 + W[j];
    d = c;
    c = rotate(b, 9);
    b = a;
    a = TT1;
    h = g;
    g = rotate(f, 19);
    f = e;
    e = P0(TT2);
  }
  V[0] ^= a;
  V[1] ^= b;
  V[2] ^= c;
  V[3] ^= d;
  V[4] ^= e;
  V[5] ^= f;
  V[6] ^= g;
  V[7] ^= h;
}

/*
 * Section 5.2: the bits after the last whole block, a 1 bit, zeros, and the length in bits as 64
 * bits. Returns the number of blocks in the result.
 */
static unsigned pad(unsigned char last[2 * BLOCK_BYTES], const unsigned char* rest,
                    unsigned long long length_bits) {
  const unsigned rest_bits = (unsigned)(length_bits % (8U * BLOCK_BYTES));
  const unsigned bytes = rest_bits / 8, bits = rest_bits % 8;
  const unsigned blocks = bytes < BLOCK_BYTES - LENGTH_BYTES ? 1U : 2U;
  unsigned i;
  memset(last, 0, 2 * BLOCK_BYTES);
  if (bytes != 0) {
    memcpy(last, rest, bytes);
  }
  if (bits != 0) {
    last[bytes] = (unsigned char)(rest[bytes] & (0xff00U >> bits));
  }
  last[bytes] = (unsigned char)(last[bytes] | (0x80U >> bits));
  for (i = 0; i < LENGTH_BYTES; ++i) {
    last[blocks * BLOCK_BYTES - 1 - i] = (unsigned char)(length_bits >> (8 * i) & 0xffU);
  }
  return blocks;
}

void SM3(const unsigned char* m, unsigned long long length_bits, unsigned char digest[SM3_BYTES]) {
  unsigned char last[2 * BLOCK_BYTES];
  uint32_t V[8];
  unsigned long long whole = length_bits / (8U * BLOCK_BYTES);
  unsigned blocks, i;
  memcpy(V, IV, sizeof V);
  for (; whole != 0; --whole, m += BLOCK_BYTES) {
    CF(V, m);
  }
  blocks = pad(last, m, length_bits);
  for (i = 0; i < blocks; ++i) {
    CF(V, last + i * BLOCK_BYTES);
  }
  for (i = 0; i < SM3_BYTES; ++i) {
    digest[i] = (unsigned char)(V[i / 4] >> (24 - 8 * (i % 4)) & 0xffU);
  }
}
