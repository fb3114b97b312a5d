/* SPDX-License-Identifier: MIT */
/*
 * The helper functions that the programme hands out for public-key submissions: stand-ins for a
 * hash function and for an extendable-output function. They claim no security.
 *
 * All lengths are in BITS. Within a byte the most significant bit comes first: M of L bits takes
 * ceil(L / 8) bytes, bits of the last one beyond L are ignored, and M may be null if L is 0. The
 * output is written after the whole of M was read, so it may replace M. The functions keep no
 * state and are safe in several threads; they do not wipe what they allocate.
 *
 * Each returns 0; or, with a line on stderr and the output untouched, one of
 *   -2  no memory for a copy of the message or for the output
 *   -3  no memory within the MAC (pseudohash only)
 *   -4  the function does not have this width; checked first
 */
#ifndef AUXFUNC_H
#define AUXFUNC_H

#ifdef __cplusplus
extern "C" {
#endif

/* SM3; the width is 256. Allocates nothing. */
int sm3hash(int width, const unsigned char* M, unsigned long long L, unsigned char* digest);

/* Digests of SM3 chained with HMAC-SM3 under a fixed key; the width is 512, 768 or 1024. */
int pseudohash(int width, const unsigned char* M, unsigned long long L, unsigned char* digest);

/*
 * The first n bits of SM3(M || 1) || SM3(M || 2) || ..., the counter in 32 bits, big endian: the
 * key derivation function of GB/T 32918.4. Any n below 2^40 - 2^8. Writes ceil(n / 8) bytes; bits
 * of the last one beyond n are 0.
 */
int pseudoXOF(unsigned long long n, const unsigned char* M, unsigned long long L,
              unsigned char* output);

#ifdef __cplusplus
}
#endif

#endif
