// SPDX-License-Identifier: MIT
// campaign.yaml as data: what is to be measured and how, with presets and overrides applied.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/units.h"
#include "json/value.h"

namespace hashprof::campaign {

struct System {
  std::string id;
  std::string note;
};

/// One entry of `hashes:`.
struct HashUse {
  std::filesystem::path file;         ///< absolute path of a hash.yaml
  std::vector<std::string> only;      ///< instance name patterns; empty = every instance
  std::vector<std::string> variants;  ///< empty = reference only
  /// Output lengths of its extendable-output functions in bytes, ascending, no duplicate; empty =
  /// digest_bits, which every other function gives anyway.
  std::vector<std::uint64_t> outputs = {};
  std::uint32_t outputs_line = 0;  ///< where they stand in the file; for messages
};

/// One entry of `builds:`.
struct BuildUse {
  std::string profile = "guide";  ///< one of the guide's, or the name of one with flags of its own
  std::string compiler = "gcc";
  std::optional<std::vector<std::string>> flags = {};  ///< of one of its own
  std::vector<std::string> needs_cpu = {};             ///< features of the CPU, of one of its own
  std::string fallback = {};  ///< one of the guide's, where this one is not built; empty = none
  [[nodiscard]] bool operator==(const BuildUse&) const = default;
};

/// One entry of `targets:`: a machine that only sizes are wanted of.
struct TargetUse {
  std::string name;      ///< "cortex-m4"
  std::string compiler;  ///< "arm-none-eabi-gcc"
  std::vector<std::string> flags;
};

/// The guide's build configurations: guide, performance, resource.
[[nodiscard]] const std::vector<std::string>& guide_profiles();

/// How one call follows another.
enum class Mode {
  throughput,  ///< back to back: nothing of a call depends on the one before it
  latency,     ///< the message depends on the digest before it
};
[[nodiscard]] const char* mode_name(Mode mode);

struct Measure {
  std::vector<std::uint64_t> sizes;   ///< message lengths in bytes, ascending, no duplicate
  std::optional<std::uint32_t> core;  ///< empty = auto
  std::uint32_t processes = 9;
  /// Of a cell whose processes disagree; not below processes, and as many where a file or the
  /// command line says processes alone.
  std::uint32_t max_processes = 21;
  Nanoseconds trial{250'000'000};                ///< wanted length of one trial
  std::vector<Mode> modes = {Mode::throughput};  ///< throughput first, no duplicate
  /// Latency is measured up to this message length only; empty = at every one.
  std::optional<std::uint64_t> latency_up_to;
  std::uint64_t percall = 10'000;  ///< samples of single calls of each cell; 0 = none
  std::optional<std::uint64_t> max_calls;
  std::uint32_t layouts = 1;  ///< libraries of each build that the processes are spread over
  std::uint64_t seed = 1;

  /// Whether messages of `size` bytes are measured in `mode`, one of `modes`. A message of 0 bytes
  /// cannot depend on a digest.
  [[nodiscard]] bool has_cells(Mode mode, std::uint64_t size) const {
    return mode == Mode::throughput || (size > 0 && size <= latency_up_to.value_or(UINT64_MAX));
  }
};

struct Limits {
  Nanoseconds cell{300'000'000'000};  ///< bound on the planned time of one cell
  std::optional<Nanoseconds> call;    ///< empty = auto: derived from the calibration
  Nanoseconds build{300'000'000'000};
  std::optional<Bytes> memory;  ///< address space; empty = auto: 1 GiB + 4 × message
  Bytes stack{8U << 20U};       ///< RLIMIT_STACK of a worker
};

/// Of which sizes the second witness counts the heap too.
enum class Crosscheck {
  none,
  ends,  ///< the smallest and the largest
  all,
};
[[nodiscard]] const char* crosscheck_name(Crosscheck crosscheck);

/// `memory`: what is measured of the memory of the calls.
struct MemoryOptions {
  bool has_heap = true;  ///< heap and pages
  bool has_stack = true;
  bool has_bpf = true;  ///< witness: bpf
  Crosscheck crosscheck = Crosscheck::ends;
};

struct Sandbox {
  std::uint32_t uid = 65534;
  bool enabled = true;
};

struct ReportOptions {
  std::string note;
  std::vector<std::pair<std::string, std::string>> links;  ///< label and target, in file order
};

/// `baselines`: the instance of this run that each other one is compared with.
struct Baselines {
  /// By output length, as published: pseudoXOF-<bits> of family iccs.
  bool is_pseudo_xof = false;
  /// Otherwise output bits and the instance to compare with, ascending; empty = none.
  std::vector<std::pair<std::uint32_t, std::string>> by_width;

  [[nodiscard]] bool is_empty() const { return !is_pseudo_xof && by_width.empty(); }
};

struct Campaign {
  std::string name;  ///< [A-Za-z0-9._-]{1,64}, not starting with a dot: it names the run directory
  std::string title;
  System system;
  std::string preset;                ///< empty if none was named
  std::vector<std::string> require;  ///< cycles, fixed-clock, quiet-core, kat, bare-metal
  std::vector<HashUse> hashes;
  /// What each variant is built with; empty = performance for those of class optimized, else guide.
  std::vector<BuildUse> builds;
  std::vector<TargetUse> targets;  ///< in file order
  std::string cross_prefix;  ///< before each compiler: "aarch64-linux-gnu-"; empty = this machine's
  Baselines baselines;
  std::vector<std::string> kat;  ///< known-answer files to compute, of kat_kinds() in its order
  /// Instance, and its submitted known-answer file or the folder of them (absolute), in file order.
  std::vector<std::pair<std::string, std::filesystem::path>> kat_files;
  bool time_failing = false;
  Measure measure;
  Limits limits;
  MemoryOptions memory;
  std::vector<std::pair<std::string, std::string>> env;  ///< in file order
  Sandbox sandbox;
  ReportOptions report;

  std::filesystem::path file;  ///< absolute path it was read from
  std::string text;            ///< the file, verbatim
};

/// What the command line may say over the file; applied in this order: preset, sizes, processes.
struct Overrides {
  std::vector<std::string>
      only;  ///< '<family>/<instance>' patterns; a pattern without '/' fits instances
  std::optional<std::string> preset;
  std::optional<std::vector<std::uint64_t>> sizes;
  std::optional<std::uint32_t> processes;
  std::optional<std::vector<std::string>> kinds;  ///< known-answer files
  std::optional<std::string> target;              ///< cross compilers: "aarch64-linux-gnu"
};

struct Preset {
  std::string name;
  std::string summary;  ///< one line for `hashprof list presets`
  std::uint32_t processes = 0;
  std::uint32_t max_processes = 0;
  Nanoseconds trial;
  std::optional<std::uint64_t> max_calls;
  std::uint64_t percall = 0;
  /// Latency is measured beside throughput up to this message length; empty = not at all.
  std::optional<std::uint64_t> latency_up_to = {};
  std::vector<std::string> require = {};  ///< unless the file says its own
};
/// Every preset by name. A released preset never changes.
[[nodiscard]] const std::vector<Preset>& presets();

/// Message sizes of the guide, S1–S8 (ngcc guide 3.4), in bytes.
[[nodiscard]] const std::vector<std::uint64_t>& ngcc_sizes();

/// Kinds of known-answer files: 2_12, 2_23, 2_33, Loop.
[[nodiscard]] const std::vector<std::string>& kat_kinds();
/// Those that take seconds, which are the default: 2_12, 2_23.
[[nodiscard]] const std::vector<std::string>& default_kat_kinds();

/// Reads a campaign file. Throws Error{configuration} with file:line:column, key path and hint.
[[nodiscard]] Campaign load_campaign(const std::filesystem::path& file);
[[nodiscard]] Campaign parse_campaign(const std::string& text, const std::filesystem::path& file);
/// The campaign that measures one hash.yaml with the defaults; named after `id`. Its text is a
/// complete campaign file that says the same.
[[nodiscard]] Campaign campaign_of_family(const std::filesystem::path& hash_yaml,
                                          const std::string& id);
/// Applies command line overrides; throws Error{usage}.
void apply(const Overrides& overrides, Campaign& campaign);
/// Parses the text of --sizes: "ngcc" or byte counts joined by commas; throws Error{usage}.
[[nodiscard]] std::vector<std::uint64_t> parse_size_list(const std::string& text);

/// Parses the text of --kinds: kinds joined by commas, "all" or "none"; throws Error{usage}.
[[nodiscard]] std::vector<std::string> parse_kind_list(const std::string& text);

/// The resolved campaign as it is stored in campaign.json: every value of it, defaults and presets
/// applied, in a fixed order. Two campaigns with equal values here may share a run directory.
/// Paths of hashes are relative to the folder of the campaign file where they lie below it; times
/// are in nanoseconds, sizes in bytes, null where auto or none.
[[nodiscard]] json::Value to_json(const Campaign& campaign);

}  // namespace hashprof::campaign
