// SPDX-License-Identifier: MIT
// How a figure of memory grows with the message. Pure.
#pragma once

#include <optional>
#include <span>

#include "stats/summary.h"

namespace hashprof::stats {

struct Growth {
  enum class Kind {
    constant,   ///< one value at every size
    linear,     ///< within kGrowthTolerance of a line that rises
    irregular,  ///< neither
  };
  Kind kind = Kind::constant;
  double least = 0;
  double most = 0;
  double slope = 0;  ///< of the least-squares line, units a byte; 0 of a constant
  double fixed = 0;  ///< of the line at 0 bytes; the value of a constant

  /// The message is held once more at least: for what is counted in bytes, slope 0.9 and up.
  [[nodiscard]] bool is_copy() const { return kind == Kind::linear && slope >= kCopySlope; }
  static constexpr double kCopySlope = 0.9;
};

/// A point may lie this part of the largest value off the line: padding to a block.
constexpr double kGrowthTolerance = 0.02;

/// Absent for fewer than two sizes. Throws Error{internal} for a point that is not finite.
[[nodiscard]] std::optional<Growth> fit_growth(std::span<const Point> points);

}  // namespace hashprof::stats
