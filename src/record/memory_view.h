// SPDX-License-Identifier: MIT
// What the memory passes of a build come to: the witnesses compared, peaks, sums and growth. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "record/memory_entry.h"
#include "stats/growth.h"

namespace hashprof::record {

/// What the heap meter and the BPF probes say together.
enum class Witnesses {
  none,      ///< neither counted
  one,       ///< only one did
  agree,     ///< to the byte, in both calls
  disagree,  ///< or not
};
/// "none", "one", "agree", "disagree".
[[nodiscard]] const char* witnesses_name(Witnesses witnesses);

/// The memory of one operation. Bytes.
struct MemoryCellView {
  std::string operation;
  std::uint64_t message_bytes = 0;
  std::optional<std::uint64_t> output_bytes;
  Seen<HeapUse> first;  ///< by the meter; by the probes where there is no meter
  Seen<HeapUse> later;
  Witnesses witnesses = Witnesses::none;
  std::string second_reason;  ///< of one witness: why the other one did not count
  std::string disagreement;   ///< "first call: peak_bytes 10 by the meter, 12 by the probes"
  /// The larger peak of the two calls.
  Seen<std::uint64_t> heap_peak;
  Seen<std::uint64_t> stack;
  /// static own + heap peak + stack: an upper bound of what the call takes at once.
  Seen<std::uint64_t> algorithm_peak;
  Seen<PageUse> first_pages;
  Seen<WindowUse> first_window;
};

struct MemoryView {
  std::string file;               ///< relative to the run directory; empty if nothing was measured
  std::string reason;             ///< why there are no cells; empty if there are
  Seen<std::uint64_t> own_bytes;  ///< static: the image without that of an empty library
  Seen<std::uint64_t> rom_bytes;  ///< of the own part: text + rodata + relro + data
  Seen<std::uint64_t> ram_bytes;  ///< of the own part: relro + data + bss
  std::vector<MemoryCellView> cells;
  std::optional<stats::Growth> heap_growth;  ///< of heap_peak; absent for fewer than two sizes
  std::optional<stats::Growth> stack_growth;
  StackBoundEntry bound;
  std::string imports_reason;  ///< why they are not known; empty if they are
  std::vector<std::string> imports;
  std::vector<std::string> needed;
  std::vector<std::string> findings;  ///< sentences without a full stop

  [[nodiscard]] bool has_disagreement() const;
};

/// Static figures of a build; from build.json.
struct StaticFigures {
  Seen<std::uint64_t> own_bytes;
  Seen<std::uint64_t> rom_bytes;
  Seen<std::uint64_t> ram_bytes;
};

/// Derives everything but `file`. Where outputs are listed, growth is over the cells of the first.
[[nodiscard]] MemoryView derive_memory(const MemoryEntry& entry, const StaticFigures& figures);

/// The derived figures, for --json.
[[nodiscard]] json::Value to_json(const MemoryView& view);

}  // namespace hashprof::record
