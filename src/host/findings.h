// SPDX-License-Identifier: MIT
// Whether this machine is ready to measure on: one finding a condition, each with what would mend
// it. Pure judgement of facts; nothing here changes the machine.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "host/host_facts.h"
#include "json/value.h"

namespace hashprof::host {

enum class Severity {
  ok,        ///< as it should be
  note,      ///< worth knowing; figures stand
  warning,   ///< mend it before figures are published
  blocking,  ///< nothing can be measured like this
  unknown,   ///< could not be found out
};

/// "ok", "note", "warning", "blocking", "unknown".
[[nodiscard]] std::string severity_name(Severity severity);

/// One condition of the machine.
struct Finding {
  std::string id = {};  ///< stable word: "governor"
  Severity severity = Severity::unknown;
  Fact value = {};           ///< what was found, or why nothing was
  std::string meaning = {};  ///< why the condition matters, one sentence
  std::string remedy = {};   ///< the command or deed that would mend it; empty if none is needed
  std::string requirement = {};   ///< the word of `require` that asks for it, or empty
  std::string grade_reason = {};  ///< why figures are for orientation only, or empty
};

/// A number that was read, or the reason why it is not known.
template <typename Number>
struct Reading {
  std::optional<Number> value;
  std::string reason;
};

/// What surrounds the measured core and may disturb it.
struct Surroundings {
  std::uint32_t core = 0;
  bool has_cpufreq = false;
  Fact allowed;                            ///< CPUs of this process, as a list: "0-3"
  Reading<double> load;                    ///< mean of the last minute
  Reading<bool> is_isolated;               ///< the core is in isolcpus
  Reading<std::uint64_t> interrupt_lines;  ///< lines that are routed to the core
  Reading<std::uint64_t> nmi_watchdog;     ///< 0 or 1
  Reading<std::uint64_t> randomization;    ///< randomize_va_space: 0, 1, 2
  Reading<double> celsius;                 ///< the hottest zone
  Reading<std::uint64_t> throttles;        ///< of core and package since boot
  Reading<double> steal_percent;           ///< of the core's time since boot
  Fact core_kind;                          ///< PMU of the core on a hybrid machine, else "one kind"
  std::string larger_cpus;                 ///< list of the large cores if the core is a small one
};

/// Reads them for `core` below `root`; what cannot be read has a reason. Never throws for that.
[[nodiscard]] Surroundings read_surroundings(const std::filesystem::path& root, std::uint32_t core);

/// Windows of dependent additions on the core.
struct ClockWindows {
  bool are_cycles = false;    ///< rates are core cycles, else additions, per nanosecond
  std::vector<double> rates;  ///< one a window
};

/// What a counter opened for cycles said of a loop of additions.
struct CounterProbe {
  std::optional<std::uint64_t> cycles;  ///< empty if the counter does not count
  std::uint64_t additions = 0;          ///< length of the loop
  std::string sentence;                 ///< why there are no cycles
  std::string remedy;
};

/// What only the machine at work can tell; an empty part was not tried.
struct LiveFacts {
  std::optional<std::string> pinning_fault;  ///< an empty text: pinning works
  std::optional<CounterProbe> counter;
  std::vector<ClockWindows> clock;  ///< each probe, in order; none where cpufreq tells
};

/// Half-width free measure of spread: third minus first quartile, in per cent of the median
/// (quartiles by linear interpolation between order statistics).
struct Spread {
  double median = 0;
  double percent = 0;
};
/// Empty for fewer than five rates or a median that is not positive.
[[nodiscard]] std::optional<Spread> spread_of(const std::vector<double>& rates);
/// Whether the clock stood still over a probe: spread of at most 0.5 %.
[[nodiscard]] bool is_steady(const ClockWindows& windows);

/// Every finding, in a fixed order.
[[nodiscard]] std::vector<Finding> make_findings(const HostFacts& facts,
                                                 const Surroundings& surroundings,
                                                 const LiveFacts& live);

/// The words of `require` that the machine answers: cycles, fixed-clock, quiet-core, bare-metal.
[[nodiscard]] const std::vector<std::string>& machine_requirements();
/// Findings that keep `requirement` from being met: warning, blocking or unknown; none = met.
[[nodiscard]] std::vector<Finding> unmet(const std::vector<Finding>& findings,
                                         const std::string& requirement);

/// Reasons of the machine why figures are for orientation only, each a short phrase
/// ("virtual machine (hypervisor flag)", "clock not known to be fixed (no cpufreq)"). What is not
/// known to be in order is a reason too.
[[nodiscard]] std::vector<std::string> orientation_reasons(const std::vector<Finding>& findings);

/// The page of `hashprof doctor` for people, each line ended.
[[nodiscard]] std::string findings_text(const std::vector<Finding>& findings, std::uint32_t core);
/// The same as a value; what is unknown is null with a reason.
[[nodiscard]] json::Value findings_json(const std::vector<Finding>& findings, std::uint32_t core);

}  // namespace hashprof::host
