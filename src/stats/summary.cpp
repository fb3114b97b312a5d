// SPDX-License-Identifier: MIT
// See stats/summary.h. Boost accumulates moments; order statistics come from the sorted values,
// because Boost's tag::median is an approximation (27 of 1000 off at 16 values).
#include "stats/summary.h"

#include <algorithm>
#include <boost/accumulators/accumulators.hpp>
#include <boost/accumulators/statistics/count.hpp>
#include <boost/accumulators/statistics/max.hpp>
#include <boost/accumulators/statistics/mean.hpp>
#include <boost/accumulators/statistics/min.hpp>
#include <boost/accumulators/statistics/stats.hpp>
#include <boost/accumulators/statistics/variance.hpp>
#include <boost/math/distributions/binomial.hpp>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "base/error.h"
#include "stats/order.h"

namespace hashprof::stats {

namespace {

namespace acc = boost::accumulators;

constexpr double kCoverage = 0.95;
constexpr std::size_t kFewestForConfidence = 6;  // 1 - 2 / 2^5 = 93.75 %, 1 - 2 / 2^6 = 96.9 %
constexpr double kMeanOff = 0.02;

// tag::immediate_variance updates around the running mean; the lazy one subtracts squares and
// loses every digit of a small spread on large values.
using Moments = acc::accumulator_set<
    double, acc::stats<acc::tag::count, acc::tag::immediate_mean,
                       acc::tag::variance(acc::immediate), acc::tag::min, acc::tag::max>>;

/// 1 - 2 * BinomialCdf(k-1; n, 1/2), for 1 <= k <= (n+1)/2.
double coverage_of_rank(std::size_t n, std::size_t k) {
  const boost::math::binomial_distribution<double> below(static_cast<double>(n), 0.5);
  return std::max(0.0, 1.0 - 2.0 * boost::math::cdf(below, static_cast<double>(k - 1)));
}

/// The largest rank whose coverage is still at least 95 %; coverage falls as the rank grows.
std::size_t confidence_rank(std::size_t n) {
  std::size_t good = 1;
  std::size_t bad = n / 2 + 1;
  while (bad - good > 1) {
    const std::size_t middle = std::midpoint(good, bad);
    (coverage_of_rank(n, middle) >= kCoverage ? good : bad) = middle;
  }
  return good;
}

void require_finite(double value, const char* what) {
  if (!std::isfinite(value)) {
    throw Error(Fault::internal, "stats", std::string(what) + " is not a finite number");
  }
}

}  // namespace

Interval median_interval(std::span<const double> sorted) {
  if (sorted.empty()) {
    throw Error(Fault::internal, "stats", "an interval of no values was asked for");
  }
  const std::size_t n = sorted.size();
  Interval interval;
  interval.is_confidence = n >= kFewestForConfidence;
  const std::size_t rank = interval.is_confidence ? confidence_rank(n) : 1;
  interval.rank = static_cast<std::uint32_t>(rank);
  interval.low = sorted[rank - 1];
  interval.high = sorted[n - rank];
  interval.coverage = coverage_of_rank(n, rank);
  return interval;
}

std::optional<Summary> summarize(std::span<const double> values) {
  if (values.empty()) {
    return std::nullopt;
  }
  Moments moments;
  for (const double value : values) {
    require_finite(value, "a value to be summarised");
    moments(value);
  }
  const std::vector<double> sorted = sorted_copy(values);

  Summary summary;
  summary.count = acc::count(moments);
  summary.min = acc::min(moments);
  summary.max = acc::max(moments);
  summary.median = sorted_median(sorted);
  require_finite(acc::mean(moments), "the mean of the values");
  // The running mean may leave the range by a rounding: three times 0.1 must have the mean 0.1.
  summary.mean = std::clamp(acc::mean(moments), summary.min, summary.max);
  summary.interval = median_interval(sorted);
  if (summary.count > 1) {
    const auto n = static_cast<double>(summary.count);
    summary.standard_deviation = std::sqrt(acc::variance(moments) * (n / (n - 1)));
    require_finite(*summary.standard_deviation, "the standard deviation of the values");
  }
  summary.is_mean_off =
      std::abs(summary.mean - summary.median) > kMeanOff * std::abs(summary.median);
  return summary;
}

}  // namespace hashprof::stats
