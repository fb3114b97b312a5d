// SPDX-License-Identifier: MIT
// Catches quartiles that weigh a border wrongly, quantiles that were never measured, a deviation
// that is scaled, an interval of the wrong degrees of freedom, and resampling that differs from run
// to run. The expected values are worked out by hand or from the source that is named.
#include "stats/details.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "base/error.h"

namespace hashprof::stats {
namespace {

Details details_of(const std::vector<double>& values) {
  const auto details = describe(values);
  if (!details) {
    throw std::logic_error("no details");
  }
  return *details;
}

Range range_of(const std::optional<Range>& range) {
  if (!range) {
    throw std::logic_error("no interval");
  }
  return *range;
}

void expect_quartiles(const std::vector<double>& sorted, double first, double second,
                      double third) {
  const Quartiles quartiles = stabilised_quartiles(sorted);
  EXPECT_NEAR(quartiles.first, first, 1e-12 * first) << sorted.size();
  EXPECT_NEAR(quartiles.second, second, 1e-12 * second) << sorted.size();
  EXPECT_NEAR(quartiles.third, third, 1e-12 * third) << sorted.size();
}

TEST(Quartiles, weigh_values_at_a_border_by_the_part_inside) {
  // Of five, 3/8 to 5/8 is 1.875 to 3.125: an eighth of x2, x3, an eighth of x4; over 1.25.
  expect_quartiles({1, 10, 100, 1000, 10000}, 0.3 * 1 + 0.7 * 10, (10 + 8 * 100 + 1000) / 10.0,
                   0.7 * 1000 + 0.3 * 10000);
}

TEST(Quartiles, of_four_are_means_of_neighbours) {
  expect_quartiles({1, 10, 100, 1000}, 5.5, 55, 550);
}

TEST(Quartiles, of_eight_and_of_sixteen_have_no_border_inside_a_value) {
  expect_quartiles({1, 2, 4, 8, 16, 32, 64, 128}, 3, 12, 48);
  std::vector<double> squares;
  for (int i = 1; i <= 16; ++i) {
    squares.push_back(i * i);
  }
  expect_quartiles(squares, (9 + 16 + 25 + 36) / 4.0, (49 + 64 + 81 + 100) / 4.0,
                   (121 + 144 + 169 + 196) / 4.0);
}

TEST(Quartiles, of_one_value_are_that_value) { expect_quartiles({7}, 7, 7, 7); }

TEST(Quantile, is_the_smallest_value_with_that_share_at_or_below_it) {
  const std::vector<double> four{1, 2, 4, 8};
  EXPECT_EQ(quantile(four, 0.25), 1);
  EXPECT_EQ(quantile(four, 0.2501), 2);
  EXPECT_EQ(quantile(four, 0.5), 2);
  EXPECT_EQ(quantile(four, 0.51), 4);
  EXPECT_EQ(quantile(four, 0.75), 4);
  EXPECT_EQ(quantile(four, 1), 8);
  EXPECT_EQ(quantile(four, 1e-6), 1);
  EXPECT_EQ(quantile(std::vector<double>{3}, 0.5), 3);
}

TEST(Quantile, is_not_moved_by_the_rounding_of_a_share) {
  for (const std::size_t n : {20U, 100U, 1000U, 2000U, 10000U}) {
    std::vector<double> ranks(n);
    std::iota(ranks.begin(), ranks.end(), 1.0);
    for (std::size_t percent = 5; percent <= 95; percent += 5) {
      EXPECT_EQ(quantile(ranks, static_cast<double>(percent) / 100),
                static_cast<double>(n * percent) / 100)
          << n;
    }
  }
}

TEST(Details, median_absolute_deviation_is_not_scaled) {
  EXPECT_EQ(details_of({1, 1, 2, 2, 4, 6, 9}).mad, 1);
  EXPECT_EQ(details_of({8, 1, 4, 2}).mad, 1.5);  // about 3: 5, 2, 1, 1
  EXPECT_EQ(details_of({5}).mad, 0);
}

TEST(Details, skewness_of_small_samples) {
  EXPECT_NEAR(details_of({0, 0, 1}).skewness.value_or(9), 1 / std::sqrt(2.0), 1e-12);
  EXPECT_NEAR(details_of({0, 1, 1}).skewness.value_or(9), -1 / std::sqrt(2.0), 1e-12);
  EXPECT_NEAR(details_of({1, 2, 3}).skewness.value_or(9), 0, 1e-12);
  // About the mean 4: second moment 10, third 36.
  EXPECT_NEAR(details_of({1, 2, 3, 4, 10}).skewness.value_or(9), 36 / std::pow(10, 1.5), 1e-12);
  EXPECT_NEAR(details_of({1e9 + 1, 1e9 + 2, 1e9 + 3, 1e9 + 4, 1e9 + 10}).skewness.value_or(9),
              36 / std::pow(10, 1.5), 1e-9);
}

TEST(Details, skewness_is_absent_where_there_is_none) {
  EXPECT_FALSE(details_of({1, 2}).skewness.has_value());
  EXPECT_FALSE(details_of({0.1, 0.1, 0.1, 0.1}).skewness.has_value());
}

TEST(Details, t_interval_of_known_samples) {
  // Mean 3, deviation sqrt(2.5), of the mean sqrt(0.5); t of 4 degrees of freedom is 2.776445.
  const Range five = range_of(details_of({1, 2, 3, 4, 5}).t_interval);
  EXPECT_NEAR(five.low, 3 - 2.776445 * std::sqrt(0.5), 1e-6);
  EXPECT_NEAR(five.high, 3 + 2.776445 * std::sqrt(0.5), 1e-6);
  // One degree of freedom: tan(0.475 pi) = 12.70620.
  const Range two = range_of(details_of({0, 2}).t_interval);
  EXPECT_NEAR(two.low, 1 - 12.70620, 1e-4);
  EXPECT_NEAR(two.high, 1 + 12.70620, 1e-4);
  // Student, The probable error of a mean (1908): additional hours of sleep; t of 9 is 2.262157.
  const Range sleep =
      range_of(details_of({1.2, 2.4, 1.3, 1.3, 0.0, 1.0, 1.8, 0.8, 4.6, 1.4}).t_interval);
  EXPECT_NEAR(sleep.low, 0.7001, 1e-4);
  EXPECT_NEAR(sleep.high, 2.4599, 1e-4);
}

TEST(Details, one_value_has_no_interval) {
  EXPECT_FALSE(details_of({5}).t_interval.has_value());
  EXPECT_FALSE(details_of({5}).bootstrap_interval.has_value());
}

TEST(Details, bootstrap_is_the_same_on_every_call_and_stays_within_the_values) {
  const std::vector<double> values{3, 1, 4, 1.5, 9, 2.6, 5};
  const Range first = range_of(details_of(values).bootstrap_interval);
  const Range second = range_of(details_of(values).bootstrap_interval);
  EXPECT_EQ(first.low, second.low);
  EXPECT_EQ(first.high, second.high);
  EXPECT_GT(first.low, 1);
  EXPECT_LT(first.high, 9);
  const double mean = (3 + 1 + 4 + 1.5 + 9 + 2.6 + 5) / 7;
  EXPECT_LT(first.low, mean);
  EXPECT_GT(first.high, mean);
}

TEST(Details, bootstrap_of_two_values_reaches_both) {
  // A quarter of the means are one value, a quarter the other: more than 2.5 % on either side.
  const Range range = range_of(details_of({0, 1}).bootstrap_interval);
  EXPECT_EQ(range.low, 0);
  EXPECT_EQ(range.high, 1);
}

TEST(Details, bootstrap_of_many_values_is_near_the_normal_interval) {
  std::vector<double> values(400);
  std::iota(values.begin(), values.end(), 1.0);
  // Deviation of 1 to n with divisor n: sqrt((n^2 - 1) / 12); of the mean a twentieth of it.
  const double half = 1.959964 * std::sqrt((400.0 * 400 - 1) / 12) / 20;
  const Range range = range_of(details_of(values).bootstrap_interval);
  EXPECT_NEAR(range.low, 200.5 - half, half / 10);
  EXPECT_NEAR(range.high, 200.5 + half, half / 10);
}

TEST(Details, do_not_depend_on_the_order_but_for_resampling) {
  const Details up = details_of({1, 2, 4, 8, 16});
  const Details down = details_of({16, 8, 4, 2, 1});
  EXPECT_EQ(up.quartiles.second, down.quartiles.second);
  EXPECT_EQ(up.mad, down.mad);
  EXPECT_NEAR(up.skewness.value_or(0), down.skewness.value_or(9), 1e-12);
}

TEST(Details, of_nothing_are_absent) { EXPECT_FALSE(describe({}).has_value()); }

void expect_fault(const std::function<void()>& body, const char* text) {
  try {
    body();
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::internal);
    EXPECT_STREQ(error.what(), text);
  }
}

TEST(Details, refuse_what_is_no_number) {
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(),
        -std::numeric_limits<double>::infinity()}) {
    const std::vector<double> values{1, bad, 3};
    const char* text = "stats: a value to be ordered is not a finite number";
    expect_fault([&] { (void)describe(values); }, text);
    expect_fault([&] { (void)quantile(values, 0.5); }, text);
    expect_fault([&] { (void)stabilised_quartiles(values); }, text);
  }
}

TEST(Details, refuse_an_order_statistic_of_nothing) {
  const char* text = "stats: an order statistic of no values was asked for";
  expect_fault([] { (void)quantile({}, 0.5); }, text);
  expect_fault([] { (void)stabilised_quartiles({}); }, text);
}

}  // namespace
}  // namespace hashprof::stats
