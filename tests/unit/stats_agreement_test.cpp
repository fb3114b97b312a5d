// SPDX-License-Identifier: MIT
// Catches processes that disagree and are called alike, or the other way round: a scale that zeros
// pull down, bounds that are off, sides that are mixed up, a drift seen in an order that has none.
// The expected values are worked out by hand.
#include "stats/agreement.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "base/error.h"

namespace hashprof::stats {
namespace {

using Cells = std::vector<std::vector<double>>;

constexpr double kScale = 1.4826;

TEST(PooledScale, is_the_median_deviation_without_the_values_that_are_the_median) {
  // |r| of 110 and 90 is 0.09531 and 0.10536; 100 is the median and counts nothing.
  EXPECT_NEAR(pooled_scale(Cells{{100, 110, 90}}), kScale * (std::log(1.1) + std::log(1 / 0.9)) / 2,
              1e-12);
  EXPECT_NEAR(pooled_scale(Cells{{100, 110, 90}}), 0.148757, 1e-6);
}

TEST(PooledScale, leaves_every_value_out_that_equals_the_median) {
  EXPECT_NEAR(pooled_scale(Cells{{100, 100, 100, 100, 105}}), kScale * std::log(1.05), 1e-12);
}

TEST(PooledScale, of_an_even_number_counts_every_value) {
  // Median 105; |r| sorted: ln 110/105, ln 105/100, ln 120/105, ln 105/90.
  EXPECT_NEAR(pooled_scale(Cells{{90, 100, 110, 120}}),
              kScale * (std::log(105.0 / 100) + std::log(120.0 / 105)) / 2, 1e-12);
}

TEST(PooledScale, pools_cells_whatever_their_size) {
  // |r|: 0.01 and 0.02 of the first, 0.03 of the second (twice), each about its own median.
  const Cells cells{{std::exp(-0.01), 1, std::exp(0.02)},
                    {1000 * std::exp(-0.03), 1000, 1000 * std::exp(0.03)}};
  EXPECT_NEAR(pooled_scale(cells), kScale * 0.025, 1e-12);
}

TEST(PooledScale, counts_no_cell_of_fewer_than_three_values) {
  EXPECT_EQ(pooled_scale(Cells{{1, 2}, {5}}), 0);
  EXPECT_EQ(pooled_scale(Cells{{1, 2}, {100, 110, 90}}), pooled_scale(Cells{{100, 110, 90}}));
}

TEST(PooledScale, is_0_where_nothing_deviates) {
  EXPECT_EQ(pooled_scale({}), 0);
  EXPECT_EQ(pooled_scale(Cells{{7, 7, 7}, {}}), 0);
}

Degree degree_of(double value, double scale) {
  return judge_agreement(std::vector<double>{1, 1, value, 1}, scale).degree;
}

TEST(Agreement, a_notice_lies_beyond_3_percent) {
  EXPECT_EQ(degree_of(1.03, 0), Degree::none) << "the bound itself";
  EXPECT_EQ(degree_of(1.0300001, 0), Degree::notice);
  EXPECT_EQ(degree_of(1 / 1.0299999, 0), Degree::none);
  EXPECT_EQ(degree_of(1 / 1.0300001, 0), Degree::notice);
}

TEST(Agreement, a_severe_one_lies_beyond_10_percent) {
  EXPECT_EQ(degree_of(1.10, 0), Degree::notice) << "the bound itself";
  EXPECT_EQ(degree_of(1.1000001, 0), Degree::severe);
  EXPECT_EQ(degree_of(1 / 1.0999999, 0), Degree::notice);
  EXPECT_EQ(degree_of(1 / 1.1000001, 0), Degree::severe);
}

TEST(Agreement, a_notice_lies_beyond_six_scales_where_those_are_more) {
  EXPECT_EQ(judge_agreement(std::vector<double>{1, 1, 1}, 0.01).notice_bound, 6 * 0.01);
  EXPECT_EQ(degree_of(std::exp(0.0599), 0.01), Degree::none);
  EXPECT_EQ(degree_of(std::exp(0.0601), 0.01), Degree::notice);
  EXPECT_EQ(judge_agreement(std::vector<double>{1, 1, 1}, 0.004).notice_bound, std::log(1.03))
      << "six of them are less than 3 %";
}

TEST(Agreement, ten_percent_are_severe_whatever_the_scale) {
  EXPECT_EQ(degree_of(1.09, 0.05), Degree::none);
  EXPECT_EQ(degree_of(1.11, 0.05), Degree::severe);
}

TEST(Agreement, names_the_slow_and_the_fast_by_their_place) {
  const Agreement agreement =
      judge_agreement(std::vector<double>{100, 80, 100, 105, 100, 130, 100}, 0);
  ASSERT_EQ(agreement.slow.size(), 2U);
  EXPECT_EQ(agreement.slow[0].index, 3U);
  EXPECT_NEAR(agreement.slow[0].deviation, 0.05, 1e-12);
  EXPECT_EQ(agreement.slow[0].degree, Degree::notice);
  EXPECT_EQ(agreement.slow[1].index, 5U);
  EXPECT_NEAR(agreement.slow[1].deviation, 0.30, 1e-12);
  EXPECT_EQ(agreement.slow[1].degree, Degree::severe);
  ASSERT_EQ(agreement.fast.size(), 1U);
  EXPECT_EQ(agreement.fast[0].index, 1U);
  EXPECT_NEAR(agreement.fast[0].deviation, -0.20, 1e-12);
  EXPECT_EQ(agreement.degree, Degree::severe);
  EXPECT_TRUE(agreement.has_outliers());
}

TEST(Agreement, its_degree_is_the_worst_whatever_comes_last) {
  EXPECT_EQ(judge_agreement(std::vector<double>{1, 1.5, 1, 1.05, 1}, 0).degree, Degree::severe);
  EXPECT_EQ(judge_agreement(std::vector<double>{1, 1.05, 1, 1.04, 1}, 0).degree, Degree::notice);
}

TEST(Agreement, two_on_a_side_are_speeds) {
  EXPECT_TRUE(judge_agreement(std::vector<double>{1, 1.2, 1.2, 1, 1}, 0).is_bimodal());
  EXPECT_TRUE(judge_agreement(std::vector<double>{1, 0.8, 0.8, 1, 1}, 0).is_bimodal());
  EXPECT_FALSE(judge_agreement(std::vector<double>{1, 1.2, 0.8, 1, 1}, 0).is_bimodal());
  EXPECT_FALSE(judge_agreement(std::vector<double>{1, 1.2, 1, 1, 1}, 0).is_bimodal());
}

TEST(Agreement, of_two_neither_is_the_odd_one) {
  for (const std::vector<double>& values : std::vector<std::vector<double>>{{}, {5}, {1, 100}}) {
    const Agreement agreement = judge_agreement(values, 0.01);
    EXPECT_FALSE(agreement.has_outliers());
    EXPECT_TRUE(agreement.slow.empty() && agreement.fast.empty());
    EXPECT_FALSE(agreement.drift.has_value());
    EXPECT_EQ(agreement.notice_bound, 6 * 0.01);
  }
  EXPECT_EQ(judge_agreement(std::vector<double>{1, 1, 100}, 0).slow.size(), 1U);
}

std::optional<double> drift_of(const std::vector<double>& values) {
  return judge_agreement(values, 1).drift;
}

TEST(Drift, compares_the_last_third_with_the_first) {
  EXPECT_NEAR(drift_of({100, 101, 102, 103, 104, 105, 106, 107, 108}).value_or(0), 107.0 / 101 - 1,
              1e-12);
  EXPECT_NEAR(drift_of({106, 107, 108, 103, 104, 105, 100, 101, 102}).value_or(0), 101.0 / 107 - 1,
              1e-12);
  // Of ten the thirds have three values; the four in the middle do not matter.
  EXPECT_NEAR(drift_of({102, 100, 101, 1, 999, 1, 999, 108, 106, 107}).value_or(0), 107.0 / 101 - 1,
              1e-12);
}

TEST(Drift, needs_thirds_that_lie_apart) {
  EXPECT_FALSE(drift_of({100, 101, 106.5, 103, 104, 105, 106, 107, 108}).has_value());
  EXPECT_FALSE(drift_of({100, 101, 106, 103, 104, 105, 106, 107, 108}).has_value()) << "they touch";
  EXPECT_FALSE(drift_of({108, 100, 104, 101, 106, 103, 105, 107, 102}).has_value());
}

TEST(Drift, is_none_within_3_percent_and_none_below_nine_values) {
  EXPECT_FALSE(drift_of({99, 100, 100.1, 101, 101, 101, 102, 103, 104}).has_value())
      << "the medians are 3 % apart, not more";
  EXPECT_TRUE(drift_of({99, 100, 100.1, 101, 101, 101, 102, 103.01, 104}).has_value());
  EXPECT_FALSE(drift_of({100, 101, 102, 103, 104, 130, 131, 132}).has_value());
}

TEST(UndetectedRate, is_what_so_many_processes_can_miss) {
  EXPECT_NEAR(undetected_rate(9), 0.283, 0.0005);
  EXPECT_NEAR(undetected_rate(21), 0.1329, 0.00005);
  EXPECT_NEAR(undetected_rate(1), 0.95, 1e-12);
  EXPECT_NEAR(std::pow(1 - undetected_rate(5), 5), 0.05, 1e-12);
  EXPECT_EQ(undetected_rate(0), 1);
}

TEST(Agreement, refuses_what_has_no_logarithm) {
  for (const double bad : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN(),
                           std::numeric_limits<double>::infinity()}) {
    const std::vector<double> values{1, bad, 1};
    for (const auto& judge : {std::function<void()>([&] { (void)judge_agreement(values, 0); }),
                              std::function<void()>([&] { (void)pooled_scale(Cells{values}); })}) {
      try {
        judge();
        FAIL() << "accepted " << bad;
      } catch (const Error& error) {
        EXPECT_EQ(error.fault(), Fault::internal);
        EXPECT_STREQ(error.what(), "stats: a value whose agreement is judged is not above 0");
      }
    }
  }
}

}  // namespace
}  // namespace hashprof::stats
