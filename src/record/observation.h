// SPDX-License-Identifier: MIT
// What one measured process gave: the unit of evidence. Raw, as the worker said it; nothing
// derived.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "json/value.h"

namespace hashprof::record {

/// A stretch of the timed loop.
struct Slice {
  std::uint64_t calls = 0;
  std::optional<std::uint64_t> cycles;
  std::optional<std::uint64_t> instructions;
  std::uint64_t elapsed_ns = 0;  ///< CLOCK_MONOTONIC_RAW
  [[nodiscard]] bool operator==(const Slice&) const = default;
};

/// How a process ended. Everything but `complete` is a named failure of its cell.
enum class Outcome {
  complete,
  crashed,        ///< a signal ended it
  exited,         ///< it ended itself, for example by exit(0) inside the library
  timed_out,      ///< the watchdog ended it
  failed_call,    ///< the hash returned non-zero
  wrong_digest,   ///< the digest after the loop is not the one before it
  wrong_output,   ///< it wrote another output length than it was asked for
  load_failed,    ///< dlopen or dlsym refused
  worker_failed,  ///< our worker could not do its part (limits, sandbox, memory)
};
[[nodiscard]] const char* outcome_name(Outcome outcome);
[[nodiscard]] std::optional<Outcome> find_outcome(const std::string& name);

/// Where things lay, each modulo 64 KiB.
struct Addresses {
  std::uint32_t message = 0;
  std::uint32_t digest = 0;
  std::uint32_t stack = 0;
  std::uint32_t text = 0;  ///< the entry
  std::uint32_t heap = 0;  ///< a small block, taken and given back before the first call
  [[nodiscard]] bool operator==(const Addresses&) const = default;
};

/// What another core did that shares a cache with the measuring one, over the life of the process
/// (/proc/stat, in ticks of 10 ms).
struct Neighbour {
  std::uint32_t cpu = 0;
  std::string shares;  ///< the nearest thing shared: "core" (a second thread), "L1", "L2", "L3"
  std::uint64_t busy_ticks = 0;   ///< not idle and not waiting for a disk
  std::uint64_t total_ticks = 0;  ///< all of them; 0 where the process was shorter than a tick
  [[nodiscard]] bool operator==(const Neighbour&) const = default;
};

/// Samples of single calls (methods: hashprof-methods(7)), in the order they were taken.
struct Percall {
  std::string unit;                    ///< "cycles" or "ns"
  std::uint64_t batch = 1;             ///< calls a sample
  std::vector<std::uint64_t> empty;    ///< of a function that does nothing, called once
  std::vector<std::uint64_t> samples;  ///< of `batch` calls each, reading included
  std::vector<std::uint64_t> doubled;  ///< of 2 * batch calls each; empty where batch is 1
  [[nodiscard]] bool operator==(const Percall&) const = default;
};

/// How the taint begins that says a cell was planned anew; every other taint is a disturbance.
constexpr std::string_view kReplanned = "replanned: ";
/// So often a process, or a calibration, is tried while it is disturbed.
constexpr std::uint32_t kMostDisturbedAttempts = 3;

struct Observation {
  // Which process this is.
  std::string cell;   ///< "<family>/<label>/<operation>"
  std::string phase;  ///< "calibrate", "trial" or "percall"
  std::uint32_t process = 0;
  std::uint32_t attempt = 1;
  std::string start_utc;

  Outcome outcome = Outcome::complete;
  std::string detail;               ///< "SIGSEGV at step call", "returned 1", dlerror's text
  std::vector<std::string> taints;  ///< why a complete attempt is not used ("replanned: ...")
  /// What is odd about it without making its figures wrong ("odd_clock: ..."); it is used.
  std::vector<std::string> findings;

  // What was planned for it and what it did.
  std::uint64_t calls = 0;
  std::uint32_t warmups = 0;
  std::vector<Slice> slices;
  std::uint64_t first_call_ns = 0;
  std::optional<std::uint64_t> first_call_cycles;  ///< absent where cycles are
  std::uint64_t elapsed_ns = 0;                    ///< sum of the slices
  std::optional<std::uint64_t> cycles;             ///< counter difference over all slices
  std::optional<std::uint64_t> instructions;
  std::string cycles_reason;  ///< why there are no cycles; empty if there are
  std::string instructions_reason;
  std::uint64_t time_enabled_ns = 0;
  std::uint64_t time_running_ns = 0;
  std::string read_method;  ///< "rdpmc", "mrs", "read(2)", "none", "simulated"
  std::string pmu;          ///< device that counted ("cpu_atom"); empty if generic or none
  /// Cycles of 1000 dependent register additions before the library was loaded.
  std::optional<std::uint64_t> probe_cycles;

  // What disturbed it.
  std::uint64_t lost_ns = 0;  ///< elapsed minus thread CPU time, not below 0
  std::uint64_t voluntary_switches = 0;
  std::uint64_t involuntary_switches = 0;
  std::uint64_t migrations = 0;
  std::uint64_t minor_faults = 0;
  std::uint64_t major_faults = 0;
  std::optional<std::uint64_t> steal_ticks;  ///< of the pinned core over the process' life
  std::uint64_t suspended_ns = 0;            ///< that the machine slept during the loop
  std::vector<Neighbour> neighbours;         ///< ascending; empty = none, or /proc/stat is silent

  // Memory of the whole process, in KiB as the kernel says it.
  std::optional<std::uint64_t> baseline_rss_kib;        ///< VmRSS before the first call
  std::optional<std::uint64_t> peak_rss_kib;            ///< VmHWM after the last
  std::optional<std::uint64_t> baseline_file_pmd_kib;   ///< FilePmdMapped before the first call
  std::optional<std::uint64_t> baseline_anon_kib;       ///< RssAnon before the first call
  std::optional<std::uint64_t> baseline_file_kib;       ///< RssFile before the first call
  std::optional<std::uint64_t> last_anon_kib;           ///< RssAnon after the last call
  std::optional<std::uint64_t> last_file_kib;           ///< RssFile after the last call
  std::optional<std::uint64_t> last_file_pmd_kib;       ///< FilePmdMapped after the last call
  std::optional<std::uint64_t> baseline_anon_huge_kib;  ///< AnonHugePages before the first call
  Addresses addresses;
  std::uint32_t message_offset = 0;
  std::uint32_t digest_offset = 0;
  std::uint32_t env_padding = 0;
  std::uint32_t layout = 0;                 ///< library of the build that it called; 0 is the first
  bool is_core_shared_with_parent = false;  ///< only one core was allowed: hashprof slept meanwhile
  bool is_sandboxed = false;       ///< privileges were dropped before the library was loaded
  std::optional<Percall> percall;  ///< of phase "percall"

  [[nodiscard]] bool is_used() const { return outcome == Outcome::complete && taints.empty(); }
  /// Complete, but not used because the machine disturbed it.
  [[nodiscard]] bool is_disturbed() const;
  /// Nanoseconds a call; 0 calls give 0 and are never used.
  [[nodiscard]] double call_ns() const;
};

[[nodiscard]] json::Value to_json(const Observation& observation);
/// Throws Error{configuration} if a member is missing or of the wrong type.
[[nodiscard]] Observation observation_from_json(const json::Value& value);

}  // namespace hashprof::record
