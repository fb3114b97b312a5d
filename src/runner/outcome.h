// SPDX-License-Identifier: MIT
// A worker's end as a named outcome, and its counters judged: pure functions, no process.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "base/units.h"
#include "counters/open_error.h"
#include "record/observation.h"
#include "runner/worker_process.h"
#include "worker/protocol.h"

namespace hashprof::runner {

struct Named {
  record::Outcome outcome = record::Outcome::complete;
  std::string detail;  ///< empty if complete
};

/// "first call", "warm-up", ...; "step 17" for a number that is none of ours.
[[nodiscard]] std::string step_name(std::uint32_t step);

/// The name of an end. `library` is what the loader's text calls /proc/self/fd/4.
[[nodiscard]] Named name_end(const WorkerEnd& end, Nanoseconds time_limit,
                             const std::string& library);

/// Why a complete result cannot be one of `request`: slices that do not add up, other call counts;
/// of a percall also a batch that is none, and `samples`, the whole of descriptor 7, of another
/// number or nothing but zeros although something was counted. Empty if it can.
[[nodiscard]] std::string find_contradiction(const hashprof_request& request,
                                             const hashprof_result& result,
                                             std::span<const std::uint64_t> samples = {});

struct CounterVerdict {
  bool has_cycles = false;
  bool has_instructions = false;
  std::string cycles_reason;  ///< empty if and only if has_cycles
  std::string instructions_reason;
};

/// Whether the counters of a complete result may be printed. Cycles are refused if the event could
/// not be opened or read, ran less than it was enabled (multiplexed), read 0 or went backwards in
/// any slice, or gave an implausible number of instructions a cycle (outside 0.05 to 12).
/// Instructions that the PMU does not have leave the cycles as they are.
[[nodiscard]] CounterVerdict judge_counters(const hashprof_result& result,
                                            const counters::OpenFacts& facts);

/// "rdpmc", "mrs", "read(2)" or "none".
[[nodiscard]] std::string read_method_name(std::uint32_t method);

/// The finding about the counter itself: "odd_clock: ..." where the dependent additions of the
/// worker's plausibility loop did not take 0.95 to 1.05 cycles each. Empty if they did.
[[nodiscard]] std::string find_odd_clock(std::uint64_t probe_cycles);

}  // namespace hashprof::runner
