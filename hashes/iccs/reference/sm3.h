/* SPDX-License-Identifier: MIT */
/* SM3 (GB/T 32905-2016) of a string of bits. */
#ifndef SM3_H
#define SM3_H

#define SM3_BYTES 32
#define SM3_BITS (8 * SM3_BYTES)

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Hashes the first `length_bits` bits of m, most significant bit of each byte first; bits of the
 * last byte beyond the length are ignored, and m may be null if the length is 0. The digest is
 * written last, so it may replace m.
 */
void SM3(const unsigned char* m, unsigned long long length_bits, unsigned char digest[SM3_BYTES]);

#ifdef __cplusplus
}
#endif

#endif
