// SPDX-License-Identifier: MIT
// What one call, or the loading of a library, did to the memory: raw, as the witnesses said it.
// Nothing derived. hashprof-memory(1) defines each figure.
#pragma once

#include <cstdint>
#include <optional>

namespace hashprof::record {

/// What a stretch of a process did with the heap; bytes are those that were asked for. Counted is
/// the outermost call of the malloc family only. A stretch owns the blocks that were allocated or
/// resized in it, and live bytes are those of its own blocks. worker/protocol.h, hashprof_heap.
struct HeapUse {
  std::uint64_t allocations = 0;  ///< that gave a block
  std::uint64_t resizes = 0;      ///< realloc and reallocarray of a block
  std::uint64_t frees = 0;
  std::uint64_t failures = 0;     ///< allocations and resizes that gave none
  std::uint64_t total_bytes = 0;  ///< of allocations, and the new sizes of resizes
  std::uint64_t peak_bytes = 0;   ///< most live at once
  std::uint64_t left_bytes = 0;   ///< live at the end
  std::uint64_t left_blocks = 0;
  std::uint64_t foreign_frees = 0;      ///< of blocks that the stretch does not own
  std::uint64_t peak_usable_bytes = 0;  ///< by malloc_usable_size; 0 from probes
  std::uint64_t lost = 0;               ///< events not counted; the figures hold only if 0
  [[nodiscard]] bool operator==(const HeapUse&) const = default;
};

/// What the kernel itself says the process did in a stretch: getrusage and RssAnon.
struct PageUse {
  std::uint64_t minor_faults = 0;
  std::uint64_t major_faults = 0;
  std::uint64_t voluntary_switches = 0;
  std::uint64_t involuntary_switches = 0;
  /// RssAnon before and after, in KiB.
  std::uint64_t anon_before_kib = 0;
  std::uint64_t anon_after_kib = 0;
  [[nodiscard]] bool operator==(const PageUse&) const = default;
};

/// What BPF programs saw of a stretch from outside the process. A figure that the kernel at hand
/// cannot give is absent.
struct WindowUse {
  /// By code of the process itself; those that the kernel takes while it copies are not among them.
  std::optional<std::uint64_t> page_faults{};
  /// Most that anonymous memory (MM_ANONPAGES) grew by since the stretch began.
  std::optional<std::uint64_t> anon_growth_bytes{};
  /// The same of mapped files (MM_FILEPAGES).
  std::optional<std::uint64_t> file_growth_bytes{};
  /// Sum asked of mmap, those of the allocator among them, and what mremap added; those that failed
  /// are in no sum.
  std::optional<std::uint64_t> mapped_bytes{};
  std::optional<std::uint64_t> mapped_calls{};
  /// Sum given back by munmap, and what mremap took away.
  std::optional<std::uint64_t> unmapped_bytes{};
  /// Most that brk moved the end of the heap up by since the stretch began.
  std::optional<std::uint64_t> break_bytes{};
  std::optional<std::uint64_t> switches{};
  std::optional<std::uint64_t> migrations{};
  /// Handlers of hardware interrupts that ran on top of the process, and their time; soft
  /// interrupts that follow them are not among them.
  std::optional<std::uint64_t> interrupts{};
  std::optional<std::uint64_t> interrupt_ns{};
  [[nodiscard]] bool operator==(const WindowUse&) const = default;
};

/// Figures of a whole process, in KiB as the kernel says them.
struct ProcessPages {
  std::uint64_t all_kib = 0;       ///< VmRSS
  std::uint64_t anon_kib = 0;      ///< RssAnon
  std::uint64_t file_kib = 0;      ///< RssFile
  std::uint64_t file_pmd_kib = 0;  ///< FilePmdMapped: files mapped in 2 MiB pages
  std::uint64_t peak_kib = 0;      ///< VmHWM
  [[nodiscard]] bool operator==(const ProcessPages&) const = default;
};

}  // namespace hashprof::record
