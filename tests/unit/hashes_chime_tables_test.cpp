// SPDX-License-Identifier: MIT
// Catches a wrong digit in the round constants of CHIME and a wrong step of its permutation, which
// a state of equal lanes would hide.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>

#include <stdint.h>
#include <string.h>

namespace {

#define CHIME_BITS 1024
#include "chime_permutation.h"

using Lanes = std::array<std::uint64_t, 24>;

constexpr Lanes kAfterStepA = {
    0x2b64415dd5f8f9ea, 0xe16511242562e043, 0xbaa6e193d7d5651b, 0x5d84941d826f44d0,
    0x5d463d18cc3f8a2f, 0x6e4b13f040ed791e, 0x3ce39349bb2e1b0d, 0x2f00d8a13ebbb87c,
    0x0f8d2ba6675138cc, 0x0db316665ab0d8cc, 0x0b751ea629d378cc, 0x04bd6be63953c84c,
    0xb00418f494f91cdf, 0x6b71d4ed2c7b4441, 0xcba3c6566273d226, 0xa8beef7cb2dd22da,
    0xe0465443acc92dac, 0x2fe954c3f357ce56, 0x5eed442b1f6c2d1d, 0xb8e06b5cc482fec5,
    0xe0a91462f6ef4ef0, 0xa3a9a5cf7c465ff5, 0xa4b5b9ade65c5f71, 0x30441c026dedf287,
};

constexpr Lanes kAfterRound0 = {
    0x40a91486e62f5a20, 0xa29961c250545bb4, 0x67b5fdbba60d9f53, 0xb0fa3b5eeda9f005,
    0x8bbcd24a223a80df, 0x83b796f3fb6f9a44, 0xaeb466ccbeb31c1f, 0xa55e535339a50e44,
    0x1def391aae39c80f, 0xeec332f210e962aa, 0x18f7aae03f22165c, 0x3f40c8a3739b6879,
    0x0435a9ae6563b89f, 0x8da594565298c8cc, 0xab653c62894068ce, 0x01a37be50076c84c,
    0xad4231ec9ce99cd0, 0x2733c6dd2cd2644b, 0xd3e1c4167b51d22a, 0xa7be2fdda0cf2aa2,
    0xe4477de7e98815ac, 0x23e954c7f3c78ede, 0x5fac5c091e2c4ddd, 0xb84143f8c4d03ecd,
};

constexpr Lanes kAfterRounds0To3 = {
    0x192b9687bae40462, 0x201bbdedfe7be5d6, 0x6b6a8377efc7e66c, 0x3309ffea8760cde1,
    0x2e1f49f2218a82ab, 0xda5cdccd4ed4c26e, 0xd684f89939a4a5d5, 0x72fc1cb437bd006d,
    0x0e0c6327341835d5, 0x476c438de24a6976, 0xb8e609b3fec6f228, 0xdad268c7395489f5,
    0x86f1a4366b220e7d, 0x5f091f11954b6c3b, 0xd76db6e31f4d6c3c, 0xa6d035f22b1c91a7,
    0xcb4184c000f5a3ee, 0xedd1cd1f44499162, 0x2d09bdc6da94e976, 0xecdaae2a953e28d1,
    0xd002a77d3e888d52, 0xb59e21bb916baa50, 0x189598eedc23de03, 0x102bc8ad92ea16aa,
};

constexpr Lanes kAfterP15 = {
    0xc8f768779661831f, 0x250a033aba428d32, 0xdfb37ef5c7a347c5, 0x307ad3d86b328de5,
    0x1dcfcf4b9a2bc895, 0x2d020c15ccdae5dd, 0xad2524ee83e0bd29, 0x062dc9f79b5916e5,
    0x21424e173202ed3f, 0x9a5cb7ae49b3e628, 0x8bcbdf6c614c0b37, 0x3624239509a95bbc,
    0x5440be000989d2c6, 0x5363e71e769e61bc, 0x4db98a573b565c83, 0xa00a823c324fe222,
    0xa0a781a8f6b85b3f, 0x0a89564c8c0a82b6, 0xff3302f5af8b9ee4, 0x34e50c0cd1475de6,
    0x6f44fbc9a6290b46, 0x0158f8d51c8018de, 0xe1e77920cdfd9040, 0x2866255f9a797adf,
};

constexpr Lanes kAfterP20 = {
    0x242b2156f6ea9562, 0xe55e6fcb5259f8c4, 0x7fcbe95a477b4860, 0xc8e749cb7c478723,
    0xec09926436d10c92, 0xafc510562cc13c3e, 0x6b034ccb33ab27af, 0x80feca9d35100e55,
    0xd13d4b097d764f33, 0xb8517ea8a4fc3d44, 0x9e12965f270798cc, 0xc7a8f03430c459dd,
    0x717fc7327386885c, 0x48cb05adf89424df, 0x51c2b028f05c92c6, 0x6d2bd32a826fc97d,
    0xc441324bf66f1d2f, 0xaa558c38b335e4f9, 0x94c38fd339861420, 0x933c5f62341db182,
    0x680d05b7d0dd98ca, 0xbb6b98ea90f86fd3, 0xc76cff14d3ca921a, 0x80c786c35d090e0d,
};

/// The state of the specification's test: lane n is (n + 1) * 0x0123456789ABCDEF.
class ChimeTables : public ::testing::Test {
 protected:
  ChimeTables() {
    for (std::uint64_t n = 0; n < 24; ++n) {
      X[n / LANES].lane[n % LANES] = (n + 1) * 0x0123456789ABCDEF;
    }
  }
  [[nodiscard]] Lanes lanes() const {
    Lanes all{};
    for (std::size_t n = 0; n < all.size(); ++n) {
      all[n] = X[n / LANES].lane[n % LANES];
    }
    return all;
  }
  reg X[REGISTERS] = {};
};

TEST_F(ChimeTables, round_constants_follow_their_rule) {
  ASSERT_EQ(std::size(RC), 20U);
  for (std::uint64_t r = 0; r < 20; ++r) {
    EXPECT_EQ(RC[r], ((r + 1) * 0x9E3779B97F4A7C15) ^ (0xDEADBEEF00000000 + r)) << r;
  }
}

TEST_F(ChimeTables, step_a_agrees_with_the_specification) {
  step_a(X);
  EXPECT_EQ(lanes(), kAfterStepA);
}

TEST_F(ChimeTables, one_round_agrees_with_the_specification) {
  permute(X, 1);
  EXPECT_EQ(lanes(), kAfterRound0);
}

TEST_F(ChimeTables, the_first_backward_rotation_agrees_with_the_specification) {
  permute(X, 4);
  EXPECT_EQ(lanes(), kAfterRounds0To3);
}

TEST_F(ChimeTables, the_permutation_of_15_rounds_agrees_with_the_specification) {
  permute(X, 15);
  EXPECT_EQ(lanes(), kAfterP15);
}

TEST_F(ChimeTables, the_permutation_of_20_rounds_agrees_with_the_specification) {
  permute(X, 20);
  EXPECT_EQ(lanes(), kAfterP20);
}

TEST_F(ChimeTables, the_permutations_of_the_zero_state_agree_with_the_specification) {
  reg zero[REGISTERS] = {};
  permute(zero, 15);
  EXPECT_EQ(zero[0].lane[0], 0xa1f54f00a9d23132);
  EXPECT_EQ(zero[5].lane[3], 0xff111a84cc0ac726);
  std::fill(std::begin(zero), std::end(zero), reg{});
  permute(zero, 20);
  EXPECT_EQ(zero[0].lane[0], 0x65e05bd3d22bf845U);
  EXPECT_EQ(zero[5].lane[3], 0x1064b4264429ec11U);
}

}  // namespace
