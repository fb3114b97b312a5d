// SPDX-License-Identifier: MIT
// What the kernel does to a process in a stretch of it, by BPF programs at tracepoints: a witness
// outside the process. bpf/window.bpf.c counts.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "record/memory_use.h"

namespace hashprof::probes {

/// A figure of record::WindowUse, by the name of its member, that there is none of.
struct AbsentFigure {
  std::string figure;
  std::string reason;
  [[nodiscard]] bool operator==(const AbsentFigure&) const = default;
};

struct WindowReading {
  record::WindowUse use;
  /// One for each figure that `use` has none of.
  std::vector<AbsentFigure> absent;
};

/// Watches one process after another. Its programs stay attached from open() to its end, and cost
/// every process of the machine 40 to 200 ns an event meanwhile: nothing may be timed under it.
/// Open it before what is watched is exec'ed: growth counts from sizes that were seen before. Not
/// thread safe. Its end takes some 0.1 s.
class WindowProbe {
 public:
  /// Either a probe, or why there is none, with what helps.
  struct Opened {
    std::unique_ptr<WindowProbe> probe;
    std::string reason;
  };
  /// Loads and attaches the programs; takes some 50 ms. A machine that refuses is a reason, never
  /// an exception. What the kernel lacks for single figures is in absent().
  [[nodiscard]] static Opened open();

  WindowProbe(const WindowProbe&) = delete;
  WindowProbe& operator=(const WindowProbe&) = delete;
  WindowProbe(WindowProbe&&) = delete;
  WindowProbe& operator=(WindowProbe&&) = delete;
  ~WindowProbe();

  /// What the process maps shared and writes its stretch to: one page that holds a
  /// hashprof_window. Lives as long as the probe; the process needs no privilege for it.
  [[nodiscard]] int window_fd() const;
  /// Forgets all figures, ends the stretch, and counts what `pid` and its threads do from now on.
  void watch(pid_t pid);
  /// Counts nothing from now on, and forgets all figures.
  void reset();
  /// What the stretch (HASHPROF_STRETCH_..., not NONE) of the watched process saw so far; zeros of
  /// one that was not entered.
  [[nodiscard]] WindowReading read(std::uint32_t stretch) const;
  /// Figures that this machine never has.
  [[nodiscard]] std::vector<AbsentFigure> absent() const;

 private:
  class Programs;
  explicit WindowProbe(std::unique_ptr<Programs> programs);
  std::unique_ptr<Programs> programs_;
};

}  // namespace hashprof::probes
