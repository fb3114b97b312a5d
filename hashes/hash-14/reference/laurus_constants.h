/* SPDX-License-Identifier: MIT */
/* Sizes and constants of the Laurus family; a test compares the tables with their rules. */
#ifndef LAURUS_CONSTANTS_H
#define LAURUS_CONSTANTS_H

#include <stdint.h>

#define WORDS 25 /* of the permutation, seen as a square of 5 by 5: row i, column j at 5i+j */
#define ROUNDS 16
#define CHAIN_WORDS 24  /* of the chaining value S */
#define LAST_WORDS 8    /* of the last block e */
#define OUTPUT_WORDS 17 /* of one output block */
#define WORD_BYTES 8

/* c, the flag f, and k words of an absorbed block of 1536 - c bits. */
#if LAURUS_BITS == 768
#define C 768
#elif LAURUS_BITS == 1024
#define C 1024
#else
#define C 512
#endif
#ifdef LAURUS_XOF
#define F 1
#else
#define F 0
#endif
#define RATE_BITS (1536 - C)
#define K (RATE_BITS / 64)
#define LAST_BITS 512

/* The first 64 bits of the fraction of e, then steps of a Galois shift register: the constant
 * before, times 2, XOR 0xC040010800008003 if its top bit was 1. */
static const uint64_t RC[ROUNDS] = {
    0xB7E151628AED2A6A, 0xAF82A3CD15DAD4D7, 0x9F4546922BB529AD, 0xFECA8C2C576AD359,
    0x3DD51950AED526B1, 0x7BAA32A15DAA4D62, 0xF7546542BB549AC4, 0x2EE8CB8D76A9B58B,
    0x5DD1971AED536B16, 0xBBA32E35DAA6D62C, 0xB7065D63B54D2C5B, 0xAE4CBBCF6A9AD8B5,
    0x9CD97696D5353169, 0xF9F2EC25AA6AE2D1, 0x33A5D94354D545A1, 0x674BB286A9AA8B42};

#endif
