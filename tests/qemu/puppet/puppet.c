/* SPDX-License-Identifier: MIT
 * A hash that is nothing but a known number of instructions: 2 a byte of the message and 5 beside.
 * All of it is assembly, so that no compiler adds to the count. Its digest is the message's length
 * in bits, little-endian. */
int CryptHash(int digest_bits, const unsigned char* message, unsigned long long message_bits,
              unsigned char* digest);

__asm__(
    "    .text\n"
    "    .balign 64\n"
    "    .globl CryptHash\n"
    "    .type CryptHash, %function\n"
    "CryptHash:\n"
    "    str x2, [x3]\n"    /* 1 */
    "    mov w0, wzr\n"     /* 2 */
    "    lsr x4, x2, #3\n"  /* 3 */
    "    cbz x4, 2f\n"      /* 4 */
    "1:  subs x4, x4, #1\n" /* each byte: 1 */
    "    b.ne 1b\n"         /* each byte: 2 */
    "2:  ret\n"             /* 5 */
    "    .size CryptHash, . - CryptHash\n");
