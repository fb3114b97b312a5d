// SPDX-License-Identifier: MIT
// What is asked of perf_event_open for a core: decided from the files of the machine alone, so that
// every kind of machine can be tested anywhere.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace hashprof::counters {

/// Fields of perf_event_attr for one event. The worker adds size, pinned (leader), exclude_kernel,
/// exclude_hv and the read format.
struct PlannedEvent {
  std::uint32_t type = 0;
  std::uint64_t config = 0;
  /// Tried in this order where the kernel answers EOPNOTSUPP or EINVAL; at most three.
  std::vector<std::uint64_t> config1;
  std::string missing;  ///< why the event is not asked for; empty if it is
};

/// Both events of the group.
struct EventPlan {
  std::string pmu;         ///< name of the core's PMU; empty where generic events are asked for
  std::string pmu_reason;  ///< why generic ones of no named PMU; empty if there is a name
  PlannedEvent cycles;
  PlannedEvent instructions;
};

/// The events for `core` of a machine of `architecture` ("x86_64", "aarch64"), read below `root`.
/// x86: generic events, with the PMU's type in config bits 32 to 63 where several kinds of core
/// exist. AArch64: the PMU's own type and event numbers, because user-space reads need them, and
/// config1 bits 0 (64 bit) and 1 (user access) where kernel.perf_user_access is 1. An event that
/// the PMU does not list is not asked for: opened by number it would count nothing.
/// A core without a known PMU gets generic events. Never throws.
[[nodiscard]] EventPlan plan_events(const std::filesystem::path& root, std::uint32_t core,
                                    const std::string& architecture);

/// Stable text, a line an event; ends with a line break.
[[nodiscard]] std::string print(const EventPlan& plan);

}  // namespace hashprof::counters
