// SPDX-License-Identifier: MIT
// The least-squares line over the long messages: cost a byte, and the fixed cost of a call.
#include <cmath>

#include "base/error.h"
#include "stats/summary.h"

namespace hashprof::stats {

std::optional<Line> fit_line(std::span<const Point> points, double from) {
  constexpr std::uint32_t kFewest = 3;
  Line line;
  double size_sum = 0;
  double value_sum = 0;
  for (const Point& point : points) {
    if (!std::isfinite(point.size) || !std::isfinite(point.value)) {
      throw Error(Fault::internal, "stats", "a point of a line is not a finite number");
    }
    if (point.size >= from) {
      ++line.points;
      size_sum += point.size;
      value_sum += point.value;
    }
  }
  if (line.points < kFewest) {
    return std::nullopt;
  }
  // slope = sum((x - mx)(y - my)) / sum((x - mx)^2), fixed = my - slope * mx; about the means,
  // since plain sums of squares of sizes near 65536 cancel.
  const double size_mean = size_sum / line.points;
  const double value_mean = value_sum / line.points;
  double products = 0;
  double squares = 0;
  for (const Point& point : points) {
    if (point.size >= from) {
      products += (point.size - size_mean) * (point.value - value_mean);
      squares += (point.size - size_mean) * (point.size - size_mean);
    }
  }
  if (squares <= 0) {
    return std::nullopt;  // one size several times: no line is the best one
  }
  line.slope = products / squares;
  line.fixed = value_mean - line.slope * size_mean;
  return line;
}

}  // namespace hashprof::stats
