// SPDX-License-Identifier: MIT
// Catches an order of processes in which a machine that drifts makes one build seem slower than
// the other: the same build under two names must compare as equal.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>

#include "runner/meter.h"
#include "runner/simulated_scenarios.h"
#include "simulation_support.h"
#include "stats/summary.h"

namespace hashprof::runner {
namespace {

constexpr std::size_t kSizes = 200;
constexpr std::uint32_t kProcesses = 9;
constexpr double kLostSpeed = 0.20;

campaign::Campaign campaign_of_many_sizes() {
  campaign::Campaign campaign;
  for (std::size_t size = 1; size <= kSizes; ++size) {
    campaign.measure.sizes.push_back(32 * size);
  }
  campaign.measure.processes = campaign.measure.max_processes = kProcesses;
  campaign.measure.percall = 0;
  return campaign;
}

double median_of(const std::vector<double>& values) {
  const auto summary = stats::summarize(values);
  return summary ? summary->median : 0;
}

/// B by A of each size. Two names have two invented costs: each value is divided by its own.
std::vector<double> ratios_of(const SimulatedRun& run,
                              const std::vector<std::vector<double>>& values) {
  std::vector<double> ratios;
  for (std::size_t a = 0; a < kSizes; ++a) {
    const std::size_t b = a + kSizes;
    EXPECT_EQ(run.plan.cells[a].message_bytes, run.plan.cells[b].message_bytes);
    ratios.push_back(median_of(values[b]) / run.plain_cycles(b) /
                     (median_of(values[a]) / run.plain_cycles(a)));
  }
  return ratios;
}

/// The values of the run's processes as they come in the plan's blocks.
std::vector<std::vector<double>> values_in_blocks(const SimulatedRun& run) {
  std::vector<std::vector<double>> values;
  for (std::size_t cell = 0; cell < run.plan.cells.size(); ++cell) {
    values.push_back(run.values(cell));
  }
  return values;
}

/// The values of the same processes, one cell after the other: all of A, then all of B.
std::vector<std::vector<double>> values_in_a_row(const SimulatedRun& run) {
  const auto meter = make_simulated_meter("drifting," + std::to_string(run.seed));
  std::vector<std::vector<double>> values(run.plan.cells.size());
  Job job;
  job.phase = "trial";
  job.planned = run.plan.cells.size() * kProcesses;
  for (std::size_t cell = 0; cell < run.plan.cells.size(); ++cell) {
    job.cell = run.plan.cell_name(cell);
    job.message_bytes = run.plan.cells[cell].message_bytes;
    for (const record::Observation& trial : run.trials[cell]) {
      job.process = trial.process;
      job.attempt = trial.attempt;
      job.calls = trial.calls;
      const record::Observation moved = meter->measure(job);
      values[cell].push_back(static_cast<double>(moved.cycles.value_or(0)) /
                             static_cast<double>(moved.calls));
      ++job.ordinal;
    }
  }
  return values;
}

TEST(Drift, does_not_make_one_of_two_equal_builds_slower) {
  const SimulatedRun run =
      run_simulation(Scenario::drifting, 1, campaign_of_many_sizes(), {"A", "B"});
  ASSERT_EQ(run.plan.cells.size(), 2 * kSizes);
  const double in_blocks = median_of(ratios_of(run, values_in_blocks(run)));
  const double in_a_row = median_of(ratios_of(run, values_in_a_row(run)));
  std::printf(
      "drifting: median B by A of equal builds over %zu sizes %.4f in randomised blocks, "
      "%.4f one build after the other\n",
      kSizes, in_blocks, in_a_row);
  EXPECT_NEAR(in_blocks, 1, 0.005);
  // The medians of the halves of the run lie at a quarter and at three quarters of it.
  EXPECT_NEAR(in_a_row, (1 - kLostSpeed / 4) / (1 - kLostSpeed * 3 / 4), 0.005);
}

}  // namespace
}  // namespace hashprof::runner
