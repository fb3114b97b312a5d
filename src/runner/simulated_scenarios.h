// SPDX-License-Identifier: MIT
// How long the calls of a simulated process take, and the median that an estimate of it must find.
// Pure, in whole numbers, so that it is the same on every machine.
#pragma once

#include <cstdint>
#include <optional>

#include "base/scenarios.h"
#include "runner/meter.h"

namespace hashprof::runner {

/// What a share is counted in: parts in a billion.
constexpr std::uint64_t kShareOfOne = 1'000'000'000;

/// Draw number `which` of the choices that `noise` stands for; well mixed.
[[nodiscard]] std::uint64_t simulated_draw(std::uint64_t noise, std::uint64_t which);

/// What all choices for the process of `job` follow from: scenario, seed, cell, phase, process and
/// attempt.
[[nodiscard]] std::uint64_t simulated_noise(Scenario scenario, std::uint64_t seed, const Job& job);

/// Cycles a call before anything is added: a fixed cost and a cost a byte, both of the build (the
/// cell's name up to its operation) and the seed; 2 to 5 % more where calls wait for each other.
[[nodiscard]] std::uint64_t simulated_call_cycles(std::uint64_t seed, const Job& job);

/// How long the calls of this process take, in parts of kShareOfOne of its plain cost. Processes
/// differ by -0.3 to +0.3 % evenly; in skewed by 0 to 1 % in half of them, by 1 to 2 % in a
/// quarter, by 2 to 3 % in an eighth and so on. In drifting it follows Job::ordinal, and stays at
/// the last planned one's after that.
[[nodiscard]] std::uint64_t simulated_share(Scenario scenario, const Job& job, std::uint64_t noise);

/// `value` × `share` / kShareOfOne, rounded down; `share` up to 18 × kShareOfOne.
[[nodiscard]] std::uint64_t take_share(std::uint64_t value, std::uint64_t share);

/// The median of simulated_share over all processes of a cell, divided by kShareOfOne. Empty where
/// a cell has none: in drifting it depends on the run, and in two-modes the whole gap is one.
[[nodiscard]] std::optional<double> true_median_share(Scenario scenario);

}  // namespace hashprof::runner
