// SPDX-License-Identifier: MIT
// A finished or stopped run as its reports see it: read from the run directory, everything derived
// already computed. Plain data: the tests of report fill it in.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "record/memory_view.h"
#include "record/observation.h"
#include "stats/agreement.h"
#include "stats/details.h"
#include "stats/summary.h"

namespace hashprof::record {

/// A figure over processes, or why there is none.
struct Figure {
  std::optional<stats::Summary> summary;
  std::string reason;                          ///< one line, empty if there is a summary
  std::optional<stats::Details> details = {};  ///< there if the summary is
};

/// Samples of single calls, or why there are none.
struct SingleCallView {
  std::optional<stats::SingleCall> figures;
  std::string unit;    ///< "cycles" or "ns"
  std::string reason;  ///< empty if there are figures
};

/// How the processes of a cell agree, over its headline's unit.
struct AgreementView {
  stats::Agreement judgement;
  std::uint64_t count = 0;               ///< of trials that were judged
  std::vector<std::string> explanation;  ///< what sets the odd ones apart; clauses
  std::optional<double> slice_drift;     ///< record/agreement.h
};

/// A median divided by the baseline's median of the same message and output length.
struct Ratio {
  std::optional<double> value;
  std::string reason;  ///< one line, empty if there is a value
};

struct CellView {
  std::string operation;  ///< "hash_32"
  std::uint64_t message_bytes = 0;
  std::optional<std::uint64_t> output_bytes;  ///< of a listed output; empty = digest_bits
  bool is_latency = false;                    ///< each call waits for the digest before it
  /// Why it was not planned: the build cannot give this output. Empty if it was.
  std::string excluded;
  std::string record_file;  ///< relative to the run directory; empty if the cell was not measured
  std::string
      failure;  ///< why the cell has no figures, or not from all its processes; empty if fine
  /// Why processes are not used although nothing failed: the machine disturbed them. Empty if fine.
  std::string shortfall;
  /// What is odd about the used processes without making them wrong, each kind once.
  std::vector<std::string> findings;
  std::uint32_t planned_processes = 0;
  std::uint32_t used_processes = 0;
  std::uint32_t disturbed_processes = 0;  ///< given up: disturbed in every attempt allowed
  std::uint32_t attempts = 0;
  std::uint64_t calls_each = 0;   ///< equal in all used processes
  std::uint64_t calls_total = 0;  ///< over the used processes
  Figure time_ns;                 ///< nanoseconds a call
  Figure cycles;                  ///< cycles a call
  AgreementView agreement;
  Figure first_call_ns;  ///< over the same processes
  Figure first_call_cycles;
  SingleCallView single_call;
  std::string baseline;      ///< what it is compared with; empty if nothing
  bool is_baseline = false;  ///< it is what others are compared with
  Ratio time_ratio;          ///< of a cell that is compared with another
  Ratio cycles_ratio;
  std::vector<std::uint64_t> baseline_rss_kib;  ///< of each used process
  std::vector<std::uint64_t> peak_rss_kib;
  /// Of the used process with the largest peak, after its last call; empty if none said so.
  std::optional<std::uint64_t> last_anon_kib;
  std::optional<std::uint64_t> last_file_kib;
  std::optional<std::uint64_t> last_file_pmd_kib;

  /// Says of every figure why there is none.
  void leave_without_figures(const std::string& reason) {
    for (Figure* figure : {&time_ns, &cycles, &first_call_ns, &first_call_cycles}) {
      figure->reason = reason;
    }
    single_call.reason = reason;
  }
};

/// Bytes of a library's image by what they hold; they add up to it. elf/elf_image.h defines them.
struct ImageParts {
  std::uint64_t text = 0;
  std::uint64_t rodata = 0;
  std::uint64_t relro = 0;
  std::uint64_t data = 0;
  std::uint64_t bss = 0;
  std::uint64_t other = 0;
  std::uint64_t headers = 0;
  std::uint64_t gaps = 0;
};

/// A known-answer file that was wanted of a build.
struct KatFileView {
  std::string kind;    ///< "2_12"
  std::string status;  ///< "PASS", "MISMATCH", "NOKAT", ...
  std::string sha256;  ///< of the canonical text that was computed; empty if none was
  std::string detail;  ///< "no manifest"; may be empty
};

/// What one check of the API's contract came to.
struct ContractView {
  std::string step;      ///< "message_end"
  std::string standing;  ///< "kept", "BROKEN", "reported" or "NOTRUN"
  std::string detail;    ///< empty if kept
};

/// Lines over the cells of one listed output.
struct OutputLines {
  std::uint64_t output_bytes = 0;
  std::optional<stats::Line> time_line;
  std::optional<stats::Line> cycles_line;
};

struct BuildView {
  std::string family_id;
  std::string family_name;
  std::string category;
  std::string instance;
  std::string label;
  std::string variant;
  std::string variant_class;
  std::string profile;
  std::string wanted_profile;  ///< that it stands in for; empty if it is the one that was asked for
  std::string wanted_reason;   ///< why that one was not built
  std::string compiler;        ///< version line
  std::string build_flags;
  std::uint32_t digest_bits = 0;
  bool is_built = false;
  std::string build_failure;
  std::string build_log;  ///< relative path
  std::string library;    ///< relative path
  std::string library_sha256;
  std::optional<std::uint64_t> image_bytes;       ///< sum of p_memsz over PT_LOAD
  std::string image_reason;                       ///< why there is none; empty if there is one
  std::optional<std::uint64_t> image_span_bytes;  ///< whole pages, holes included
  std::optional<ImageParts> image_parts;
  std::string parts_reason;  ///< why there are none; empty if there are
  std::string kat_status;    ///< "PASS", "MISMATCH", ...; empty if not run
  std::string kat_detail;
  std::uint64_t kat_checked = 0;
  std::uint64_t kat_total = 0;
  std::vector<KatFileView> kat_files;     ///< that were wanted; empty if not run
  std::vector<ContractView> contract;     ///< every check; empty if not run
  std::vector<std::string> vector_files;  ///< names only
  std::string kat_manifest;               ///< name; empty if there is none, or not run
  std::string kat_log;                    ///< relative path
  std::string kat_log_sha256;
  bool is_timed_despite_failing = false;
  std::vector<CellView> cells;           ///< by size, then by output
  std::optional<stats::Line> time_line;  ///< ns over bytes, sizes from 4 KiB, back-to-back
  std::optional<stats::Line> cycles_line;
  MemoryView memory;
  std::vector<OutputLines> output_lines;  ///< in place of the two where outputs are listed
};

/// What was compiled of a variant for a target that only sizes are wanted of.
struct ObjectView {
  std::string family_id;
  std::string label;  ///< "LLH-256.cortex-m4"
  std::string target;
  std::string compiler;  ///< version line; empty if none was found
  std::string failure;   ///< empty if there are sizes
  std::uint64_t text = 0;
  std::uint64_t rodata = 0;
  std::uint64_t data = 0;
  std::uint64_t bss = 0;
};

struct RunView {
  std::string tool_version;
  std::string name;
  std::string title;
  std::string system_id;
  std::string system_note;
  std::string preset;
  std::string report_note;
  std::vector<std::pair<std::string, std::string>> links;
  bool is_complete = false;
  bool is_simulated = false;
  std::string simulation;  ///< "quiet, seed 1"
  /// Empty = PUBLISHABLE; else each reason why for orientation only.
  std::vector<std::string> orientation_reasons;
  /// Item and value of the guide's environment table, in order; a value that is not known is
  /// "n/a" with the reason in `reason`.
  struct EnvironmentItem {
    std::string item;
    std::string value;  ///< empty if not known
    std::string reason;
  };
  std::vector<EnvironmentItem> environment;
  std::string architecture;  ///< "x86-64" or "AArch64"
  std::uint32_t core = 0;
  std::uint32_t processes = 0;
  std::uint32_t max_processes = 0;
  std::uint64_t trial_ns = 0;
  std::uint64_t seed = 0;
  std::uint64_t layouts = 1;        ///< libraries of each build that the processes are spread over
  std::string command;              ///< words that made the run, for the evidence index
  bool has_baselines = false;       ///< the campaign names baselines
  std::vector<ObjectView> objects;  ///< in the order of the campaign
  std::vector<BuildView> builds;    ///< by family in campaign order, labels in natural order
};

}  // namespace hashprof::record
