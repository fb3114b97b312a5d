// SPDX-License-Identifier: MIT
// See stats/growth.h.
#include "stats/growth.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace hashprof::stats {

namespace {

void check_finite(std::span<const Point> points) {
  for (const Point& point : points) {
    if (!std::isfinite(point.size) || !std::isfinite(point.value)) {
      throw Error(Fault::internal, "growth", "a point is not finite");
    }
  }
}

/// Slope and value at 0 of the least-squares line; the sizes are not all one.
void fit(std::span<const Point> points, Growth& growth) {
  const auto count = static_cast<double>(points.size());
  double mean_size = 0;
  double mean_value = 0;
  for (const Point& point : points) {
    mean_size += point.size / count;
    mean_value += point.value / count;
  }
  double products = 0;
  double squares = 0;
  for (const Point& point : points) {
    products += (point.size - mean_size) * (point.value - mean_value);
    squares += (point.size - mean_size) * (point.size - mean_size);
  }
  growth.slope = products / squares;
  growth.fixed = mean_value - growth.slope * mean_size;
}

}  // namespace

std::optional<Growth> fit_growth(std::span<const Point> points) {
  check_finite(points);
  const auto other_size = [&](const Point& point) { return point.size != points.front().size; };
  if (std::none_of(points.begin(), points.end(), other_size)) {
    return std::nullopt;
  }
  const auto [least, most] = std::minmax_element(
      points.begin(), points.end(),
      [](const Point& left, const Point& right) { return left.value < right.value; });
  Growth growth;
  growth.least = least->value;
  growth.most = most->value;
  growth.fixed = growth.least;
  if (growth.least == growth.most) {
    return growth;
  }
  fit(points, growth);
  const auto is_near = [&](const Point& point) {
    return std::abs(point.value - growth.fixed - growth.slope * point.size) <=
           kGrowthTolerance * growth.most;
  };
  growth.kind = growth.slope > 0 && std::all_of(points.begin(), points.end(), is_near)
                    ? Growth::Kind::linear
                    : Growth::Kind::irregular;
  return growth;
}

}  // namespace hashprof::stats
