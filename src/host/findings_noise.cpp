// SPDX-License-Identifier: MIT
// Judges what may disturb the core while it measures.
#include "base/text.h"
#include "host/judges.h"

namespace hashprof::host {

namespace {

/// One process that measures makes a load of 1; an earlier run may still be in the mean.
constexpr double kBusyLoad = 1.5;
constexpr double kMuchStealPercent = 1;
constexpr double kHotCelsius = 80;

template <typename Number>
Fact fact_of(const Reading<Number>& reading, const std::string& text) {
  return reading.value.has_value() ? Fact::known(text) : Fact::unknown(reading.reason);
}

std::string core_text(const Evidence& evidence) {
  return std::to_string(evidence.surroundings.core);
}

Finding judge_load(const Evidence& evidence) {
  const auto& load = evidence.surroundings.load;
  Finding finding{.id = "load",
                  .value = fact_of(load, text::fixed(load.value.value_or(0), 2)),
                  .meaning = "other work takes the core, its caches and its power",
                  .requirement = kQuietCore};
  if (load.value.has_value()) {
    const bool is_busy = *load.value > kBusyLoad;
    finding.severity = is_busy ? Severity::warning : Severity::ok;
    finding.remedy = is_busy ? "end other work (top shows it) and wait a minute" : "";
  }
  return finding;
}

Finding judge_steal(const Evidence& evidence) {
  const auto& steal = evidence.surroundings.steal_percent;
  const double percent = steal.value.value_or(0);
  Finding finding{
      .id = "steal",
      .value = fact_of(steal, text::fixed(percent, 2) + " % of the core's time since boot"),
      .meaning = "the hypervisor ran something else on the core",
      .requirement = kQuietCore};
  if (steal.value.has_value()) {
    finding.severity = percent > kMuchStealPercent ? Severity::warning
                       : percent > 0               ? Severity::note
                                                   : Severity::ok;
    finding.remedy = percent > kMuchStealPercent ? "give the guest a core of its own" : "";
  }
  return finding;
}

Finding judge_isolation(const Evidence& evidence) {
  const auto& isolated = evidence.surroundings.is_isolated;
  const bool is_isolated = isolated.value.value_or(false);
  Finding finding{.id = "isolation",
                  .value = fact_of(isolated, is_isolated ? "isolated" : "not isolated"),
                  .meaning = "the scheduler puts other work on a core that is not isolated"};
  if (isolated.value.has_value()) {
    finding.severity = is_isolated ? Severity::ok : Severity::note;
    finding.remedy =
        is_isolated ? "" : "boot with isolcpus=" + core_text(evidence) + " (kernel command line)";
  }
  return finding;
}

Finding judge_irq_affinity(const Evidence& evidence) {
  const auto& lines = evidence.surroundings.interrupt_lines;
  const std::uint64_t count = lines.value.value_or(0);
  Finding finding{.id = "irq_affinity",
                  .value = fact_of(lines, std::to_string(count) + " interrupt lines on the core"),
                  .meaning = "each interrupt takes time and cache lines from the core"};
  if (lines.value.has_value()) {
    finding.severity = count == 0 ? Severity::ok : Severity::note;
    finding.remedy = count == 0 ? ""
                                : "write a list without CPU " + core_text(evidence) +
                                      " to /proc/irq/*/smp_affinity_list, and stop irqbalance";
  }
  return finding;
}

Finding judge_nmi_watchdog(const Evidence& evidence) {
  const auto& watchdog = evidence.surroundings.nmi_watchdog;
  const bool is_on = watchdog.value.value_or(0) != 0;
  Finding finding{.id = "nmi_watchdog",
                  .value = fact_of(watchdog, is_on ? "on" : "off"),
                  .meaning = "it holds one hardware counter"};
  if (watchdog.value.has_value()) {
    finding.severity = is_on ? Severity::warning : Severity::ok;
    finding.remedy = is_on ? "sysctl kernel.nmi_watchdog=0" : "";
  }
  return finding;
}

Finding judge_aslr(const Evidence& evidence) {
  constexpr std::uint64_t kFull = 2;
  const auto& level = evidence.surroundings.randomization;
  const std::uint64_t value = level.value.value_or(0);
  Finding finding{.id = "aslr",
                  .value = fact_of(level, "randomize_va_space " + std::to_string(value)),
                  .meaning = "processes sample address layouts only where they are randomised"};
  if (level.value.has_value()) {
    finding.severity = value >= kFull ? Severity::ok
                       : value == 0   ? Severity::warning
                                      : Severity::note;
    finding.remedy = value >= kFull ? "" : "sysctl kernel.randomize_va_space=2";
    finding.grade_reason = value == 0 ? "address layouts are not randomised" : "";
  }
  return finding;
}

Finding judge_temperature(const Evidence& evidence) {
  const auto& celsius = evidence.surroundings.celsius;
  Finding finding{.id = "temperature",
                  .value = fact_of(celsius, text::fixed(celsius.value.value_or(0), 1) +
                                                " degrees Celsius in the hottest zone"),
                  .meaning = "a hot processor lowers its clock"};
  if (celsius.value.has_value()) {
    const bool is_hot = *celsius.value >= kHotCelsius;
    finding.severity = is_hot ? Severity::note : Severity::ok;
    finding.remedy = is_hot ? "let it cool before it measures" : "";
  }
  return finding;
}

Finding judge_throttling(const Evidence& evidence) {
  const auto& throttles = evidence.surroundings.throttles;
  const std::uint64_t count = throttles.value.value_or(0);
  Finding finding{.id = "throttling",
                  .value = fact_of(throttles, std::to_string(count) + " times since boot"),
                  .meaning = "the clock was lowered because of heat"};
  if (throttles.value.has_value()) {
    finding.severity = count == 0 ? Severity::ok : Severity::note;
    finding.remedy = count == 0 ? "" : "better cooling, or a lower fixed clock";
  }
  return finding;
}

}  // namespace

void judge_noise(const Evidence& evidence, std::vector<Finding>& findings) {
  for (const auto judge : {judge_load, judge_steal, judge_isolation, judge_irq_affinity,
                           judge_nmi_watchdog, judge_aslr, judge_temperature, judge_throttling}) {
    findings.push_back(judge(evidence));
  }
}

}  // namespace hashprof::host
