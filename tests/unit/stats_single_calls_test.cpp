// SPDX-License-Identifier: MIT
// Catches a single call whose reading is taken off twice, or not divided by the batch, or clamped,
// and a figure below the resolution that is not called so. Worked out by hand.
#include <gtest/gtest.h>

#include <stdexcept>

#include "base/error.h"
#include "stats/details.h"

namespace hashprof::stats {
namespace {

using Samples = std::vector<std::uint64_t>;

/// Median 40; of five the 95 % quantile is the largest and the 5 % quantile the smallest.
const Samples kEmpty{40, 39, 42, 40, 41};

SingleCall single_call(const Samples& empty, const Samples& samples, const Samples& doubled,
                       std::uint64_t batch) {
  const auto figures = summarize_single_calls(empty, samples, doubled, batch);
  if (!figures) {
    throw std::logic_error("no figures");
  }
  return *figures;
}

TEST(SingleCalls, one_call_a_sample) {
  const SingleCall figures = single_call(kEmpty, {160, 140, 150}, {}, 1);
  EXPECT_EQ(figures.samples, 3U);
  EXPECT_EQ(figures.batch, 1U);
  EXPECT_EQ(figures.empty, 40);
  EXPECT_EQ(figures.empty_spread, 42 - 39);
  EXPECT_EQ(figures.read, 150);
  EXPECT_EQ(figures.net, 110);
  EXPECT_EQ(figures.least, 100);
  // Of three, 1/8 to 3/8 is 5/8 of the first and 1/8 of the second, over 6/8.
  EXPECT_NEAR(figures.quartiles.first, (5 * 140 + 150) / 6.0 - 40, 1e-12);
  EXPECT_NEAR(figures.quartiles.second, 110, 1e-12);
  EXPECT_NEAR(figures.quartiles.third, (150 + 5 * 160) / 6.0 - 40, 1e-12);
  EXPECT_FALSE(figures.by_doubling.has_value());
  EXPECT_FALSE(figures.is_below_resolution);
}

TEST(SingleCalls, eight_calls_a_sample) {
  const SingleCall figures = single_call(kEmpty, {840, 848, 832}, {1640, 1648, 1600}, 8);
  EXPECT_EQ(figures.batch, 8U);
  EXPECT_EQ(figures.read, 840 / 8.0);
  EXPECT_EQ(figures.net, (840 - 40) / 8.0);
  EXPECT_EQ(figures.least, (832 - 40) / 8.0);
  EXPECT_NEAR(figures.quartiles.second, 100, 1e-12);
  EXPECT_EQ(figures.by_doubling, (1640 - 840) / 8.0);
}

TEST(SingleCalls, the_median_of_an_even_number_is_between_two_samples) {
  const SingleCall figures = single_call({40, 41}, {140, 150, 160, 181}, {}, 1);
  EXPECT_EQ(figures.empty, 40.5);
  EXPECT_EQ(figures.read, 155);
  EXPECT_EQ(figures.net, 114.5);
}

TEST(SingleCalls, below_20_spreads_of_an_empty_call_are_below_the_resolution) {
  EXPECT_FALSE(single_call(kEmpty, {40 + 20 * 3}, {}, 1).is_below_resolution) << "the bound itself";
  EXPECT_TRUE(single_call(kEmpty, {40 + 20 * 3 - 1}, {}, 1).is_below_resolution);
  EXPECT_TRUE(single_call(kEmpty, {40 + 20 * 3 - 1}, {}, 8).is_below_resolution)
      << "judged by the sample, not by the call";
}

TEST(SingleCalls, that_take_no_longer_than_an_empty_one_are_below_the_resolution) {
  EXPECT_TRUE(single_call({40, 40, 40}, {40}, {}, 1).is_below_resolution);
  EXPECT_FALSE(single_call({40, 40, 40}, {41}, {}, 1).is_below_resolution);
}

TEST(SingleCalls, below_an_empty_call_are_negative_and_not_clamped) {
  const SingleCall figures = single_call(kEmpty, {30, 35, 38}, {33, 31}, 2);
  EXPECT_EQ(figures.net, -5 / 2.0);
  EXPECT_EQ(figures.least, -10 / 2.0);
  EXPECT_LT(figures.quartiles.third, 0);
  EXPECT_EQ(figures.by_doubling, (32 - 35) / 2.0);
  EXPECT_TRUE(figures.is_below_resolution);
}

TEST(SingleCalls, that_were_not_sampled_are_absent) {
  EXPECT_FALSE(summarize_single_calls({}, Samples{1}, {}, 1).has_value());
  EXPECT_FALSE(summarize_single_calls(Samples{1}, {}, Samples{2}, 1).has_value());
}

TEST(SingleCalls, of_no_call_a_sample_are_our_own_fault) {
  try {
    (void)summarize_single_calls(kEmpty, Samples{1}, {}, 0);
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::internal);
    EXPECT_STREQ(error.what(), "stats: a sample holds no call");
  }
}

}  // namespace
}  // namespace hashprof::stats
