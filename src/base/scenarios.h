// SPDX-License-Identifier: MIT
// The scenarios of --simulate by name: the one list that the help, the message about an unknown one
// and the simulated meter (runner/simulated_scenarios.h) go by. hashprof(1) describes each of them.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace hashprof {

enum class Scenario {
  quiet,
  noisy,
  slow,
  bimodal,
  two_modes,
  skewed,
  drifting,
  no_pmu,
  zero_counter,
  multiplexed,
  wrapping,
};

struct ScenarioText {
  Scenario scenario = Scenario::quiet;
  std::string_view name;
  std::string_view what;
};

/// In the order of Scenario; the first is what --simulate alone means.
inline constexpr std::array<ScenarioText, 11> kScenarios{{
    {Scenario::quiet, "quiet", "cycles, and processes that agree"},
    {Scenario::noisy, "noisy", "some attempts are disturbed"},
    {Scenario::slow, "slow", "4 % of the processes take 1.5 times as long"},
    {Scenario::bimodal, "bimodal", "30 % of the processes take 12 % longer"},
    {Scenario::two_modes, "two-modes", "half of the processes of short messages take 4 % longer"},
    {Scenario::skewed, "skewed", "processes with a long tail of slow ones"},
    {Scenario::drifting, "drifting", "the speed falls by 20 % over the run"},
    {Scenario::no_pmu, "no-pmu", "time only"},
    {Scenario::zero_counter, "zero-counter", "the counter opens and reads 0"},
    {Scenario::multiplexed, "multiplexed", "the counter runs part of the time"},
    {Scenario::wrapping, "wrapping", "the counter goes backwards once in a process"},
}};

[[nodiscard]] inline std::optional<Scenario> find_scenario(std::string_view name) {
  const auto* const row = std::find_if(kScenarios.begin(), kScenarios.end(),
                                       [&](const ScenarioText& text) { return text.name == name; });
  return row == kScenarios.end() ? std::nullopt : std::optional(row->scenario);
}

/// "quiet (cycles, and processes that agree), noisy (...), ..." or the names alone.
[[nodiscard]] inline std::string list_scenarios(bool with_what) {
  std::string list;
  for (const ScenarioText& text : kScenarios) {
    list += list.empty() ? "" : ", ";
    list += text.name;
    if (with_what) {
      list += " (" + std::string(text.what) + ")";
    }
  }
  return list;
}

}  // namespace hashprof
