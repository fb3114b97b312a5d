// SPDX-License-Identifier: MIT
// See stats/details.h.
#include "stats/details.h"

#include <algorithm>
#include <boost/accumulators/accumulators.hpp>
#include <boost/accumulators/statistics/mean.hpp>
#include <boost/accumulators/statistics/skewness.hpp>
#include <boost/accumulators/statistics/stats.hpp>
#include <boost/accumulators/statistics/variance.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>

#include "base/error.h"
#include "base/random.h"
#include "stats/order.h"

namespace hashprof::stats {

namespace {

namespace acc = boost::accumulators;

constexpr double kTail = 0.025;  // of each side of 95 %
constexpr double kResolutionSpreads = 20;

void require_finite(std::span<const double> values) {
  for (const double value : values) {
    if (!std::isfinite(value)) {
      throw Error(Fault::internal, "stats", "a value to be ordered is not a finite number");
    }
  }
}

void require_sound(std::span<const double> sorted) {
  if (sorted.empty()) {
    throw Error(Fault::internal, "stats", "an order statistic of no values was asked for");
  }
  require_finite(sorted);
}

double mean_of(std::span<const double> values) {
  acc::accumulator_set<double, acc::stats<acc::tag::immediate_mean>> set;
  for (const double value : values) {
    set(value);
  }
  return acc::mean(set);
}

/// Mean of the sorted values between the shares `from` and `to`; the i-th of n covers i/n to
/// (i+1)/n.
double mean_between(std::span<const double> sorted, double from, double to) {
  const auto n = static_cast<double>(sorted.size());
  double sum = 0;
  double weight = 0;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const auto at = static_cast<double>(i);
    const double part = std::min(at + 1, to * n) - std::max(at, from * n);
    if (part > 0) {
      sum += part * sorted[i];
      weight += part;
    }
  }
  return sum / weight;
}

std::optional<double> skewness_of(std::span<const double> values) {
  acc::accumulator_set<double, acc::stats<acc::tag::skewness>> set;
  // About the first value: plain sums of cubes of large values would cancel.
  for (const double value : values) {
    set(value - values.front());
  }
  const double skewness = acc::skewness(set);
  return values.size() < 3 || !std::isfinite(skewness) ? std::nullopt : std::optional(skewness);
}

std::optional<Range> t_interval(std::span<const double> values) {
  if (values.size() < 2) {
    return std::nullopt;
  }
  const auto n = static_cast<double>(values.size());
  const double mean = mean_of(values);
  double squares = 0;
  for (const double value : values) {
    squares += (value - mean) * (value - mean);
  }
  const boost::math::students_t_distribution<double> student(n - 1);
  const double half = boost::math::quantile(boost::math::complement(student, kTail)) *
                      std::sqrt(squares / (n - 1) / n);
  return Range{mean - half, mean + half};
}

std::optional<Range> bootstrap_interval(std::span<const double> values) {
  if (values.size() < 2) {
    return std::nullopt;
  }
  Random random(kResamplingSeed);
  std::vector<double> means;
  std::vector<double> drawn(values.size());
  for (std::uint32_t i = 0; i < kResamples; ++i) {
    for (double& value : drawn) {
      value = values[random.below(values.size())];
    }
    means.push_back(mean_of(drawn));
  }
  std::sort(means.begin(), means.end());
  return Range{quantile(means, kTail), quantile(means, 1 - kTail)};
}

std::vector<double> sorted_reals(std::span<const std::uint64_t> counts) {
  std::vector<double> values;
  values.reserve(counts.size());
  for (const std::uint64_t count : counts) {
    values.push_back(static_cast<double>(count));
  }
  std::sort(values.begin(), values.end());
  return values;
}

}  // namespace

Quartiles stabilised_quartiles(std::span<const double> sorted) {
  require_sound(sorted);
  return {mean_between(sorted, 0.125, 0.375), mean_between(sorted, 0.375, 0.625),
          mean_between(sorted, 0.625, 0.875)};
}

double quantile(std::span<const double> sorted, double p) {
  require_sound(sorted);
  const auto n = static_cast<double>(sorted.size());
  // A share such as 0.95 of 20 comes out as 19.000000000000004: the rounding is taken off first.
  const double rank = std::ceil(p * n - 1e-9 * n);
  return sorted[static_cast<std::size_t>(std::clamp(rank, 1.0, n)) - 1];
}

std::optional<Details> describe(std::span<const double> values) {
  if (values.empty()) {
    return std::nullopt;
  }
  require_finite(values);  // before they are sorted: what has no order cannot be
  const std::vector<double> sorted = sorted_copy(values);
  Details details;
  details.quartiles = stabilised_quartiles(sorted);
  const double median = sorted_median(sorted);
  std::vector<double> distances;
  distances.reserve(sorted.size());
  for (const double value : sorted) {
    distances.push_back(std::abs(value - median));
  }
  details.mad = sorted_median(sorted_copy(distances));
  details.skewness = skewness_of(values);
  details.t_interval = t_interval(values);
  details.bootstrap_interval = bootstrap_interval(values);
  return details;
}

std::optional<SingleCall> summarize_single_calls(std::span<const std::uint64_t> empty,
                                                 std::span<const std::uint64_t> samples,
                                                 std::span<const std::uint64_t> doubled,
                                                 std::uint64_t batch) {
  if (batch == 0) {
    throw Error(Fault::internal, "stats", "a sample holds no call");
  }
  if (empty.empty() || samples.empty()) {
    return std::nullopt;
  }
  const std::vector<double> nothing = sorted_reals(empty);
  const std::vector<double> sorted = sorted_reals(samples);
  const auto calls = static_cast<double>(batch);
  SingleCall out;
  out.samples = samples.size();
  out.batch = batch;
  out.empty = sorted_median(nothing);
  out.empty_spread = quantile(nothing, 0.95) - quantile(nothing, 0.05);
  const double median = sorted_median(sorted);
  const auto net = [&](double sample) { return (sample - out.empty) / calls; };
  out.read = median / calls;
  out.net = net(median);
  const Quartiles raw = stabilised_quartiles(sorted);
  out.quartiles = {net(raw.first), net(raw.second), net(raw.third)};
  out.least = net(sorted.front());
  if (!doubled.empty()) {
    out.by_doubling = (sorted_median(sorted_reals(doubled)) - median) / calls;
  }
  const double beyond = median - out.empty;
  out.is_below_resolution = beyond <= 0 || beyond < kResolutionSpreads * out.empty_spread;
  return out;
}

}  // namespace hashprof::stats
