// SPDX-License-Identifier: MIT
// See stats/agreement.h.
#include "stats/agreement.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "stats/order.h"

namespace hashprof::stats {

namespace {

constexpr double kNormalScale = 1.4826;  // MAD of a normal distribution × this = its deviation
constexpr double kScales = 6;
constexpr std::size_t kFewestToDrift = 9;
constexpr double kAlpha = 0.05;
const double kNotice = std::log(1.03);
const double kSevere = std::log(1.10);

void require_positive(std::span<const double> values) {
  for (const double value : values) {
    if (!std::isfinite(value) || value <= 0) {
      throw Error(Fault::internal, "stats", "a value whose agreement is judged is not above 0");
    }
  }
}

/// Where all of one third lie on one side of all of the other, and the medians are apart.
std::optional<double> find_drift(std::span<const double> values) {
  const std::size_t third = values.size() / 3;
  if (values.size() < kFewestToDrift) {
    return std::nullopt;
  }
  const std::vector<double> first = sorted_copy(values.first(third));
  const std::vector<double> last = sorted_copy(values.last(third));
  const bool is_apart = first.back() < last.front() || last.back() < first.front();
  const double ratio = sorted_median(last) / sorted_median(first);
  return is_apart && std::abs(std::log(ratio)) > kNotice ? std::optional(ratio - 1) : std::nullopt;
}

}  // namespace

double pooled_scale(std::span<const std::vector<double>> cells) {
  std::vector<double> deviations;
  for (const std::vector<double>& values : cells) {
    require_positive(values);
    if (values.size() < kFewestToAgree) {
      continue;
    }
    const double median = sorted_median(sorted_copy(values));
    for (const double value : values) {
      if (value != median) {
        deviations.push_back(std::abs(std::log(value / median)));
      }
    }
  }
  return deviations.empty() ? 0.0 : kNormalScale * sorted_median(sorted_copy(deviations));
}

Agreement judge_agreement(std::span<const double> values, double scale) {
  require_positive(values);
  Agreement out;
  out.notice_bound = std::max(kNotice, kScales * scale);
  if (values.size() < kFewestToAgree) {
    return out;
  }
  const double median = sorted_median(sorted_copy(values));
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double r = std::log(values[i] / median);
    const Degree degree = std::abs(r) > kSevere            ? Degree::severe
                          : std::abs(r) > out.notice_bound ? Degree::notice
                                                           : Degree::none;
    if (degree != Degree::none) {
      (r > 0 ? out.slow : out.fast).push_back({i, values[i] / median - 1, degree});
      out.degree = std::max(out.degree, degree);
    }
  }
  out.drift = find_drift(values);
  return out;
}

double undetected_rate(std::uint64_t count) {
  return count == 0 ? 1.0 : 1.0 - std::pow(kAlpha, 1.0 / static_cast<double>(count));
}

}  // namespace hashprof::stats
