// SPDX-License-Identifier: MIT
// The mappings `measure` and `memory` of a campaign file. Private to the unit.
#pragma once

#include <cstdint>

#include "campaign/campaign.h"
#include "yaml/reader.h"

namespace hashprof::campaign {

/// Bounds of what a campaign may ask for, in the file and on the command line.
constexpr std::uint64_t kMaxMessage = 1U << 30U;  ///< bytes
constexpr std::size_t kMaxSizes = 4096;
constexpr std::uint64_t kMaxProcesses = 1000;

/// Lays what the mapping says over `measure`.
void read_measure(const yaml::Value& value, Measure& measure);
/// Lays what the mapping `memory` says over `memory`.
void read_memory(const yaml::Value& value, MemoryOptions& memory);
/// The preset `name`, which must be one of this version.
[[nodiscard]] const Preset* find_preset(const std::string& name);
/// Everything that a preset says, over what the campaign has.
void apply_preset(const Preset& preset, Campaign& campaign);

}  // namespace hashprof::campaign
