// SPDX-License-Identifier: MIT
// What the hypervisor took from a core, as /proc/stat counts it.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace hashprof::runner {

/// Steal ticks of `core` since boot in the text of /proc/stat (8th figure of its "cpuN" line), or
/// nothing if the line or the figure is missing.
[[nodiscard]] std::optional<std::uint64_t> find_steal_ticks(std::string_view stat,
                                                            std::uint32_t core);

}  // namespace hashprof::runner
