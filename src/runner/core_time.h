// SPDX-License-Identifier: MIT
// What the cores did, as /proc/stat counts it (proc(5)), in ticks of 10 ms. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "host/cache_neighbours.h"
#include "record/observation.h"

namespace hashprof::runner {

/// Ticks of one core since boot.
struct CoreTime {
  std::uint64_t busy = 0;   ///< all of them but idle and waiting for a disk
  std::uint64_t total = 0;  ///< user, nice, system, idle, iowait, irq, softirq and steal
  std::uint64_t steal = 0;  ///< what the hypervisor took
  [[nodiscard]] bool operator==(const CoreTime&) const = default;
};

/// The ticks of `core` in the text of /proc/stat, or nothing if its "cpuN" line or a figure of it
/// is missing or no number.
[[nodiscard]] std::optional<CoreTime> find_core_time(std::string_view stat, std::uint32_t core);

/// Steal ticks between two texts of /proc/stat; nothing if either lacks them, or they went back.
[[nodiscard]] std::optional<std::uint64_t> find_steal_between(std::string_view before,
                                                              std::string_view after,
                                                              std::uint32_t core);

/// What each of `neighbours` did between two texts of /proc/stat, in their order. One whose ticks
/// are missing or went back (the kernel's idle time can) is left out: what it did is not known.
[[nodiscard]] std::vector<record::Neighbour> neighbours_between(
    const std::vector<host::CacheNeighbour>& neighbours, std::string_view before,
    std::string_view after);

}  // namespace hashprof::runner
