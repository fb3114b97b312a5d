/* SPDX-License-Identifier: MIT */
/* The official one-shot interface, for the one instance of the family that the macros select:
 * LAURUS_BITS is 512, 768 or 1024, or with LAURUS_XOF defined the 2048 bits of Laurus-XOF. */
#ifndef CRYPTHASH_ALGORITHMINSTANCE_H
#define CRYPTHASH_ALGORITHMINSTANCE_H

#if !defined(LAURUS_BITS)
#error "define LAURUS_BITS as 512, 768 or 1024, or LAURUS_XOF with 2048"
#elif defined(LAURUS_XOF)
#if LAURUS_BITS != 2048
#error "Laurus-XOF has 2048 bits through this interface"
#endif
#elif LAURUS_BITS != 512 && LAURUS_BITS != 768 && LAURUS_BITS != 1024
#error "define LAURUS_BITS as 512, 768 or 1024, or LAURUS_XOF with 2048"
#endif

#if defined(LAURUS_XOF)
#define ALGORITHM_INSTANCE "laurus_xof"
#elif LAURUS_BITS == 512
#define ALGORITHM_INSTANCE "laurus_512"
#elif LAURUS_BITS == 768
#define ALGORITHM_INSTANCE "laurus_768"
#else
#define ALGORITHM_INSTANCE "laurus_1024"
#endif
#define DIGEST_BIT_LENGTH LAURUS_BITS

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Hashes the first msg_len_bits bits of msg, most significant bit of each byte first; bits of the
 * last byte beyond the length are ignored, and msg may be null if the length is 0. The digest is
 * written after the whole message was read. Lengths are in bits.
 *
 * The reference ignores digest_len_bits, writes DIGEST_BIT_LENGTH / 8 bytes and returns 0. The
 * optimized variant of Laurus-XOF writes ceil(digest_len_bits / 8) bytes, unused low bits of the
 * last one 0, and returns 0, or -1 for a negative length; of the other instances it returns -1
 * without writing unless digest_len_bits is DIGEST_BIT_LENGTH.
 */
int CryptHash(int digest_len_bits, const unsigned char* msg, unsigned long long msg_len_bits,
              unsigned char* digest);

#ifdef __cplusplus
}
#endif

#endif
