/* SPDX-License-Identifier: MIT */
/* The official one-shot interface, for the one instance of the family that CHIME_BITS selects. */
#ifndef CRYPTHASH_ALGORITHMINSTANCE_H
#define CRYPTHASH_ALGORITHMINSTANCE_H

#if !defined(CHIME_BITS) || (CHIME_BITS != 512 && CHIME_BITS != 1024)
#error "define CHIME_BITS as 512 or 1024"
#endif

#if CHIME_BITS == 512
#define ALGORITHM_INSTANCE "CHIME-512"
#else
#define ALGORITHM_INSTANCE "CHIME-1024"
#endif
#define DIGEST_BIT_LENGTH CHIME_BITS

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Hashes the first msg_len_bits bits of msg, most significant bit of each byte first; bits of the
 * last byte beyond the length are ignored, and msg may be null if the length is 0. Writes
 * DIGEST_BIT_LENGTH / 8 bytes to digest whatever digest_len_bits is, after the whole message was
 * read. Returns 0, or -1 without writing if msg is null and the length is not 0, or if the
 * variant copies the message and memory for the copy cannot be had.
 */
int CryptHash(int digest_len_bits, const unsigned char* msg, unsigned long long msg_len_bits,
              unsigned char* digest);

#ifdef __cplusplus
}
#endif

#endif
