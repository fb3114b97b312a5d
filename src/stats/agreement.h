// SPDX-License-Identifier: MIT
// Whether the processes of one cell agree. Pure. The rules are those of design section 7.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace hashprof::stats {

/// Below so many values nothing is judged: of two, neither is the odd one.
constexpr std::size_t kFewestToAgree = 3;

/// s = 1.4826 × median |r| over the cells of one build, where r = ln(value / median of its cell)
/// and the values that are themselves the median of their cell are left out (else a third of the r
/// of three processes would be zeros). Cells of fewer than kFewestToAgree values count nothing. 0
/// where no r is left. Values are positive and finite (else Error{internal}).
[[nodiscard]] double pooled_scale(std::span<const std::vector<double>> cells);

enum class Degree {
  none,
  notice,  ///< |r| > max(ln 1.03, 6 s)
  severe,  ///< |r| > ln 1.10
};

struct Outlier {
  std::size_t index = 0;  ///< into the values
  double deviation = 0;   ///< value / median - 1
  Degree degree = Degree::none;
};

/// What the values of one cell say about each other.
struct Agreement {
  Degree degree = Degree::none;  ///< the worst of the outliers
  std::vector<Outlier> slow;     ///< above the median, ascending by index
  std::vector<Outlier> fast;     ///< below it
  /// Median of the last third / median of the first third - 1 of the values in the order they were
  /// taken, where that is beyond ln 1.03 and all of one third lie on one side of all of the other;
  /// from 9 values on, else empty.
  std::optional<double> drift;
  double notice_bound = 0;  ///< |r| of a notice

  /// Two or more on a side: not a process that went wrong, but speeds.
  [[nodiscard]] bool is_bimodal() const { return slow.size() > 1 || fast.size() > 1; }
  [[nodiscard]] bool has_outliers() const { return degree != Degree::none; }
};

/// `values` in the order they were taken, positive and finite (else Error{internal}); `scale` from
/// pooled_scale. Fewer than kFewestToAgree give an Agreement without outliers.
[[nodiscard]] Agreement judge_agreement(std::span<const double> values, double scale);

/// The largest rate of deviating processes that shows none in `count` with a probability of 5 %:
/// 1 - 0.05^(1/count). 1 for none.
[[nodiscard]] double undetected_rate(std::uint64_t count);

}  // namespace hashprof::stats
