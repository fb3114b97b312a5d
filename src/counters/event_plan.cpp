// SPDX-License-Identifier: MIT
// See counters/event_plan.h.
#include "counters/event_plan.h"

#include <linux/perf_event.h>

#include <array>
#include <charconv>
#include <optional>

#include "base/file.h"
#include "base/text.h"
#include "counters/core_pmu.h"

namespace hashprof::counters {

namespace {

constexpr unsigned kExtendedTypeShift = 32;  // PERF_PMU_TYPE_SHIFT, not in older headers
constexpr std::uint64_t kLong = 1U;          // config1 of armv8 PMUs: 64-bit counter
constexpr std::uint64_t kUserAccess = 2U;    // config1 of armv8 PMUs: user-space reads

bool has_user_access(const std::filesystem::path& root) {
  const auto text = find_file_text(root / "proc/sys/kernel/perf_user_access");
  return text && text::trim(*text) == "1";
}

PlannedEvent generic_event(std::uint64_t event, const CorePmu& pmu) {
  PlannedEvent planned;
  planned.type = PERF_TYPE_HARDWARE;
  planned.config = event;
  if (pmu.has_siblings && pmu.type) {
    planned.config |= std::uint64_t{*pmu.type} << kExtendedTypeShift;
  }
  planned.config1 = {0};
  return planned;
}

/// The event under the first of its two names that the PMU lists.
std::optional<std::uint64_t> find_config(const std::filesystem::path& root, const CorePmu& pmu,
                                         const std::array<const char*, 2>& names) {
  for (const char* name : names) {
    if (const auto config = find_event_config(root, pmu.name, name)) {
      return config;
    }
  }
  return std::nullopt;
}

PlannedEvent own_event(const CorePmu& pmu, std::uint64_t config, bool is_readable) {
  PlannedEvent planned;
  planned.type = pmu.type.value_or(0);
  planned.config = config;
  if (is_readable) {
    planned.config1 = {kLong | kUserAccess, kUserAccess, 0};
  } else {
    planned.config1 = {0};
  }
  return planned;
}

void plan_own_events(const std::filesystem::path& root, const CorePmu& pmu, EventPlan& plan) {
  const auto cycles = find_config(root, pmu, {"cpu_cycles", "cycles"});
  if (!cycles) {
    return;
  }
  const bool is_readable = pmu.name.rfind("armv", 0) == 0 && has_user_access(root);
  plan.cycles = own_event(pmu, *cycles, is_readable);
  const auto instructions = find_config(root, pmu, {"inst_retired", "instructions"});
  if (instructions) {
    plan.instructions = own_event(pmu, *instructions, is_readable);
  } else {
    plan.instructions = {};
    plan.instructions.missing =
        "instructions unavailable: the PMU " + pmu.name + " does not list the event inst_retired";
  }
}

std::string hex_text(std::uint64_t value) {
  std::array<char, 16> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value, 16).ptr;
  return "0x" + std::string(digits.data(), end);
}

std::string print_event(const std::string& name, const PlannedEvent& event) {
  if (!event.missing.empty()) {
    return name + ": not asked for (" + event.missing + ")\n";
  }
  std::vector<std::string> tries;
  tries.reserve(event.config1.size());
  for (const std::uint64_t config1 : event.config1) {
    tries.push_back(hex_text(config1));
  }
  return name + ": type " + std::to_string(event.type) + ", config " + hex_text(event.config) +
         ", config1 " + text::join(tries, " else ") + "\n";
}

}  // namespace

EventPlan plan_events(const std::filesystem::path& root, std::uint32_t core,
                      const std::string& architecture) {
  const CorePmu pmu = find_core_pmu(root, core);
  EventPlan plan;
  plan.pmu = pmu.name;
  plan.pmu_reason = pmu.reason;
  plan.cycles = generic_event(PERF_COUNT_HW_CPU_CYCLES, pmu);
  plan.instructions = generic_event(PERF_COUNT_HW_INSTRUCTIONS, pmu);
  if (architecture == "aarch64" && pmu.type) {
    plan_own_events(root, pmu, plan);
  }
  return plan;
}

std::string print(const EventPlan& plan) {
  return "PMU: " + (plan.pmu.empty() ? "not known (" + plan.pmu_reason + ")" : plan.pmu) + "\n" +
         print_event("cycles", plan.cycles) + print_event("instructions", plan.instructions);
}

}  // namespace hashprof::counters
