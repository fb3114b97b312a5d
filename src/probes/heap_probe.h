// SPDX-License-Identifier: MIT
// The heap of one process by uprobes in its C library: the second witness, outside the process.
// bpf/heap.bpf.c counts. Nothing of the process but the flag of hashprof_window takes part in it.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <string>

#include "record/memory_use.h"

namespace hashprof::probes {

/// Counts what hashprof_heap (worker/protocol.h) says, of one process. Not thread safe. Its end
/// takes some 70 ms a breakpoint, more than a second in all, whether the process lives or not.
class HeapProbe {
 public:
  /// Either a probe, or why there is none, with what helps.
  struct Opened {
    std::unique_ptr<HeapProbe> probe;
    std::string reason;
  };
  /// Loads the programs; takes some 30 ms. A machine that refuses is a reason, never an exception.
  [[nodiscard]] static Opened open();

  HeapProbe(const HeapProbe&) = delete;
  HeapProbe& operator=(const HeapProbe&) = delete;
  HeapProbe(HeapProbe&&) = delete;
  HeapProbe& operator=(HeapProbe&&) = delete;
  ~HeapProbe();

  /// What the process maps shared and writes its stretch to: one page that holds a
  /// hashprof_window. Lives as long as the probe; the process needs no privilege for it.
  [[nodiscard]] int window_fd() const;

  /// Puts breakpoints into malloc and its family in the C library that `pid` maps, of that process
  /// only. Call once, after its exec and while it is in no function of them. Empty if it counts
  /// from now on, else why not; then there is no breakpoint.
  [[nodiscard]] std::string attach(pid_t pid);

  /// What the stretch (HASHPROF_STRETCH_..., not NONE) did so far; zeros of one that was not
  /// entered. In the stretch LOAD what returns to the dynamic loader is left out: its own calls,
  /// and the last one of a constructor where the compiler made a jump of it. Before attach() and
  /// for a process that did not write its stretch the figures mean nothing.
  [[nodiscard]] record::HeapUse read(std::uint32_t stretch) const;
  /// Why `lost` of a stretch is not 0; empty if it is.
  [[nodiscard]] std::string why_lost(std::uint32_t stretch) const;

 private:
  class Programs;
  explicit HeapProbe(std::unique_ptr<Programs> programs);
  std::unique_ptr<Programs> programs_;
};

}  // namespace hashprof::probes
