/* SPDX-License-Identifier: MIT */
/*
 * CHIME-512 and CHIME-1024 from the specification of the family, with its names: X, RC, P, F. One
 * text for both; CHIME_BITS selects. Plain C99, no state between calls. Like the submitted
 * reference it pads a copy of the whole message on the heap. A model to be read and measured, not
 * tuned.
 */
#include "CryptHash_AlgorithmInstance.h"

#include <stdlib.h>
#include <string.h>

#include "chime_constants.h"
#include "chime_permutation.h"

#define RATE_BITS (8 * RATE_BYTES)
#define SLOT_BYTES 64 /* a padded block in the copy, for either rate */

/* Lanes and bytes convert little endian. */
static uint64_t load(const unsigned char* bytes) {
  uint64_t lane = 0;
  unsigned k;
  for (k = LANE_BYTES; k != 0; --k) {
    lane = lane << 8 | bytes[k - 1];
  }
  return lane;
}

static void store(unsigned char* bytes, uint64_t lane) {
  unsigned k;
  for (k = 0; k < LANE_BYTES; ++k) {
    bytes[k] = (unsigned char)(lane >> (8 * k) & 0xffU);
  }
}

/* Blocks of the padded message: at least two bits are added. */
static unsigned long long block_count(unsigned long long length_bits) {
  return length_bits / RATE_BITS + (length_bits % RATE_BITS == RATE_BITS - 1 ? 2 : 1);
}

/*
 * Padding: a slot for each block holds the message, a 1, zeros, and a 1 as the last bit of the last
 * block. Null where memory cannot be had; the caller frees it.
 */
static unsigned char* pad(const unsigned char* msg, unsigned long long length_bits,
                          unsigned long long blocks) {
  const unsigned rest_bits = (unsigned)(length_bits % RATE_BITS);
  const unsigned rest_bytes = rest_bits / 8, partial_bits = rest_bits % 8;
  unsigned long long whole;
  unsigned char *padded, *slot;
  if (blocks > SIZE_MAX / SLOT_BYTES) {
    return NULL;
  }
  padded = calloc((size_t)blocks, SLOT_BYTES);
  if (padded == NULL) {
    return NULL;
  }
  slot = padded;
  for (whole = length_bits / RATE_BITS; whole != 0; --whole) {
    memcpy(slot, msg, RATE_BYTES);
    slot += SLOT_BYTES;
    msg += RATE_BYTES;
  }
  if (rest_bytes != 0) {
    memcpy(slot, msg, rest_bytes);
  }
  if (partial_bits != 0) {
    slot[rest_bytes] = (unsigned char)(msg[rest_bytes] & ~(0xffU >> partial_bits));
  }
  slot[rest_bytes] |= (unsigned char)(0x80U >> partial_bits);
  padded[(blocks - 1) * SLOT_BYTES + RATE_BYTES - 1] |= 0x01U;
  return padded;
}

#if CHIME_BITS == 512

/* No block is marked, and nothing is fed forward. */
static void absorb(reg X[REGISTERS], const unsigned char* block, int is_last) {
  unsigned j;
  (void)is_last;
  for (j = 0; j < LANES; ++j) {
    X[0].lane[j] ^= load(block + j * LANE_BYTES);
    X[1].lane[j] ^= load(block + REGISTER_BYTES + j * LANE_BYTES);
  }
  permute(X, ROUNDS);
}

#else

/* The last block is marked; the capacity before the block is fed forward. */
static void absorb(reg X[REGISTERS], const unsigned char* block, int is_last) {
  reg F[REGISTERS];
  unsigned i, j;
  X[5].lane[0] ^= is_last ? 1 : 0;
  memcpy(F, X, sizeof F);
  for (j = 0; j < LANES; ++j) {
    X[0].lane[j] ^= load(block + j * LANE_BYTES);
  }
  for (j = 1; j < LANES; ++j) {
    X[1].lane[j] ^= load(block + REGISTER_BYTES + (j - 1) * LANE_BYTES);
  }
  permute(X, ROUNDS);
  X[1].lane[0] ^= F[1].lane[0];
  for (i = 2; i < REGISTERS; ++i) {
    X[i] = XOR(X[i], F[i]);
  }
}

#endif

int CryptHash(int digest_len_bits, const unsigned char* msg, unsigned long long msg_len_bits,
              unsigned char* digest) {
  const unsigned long long blocks = block_count(msg_len_bits);
  const unsigned first = CHIME_BITS == 512 ? 0 : 2; /* the register that the digest begins with */
  unsigned char* padded;
  unsigned long long b;
  unsigned i;
  reg X[REGISTERS];
  (void)digest_len_bits;
  if (msg == NULL && msg_len_bits != 0) {
    return -1;
  }
  padded = pad(msg, msg_len_bits, blocks);
  if (padded == NULL) {
    return -1;
  }
  memset(X, 0, sizeof X);
  for (b = 0; b < blocks; ++b) {
    absorb(X, padded + b * SLOT_BYTES, b + 1 == blocks);
  }
  free(padded);
  for (i = 0; i < DIGEST_BYTES / LANE_BYTES; ++i) {
    store(digest + i * LANE_BYTES, X[first + i / LANES].lane[i % LANES]);
  }
  return 0;
}
