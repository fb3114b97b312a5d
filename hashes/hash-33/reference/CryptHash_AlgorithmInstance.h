/* SPDX-License-Identifier: MIT */
/* The official one-shot interface, for the one instance of the family that the macros select:
 * THUNDER_BITS is 512, 768 or 1024; with THUNDER_XOF defined, 1280 is Thunder-XOF-256, 1152 is
 * Thunder-XOF-384 and 1024 is Thunder-XOF-512. */
#ifndef CRYPTHASH_ALGORITHMINSTANCE_H
#define CRYPTHASH_ALGORITHMINSTANCE_H

#if !defined(THUNDER_BITS)
#error "define THUNDER_BITS as 512, 768 or 1024, or THUNDER_XOF with 1280, 1152 or 1024"
#elif defined(THUNDER_XOF)
#if THUNDER_BITS == 1280
#define ALGORITHM_INSTANCE "Thunder-XOF-256"
#elif THUNDER_BITS == 1152
#define ALGORITHM_INSTANCE "Thunder-XOF-384"
#elif THUNDER_BITS == 1024
#define ALGORITHM_INSTANCE "Thunder-XOF-512"
#else
#error "with THUNDER_XOF, THUNDER_BITS is 1280, 1152 or 1024"
#endif
#elif THUNDER_BITS == 512
#define ALGORITHM_INSTANCE "Thunder-512"
#elif THUNDER_BITS == 768
#define ALGORITHM_INSTANCE "Thunder-768"
#elif THUNDER_BITS == 1024
#define ALGORITHM_INSTANCE "Thunder-1024"
#else
#error "THUNDER_BITS is 512, 768 or 1024"
#endif
#define DIGEST_BIT_LENGTH THUNDER_BITS

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Hashes the first msg_len_bits bits of msg, most significant bit of each byte first; bits of the
 * last byte beyond the length are ignored, and msg may be null if the length is 0. The output is
 * written after the whole message was read. Lengths are in bits. Returns 0.
 *
 * The plain functions ignore digest_len_bits and write DIGEST_BIT_LENGTH / 8 bytes. The XOFs write
 * ceil(digest_len_bits / 8) bytes, unused low bits of the last one 0; the length must not be
 * negative (the optimized variant returns -1 for one, the reference takes it as huge).
 */
int CryptHash(int digest_len_bits, const unsigned char* msg, unsigned long long msg_len_bits,
              unsigned char* digest);

#ifdef __cplusplus
}
#endif

#endif
