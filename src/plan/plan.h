// SPDX-License-Identifier: MIT
// The plan: every build, every cell and every process of a run, resolved and in order. Pure: it
// starts nothing, reads no clock, and equal inputs give equal plans.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/units.h"
#include "campaign/campaign.h"
#include "catalog/family.h"

namespace hashprof::plan {

/// One library to make: instance × variant × profile × compiler, named by its label.
struct Build {
  std::size_t family = 0;  ///< index into the families given to resolve_builds
  std::string family_id;
  std::string family_name;
  std::string instance;
  std::string variant;
  std::string variant_class;
  std::string profile;
  std::string compiler;
  std::optional<std::vector<std::string>> flags = {};  ///< of a profile of the campaign's own
  std::vector<std::string> flags_need_cpu = {};        ///< features that these make code for
  std::vector<std::string> needs_cpu = {};             ///< features that the variant needs
  std::string fallback = {};  ///< profile where this one is not built; empty = none
  std::string label;          ///< design section 5; unique within the family
  std::uint32_t digest_bits = 0;
  bool takes_bytes = false;         ///< messages of whole bytes only
  std::optional<catalog::Xof> xof;  ///< empty: not an extendable-output function
  /// Output lengths that the campaign lists, in bytes, ascending; empty = digest_bits only. Only of
  /// an extendable-output function.
  std::vector<std::uint64_t> outputs = {};
  catalog::BuildSettings settings;
  std::uint32_t layouts = 1;  ///< libraries of the same objects that its processes are spread over

  /// Why no cell of this output is planned; empty if one is. A function that always writes
  /// digest_bits has no other length to be timed at.
  [[nodiscard]] std::string why_not(std::uint64_t output_bytes) const;
  /// "<family>/<label>": the build's name in the run.
  [[nodiscard]] std::string id() const { return family_id + "/" + label; }
};

/// Build × operation.
struct Cell {
  std::size_t build = 0;  ///< index into Plan::builds
  std::uint64_t message_bytes = 0;
  std::optional<std::uint64_t> output_bytes;  ///< of a listed output; empty = digest_bits
  campaign::Mode mode = campaign::Mode::throughput;

  /// "hash_64", "hash_64_out_128" of a listed output, "hash_64__latency" of another mode.
  [[nodiscard]] std::string operation() const {
    return "hash_" + std::to_string(message_bytes) +
           (output_bytes ? "_out_" + std::to_string(*output_bytes) : "") +
           (mode == campaign::Mode::throughput ? ""
                                               : std::string("__") + campaign::mode_name(mode));
  }
};

/// How often one process of a cell calls the hash, and what it takes.
struct Counts {
  std::uint64_t calls = 0;
  std::uint32_t warmups = 0;
  std::uint64_t samples = 0;  ///< of the process of single calls, if there is one
  double call_ns = 0;         ///< what the counts were derived from
};

enum class ProcessKind {
  trial,
  percall,  ///< samples of single calls: one process of each cell of the first mode
  more,     ///< a trial that is run only where the processes of the cell disagree
};

/// One process in the order of execution.
struct Process {
  ProcessKind kind = ProcessKind::trial;
  std::size_t cell = 0;     ///< index into Plan::cells
  std::uint32_t block = 0;  ///< randomised block, from 0; also the number of the trial in the cell
  std::uint32_t message_offset = 0;  ///< bytes past a page boundary, a multiple of 64 below 4096
  std::uint32_t digest_offset = 0;
  std::uint32_t env_padding = 0;  ///< bytes of environment added, below 4096
  std::uint32_t layout = 0;       ///< library of the build that it calls
};

struct Plan {
  std::uint32_t core = 0;
  std::vector<Build> builds;
  std::vector<Build> objects;  ///< of targets: compiled for their sizes, never run
  std::vector<Cell> cells;
  /// Randomised blocks, each of one process of every cell: measure.processes blocks of trials, one
  /// of percall, then the blocks of more up to measure.max_processes.
  std::vector<Process> processes;

  /// "<family>/<label>/<operation>": the cell's name in the journal.
  [[nodiscard]] std::string cell_name(std::size_t cell) const {
    return builds[cells[cell].build].id() + "/" + cells[cell].operation();
  }
};

/// Builds named by a campaign. Families in the order of campaign.hashes, one each. Throws
/// Error{configuration} if a pattern or variant names nothing, if outputs are listed for an entry
/// without an extendable-output function, or if two builds have one label, and
/// Error{usage} if `overrides.only` leaves nothing.
[[nodiscard]] std::vector<Build> resolve_builds(const campaign::Campaign& campaign,
                                                const std::vector<catalog::Family>& families,
                                                const std::vector<std::string>& only);

/// What is compiled for the campaign's targets: each variant of `builds` once for each target,
/// which is its profile and stands in its label. Libraries that are already built have no objects.
[[nodiscard]] std::vector<Build> resolve_objects(const campaign::Campaign& campaign,
                                                 const std::vector<Build>& builds);

/// Throws Error{configuration} if a baseline of the campaign is not among what it measures, of
/// whatever length that is: a ratio needs both figures from one run. `builds` is without --only.
void check_baselines(const campaign::Campaign& campaign, const std::vector<Build>& builds);

/// The plan over the builds; the order is a function of measure.seed alone.
[[nodiscard]] Plan make_plan(const campaign::Campaign& campaign, std::vector<Build> builds,
                             std::uint32_t core);

/// Calls and warm-ups for a cell whose call takes `call_ns`:
/// calls = max(trial / call, ceil(100 / processes)), at most max_calls and what limits.cell allows
/// (limits.cell / processes / call), at least 1. Warm-ups: 3 below 50 ms, 1 below 5 s, else 0.
/// Samples of single calls = trial / call, at least 9 and at most measure.percall.
[[nodiscard]] Counts derive_counts(const campaign::Campaign& campaign, double call_ns);

/// How long one call may take: limits.call, or 10 s.
[[nodiscard]] Nanoseconds call_time_limit(const campaign::Campaign& campaign);

/// The time limit of one worker: limits.call if set, else 10 s + 20 × the planned time.
[[nodiscard]] Nanoseconds process_time_limit(const campaign::Campaign& campaign,
                                             const Counts& counts);

/// Address space of a worker: limits.memory, or 1 GiB + 4 × message.
[[nodiscard]] Bytes address_space_limit(const campaign::Campaign& campaign,
                                        std::uint64_t message_bytes);

/// The plan as text: every process in order with its counts ("calls: calibrated" where `counts`
/// has none for the cell), then total time, disk and the slowest cells. Byte-identical for equal
/// inputs.
[[nodiscard]] std::string print(const campaign::Campaign& campaign, const Plan& plan,
                                const std::map<std::size_t, Counts>& counts);

}  // namespace hashprof::plan
