// SPDX-License-Identifier: MIT
// A whole simulated run in memory: its plan carried out by the schedule, and the values of its
// cells beside what they should be about.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/scenarios.h"
#include "campaign/campaign.h"
#include "plan/plan.h"
#include "record/observation.h"

namespace hashprof::runner {

struct SimulatedRun {
  Scenario scenario = Scenario::quiet;
  std::uint64_t seed = 1;  ///< of the scenario; the plan's is campaign.measure.seed
  campaign::Campaign campaign;
  plan::Plan plan;
  /// [cell]: the used trials, by process number.
  std::vector<std::vector<record::Observation>> trials;

  /// Cycles a call of the cell before a process has its share.
  [[nodiscard]] double plain_cycles(std::size_t cell) const;
  /// What the headline and the interval are made of: cycles a call of each process.
  [[nodiscard]] std::vector<double> values(std::size_t cell) const;
};

/// The sizes of the NGCC pages.
[[nodiscard]] std::vector<std::uint64_t> eight_sizes();

/// Plans `builds` (labels of one family) and carries the plan out.
[[nodiscard]] SimulatedRun run_simulation(Scenario scenario, std::uint64_t seed,
                                          const campaign::Campaign& campaign,
                                          const std::vector<std::string>& builds);

}  // namespace hashprof::runner
