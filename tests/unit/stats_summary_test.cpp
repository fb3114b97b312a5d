// SPDX-License-Identifier: MIT
// Catches a wrong rank or coverage of the interval, an approximated median, a deviation with the
// wrong denominator or lost digits, and figures made from what is no number.
#include "stats/summary.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <vector>

#include "base/error.h"

namespace hashprof::stats {
namespace {

/// 1, 2, ... n: the value of an order statistic is its rank.
std::vector<double> ranks(std::size_t n) {
  std::vector<double> values(n);
  std::iota(values.begin(), values.end(), 1.0);
  return values;
}

Summary summary_of(const std::vector<double>& values) {
  const std::optional<Summary> summary = summarize(values);
  if (!summary.has_value()) {
    throw std::logic_error("no summary");
  }
  return *summary;
}

Line line_of(const std::vector<Point>& points, double from) {
  const std::optional<Line> line = fit_line(points, from);
  if (!line.has_value()) {
    throw std::logic_error("no line");
  }
  return *line;
}

struct KnownInterval {
  std::size_t n;
  std::uint32_t rank;
  double coverage;  // by hand: 1 - 2 * sum(C(n, i), i < rank) / 2^n
  bool is_confidence;
};

TEST(Interval, known_ranks_and_coverages) {
  const std::vector<KnownInterval> known = {
      {1, 1, 0.0, false},
      {2, 1, 0.5, false},
      {5, 1, 0.9375, false},
      {6, 1, 0.96875, true},
      {7, 1, 1 - 2.0 / 128, true},
      {8, 1, 1 - 2.0 / 256, true},
      {9, 2, 1 - 2.0 * (1 + 9) / 512, true},
      {15, 4, 1 - 2.0 * (1 + 15 + 105 + 455) / 32768, true},
      {21, 6, 1 - 2.0 * (1 + 21 + 210 + 1330 + 5985 + 20349) / 2097152, true}};
  for (const KnownInterval& expected : known) {
    const Interval interval = median_interval(ranks(expected.n));
    EXPECT_EQ(interval.rank, expected.rank) << expected.n;
    EXPECT_EQ(interval.low, expected.rank) << expected.n;
    EXPECT_EQ(interval.high, static_cast<double>(expected.n + 1 - expected.rank)) << expected.n;
    EXPECT_NEAR(interval.coverage, expected.coverage, 1e-12) << expected.n;
    EXPECT_EQ(interval.is_confidence, expected.is_confidence) << expected.n;
  }
}

TEST(Interval, is_the_smallest_that_reaches_95_percent) {
  for (std::size_t n = 6; n <= 400; ++n) {
    const Interval interval = median_interval(ranks(n));
    EXPECT_GE(interval.coverage, 0.95) << n;
    // Dropping one more value a side removes 2 * C(n, rank) / 2^n.
    const double dropped =
        2 * std::exp(std::lgamma(static_cast<double>(n) + 1) - std::lgamma(interval.rank + 1.0) -
                     std::lgamma(static_cast<double>(n) - interval.rank + 1) -
                     static_cast<double>(n) * std::log(2.0));
    EXPECT_LT(interval.coverage - dropped, 0.95) << n;
  }
}

TEST(Interval, of_no_values_is_our_own_fault) {
  try {
    (void)median_interval({});
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::internal);
    EXPECT_STREQ(error.what(), "stats: an interval of no values was asked for");
  }
}

TEST(Summary, of_nothing_is_absent) { EXPECT_FALSE(summarize({}).has_value()); }

TEST(Summary, of_one_value_has_no_deviation) {
  const Summary summary = summary_of(std::vector<double>{7.5});
  EXPECT_EQ(summary.count, 1U);
  EXPECT_EQ(summary.median, 7.5);
  EXPECT_EQ(summary.mean, 7.5);
  EXPECT_EQ(summary.min, 7.5);
  EXPECT_EQ(summary.max, 7.5);
  EXPECT_EQ(summary.interval.low, 7.5);
  EXPECT_EQ(summary.interval.high, 7.5);
  EXPECT_FALSE(summary.interval.is_confidence);
  EXPECT_FALSE(summary.standard_deviation.has_value());
  EXPECT_FALSE(summary.is_mean_off);
}

TEST(Summary, of_two_values) {
  const Summary summary = summary_of(std::vector<double>{3, 1});
  EXPECT_EQ(summary.median, 2);
  EXPECT_EQ(summary.interval.low, 1);
  EXPECT_EQ(summary.interval.high, 3);
  EXPECT_NEAR(summary.standard_deviation.value_or(-1), std::sqrt(2.0), 1e-15);
}

TEST(Summary, median_of_even_counts_is_exact) {
  EXPECT_EQ(summary_of(std::vector<double>{4, 1, 3, 2}).median, 2.5);
  EXPECT_EQ(summary_of(std::vector<double>{10, 1, 1, 10}).median, 5.5);
}

TEST(Summary, known_deviation) {
  // Sum of squared distances from the mean 5 is 32; 32 / 7 with n - 1.
  const Summary summary = summary_of(std::vector<double>{2, 4, 4, 4, 5, 5, 7, 9});
  EXPECT_EQ(summary.mean, 5);
  EXPECT_NEAR(summary.standard_deviation.value_or(-1), std::sqrt(32.0 / 7), 1e-14);
}

TEST(Summary, ties_stay_exact) {
  const Summary summary = summary_of(std::vector<double>(9, 0.1));
  EXPECT_EQ(summary.mean, 0.1);
  EXPECT_EQ(summary.median, 0.1);
  EXPECT_EQ(summary.interval.low, 0.1);
  EXPECT_EQ(summary.interval.high, 0.1);
  EXPECT_NEAR(summary.standard_deviation.value_or(-1), 0, 1e-15);
}

TEST(Summary, a_small_spread_on_huge_values_keeps_its_digits) {
  const Summary summary = summary_of(std::vector<double>{1e15 + 1, 1e15 + 2, 1e15 + 3});
  EXPECT_EQ(summary.median, 1e15 + 2);
  EXPECT_EQ(summary.mean, 1e15 + 2);
  EXPECT_NEAR(summary.standard_deviation.value_or(-1), 1, 0.2);
}

TEST(Summary, marks_a_mean_more_than_two_percent_off) {
  EXPECT_FALSE(summary_of(std::vector<double>{100, 100, 106}).is_mean_off);  // exactly 2 %
  EXPECT_TRUE(summary_of(std::vector<double>{100, 100, 106.1}).is_mean_off);
  EXPECT_TRUE(summary_of(std::vector<double>{93, 100, 100}).is_mean_off);
}

TEST(Summary, invariants_hold_for_skewed_values) {
  std::uint64_t state = 1;
  for (std::size_t n = 1; n <= 60; ++n) {
    std::vector<double> values;
    for (std::size_t i = 0; i < n; ++i) {
      state = state * 6364136223846793005U + 1442695040888963407U;
      values.push_back(std::pow(static_cast<double>(state >> 40U) + 1, 2.5) / 3);
    }
    const Summary summary = summary_of(values);
    EXPECT_LE(summary.min, summary.interval.low) << n;
    EXPECT_LE(summary.interval.low, summary.median) << n;
    EXPECT_LE(summary.median, summary.interval.high) << n;
    EXPECT_LE(summary.interval.high, summary.max) << n;
    EXPECT_LE(summary.min, summary.mean) << n;
    EXPECT_LE(summary.mean, summary.max) << n;
    EXPECT_EQ(summary.count, n);
    std::reverse(values.begin(), values.end());
    EXPECT_EQ(summary_of(values).median, summary.median) << n;
  }
}

TEST(Summary, refuses_what_is_no_number) {
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(),
        -std::numeric_limits<double>::infinity()}) {
    try {
      (void)summarize(std::vector<double>{1, bad, 3});
      FAIL() << "accepted " << bad;
    } catch (const Error& error) {
      EXPECT_EQ(error.fault(), Fault::internal);
      EXPECT_STREQ(error.what(), "stats: a value to be summarised is not a finite number");
    }
  }
}

TEST(Summary, refuses_values_whose_moments_overflow) {
  try {
    (void)summarize(std::vector<double>{1e308, 1.7e308, -1e308});
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::internal);
  }
}

TEST(Line, finds_a_straight_line) {
  const std::vector<Point> points = {
      {32, 9999}, {4096, 4106}, {8192, 8202}, {16384, 16394}, {65536, 65546}};
  const Line line = line_of(points, 4096);
  EXPECT_NEAR(line.slope, 1, 1e-12);
  EXPECT_NEAR(line.fixed, 10, 1e-8);
  EXPECT_EQ(line.points, 4U);
}

TEST(Line, known_least_squares) {
  // Mean of x 2, of y 8/3; sum of products 3, of squares 2.
  const Line line = line_of(std::vector<Point>{{1, 1}, {2, 3}, {3, 4}}, 0);
  EXPECT_NEAR(line.slope, 1.5, 1e-15);
  EXPECT_NEAR(line.fixed, 8.0 / 3 - 3, 1e-15);
}

TEST(Line, is_absent_below_three_points_or_for_one_size) {
  EXPECT_FALSE(fit_line(std::vector<Point>{{4096, 1}, {8192, 2}, {4095, 3}}, 4096).has_value());
  EXPECT_FALSE(fit_line(std::vector<Point>{{8, 1}, {8, 2}, {8, 3}}, 0).has_value());
  EXPECT_FALSE(fit_line({}, 0).has_value());
}

TEST(Line, refuses_what_is_no_number) {
  try {
    (void)fit_line(std::vector<Point>{{1, std::nan("")}}, 0);
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::internal);
    EXPECT_STREQ(error.what(), "stats: a point of a line is not a finite number");
  }
}

}  // namespace
}  // namespace hashprof::stats
