/* SPDX-License-Identifier: MIT */
/* The official one-shot interface, for the one instance of the family that LLH_BITS selects. */
#ifndef CRYPTHASH_ALGORITHMINSTANCE_H
#define CRYPTHASH_ALGORITHMINSTANCE_H

#if !defined(LLH_BITS) || \
    (LLH_BITS != 256 && LLH_BITS != 512 && LLH_BITS != 768 && LLH_BITS != 1024)
#error "define LLH_BITS as 256, 512, 768 or 1024"
#endif

#if LLH_BITS == 256
#define ALGORITHM_INSTANCE "LLH-256"
#elif LLH_BITS == 512
#define ALGORITHM_INSTANCE "LLH-512"
#elif LLH_BITS == 768
#define ALGORITHM_INSTANCE "LLH-768"
#else
#define ALGORITHM_INSTANCE "LLH-1024"
#endif
#define DIGEST_BIT_LENGTH LLH_BITS

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Hashes the first msg_len_bits bits of msg, most significant bit of each byte first; bits of the
 * last byte beyond the length are ignored, and msg may be null if the length is 0. Writes
 * DIGEST_BIT_LENGTH / 8 bytes to digest, after the whole message was read. Lengths are in bits.
 * Returns 0, or without writing, the first that holds: -2 if digest is null, -1 unless
 * digest_len_bits is DIGEST_BIT_LENGTH, -2 if msg is null and the length is not 0.
 */
int CryptHash(int digest_len_bits, const unsigned char* msg, unsigned long long msg_len_bits,
              unsigned char* digest);

#ifdef __cplusplus
}
#endif

#endif
