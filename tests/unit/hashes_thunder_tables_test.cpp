// SPDX-License-Identifier: MIT
// Catches a wrong digit in the constants of Thunder and a wrong step of its permutation.
#include <gtest/gtest.h>
#include <stdint.h>
#include <string.h>

#include <array>
#include <cstdint>

namespace {

#define THUNDER_BITS 512
#define DIGEST_BIT_LENGTH THUNDER_BITS
#include "thunder_permutation.h"

using State = std::array<std::uint64_t, LANES>;

constexpr State kAfterRound0 = {
    0x0200000000080000, 0x0100000040000000, 0x0200004000000000, 0x0100000000000000,
    0x0020000000020000, 0x0100000000000000, 0x0400000040000000, 0x0200000000000000,
    0x0100000000000040, 0x0200000000020000, 0x0100008000000000, 0x0600000000000000,
    0x0100000000000000, 0x0000000400000040, 0x0200000000000000, 0x0000008000000008,
    0x0200000000000000, 0x0100000000000400, 0x0200000400000000, 0x0100000000000000,
    0x0200000000080008, 0x0100000000000000, 0x0000004000000400, 0x0200000000000000,
    0x0120000000000000};

constexpr State kAfterAll = {
    0x5312af8201ffcdec, 0x9de76f85b17b015d, 0xde274bf41da8cd3a, 0x5c6d9fb846aee6e2,
    0xdb18c8e972dc3811, 0x527bba3bf67af36f, 0x12503cc37cfbc86e, 0x598651f6f1dfb1a8,
    0xd3f63751444c6780, 0x79b28de13edc6af2, 0x45139342c3f3d490, 0x82f64d731b1b7eec,
    0xffbca606b79bb07e, 0x26a38ef9063bbf8e, 0x8c0df93e1175e87f, 0xd2f15866b14c491d,
    0xfd0b6057b2c1a29a, 0x97d47eebef63c4a0, 0x759542cebcf4ee2f, 0xbf19a43c2bf3932a,
    0x564602962e892f64, 0xa144c539d908326c, 0x74056685a37f8663, 0x9ac78c3b79767d4e,
    0xe7be8a18a50dbe2b};

TEST(ThunderTables, round_constants_follow_from_their_rule) {
  std::array<std::uint64_t, 5> b = {1, 0, 0, 0, 0};
  for (const std::uint64_t constant : RC) {
    EXPECT_EQ(constant, b[0] | b[1] << 1U | b[2] << 3U | b[3] << 7U | b[4] << 15U);
    b = {1 ^ b[1] ^ b[4], b[0], b[1], b[2], b[3]};
  }
}

TEST(ThunderTables, amounts_that_spread_f_are_those_of_q_and_26) {
  for (std::size_t y = 0; y < 5; ++y) {
    EXPECT_EQ(U[y], (T[y] + 26) % 64);
  }
}

/// The list of sources of the specification, which its rule for transposition gives too.
TEST(ThunderTables, transposition_takes_the_lanes_that_the_specification_lists) {
  constexpr std::array<std::uint64_t, LANES> kSources = {
      4, 5, 11, 17, 23, 2, 8, 14, 15, 21, 0, 6, 12, 18, 24, 3, 9, 10, 16, 22, 1, 7, 13, 19, 20};
  State state{};
  for (std::size_t i = 0; i < state.size(); ++i) {
    state.at(i) = i;
  }
  transpose(state.data());
  EXPECT_EQ(state, kSources);
}

TEST(ThunderPermutation, takes_the_zero_state_where_the_specification_says) {
  State state{};
  permutation_round(state.data(), 0);
  EXPECT_EQ(state, kAfterRound0);
  state = {};
  permute(state.data());
  EXPECT_EQ(state, kAfterAll);
}

}  // namespace
