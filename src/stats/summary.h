// SPDX-License-Identifier: MIT
// From the values of the processes of one cell to its summary. Pure; exact order statistics.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace hashprof::stats {

/// An interval for the median from order statistics (Thompson 1936; David & Nagaraja, Order
/// Statistics, 7.1): [x(k), x(n+1-k)] covers the median with probability
/// 1 - 2 * BinomialCdf(k-1; n, 1/2), whatever the distribution.
struct Interval {
  double low = 0;
  double high = 0;
  std::uint32_t rank = 0;  ///< k
  double coverage = 0;     ///< exact, of the interval for the median
  /// False for n < 6: no rank reaches 95 %; the pair is the range of the n values.
  bool is_confidence = false;
};

struct Summary {
  std::uint64_t count = 0;
  double median = 0;
  double mean = 0;
  double min = 0;
  double max = 0;
  Interval interval;
  std::optional<double> standard_deviation;  ///< n - 1 in the denominator; absent for n = 1
  /// Whether the mean lies more than 2 % off the median.
  bool is_mean_off = false;
};

/// The summary of finite values; absent for none. The unit is the values' own. Throws
/// Error{internal} if a value, the mean or the deviation is not finite.
[[nodiscard]] std::optional<Summary> summarize(std::span<const double> values);

/// The interval with the smallest coverage that is at least 95 %; range of n below 6 values.
/// `sorted` ascending and not empty (else Error{internal}).
[[nodiscard]] Interval median_interval(std::span<const double> sorted);

/// Least-squares line through (size, value): value = fixed + slope * size.
struct Line {
  double slope = 0;
  double fixed = 0;
  std::uint32_t points = 0;
};
struct Point {
  double size = 0;
  double value = 0;
};
/// Fits the points whose size is at least `from`; absent for fewer than three of them and where
/// all have one size. Throws Error{internal} for a point that is not finite.
[[nodiscard]] std::optional<Line> fit_line(std::span<const Point> points, double from);

}  // namespace hashprof::stats
