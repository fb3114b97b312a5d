// SPDX-License-Identifier: MIT
// Which PMU counts on a given core: hybrid x86 processors and big.LITTLE have one a kind of core.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace hashprof::counters {

/// The PMU device of a core, as below /sys/bus/event_source/devices.
struct CorePmu {
  std::string name;                   ///< "cpu", "cpu_atom", "armv8_pmuv3"; empty if none is known
  std::optional<std::uint32_t> type;  ///< of perf_event_attr; set if and only if there is a name
  bool has_siblings = false;          ///< the machine has core PMUs of other kinds too
  std::string reason;                 ///< why there is no name; empty if there is one
};

/// The PMU of `core`, read below `root`. A core PMU with a list of CPUs is of the cores on it, one
/// without (the only one of most x86 processors) is of all cores. A core that belongs to none, or
/// to several, has none. Never throws.
[[nodiscard]] CorePmu find_core_pmu(const std::filesystem::path& root, std::uint32_t core);

/// Whether `core` is on a list as the kernel writes it ("0-3,7"); false for any other text.
[[nodiscard]] bool is_listed(const std::string& list, std::uint32_t core);

/// The config that the device `name` gives an event under events/ ("event=0x11"): only the plain
/// field `event` is understood. Empty if there is no such event or it needs other fields.
[[nodiscard]] std::optional<std::uint64_t> find_event_config(const std::filesystem::path& root,
                                                             const std::string& name,
                                                             const std::string& event);

}  // namespace hashprof::counters
