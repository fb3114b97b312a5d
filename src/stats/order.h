// SPDX-License-Identifier: MIT
// Order statistics that the unit's files share. Private to the unit.
#pragma once

#include <algorithm>
#include <numeric>
#include <span>
#include <vector>

namespace hashprof::stats {

[[nodiscard]] inline std::vector<double> sorted_copy(std::span<const double> values) {
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  return sorted;
}

/// Of an even number the midpoint of the middle two. `sorted` ascending and not empty.
[[nodiscard]] inline double sorted_median(std::span<const double> sorted) {
  const std::size_t middle = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[middle]
                                : std::midpoint(sorted[middle - 1], sorted[middle]);
}

}  // namespace hashprof::stats
