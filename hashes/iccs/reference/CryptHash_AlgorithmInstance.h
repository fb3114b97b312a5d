/* SPDX-License-Identifier: MIT */
/*
 * The official one-shot interface for one helper function at one width: ICCS_FUNCTION is sm3hash,
 * pseudohash or pseudoXOF, ICCS_BITS a width that the function has.
 */
#ifndef CRYPTHASH_ALGORITHMINSTANCE_H
#define CRYPTHASH_ALGORITHMINSTANCE_H

#if !defined(ICCS_FUNCTION) || !defined(ICCS_BITS)
#error "define ICCS_FUNCTION as sm3hash, pseudohash or pseudoXOF, and ICCS_BITS as its width"
#endif

#define ICCS_TEXT(tokens) #tokens
#define ICCS_NAME(function, bits) ICCS_TEXT(function) "-" ICCS_TEXT(bits)
#define ALGORITHM_INSTANCE ICCS_NAME(ICCS_FUNCTION, ICCS_BITS)
#define DIGEST_BIT_LENGTH ICCS_BITS

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Hashes the first msg_len_bits bits of msg, most significant bit of each byte first; bits of the
 * last byte beyond the length are ignored, and msg may be null if the length is 0. Writes
 * DIGEST_BIT_LENGTH / 8 bytes to digest, after the whole message was read. Lengths are in bits.
 * Returns 0, or without writing: -4 unless digest_len_bits is DIGEST_BIT_LENGTH, else what the
 * function returns (auxfunc.h).
 */
int CryptHash(int digest_len_bits, const unsigned char* msg, unsigned long long msg_len_bits,
              unsigned char* digest);

#ifdef __cplusplus
}
#endif

#endif
