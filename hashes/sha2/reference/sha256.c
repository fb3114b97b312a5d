/* SPDX-License-Identifier: MIT */
/*
 * SHA-256, written from FIPS 180-4 with the names of the standard: Ch, Maj, the
 * four sigma functions, K, W and H. Plain C99, no heap, no state between calls.
 * A model to be read and measured, not tuned.
 */
#include "CryptHash_AlgorithmInstance.h"

#include <stdint.h>
#include <string.h>

#define BLOCK_BYTES 64
#define LENGTH_BYTES 8

/* Section 4.2.2. */
static const uint32_t K[64] = {
    0x428a2f98U, 0x71374491U, 0xb5c0fbcfU, 0xe9b5dba5U, 0x3956c25bU,
    0x59f111f1U, 0x923f82a4U, 0xab1c5ed5U, 0xd807aa98U, 0x12835b01U,
    0x243185beU, 0x550c7dc3U, 0x72be5d74U, 0x80deb1feU, 0x9bdc06a7U,
    0xc19bf174U, 0xe49b69c1U, 0xefbe4786U, 0x0fc19dc6U, 0x240ca1ccU,
    0x2de92c6fU, 0x4a7484aaU, 0x5cb0a9dcU, 0x76f988daU, 0x983e5152U,
    0xa831c66dU, 0xb00327c8U, 0xbf597fc7U, 0xc6e00bf3U, 0xd5a79147U,
    0x06ca6351U, 0x14292967U, 0x27b70a85U, 0x2e1b2138U, 0x4d2c6dfcU,
    0x53380d13U, 0x650a7354U, 0x766a0abbU, 0x81c2c92eU, 0x92722c85U,
    0xa2bfe8a1U, 0xa81a664bU, 0xc24b8b70U, 0xc76c51a3U, 0xd192e819U,
    0xd6990624U, 0xf40e3585U, 0x106aa070U, 0x19a4c116U, 0x1e376c08U,
    0x2748774cU, 0x34b0bcb5U, 0x391c0cb3U, 0x4ed8aa4aU, 0x5b9cca4fU,
    0x682e6ff3U, 0x748f82eeU, 0x78a5636fU, 0x84c87814U, 0x8cc70208U,
    0x90befffaU, 0xa4506cebU, 0xbef9a3f7U, 0xc67178f2U};

/* Section 5.3.3. */
static const uint32_t H0[8] = {0x6a09e667U, 0xbb67ae85U, 0x3c6ef372U,
                               0xa54ff53aU, 0x510e527fU, 0x9b05688cU,
                               0x1f83d9abU, 0x5be0cd19U};

/* Section 3.2; every count used here lies in 1..31. */
static uint32_t ROTR(unsigned n, uint32_t x) {
  return (x >> n) | (x << (32U - n));
}

static uint32_t SHR(unsigned n, uint32_t x) { return x >> n; }

/* Section 4.1.2. */
static uint32_t Ch(uint32_t x, uint32_t y, uint32_t z) {
  return (x & y) ^ (~x & z);
}

static uint32_t Maj(uint32_t x, uint32_t y, uint32_t z) {
  return (x & y) ^ (x & z) ^ (y & z);
}

static uint32_t Sigma0(uint32_t x) {
  return ROTR(2, x) ^ ROTR(13, x) ^ ROTR(22, x);
}

static uint32_t Sigma1(uint32_t x) {
  return ROTR(6, x) ^ ROTR(11, x) ^ ROTR(25, x);
}

static uint32_t sigma0(uint32_t x) {
  return ROTR(7, x) ^ ROTR(18, x) ^ SHR(3, x);
}

static uint32_t sigma1(uint32_t x) {
  return ROTR(17, x) ^ ROTR(19, x) ^ SHR(10, x);
}

/* Section 6.2.2, step 1. */
static void schedule(uint32_t W[64], const unsigned char *M) {
  unsigned t;
  for (t = 0; t < 16; ++t) {
    W[t] = (uint32_t)M[4 * t] << 24 | (uint32_t)M[4 * t + 1] << 16 |
           (uint32_t)M[4 * t + 2] << 8 | (uint32_t)M[4 * t + 3];
  }
  for (t = 16; t < 64; ++t) {
    W[t] = sigma1(W[t - 2]) + W[t - 7] + sigma0(W[t - 15]) + W[t - 16];
  }
}

/* Section 6.2.2, steps 2 to 4, for one block M. */
static void compress(uint32_t H[8], const unsigned char *M) {
  uint32_t W[64];
  uint32_t a = H[0], b = H[1], c = H[2], d = H[3];
  uint32_t e = H[4], f = H[5], g = H[6], h = H[7];
  unsigned t;
  schedule(W, M);
  for (t = 0; t < 64; ++t) {
    const uint32_t T1 = h + Sigma1(e) + Ch(e, f, g) + K[t] + W[t];
    const uint32_t T2 = Sigma0(a) + Maj(a, b, c);
    h = g;
    g = f;
    f = e;
    e = d + T1;
    d = c;
    c = b;
    b = a;
    a = T1 + T2;
  }
  H[0] += a;
  H[1] += b;
  H[2] += c;
  H[3] += d;
  H[4] += e;
  H[5] += f;
  H[6] += g;
  H[7] += h;
}

/*
 * Section 5.1.1: the bits after the last whole block, a 1 bit, zeros, and the
 * length in bits as 64 bits. Returns the number of blocks in the result.
 */
static unsigned pad(unsigned char last[2 * BLOCK_BYTES],
                    const unsigned char *rest, unsigned long long length_bits) {
  const unsigned rest_bits = (unsigned)(length_bits % (8U * BLOCK_BYTES));
  const unsigned bytes = rest_bits / 8, bits = rest_bits % 8;
  const unsigned blocks = bytes < BLOCK_BYTES - LENGTH_BYTES ? 1U : 2U;
  unsigned i;
  memset(last, 0, 2 * BLOCK_BYTES);
  for (i = 0; i < bytes; ++i) {
    last[i] = rest[i];
  }
  if (bits != 0) {
    last[bytes] = (unsigned char)(rest[bytes] & (0xff00U >> bits));
  }
  last[bytes] = (unsigned char)(last[bytes] | (0x80U >> bits));
  for (i = 0; i < LENGTH_BYTES; ++i) {
    last[blocks * BLOCK_BYTES - 1 - i] =
        (unsigned char)((length_bits >> (8 * i)) & 0xffU);
  }
  return blocks;
}

int CryptHash(int digest_len_bits, const unsigned char *msg,
              unsigned long long msg_len_bits, unsigned char *digest) {
  unsigned char last[2 * BLOCK_BYTES];
  uint32_t H[8];
  unsigned long long N = msg_len_bits / (8U * BLOCK_BYTES);
  unsigned blocks, i;
  if (digest_len_bits != DIGEST_BIT_LENGTH) {
    return -1;
  }
  memcpy(H, H0, sizeof H);
  for (; N != 0; --N, msg += BLOCK_BYTES) {
    compress(H, msg);
  }
  blocks = pad(last, msg, msg_len_bits);
  for (i = 0; i < blocks; ++i) {
    compress(H, last + i * BLOCK_BYTES);
  }
  for (i = 0; i < 32; ++i) {
    digest[i] = (unsigned char)((H[i / 4] >> (24 - 8 * (i % 4))) & 0xffU);
  }
  return 0;
}
