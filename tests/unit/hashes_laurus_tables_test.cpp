// SPDX-License-Identifier: MIT
// Catches a wrong digit in the round constants of Laurus and a wrong step of its permutation.
#include <gtest/gtest.h>
#include <stdint.h>
#include <string.h>

#include <array>
#include <cstdint>

namespace {

#define LAURUS_BITS 512
#include "laurus_permutation.h"

using Square = std::array<std::uint64_t, WORDS>;

constexpr Square kAfterStep2 = {
    0x0237a0613b14f38b, 0x17f6f5f1d3b1b39d, 0x1b5b9b3cdf590f79, 0x1ebf71bbd1013377,
    0x0b10b10b10b10b51, 0x0841fb1fe263da55, 0x0ee740de771f8634, 0x0fc8a671fcbf1c23,
    0x0fecdb8b816f7e16, 0x1071071071071007, 0x16b7f618b0bc0ff0, 0x16f1db3064680ddf,
    0x1c70e347e30c1fee, 0x1fb3660eb0c049bf, 0x17c17c17c17c17ac, 0x17e4e30ec1373cdb,
    0x1800f625f0cb169e, 0x1e61bc0cf27ff07b, 0x1ec2831def5b0e78, 0x0c70c70c70c70c57,
    0xa4e6047d09522315, 0x1341182f17173b54, 0x1343f07393076985, 0x1583153a06af7f94,
    0x11f11f11f11f11af};

constexpr Square kAfterStep3 = {
    0x9ccf637c6437bceb, 0xe80c5f70c1dedb60, 0xf888e65279749b54, 0x0f6514ed1038879c,
    0x48adb8e8adc02bd1, 0xb71e6589e32fa045, 0x3143d3aa1ccf15a3, 0x89fb77de07812650,
    0x3313ec573dba8779, 0xb87c4cc60132d47b, 0x0de505d90b004088, 0xa32b9daad9119f4d,
    0x7053303685ede377, 0x8baf8a8474127382, 0xa25016dfb725f33c, 0x9eaa97c1a0e73937,
    0x0890ae9f55e6a673, 0x70ec1b121eff2951, 0x7bad994ad7c68f59, 0x39811e86afb718c3,
    0xa33d5842b86f03be, 0xaa2b9808c1f7e2eb, 0xdc567dc02aec5fe2, 0x4c59315741db1358,
    0x10db3ea59378dff1};

constexpr Square kAfterRound0 = {
    0x334dc0b171ed683c, 0x8baf8a8474127382, 0xaa2b9808c1f7e2eb, 0xb87c4cc60132d47b,
    0x70ec1b121eff2951, 0x3313ec573dba8779, 0x0890ae9f55e6a673, 0x48adb8e8adc02bd1,
    0x7053303685ede377, 0xa33d5842b86f03be, 0xa32b9daad9119f4d, 0x10db3ea59378dff1,
    0x89fb77de07812650, 0x9eaa97c1a0e73937, 0x0f6514ed1038879c, 0x39811e86afb718c3,
    0xf888e65279749b54, 0x0de505d90b004088, 0x4c59315741db1358, 0x3143d3aa1ccf15a3,
    0xdc567dc02aec5fe2, 0xb71e6589e32fa045, 0x7bad994ad7c68f59, 0xe80c5f70c1dedb60,
    0xa25016dfb725f33c};

constexpr Square kAfterPi = {
    0x0fbc7c01dff8eb96, 0x089fd91254c648be, 0xf10fce341048fd02, 0x41af31efbdae6333,
    0x09f855e4d8e02716, 0x810679a76f3a19e4, 0xa4cf4966a4d4fe4d, 0x540b642d1f80fa7b,
    0x253956cdbdc119ec, 0xc0308cf964a1b72a, 0x04c1c9b402a98373, 0xd8e0e8ff9ff7a8a4,
    0x391ac80a6ca7dee8, 0x88cc01fdec8990ba, 0x1cd5d160925db842, 0x812c35fa7bef8235,
    0xc78e541267a4ee7a, 0xb83beb9c216e84e8, 0xc3db860ab62fb10d, 0xc71f95ff3e11fcfe,
    0xa5109bdadb4db975, 0x1a1ac2b9d7f7f2e5, 0xd729f1e5aa6208a3, 0x8c9cfa94405c13db,
    0x1102321abbecf388};

constexpr Square kPiOfZero = {
    0xef96535978700b44, 0xcd01eb1fc4c726db, 0x744de888c32b7ba9, 0x13fdc61bc86e61d7,
    0x5679635bf291f459, 0x48a960c6a9831a77, 0x92a7ce4e8fb96853, 0xcd0fb0bc72e79ed7,
    0xf5d64d275dc270b2, 0xe3e364f1139d3e37, 0x9a0c00097bcaa525, 0x460cc4f0e9e3c7c4,
    0x21315bf0d304cdf2, 0xd9dcfc18b774c09f, 0x63f7b7700ad0ce78, 0xfb0af37198326a31,
    0xc39bcb16386e7c44, 0x5362638af6ec8e96, 0x6e2957bc27991dce, 0x210123940942609b,
    0x259e55ad6e8c0bde, 0xa45fdc92c94d0432, 0xf41fd1173ffa829d, 0x7caa7a6848baa391,
    0x4ebb420d4ba1419f};

/// Word n is (n + 1) times 0123456789abcdef.
Square start() {
  Square w{};
  for (std::size_t n = 0; n < w.size(); ++n) {
    w[n] = (n + 1) * 0x0123456789abcdefU;
  }
  return w;
}

TEST(LaurusTables, round_constants_follow_from_e_by_a_shift_register) {
  std::uint64_t constant = 0xb7e151628aed2a6aU;  // e = 2.b7e151628aed2a6a...
  for (const std::uint64_t listed : RC) {
    EXPECT_EQ(listed, constant);
    constant = (constant << 1U) ^ (constant >> 63U != 0 ? 0xc040010800008003U : 0U);
  }
}

/// The table of the specification for step 2 as a substitution of 5 bits, x0 the lowest.
TEST(LaurusTables, step_2_is_the_substitution_of_the_specification) {
  constexpr std::array<unsigned, 32> kTable = {0,  16, 1,  19, 2,  18, 7,  21, 4,  20, 5,
                                               23, 14, 31, 11, 24, 8,  25, 9,  26, 10, 27,
                                               15, 28, 29, 12, 30, 13, 22, 6,  17, 3};
  for (unsigned x = 0; x < kTable.size(); ++x) {
    Square w{};
    for (unsigned i = 0; i < 5; ++i) {
      w[5 * i] = x >> i & 1U;
    }
    substitute(w.data());
    std::uint64_t y = 0;
    for (unsigned i = 0; i < 5; ++i) {
      y |= (w[5 * i] & 1U) << i;
    }
    EXPECT_EQ(y, kTable.at(x)) << x;
  }
}

TEST(LaurusPermutation, has_the_intermediate_values_of_the_specification) {
  Square w = start();
  w[0] ^= RC[0];
  substitute(w.data());
  EXPECT_EQ(w, kAfterStep2);
  mix(w.data());
  EXPECT_EQ(w, kAfterStep3);
  transpose(w.data());
  // The specification prints this state with the constant of the next round in it.
  w[0] ^= RC[1];
  EXPECT_EQ(w, kAfterRound0);
  w[0] ^= RC[1];
  for (unsigned t = 1; t < ROUNDS; ++t) {
    pi_round(w.data(), t);
  }
  EXPECT_EQ(w, kAfterPi);
}

TEST(LaurusPermutation, takes_the_zero_state_where_the_specification_says) {
  Square w{};
  PI(w.data());
  EXPECT_EQ(w, kPiOfZero);
}

}  // namespace
