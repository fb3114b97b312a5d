/* SPDX-License-Identifier: MIT */
/*
 * sm3hash, pseudohash and pseudoXOF with the names of their description: M of L bits in m bytes,
 * tag, ctr, Kc, MAC, a1 to a4 and d1 to d4. C99 to be read, and a point of reference to be
 * measured: where the description copies the message or hashes all of it again, so does this text;
 * a faster one would shift every ratio to it.
 */
#include "auxfunc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pseudohash_key.h"
#include "sm3.h"

#define TAG_BYTES 2
#define CTR_BYTES 4

enum { NO_MEMORY = -2, NO_MEMORY_IN_MAC = -3, BAD_WIDTH = -4 };

static int fail(int value, const char* line) {
  fprintf(stderr, "%s\n", line);
  return value;
}

/* The bytes that hold so many bits. */
static unsigned long long bytes_of(unsigned long long bits) {
  return bits / 8 + (bits % 8 != 0 ? 1 : 0);
}

/* Null if there is no memory, or no address for so much. */
static unsigned char* allocate(unsigned long long bytes) {
  return (size_t)bytes == bytes ? malloc((size_t)bytes) : NULL;
}

/* Copies bits and clears those of the last byte beyond them. x may be null if there are none. */
static void copy_bits(unsigned char* to, const unsigned char* x, unsigned long long bits) {
  if (bits != 0) {
    memcpy(to, x, (size_t)bytes_of(bits));
  }
  if (bits % 8 != 0) {
    to[bits / 8] = (unsigned char)(to[bits / 8] & 0xff00U >> bits % 8);
  }
}

/* string || x, where the string of so many bits, cleared beyond them, may end inside a byte. */
static void append(unsigned char* string, unsigned long long bits, const unsigned char* x,
                   unsigned x_bytes) {
  const unsigned used = (unsigned)(bits % 8);
  unsigned i;
  string += bits / 8;
  if (used == 0) {
    memcpy(string, x, x_bytes);
    return;
  }
  for (i = 0; i < x_bytes; ++i) {
    string[i] = (unsigned char)(string[i] | x[i] >> used);
    string[i + 1] = (unsigned char)((unsigned)x[i] << (8 - used) & 0xffU);
  }
}

static void mask_key(unsigned char key[KEY_BYTES], unsigned char mask) {
  unsigned i;
  for (i = 0; i < KEY_BYTES; ++i) {
    key[i] = (unsigned char)(Kc[i] ^ mask);
  }
}

/* HMAC (RFC 2104) with SM3 under Kc; the key is a block long and so used as it is. */
static int MAC(const unsigned char* x, unsigned long long bits, unsigned char a[SM3_BYTES]) {
  unsigned char outer[KEY_BYTES + SM3_BYTES];
  unsigned char* inner = allocate(KEY_BYTES + bytes_of(bits));
  if (inner == NULL) {
    return NO_MEMORY_IN_MAC;
  }
  mask_key(inner, 0x36);
  copy_bits(inner + KEY_BYTES, x, bits);
  mask_key(outer, 0x5c);
  SM3(inner, 8 * KEY_BYTES + bits, outer + KEY_BYTES);
  free(inner);
  SM3(outer, 8 * sizeof outer, a);
  return 0;
}

int sm3hash(int width, const unsigned char* M, unsigned long long L, unsigned char* digest) {
  if (width != SM3_BITS) {
    return fail(BAD_WIDTH, "sm3hash: the width is 256 bits");
  }
  SM3(M, L, digest);
  return 0;
}

/*
 * The values of pseudohash, by their places in one array: those that are hashed together lie side
 * by side in the order in which they are joined, a1 d1, d2 a2, and a3 d3 a4.
 */
enum {
  A1 = 0 * SM3_BYTES,
  D1 = 1 * SM3_BYTES,
  D2 = 2 * SM3_BYTES,
  A2 = 3 * SM3_BYTES,
  A3 = 4 * SM3_BYTES,
  D3 = 5 * SM3_BYTES,
  A4 = 6 * SM3_BYTES,
  D4 = 7 * SM3_BYTES,
  VALUES_BYTES = 8 * SM3_BYTES
};

/* From a1 and d1 the values that the width needs. */
static int chain(int width, unsigned char v[VALUES_BYTES]) {
  SM3(v + A1, 2 * SM3_BITS, v + D2);
  if (width == 512) {
    return 0;
  }
  if (MAC(v + D1, SM3_BITS, v + A2) != 0) {
    return NO_MEMORY_IN_MAC;
  }
  SM3(v + D2, 2 * SM3_BITS, v + D3);
  if (width == 768) {
    return 0;
  }
  if (MAC(v + D2, SM3_BITS, v + A3) != 0 || MAC(v + D3, SM3_BITS, v + A4) != 0) {
    return NO_MEMORY_IN_MAC;
  }
  SM3(v + A3, 3 * SM3_BITS, v + D4);
  return 0;
}

/* The tag is before M in a1 and after M in d1; both strings stay until the end. */
static int compute_values(int width, const unsigned char* M, unsigned long long L,
                          unsigned char v[VALUES_BYTES]) {
  const unsigned char tag[TAG_BYTES] = {(unsigned char)(width / SM3_BITS), 0};
  const unsigned long long m = bytes_of(L);
  unsigned char *tag_M = allocate(TAG_BYTES + m), *M_tag = NULL;
  int result = NO_MEMORY;
  if (tag_M != NULL) {
    memcpy(tag_M, tag, TAG_BYTES);
    copy_bits(tag_M + TAG_BYTES, M, L);
    result = MAC(tag_M, 8 * TAG_BYTES + L, v + A1);
  }
  if (result == 0) {
    M_tag = allocate(m + TAG_BYTES);
    result = NO_MEMORY;
  }
  if (M_tag != NULL) {
    copy_bits(M_tag, M, L);
    append(M_tag, L, tag, TAG_BYTES);
    SM3(M_tag, L + 8 * TAG_BYTES, v + D1);
    result = chain(width, v);
  }
  free(M_tag);
  free(tag_M);
  return result;
}

int pseudohash(int width, const unsigned char* M, unsigned long long L, unsigned char* digest) {
  unsigned char v[VALUES_BYTES];
  int result;
  if (width != 512 && width != 768 && width != 1024) {
    return fail(BAD_WIDTH, "pseudohash: the width is 512, 768 or 1024 bits");
  }
  result = compute_values(width, M, L, v);
  if (result != 0) {
    return fail(result, "pseudohash: no memory for copies of the message");
  }
  memcpy(digest, v + D1, 2 * SM3_BYTES);
  if (width >= 768) {
    memcpy(digest + 2 * SM3_BYTES, v + D3, SM3_BYTES);
  }
  if (width == 1024) {
    memcpy(digest + 3 * SM3_BYTES, v + D4, SM3_BYTES);
  }
  return 0;
}

/* SM3(M || ctr(i)), in a buffer that is filled with the whole message for each i. */
static void xof_block(unsigned char* M_ctr, const unsigned char* M, unsigned long long L,
                      unsigned long long i, unsigned char block[SM3_BYTES]) {
  const unsigned char ctr[CTR_BYTES] = {
      (unsigned char)(i >> 24 & 0xffU), (unsigned char)(i >> 16 & 0xffU),
      (unsigned char)(i >> 8 & 0xffU), (unsigned char)(i & 0xffU)};
  copy_bits(M_ctr, M, L);
  append(M_ctr, L, ctr, CTR_BYTES);
  SM3(M_ctr, L + 8 * CTR_BYTES, block);
}

int pseudoXOF(unsigned long long n, const unsigned char* M, unsigned long long L,
              unsigned char* output) {
  unsigned char *M_ctr, *blocks;
  unsigned long long i;
  int result = NO_MEMORY;
  if (n >= (1ULL << 40) - (1ULL << 8)) { /* the counter would not fit */
    return fail(BAD_WIDTH, "pseudoXOF: the output has less than 2^40 - 2^8 bits");
  }
  M_ctr = allocate(bytes_of(L) + CTR_BYTES);
  blocks = M_ctr == NULL ? NULL : allocate((n + SM3_BITS - 1) / 8);
  if (blocks != NULL) {
    for (i = 0; i < (n + SM3_BITS - 1) / SM3_BITS; ++i) {
      xof_block(M_ctr, M, L, i + 1, blocks + i * SM3_BYTES);
    }
    copy_bits(output, blocks, n);
    result = 0;
  }
  free(blocks);
  free(M_ctr);
  return result == 0 ? 0 : fail(result, "pseudoXOF: no memory for the message or the output");
}
