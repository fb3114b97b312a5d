// SPDX-License-Identifier: MIT
// Catches helper functions that do other work than those that the published ratios rest on: another
// number of compressions (a cached prefix, precomputed pads) or of allocations, memory that is left
// behind, or a failed allocation that is not answered as specified.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <map>
#include <string>
#include <type_traits>
#include <vector>

#include "auxfunc.h"
#include "pseudohash_key.h"
#include "sm3.h"

namespace {

using Bytes = std::vector<unsigned char>;

/// What the helper functions did since it was made.
struct Tally {
  std::uint64_t compressions = 0;
  std::uint64_t allocations = 0;
  std::uint64_t fails_at = 0;  ///< the allocation that fails, counted from 1; 0: none does
  std::uint64_t live_bytes = 0;
  std::uint64_t peak_bytes = 0;
  std::map<void*, std::size_t> live;
};

Tally tally;

/// Blocks of SM3 for so many bits: the padding adds 65 bits or more.
std::uint64_t c(std::uint64_t bits) { return (bits + 64) / 512 + 1; }

}  // namespace

// What auxfunc.c calls in place of malloc, free and SM3 here.
extern "C" {
void* counted_malloc(std::size_t bytes);
void counted_free(void* memory);
void counted_sm3(const unsigned char* m, unsigned long long length_bits, unsigned char* digest);

void* counted_malloc(std::size_t bytes) {
  if (++tally.allocations == tally.fails_at) {
    return nullptr;
  }
  void* memory = std::malloc(bytes);
  tally.live[memory] = bytes;
  tally.live_bytes += bytes;
  tally.peak_bytes = std::max(tally.peak_bytes, tally.live_bytes);
  return memory;
}

void counted_free(void* memory) {
  if (memory != nullptr) {
    tally.live_bytes -= tally.live.at(memory);
    tally.live.erase(memory);
  }
  std::free(memory);
}

void counted_sm3(const unsigned char* m, unsigned long long length_bits, unsigned char* digest) {
  tally.compressions += c(length_bits);
  SM3(m, length_bits, digest);
}
}

namespace {

template <typename Width>
using Function = int (*)(Width, const unsigned char*, unsigned long long, unsigned char*);

constexpr std::array<int, 3> kHashWidths = {512, 768, 1024};
constexpr std::array<unsigned long long, 10> kXofWidths = {0,   1,    255,  256,  384,
                                                           768, 1024, 1152, 1280, 2048};
const Bytes kMessage(65536, 0xa5);

struct Result {
  int value;
  Bytes output;
  std::string text;  ///< on stderr
};

template <typename Width>
Result call(Function<Width> function, std::type_identity_t<Width> width, std::uint64_t bits,
            std::uint64_t fails_at = 0) {
  tally = Tally();
  tally.fails_at = fails_at;
  Result result{0, Bytes(256, 0x5a), {}};
  testing::internal::CaptureStderr();
  result.value = function(width, kMessage.data(), bits, result.output.data());
  result.text = testing::internal::GetCapturedStderr();
  return result;
}

void expect_refused(const Result& result, int value, const std::string& text) {
  EXPECT_EQ(result.value, value);
  EXPECT_EQ(result.text, text);
  EXPECT_EQ(result.output, Bytes(256, 0x5a));
  EXPECT_TRUE(tally.live.empty());
}

TEST(IccsWork, the_key_of_the_mac_is_made_of_the_digests_of_pi_and_e) {
  Bytes expected(KEY_BYTES);
  SM3(reinterpret_cast<const unsigned char*>("3.14159265358979"), 128, expected.data());
  SM3(reinterpret_cast<const unsigned char*>("2.71828182845904"), 128, expected.data() + SM3_BYTES);
  EXPECT_EQ(Bytes(std::begin(Kc), std::end(Kc)), expected);
}

TEST(IccsWork, every_block_of_output_hashes_the_whole_message_again) {
  for (const std::uint64_t bits : {0U, 1U, 415U, 416U, 447U, 448U, 8192U, 524288U}) {
    EXPECT_EQ(call(sm3hash, 256, bits).value, 0);
    EXPECT_EQ(tally.compressions, c(bits)) << bits;
    for (const unsigned long long width : kXofWidths) {
      EXPECT_EQ(call(pseudoXOF, width, bits).value, 0);
      EXPECT_EQ(tally.compressions, (width + 255) / 256 * c(bits + 32)) << width << ", " << bits;
    }
    for (const int width : kHashWidths) {
      EXPECT_EQ(call(pseudohash, width, bits).value, 0);
      const std::uint64_t chain = width == 512 ? 4 : width == 768 ? 10 : 20;
      EXPECT_EQ(tally.compressions, c(bits + 528) + c(bits + 16) + chain) << width << ", " << bits;
    }
  }
}

TEST(IccsWork, the_compressions_at_the_lengths_of_the_published_table) {
  const std::array<std::uint64_t, 3> lengths = {256, 8192, 524288};
  const auto compressions = [&]<typename Width>(Function<Width> function,
                                                std::type_identity_t<Width> width) {
    std::vector<std::uint64_t> counts;
    for (const std::uint64_t bits : lengths) {
      EXPECT_EQ(call(function, width, bits).value, 0);
      counts.push_back(tally.compressions);
    }
    return counts;
  };
  EXPECT_EQ(compressions(sm3hash, 256), (std::vector<std::uint64_t>{1, 17, 1025}));
  EXPECT_EQ(compressions(pseudoXOF, 256), (std::vector<std::uint64_t>{1, 17, 1025}));
  EXPECT_EQ(compressions(pseudoXOF, 2048), (std::vector<std::uint64_t>{8, 136, 8200}));
  EXPECT_EQ(compressions(pseudohash, 512), (std::vector<std::uint64_t>{7, 39, 2055}));
  EXPECT_EQ(compressions(pseudohash, 768), (std::vector<std::uint64_t>{13, 45, 2061}));
  EXPECT_EQ(compressions(pseudohash, 1024), (std::vector<std::uint64_t>{23, 55, 2071}));
}

TEST(IccsWork, allocations_and_peak_are_as_specified_and_nothing_is_left) {
  for (const std::uint64_t bits : {0U, 1U, 8U, 253U, 256U, 8192U, 524288U}) {
    const std::uint64_t m = (bits + 7) / 8;
    const auto expect = [&](std::uint64_t allocations, std::uint64_t peak_bytes) {
      EXPECT_EQ(tally.allocations, allocations) << bits;
      EXPECT_EQ(tally.peak_bytes, peak_bytes) << bits;
      EXPECT_TRUE(tally.live.empty()) << bits;
    };
    EXPECT_EQ(call(sm3hash, 256, bits).value, 0);
    expect(0, 0);
    EXPECT_EQ(call(pseudohash, 512, bits).value, 0);
    expect(3, 2 * m + 68);
    EXPECT_EQ(call(pseudohash, 768, bits).value, 0);
    expect(4, 2 * m + 100);
    EXPECT_EQ(call(pseudohash, 1024, bits).value, 0);
    expect(6, 2 * m + 100);
    for (const unsigned long long width : kXofWidths) {
      EXPECT_EQ(call(pseudoXOF, width, bits).value, 0);
      expect(2, m + 4 + (width + 255) / 8);
    }
  }
}

TEST(IccsWork, a_failed_allocation_returns_its_value_frees_the_rest_and_writes_nothing) {
  const std::string line = "pseudohash: no memory for copies of the message\n";
  const std::map<int, std::vector<int>> values = {
      {512, {-2, -3, -2}}, {768, {-2, -3, -2, -3}}, {1024, {-2, -3, -2, -3, -3, -3}}};
  for (const auto& [width, expected] : values) {
    for (std::size_t i = 0; i < expected.size(); ++i) {
      expect_refused(call(pseudohash, width, 8191, i + 1), expected[i], line);
    }
  }
  for (const std::uint64_t i : {1U, 2U}) {
    expect_refused(call(pseudoXOF, 2048, 8191, i), -2,
                   "pseudoXOF: no memory for the message or the output\n");
  }
}

TEST(IccsWork, a_width_that_a_function_does_not_have_is_refused_before_anything_is_allocated) {
  for (const int width : {-256, 0, 8, 255, 257, 512}) {
    expect_refused(call(sm3hash, width, 24), -4, "sm3hash: the width is 256 bits\n");
  }
  for (const int width : {-512, 0, 256, 511, 513, 1025, 2048}) {
    expect_refused(call(pseudohash, width, 24), -4,
                   "pseudohash: the width is 512, 768 or 1024 bits\n");
    EXPECT_EQ(tally.allocations, 0U);
  }
  constexpr unsigned long long kXofLimit = (1ULL << 40U) - (1ULL << 8U);
  for (const unsigned long long width : {kXofLimit, ~0ULL}) {
    expect_refused(call(pseudoXOF, width, 24), -4,
                   "pseudoXOF: the output has less than 2^40 - 2^8 bits\n");
    EXPECT_EQ(tally.allocations, 0U);
  }
  EXPECT_EQ(call(pseudoXOF, kXofLimit - 1, 24, 1).value, -2);
}

}  // namespace
