// SPDX-License-Identifier: MIT
// See runner/outcome.h.
#include "runner/outcome.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstring>
#include <span>

#include "base/error.h"
#include "base/text.h"

namespace hashprof::runner {

namespace {

constexpr double kMinPlausibleIpc = 0.05;
constexpr double kMaxPlausibleIpc = 12;
constexpr double kMinCyclesAnAdd = 0.95;
constexpr double kMaxCyclesAnAdd = 1.05;
/// A difference of two readings beyond this is a counter that went backwards.
constexpr std::uint64_t kBackwards = std::uint64_t{1} << 63U;

std::string replace_all(std::string text, const std::string& old, const std::string& wanted) {
  for (auto at = text.find(old); at != std::string::npos; at = text.find(old, at + wanted.size())) {
    text.replace(at, old.size(), wanted);
  }
  return text;
}

std::string name_return(const hashprof_event& error) {
  if (error.step != HASHPROF_STEP_CALL && error.step != HASHPROF_STEP_CHECK) {
    return "returned " + std::to_string(error.number) + " at call " + std::to_string(error.detail);
  }
  // The loop ORs what its calls return, so neither the value nor the call is known.
  if (error.text[0] != '\0') {
    return "returned non-zero " + text::printable(std::string(error.text));
  }
  return error.detail == 0
             ? "returned non-zero while the calibration looked for its batch"
             : "returned non-zero in slice " + std::to_string(error.detail) + " of the timed loop";
}

std::string name_output(const hashprof_event& error) {
  const std::string byte = std::to_string(error.number);
  const bool is_beyond = static_cast<std::uint64_t>(error.number) > error.detail;
  return (is_beyond ? "wrote byte " + byte : "left byte " + byte + " unwritten") +
         " of an output of " + std::to_string(error.detail) +
         " bytes: it does not give the length that it is asked for";
}

Named name_error(const hashprof_event& error, const std::string& library) {
  const std::string said(error.text);
  const std::string at_step = " at step " + step_name(error.step);
  switch (error.error) {
    case HASHPROF_ERROR_LOAD:
      return {record::Outcome::load_failed,
              text::printable(replace_all(said, "/proc/self/fd/4", library))};
    case HASHPROF_ERROR_RETURNED:
      return {record::Outcome::failed_call, name_return(error)};
    case HASHPROF_ERROR_DIGEST:
      return {record::Outcome::wrong_digest,
              "the digest after the loop differs from the one of the first call"};
    case HASHPROF_ERROR_OUTPUT:
      return {record::Outcome::wrong_output, name_output(error)};
    case HASHPROF_ERROR_STACK:
      return {record::Outcome::crashed, "stack > " + std::to_string(error.number) + " bytes"};
    case HASHPROF_ERROR_METER:
      return {record::Outcome::worker_failed,
              "the heap meter does not count: " + text::printable(said)};
    case HASHPROF_ERROR_SYSTEM: {
      const int number = static_cast<int>(error.number);
      const std::string reason =
          number == 0 ? ""
                      : ": " + std::string(::strerror(number)) + " (" + errno_name(number) + ")";
      return {record::Outcome::worker_failed, text::printable(said) + reason + at_step};
    }
    default:
      return {record::Outcome::worker_failed, text::printable(said) + at_step};
  }
}

const std::span<const hashprof_slice> slices_of(const hashprof_result& result) {
  return std::span(result.slices)
      .first(std::min<std::size_t>(result.slice_count, HASHPROF_MAX_SLICES));
}

/// Empty if one event's slices are all between 1 and kBackwards.
std::string find_counter_fault(const hashprof_result& result, std::uint64_t hashprof_slice::*field,
                               const std::string& counter) {
  for (const hashprof_slice& slice : slices_of(result)) {
    if (slice.*field >= kBackwards) {
      return "the " + counter + " counter went backwards";
    }
    if (slice.*field == 0) {
      return "the " + counter + " counter read 0";
    }
  }
  return "";
}

std::uint64_t total(const hashprof_result& result, std::uint64_t hashprof_slice::*field) {
  std::uint64_t sum = 0;
  for (const hashprof_slice& slice : slices_of(result)) {
    sum += slice.*field;
  }
  return sum;
}

std::string find_cycles_fault(const hashprof_result& result, const counters::OpenFacts& facts) {
  const int number = result.open_errno[HASHPROF_EVENT_CYCLES];
  if (number != 0) {
    return counters::explain_open_error(number, "cycles", facts).sentence;
  }
  if (result.is_counting == 0) {
    return "the cycle counter was opened but could not be read: another user holds the PMU";
  }
  if (result.time_enabled_ns == 0 || result.time_running_ns < result.time_enabled_ns) {
    return "the cycle counter ran " + std::to_string(result.time_running_ns) + " ns of " +
           std::to_string(result.time_enabled_ns) + " ns (multiplexed with another user's)";
  }
  return find_counter_fault(result, &hashprof_slice::cycles, "cycle");
}

std::string find_implausible(const hashprof_result& result) {
  const std::uint64_t cycles = total(result, &hashprof_slice::cycles);
  const std::uint64_t instructions = total(result, &hashprof_slice::instructions);
  const double ipc = static_cast<double>(instructions) / static_cast<double>(cycles);
  if (ipc >= kMinPlausibleIpc && ipc <= kMaxPlausibleIpc) {
    return "";
  }
  return "implausible counters: " + std::to_string(instructions) + " instructions in " +
         std::to_string(cycles) + " cycles (" + text::significant(ipc, 3) +
         " a cycle, outside 0.05 to 12)";
}

/// Why the instructions are not there while the cycles are; empty if they may be.
std::string find_missing_instructions(const hashprof_result& result,
                                      const counters::OpenFacts& facts) {
  if (!facts.no_instructions.empty()) {
    return facts.no_instructions;
  }
  const int number = result.open_errno[HASHPROF_EVENT_INSTRUCTIONS];
  if (number == ENOENT) {
    return "instructions unavailable: this PMU counts cycles but not instructions (ENOENT)";
  }
  return number == 0 ? "" : counters::explain_open_error(number, "instructions", facts).sentence;
}

/// Of a batch or of what hangs on it; empty if they can be.
std::string find_batch_fault(const hashprof_request& request, const hashprof_result& result) {
  if (!std::has_single_bit(result.batch) || result.batch > HASHPROF_MAX_BATCH) {
    return "the result has samples of " + std::to_string(result.batch) + " calls";
  }
  const std::uint64_t doubled = result.batch == 1 ? 0 : HASHPROF_DOUBLED_SAMPLES(request.calls);
  if (result.doubled_count != doubled) {
    return "the result has " + std::to_string(result.doubled_count) + " samples of twice " +
           std::to_string(result.batch) + " calls";
  }
  const std::uint64_t calls = result.batch * (request.calls + 2 * doubled);
  return result.calls == calls ? ""
                               : "the result holds " + std::to_string(result.calls) +
                                     " calls, its samples " + std::to_string(calls);
}

std::string find_samples_fault(const hashprof_request& request, const hashprof_result& result,
                               std::span<const std::uint64_t> samples) {
  if (samples.size() != HASHPROF_ALL_SAMPLES(request.calls)) {
    return "the samples' memory has " + std::to_string(samples.size()) + " of them, not " +
           std::to_string(HASHPROF_ALL_SAMPLES(request.calls));
  }
  const auto taken = samples.subspan(HASHPROF_EMPTY_SAMPLES, request.calls + result.doubled_count);
  // A counter that stood still has its own reason (judge_counters).
  const bool has_counted = result.is_counting == 0 || total(result, &hashprof_slice::cycles) > 0;
  if (has_counted &&
      std::all_of(taken.begin(), taken.end(), [](auto value) { return value == 0; })) {
    return "all samples are 0";
  }
  const auto is_backwards = [](auto value) { return value >= kBackwards; };
  if (std::any_of(samples.begin(), samples.end(), is_backwards)) {
    return "a sample went backwards";
  }
  return "";
}

}  // namespace

std::string step_name(std::uint32_t step) {
  constexpr std::array<const char*, 11> kNames{"start", "counters",   "map",     "sandbox",
                                               "load",  "first call", "warm-up", "call",
                                               "check", "done",       "wait"};
  return step < kNames.size() ? kNames[step] : "step " + std::to_string(step);
}

Named name_end(const WorkerEnd& end, Nanoseconds time_limit, const std::string& library) {
  const std::string at_step = " at step " + step_name(end.step);
  if (end.kind == WorkerEnd::Kind::timed_out) {
    return {record::Outcome::timed_out,
            "no end within " + text::shortest(static_cast<double>(time_limit.value) / 1e9) + " s" +
                at_step};
  }
  if (end.kind == WorkerEnd::Kind::signalled) {
    return {record::Outcome::crashed, describe_end(end) + at_step};
  }
  if (end.error) {
    return name_error(*end.error, library);
  }
  if (end.is_garbled) {
    return {record::Outcome::worker_failed,
            "the process sent what is not of the protocol" + at_step};
  }
  if (end.code == 0 && end.result) {
    return {};
  }
  return {record::Outcome::exited, describe_end(end) + at_step};
}

std::string find_contradiction(const hashprof_request& request, const hashprof_result& result,
                               std::span<const std::uint64_t> samples) {
  if (result.slice_count == 0 || result.slice_count > HASHPROF_MAX_SLICES) {
    return "the result has " + std::to_string(result.slice_count) + " slices";
  }
  const std::uint64_t in_slices = total(result, &hashprof_slice::calls);
  if (in_slices != result.calls) {
    return "the slices hold " + std::to_string(in_slices) + " calls, the result says " +
           std::to_string(result.calls);
  }
  if (request.kind == HASHPROF_KIND_TRIAL && result.calls != request.calls) {
    return "the result holds " + std::to_string(result.calls) + " calls, " +
           std::to_string(request.calls) + " were asked for";
  }
  if (request.kind != HASHPROF_KIND_PERCALL) {
    return "";
  }
  const std::string fault = find_batch_fault(request, result);
  return fault.empty() ? find_samples_fault(request, result, samples) : fault;
}

CounterVerdict judge_counters(const hashprof_result& result, const counters::OpenFacts& facts) {
  CounterVerdict verdict;
  verdict.cycles_reason = find_cycles_fault(result, facts);
  if (!verdict.cycles_reason.empty()) {
    verdict.instructions_reason = verdict.cycles_reason;
    return verdict;
  }
  verdict.instructions_reason = find_missing_instructions(result, facts);
  if (!verdict.instructions_reason.empty()) {
    verdict.has_cycles = true;
    return verdict;
  }
  std::string fault = find_counter_fault(result, &hashprof_slice::instructions, "instruction");
  if (fault.empty()) {
    fault = find_implausible(result);
  }
  verdict.has_cycles = verdict.has_instructions = fault.empty();
  verdict.cycles_reason = verdict.instructions_reason = fault;
  return verdict;
}

std::string read_method_name(std::uint32_t method) {
  switch (method) {
    case HASHPROF_READ_SYSCALL:
      return "read(2)";
    case HASHPROF_READ_RDPMC:
      return "rdpmc";
    case HASHPROF_READ_MRS:
      return "mrs";
    default:
      return "none";
  }
}

std::string find_odd_clock(std::uint64_t probe_cycles) {
  const double an_add = static_cast<double>(probe_cycles) / HASHPROF_PROBE_ADDS;
  if (an_add >= kMinCyclesAnAdd && an_add <= kMaxCyclesAnAdd) {
    return "";
  }
  return "odd_clock: " + std::to_string(HASHPROF_PROBE_ADDS) + " dependent additions took " +
         std::to_string(probe_cycles) + " cycles (" + text::significant(an_add, 3) +
         " each, outside 0.95 to 1.05)";
}

}  // namespace hashprof::runner
