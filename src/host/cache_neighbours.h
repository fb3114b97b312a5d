// SPDX-License-Identifier: MIT
// Which cores share what with a core (Documentation/ABI/testing/sysfs-devices-system-cpu of Linux):
// what runs on such a neighbour can slow the measured core down.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace hashprof::host {

struct CacheNeighbour {
  std::uint32_t cpu = 0;
  /// The nearest thing shared: "core" (a second thread of it), "L1", "L2", "L3".
  std::string shares;
  [[nodiscard]] bool operator==(const CacheNeighbour&) const = default;
};

/// Every other online CPU that shares its core or one of its caches with `core`, ascending. What
/// the files do not say in so many words is not known: a file that is missing or malformed adds no
/// neighbour, and no neighbours at all may mean a machine that does not tell (many virtual ones).
/// Caches behind the third level are not looked at.
[[nodiscard]] std::vector<CacheNeighbour> find_cache_neighbours(const std::filesystem::path& root,
                                                                std::uint32_t core);

/// Cores of `allowed` (ascending) of which no two are known to share anything nearer than L3: each
/// is taken unless one taken before it stands in its way. That is the largest such set wherever
/// sharing makes groups, as caches do.
[[nodiscard]] std::vector<std::uint32_t> choose_separate_cores(
    const std::filesystem::path& root, const std::vector<std::uint32_t>& allowed);

}  // namespace hashprof::host
