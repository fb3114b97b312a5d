// SPDX-License-Identifier: MIT
// Figures over the processes of a cell, or the samples of a process, that go into the evidence
// beside the summary. Pure; order statistics are exact, from the stored values.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace hashprof::stats {

/// Stabilised quartiles as eBASH defines them (SUPERCOP's StQ): each the mean of a quarter of the
/// sorted values, values at a border counted by the part that lies inside: StQ1 from 1/8 to 3/8 of
/// them, StQ2 from 3/8 to 5/8, StQ3 from 5/8 to 7/8. Of five values StQ2 = (x2 + 8 x3 + x4) / 10.
struct Quartiles {
  double first = 0;
  double second = 0;
  double third = 0;
};
/// `sorted` ascending, finite and not empty (else Error{internal}).
[[nodiscard]] Quartiles stabilised_quartiles(std::span<const double> sorted);

/// The smallest value with at least the share `p` (0 < p <= 1) of all values at or below it: one
/// that was measured, never an interpolation. Preconditions as above.
[[nodiscard]] double quantile(std::span<const double> sorted, double p);

/// Two ends of an interval that is said to cover 95 %.
struct Range {
  double low = 0;
  double high = 0;
};

constexpr std::uint32_t kResamples = 2000;
constexpr std::uint64_t kResamplingSeed = 1;

struct Details {
  double mad = 0;  ///< median |value - median|, not scaled
  Quartiles quartiles;
  std::optional<double> skewness;  ///< m3 / m2^1.5, divisor n; absent for n < 3 or equal values
  /// Of the mean, by Student's t with n - 1 degrees of freedom; absent for one value. It assumes
  /// normal values, which processes are not: simulated with 4 % slow ones it covers 27 to 43 %.
  std::optional<Range> t_interval;
  /// Of the mean, the 2.5 % and 97.5 % quantiles of kResamples means of n values drawn with
  /// replacement from SplitMix64 at kResamplingSeed; absent for one value.
  std::optional<Range> bootstrap_interval;
};

/// Absent for no values. Throws Error{internal} for values that are not finite.
[[nodiscard]] std::optional<Details> describe(std::span<const double> values);

/// What the samples of a percall say about one call; all in their unit.
struct SingleCall {
  std::uint64_t samples = 0;
  std::uint64_t batch = 1;
  double empty = 0;         ///< median of the empty samples
  double empty_spread = 0;  ///< their 95 % quantile less their 5 % quantile
  double read = 0;          ///< median sample / batch: one call with its share of the reading
  /// (median sample - empty) / batch. Not clamped: a call below the resolution may be 0 or less.
  double net = 0;
  Quartiles quartiles;  ///< of (sample - empty) / batch
  double least = 0;     ///< of the same
  /// (median of doubled - median of samples) / batch: the same without any subtraction of an empty
  /// call. Absent where nothing was doubled.
  std::optional<double> by_doubling;
  /// The sample less the empty one is below 20 times the spread of the empty ones, or not above 0:
  /// the figure is mostly the reading's.
  bool is_below_resolution = false;
};
/// Absent where there are no samples or no empty ones. `batch` at least 1 (else Error{internal}).
[[nodiscard]] std::optional<SingleCall> summarize_single_calls(
    std::span<const std::uint64_t> empty, std::span<const std::uint64_t> samples,
    std::span<const std::uint64_t> doubled, std::uint64_t batch);

}  // namespace hashprof::stats
