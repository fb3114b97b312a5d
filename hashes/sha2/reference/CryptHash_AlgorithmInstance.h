/* SPDX-License-Identifier: MIT */
/* The official one-shot interface, for the one instance of this folder: SHA-256. */
#ifndef CRYPTHASH_ALGORITHMINSTANCE_H
#define CRYPTHASH_ALGORITHMINSTANCE_H

#define ALGORITHM_INSTANCE "SHA-256"
#define DIGEST_BIT_LENGTH 256

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Hashes the first msg_len_bits bits of msg, most significant bit of each byte
 * first; bits of the last byte beyond the length are ignored, and msg may be
 * null if the length is 0. Writes 32 bytes to digest, after the whole message
 * was read. Returns 0, or -1 without writing unless digest_len_bits is 256.
 * Lengths are in bits.
 */
int CryptHash(int digest_len_bits, const unsigned char *msg,
              unsigned long long msg_len_bits, unsigned char *digest);

#ifdef __cplusplus
}
#endif

#endif
