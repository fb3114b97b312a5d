// SPDX-License-Identifier: MIT
// Judges whether the clock of the core is fixed: by cpufreq, or by a probe where there is none.
#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "host/judges.h"

namespace hashprof::host {

namespace {

constexpr double kSteadyPercent = 0.5;
constexpr std::size_t kFewestWindows = 5;

/// Without cpufreq the probe decides, and these say nothing.
std::string requirement_of(const Evidence& evidence) {
  return evidence.surroundings.has_cpufreq ? kFixedClock : "";
}

/// The quantile of ascending values, linear between the order statistics beside (n - 1) share.
double quantile(const std::vector<double>& ascending, double share) {
  const double position = share * static_cast<double>(ascending.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  const std::size_t above = std::min(below + 1, ascending.size() - 1);
  return ascending[below] +
         (position - static_cast<double>(below)) * (ascending[above] - ascending[below]);
}

std::string probe_text(const ClockWindows& windows, const Spread& spread) {
  return "IQR " + text::fixed(spread.percent, 2) + " % of the median " +
         text::fixed(spread.median, 3) +
         (windows.are_cycles ? " GHz" : " dependent additions/ns (no cycle counter)") + ", " +
         std::to_string(windows.rates.size()) + " windows";
}

}  // namespace

std::optional<Spread> spread_of(const std::vector<double>& rates) {
  if (rates.size() < kFewestWindows) {
    return std::nullopt;
  }
  std::vector<double> ascending = rates;
  std::sort(ascending.begin(), ascending.end());
  const double median = quantile(ascending, 0.5);
  if (!std::isfinite(median) || median <= 0) {
    return std::nullopt;
  }
  const double range = quantile(ascending, 0.75) - quantile(ascending, 0.25);
  return Spread{median, 100 * range / median};
}

bool is_steady(const ClockWindows& windows) {
  const auto spread = spread_of(windows.rates);
  return spread.has_value() && spread->percent <= kSteadyPercent;
}

Finding judge_governor(const Evidence& evidence) {
  const Fact& governor = evidence.facts.governor;
  Finding finding{.id = "governor",
                  .value = governor,
                  .meaning = "any governor but performance changes the clock while it measures",
                  .requirement = requirement_of(evidence)};
  if (!governor.value.has_value()) {
    if (evidence.surroundings.has_cpufreq) {
      finding.grade_reason = "clock not known to be fixed (" + governor.reason + ")";
    }
  } else if (*governor.value == "performance") {
    finding.severity = Severity::ok;
  } else {
    finding.severity = Severity::warning;
    finding.remedy = "cpupower -c " + std::to_string(evidence.surroundings.core) +
                     " frequency-set -g performance";
    finding.grade_reason = "governor is " + *governor.value + ", not performance";
  }
  return finding;
}

/// On AArch64 the governor may still move within the limits; there they must be equal.
Finding judge_frequency_range(const Evidence& evidence) {
  const HostFacts& facts = evidence.facts;
  const bool is_arm = facts.architecture == "aarch64";
  Finding finding{.id = "frequency_range",
                  .meaning = "the clock is fixed where both limits are the same",
                  .requirement = requirement_of(evidence)};
  if (!facts.min_khz.value.has_value() || !facts.max_khz.value.has_value()) {
    finding.value = facts.min_khz.value.has_value() ? facts.max_khz : facts.min_khz;
    if (is_arm && facts.governor.value.has_value()) {
      finding.grade_reason = "clock not known to be fixed (" + finding.value.reason + ")";
    }
    return finding;
  }
  const std::string& low = *facts.min_khz.value;
  const std::string& high = *facts.max_khz.value;
  if (low == high) {
    finding.severity = Severity::ok;
    finding.value = Fact::known("fixed at " + low + " kHz");
    return finding;
  }
  finding.severity = is_arm ? Severity::warning : Severity::note;
  finding.value = Fact::known(low + " to " + high + " kHz");
  finding.remedy = "echo " + high + " > /sys/devices/system/cpu/cpu" +
                   std::to_string(evidence.surroundings.core) + "/cpufreq/scaling_min_freq";
  if (is_arm && facts.governor.value.has_value()) {
    finding.grade_reason = "clock free between " + low + " and " + high + " kHz";
  }
  return finding;
}

Finding judge_turbo(const Evidence& evidence) {
  const HostFacts& facts = evidence.facts;
  Finding finding{.id = "turbo",
                  .value = facts.boost,
                  .meaning = "a boosted clock depends on temperature and on the other cores",
                  .requirement = requirement_of(evidence)};
  if (facts.boost.value == "on") {
    const bool is_intel = facts.driver.value.value_or("").starts_with("intel");
    finding.severity = Severity::warning;
    finding.remedy = is_intel ? "echo 1 > /sys/devices/system/cpu/intel_pstate/no_turbo"
                              : "echo 0 > /sys/devices/system/cpu/cpufreq/boost";
    finding.grade_reason = "boost on";
  } else if (facts.boost.value.has_value()) {
    finding.severity = Severity::ok;
  } else if (facts.architecture == "aarch64" && evidence.surroundings.has_cpufreq) {
    finding.severity = Severity::note;  // AArch64 without the file has no boost
  } else if (facts.governor.value.has_value()) {
    finding.grade_reason = "boost not known to be off (" + facts.boost.reason + ")";
  }
  return finding;
}

Finding judge_clock_probe(const Evidence& evidence) {
  Finding finding{.id = "clock_probe",
                  .meaning =
                      "where no cpufreq tells, a clock that stands still shows in the "
                      "speed of a loop"};
  if (evidence.surroundings.has_cpufreq) {
    finding.severity = Severity::ok;
    finding.value = Fact::known("not needed: cpufreq tells");
    return finding;
  }
  finding.requirement = kFixedClock;
  finding.value = Fact::unknown("not tried");
  finding.grade_reason = "clock not known to be fixed (no cpufreq)";
  for (const ClockWindows& windows : evidence.live.clock) {
    const auto spread = spread_of(windows.rates);
    if (!spread.has_value()) {
      continue;
    }
    finding.value = Fact::known(probe_text(windows, *spread));
    if (is_steady(windows)) {
      finding.severity = Severity::ok;
      finding.grade_reason.clear();
      return finding;
    }
    finding.severity = Severity::warning;
    finding.remedy = "end other work and try again, or fix the clock in the firmware";
    finding.grade_reason = "clock not steady (" + probe_text(windows, *spread) + ")";
  }
  return finding;
}

}  // namespace hashprof::host
