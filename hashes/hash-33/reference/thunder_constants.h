/* SPDX-License-Identifier: MIT */
/* Sizes, initial values and round constants of the Thunder family. No rule is known for the initial
 * values; a test compares the round constants with theirs. */
#ifndef THUNDER_CONSTANTS_H
#define THUNDER_CONSTANTS_H

#include <stdint.h>

#define LANES 25 /* of the state: lane x + 5 y in column x and row y */
#define LANE_BYTES 8
#define ROUNDS 12

/* Capacity lanes A[0] to A[C-1], and what they start as, from A[C-1] down to A[0]. */
#if !defined(THUNDER_XOF) && THUNDER_BITS == 512
#define C 9 /* Thunder-512 */
#define IV_LANES                                                                      \
  0x385EC0E6C2C9262C, 0x9B04C99DC477B767, 0x694AD1341F066571, 0x41E818D4F5A362FC,     \
      0xDD524527A77295D2, 0xBC2F395FD06923B4, 0x246B722CBB56513A, 0x8E265B9343C855BE, \
      0xBF6F0F35E3B4B690
#elif !defined(THUNDER_XOF) && THUNDER_BITS == 768
#define C 13 /* Thunder-768 */
#define IV_LANES                                                                      \
  0xE1F7C9010E8EC178, 0x676B3791EBA6281C, 0xA7A16EAC10689E8C, 0x9CCCEF7ACDC19758,     \
      0x900E93CA9A4A9953, 0x55FBD3148A3A352A, 0xDCFA816272A35C8C, 0xB9839A4AF0CAE3D5, \
      0xDB34E00BB8122876, 0xCC3FA3279D6371F6, 0x1E6D7FF8F050881C, 0x9C67610B0EF5484C, \
      0x1EE2C8609716E1FD
#elif !defined(THUNDER_XOF) && THUNDER_BITS == 1024
#define C 17 /* Thunder-1024 */
#define IV_LANES                                                                      \
  0x24503F60BF3CA4C8, 0x2C44DD200F6D93DE, 0x948CDBECC8BAE9D8, 0xF8935180A66B22D6,     \
      0x1E74332499E4122A, 0x717EF7874FDF8324, 0xF201204809F567F0, 0x9F76C65C5E81FEAD, \
      0x95D75D8EE27A1149, 0x6AF2AB07A720737F, 0x92814BCC238CCEBA, 0xCC6BB54C5AB31102, \
      0x0E88F98C2AFD6C77, 0x9DE9EBB8E116C786, 0xDE0AF08D84B563FD, 0x6CA062C126D8F82F, \
      0xF40BA520BF2176AF
#elif THUNDER_BITS == 1280
#define C 9 /* Thunder-XOF-256 */
#define IV_LANES                                                                      \
  0x4980F7D439055835, 0x729855614D7F148C, 0x5C0AE2159E01FC77, 0x4A515E2B8E01C2FF,     \
      0xA7883EF829CC1A87, 0x00A5215DFFDE8879, 0x52156057D367DA1E, 0x219B7C0760B0E94D, \
      0x9E812DA2738FE002
#elif THUNDER_BITS == 1152
#define C 13 /* Thunder-XOF-384 */
#define IV_LANES                                                                      \
  0x12213C610D4668BF, 0x63A3C93B73413AB0, 0x03BF159A8C56AEEA, 0x103353E2853DC514,     \
      0x93B2116B09264243, 0x37F1F11B1F666C79, 0xA69B502F299DF9E8, 0x6322E49D1D66FD68, \
      0xF63C53A3C826DD36, 0xF4E8D96C8C2AA889, 0x3F8ADB0DCF6E3C57, 0x6663F2D34B981CE9, \
      0xF45C092FAC272ECD
#else
#define C 17 /* Thunder-XOF-512 */
#define IV_LANES                                                                      \
  0x9AEEEF2B632AA55E, 0xFFF86452843778BC, 0x7EECDF54AA725D35, 0x9A48816B41176EB4,     \
      0x0CB97494B14EA9E1, 0x01C0349676559785, 0x9DE98219698CF8DD, 0x621BC66649423A58, \
      0x3E1620F081AF14FA, 0xD5E7B03035AB65EF, 0xFA818BD5EB11B50C, 0x3B3C04DD07203847, \
      0x7B767D98DA24EC2C, 0xF081647F0AD178DD, 0xBAB84A614A2350C9, 0x66A72645A0F40A18, \
      0xC2884D525C702B64
#endif

#define R (LANES - C) /* rate lanes, A[C] to A[24] */
#define RATE_BYTES (R * LANE_BYTES)
#define RATE_BITS (8 * RATE_BYTES)
#define S (DIGEST_BIT_LENGTH / 64) /* lanes of one squeeze */

static const uint64_t IV[C] = {IV_LANES};

/* Five bits at places 0, 1, 3, 7 and 15: b0 alone at first; then (b0, b1, b2, b3, b4) becomes
 * (1 ^ b1 ^ b4, b0, b1, b2, b3). */
static const uint64_t RC[ROUNDS] = {0x0001, 0x0003, 0x000A, 0x0088, 0x8081, 0x8002,
                                    0x0009, 0x0083, 0x800A, 0x0089, 0x8083, 0x800B};

#endif
