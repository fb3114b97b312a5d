// SPDX-License-Identifier: MIT
// What only the machine at work can tell: whether a core can be had, whether a counter counts,
// whether the clock stands still. Reads; changes nothing but this process's own affinity, which is
// given back.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runner/affinity.h"

namespace hashprof::runner {

/// Keeps this process on one core; gives the old set back on destruction.
class CorePin {
 public:
  /// Throws Error{environment} if the kernel refuses the core or runs the process elsewhere.
  explicit CorePin(std::uint32_t core);
  CorePin(const CorePin&) = delete;
  CorePin& operator=(const CorePin&) = delete;
  CorePin(CorePin&&) = delete;
  CorePin& operator=(CorePin&&) = delete;
  ~CorePin();

 private:
  CpuSet original_;
};

/// A counter of cycles over a loop of dependent additions.
struct CounterTrial {
  std::optional<std::uint64_t> cycles;  ///< of this process in user mode; empty = sentence says why
  std::uint64_t additions = 0;          ///< length of the loop
  std::string sentence;
  std::string remedy;
};
/// Opens, counts and closes. A refusal is a value. The event is what a worker on `core` opens; the
/// caller is pinned there.
[[nodiscard]] CounterTrial try_counter(std::uint32_t core);

/// Speed of a loop of dependent additions in windows of equal length.
struct RateWindows {
  bool are_cycles = false;    ///< rates are cycles a nanosecond, else additions a nanosecond
  std::vector<double> rates;  ///< one a window
};
/// 21 windows of 50 ms by CLOCK_MONOTONIC_RAW; cycles if `wants_cycles` and the counter counts
/// throughout.
[[nodiscard]] RateWindows measure_rates(std::uint32_t core, bool wants_cycles);

}  // namespace hashprof::runner
