// SPDX-License-Identifier: MIT
// Catches growth of memory that is called constant, and copies of the message that are not seen.
#include "stats/growth.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "base/error.h"

namespace hashprof::stats {
namespace {

TEST(growth, of_one_size_is_absent) {
  EXPECT_FALSE(fit_growth(std::vector<Point>{}).has_value());
  EXPECT_FALSE(fit_growth(std::vector<Point>{{32, 1}, {32, 1}}).has_value());
}

TEST(growth, of_equal_values_is_constant) {
  const auto growth = fit_growth(std::vector<Point>{{32, 7}, {64, 7}, {65536, 7}});
  ASSERT_TRUE(growth.has_value());
  EXPECT_EQ(growth->kind, Growth::Kind::constant);
  EXPECT_EQ(growth->fixed, 7);
  EXPECT_EQ(growth->slope, 0);
  EXPECT_FALSE(growth->is_copy());
}

TEST(growth, of_a_padded_copy_is_linear_with_slope_one) {
  std::vector<Point> points;
  for (const double size : {32.0, 64.0, 256.0, 1024.0, 4096.0, 16384.0, 65536.0}) {
    points.push_back({size, 64 * (std::floor(size / 64) + 1)});
  }
  const auto growth = fit_growth(points);
  ASSERT_TRUE(growth.has_value());
  EXPECT_EQ(growth->kind, Growth::Kind::linear);
  EXPECT_NEAR(growth->slope, 1.0, 0.001);
  EXPECT_TRUE(growth->is_copy());
}

TEST(growth, of_a_tenth_of_the_message_is_no_copy) {
  const auto growth = fit_growth(std::vector<Point>{{0, 100}, {1000, 200}, {10000, 1100}});
  ASSERT_TRUE(growth.has_value());
  EXPECT_EQ(growth->kind, Growth::Kind::linear);
  EXPECT_DOUBLE_EQ(growth->slope, 0.1);
  EXPECT_DOUBLE_EQ(growth->fixed, 100);
  EXPECT_FALSE(growth->is_copy());
}

TEST(growth, of_values_off_every_line_is_irregular_and_says_the_range) {
  const auto growth = fit_growth(std::vector<Point>{{32, 700}, {64, 900}, {128, 720}});
  ASSERT_TRUE(growth.has_value());
  EXPECT_EQ(growth->kind, Growth::Kind::irregular);
  EXPECT_EQ(growth->least, 700);
  EXPECT_EQ(growth->most, 900);
}

TEST(growth, that_falls_is_irregular) {
  const auto growth = fit_growth(std::vector<Point>{{0, 300}, {100, 200}, {200, 100}});
  ASSERT_TRUE(growth.has_value());
  EXPECT_EQ(growth->kind, Growth::Kind::irregular);
}

TEST(growth, of_a_point_that_is_not_finite_is_refused) {
  EXPECT_THROW((void)fit_growth(std::vector<Point>{{0, 1}, {1, std::nan("")}}), Error);
}

}  // namespace
}  // namespace hashprof::stats
