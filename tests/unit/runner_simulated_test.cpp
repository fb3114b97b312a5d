// SPDX-License-Identifier: MIT
// Catches simulated figures that depend on anything but scenario, seed and job, or that claim
// cycles where the scenario has none.
#include <gtest/gtest.h>

#include "base/error.h"
#include "json/value.h"
#include "runner/taint.h"
#include "runner_support.h"

namespace hashprof::runner {
namespace {

Job job_of(std::uint32_t process) {
  Job job = trial_of("good");
  job.process = process;
  job.calls = 1000;
  return job;
}

std::string text_of(const record::Observation& observation) {
  return json::write_compact(record::to_json(observation));
}

TEST(SimulatedMeter, gives_the_same_whatever_was_measured_before) {
  const auto first = make_simulated_meter("quiet,7");
  const auto second = make_simulated_meter("quiet,7");
  const std::string alone = text_of(first->measure(job_of(3)));
  static_cast<void>(second->measure(job_of(1)));
  static_cast<void>(second->measure(job_of(2)));
  EXPECT_EQ(text_of(second->measure(job_of(3))), alone);
  EXPECT_EQ(second->now_utc(), "2026-01-01T00:00:00Z");
}

TEST(SimulatedMeter, differs_by_seed_and_by_process) {
  const auto one = make_simulated_meter("quiet");
  const auto two = make_simulated_meter("quiet,2");
  EXPECT_EQ(one->simulation(), "quiet, seed 1");
  EXPECT_EQ(two->simulation(), "quiet, seed 2");
  EXPECT_NE(one->measure(job_of(1)).cycles, two->measure(job_of(1)).cycles);
  EXPECT_NE(one->measure(job_of(1)).cycles, one->measure(job_of(2)).cycles);
}

TEST(SimulatedMeter, counts_cycles_of_2_5_GHz_in_a_quiet_world) {
  const record::Observation seen = make_simulated_meter("quiet")->measure(job_of(1));
  ASSERT_TRUE(seen.cycles && seen.instructions);
  EXPECT_EQ(seen.calls, 1000U);
  EXPECT_EQ(seen.read_method, "simulated");
  const std::uint64_t all_cycles = seen.cycles.value_or(0);
  EXPECT_NEAR(static_cast<double>(all_cycles) / static_cast<double>(seen.elapsed_ns), 2.5, 1e-4);
  ASSERT_EQ(seen.slices.size(), 16U);
  std::uint64_t cycles = 0;
  std::uint64_t calls = 0;
  for (const record::Slice& slice : seen.slices) {
    cycles += slice.cycles.value_or(0);
    calls += slice.calls;
  }
  EXPECT_EQ(cycles, all_cycles);
  EXPECT_EQ(calls, 1000U);
}

TEST(SimulatedMeter, keeps_the_processes_of_a_cell_within_half_a_percent) {
  const auto meter = make_simulated_meter("quiet");
  double least = 1e300;
  double most = 0;
  for (std::uint32_t process = 0; process < 50; ++process) {
    const double ns = meter->measure(job_of(process)).call_ns();
    least = std::min(least, ns);
    most = std::max(most, ns);
  }
  EXPECT_LT(most / least, 1.0085);
  EXPECT_GT(most / least, 1.0005);
}

TEST(SimulatedMeter, costs_more_for_a_longer_message_of_the_same_build) {
  const auto meter = make_simulated_meter("quiet");
  const Job small = job_of(1);
  Job large = job_of(1);
  large.cell = "fixture/good/hash_65536";
  large.message_bytes = 65536;
  const double ratio = meter->measure(large).call_ns() / meter->measure(small).call_ns();
  EXPECT_GT(ratio, 100);
  EXPECT_LT(ratio, 1024 * 1.02);
}

TEST(SimulatedMeter, has_time_only_without_a_pmu) {
  const record::Observation seen = make_simulated_meter("no-pmu")->measure(job_of(1));
  EXPECT_FALSE(seen.cycles);
  EXPECT_FALSE(seen.instructions);
  EXPECT_FALSE(seen.slices[0].cycles);
  EXPECT_GT(seen.elapsed_ns, 0U);
  EXPECT_EQ(seen.read_method, "none");
  EXPECT_EQ(seen.cycles_reason,
            "no hardware PMU on this machine (virtual machine?): cycles cannot be counted "
            "(ENOENT)");
}

TEST(SimulatedMeter, is_disturbed_in_some_attempts_of_a_noisy_world_and_in_all_of_some_processes) {
  const auto meter = make_simulated_meter("noisy");
  std::size_t disturbed = 0;
  std::size_t given_up = 0;
  for (std::uint32_t process = 0; process < 100; ++process) {
    std::size_t in_vain = 0;
    for (std::uint32_t attempt = 1; attempt <= 3; ++attempt) {
      Job job = job_of(process);
      job.calls = 500'000;
      job.attempt = attempt;
      const record::Observation seen = meter->measure(job);
      EXPECT_TRUE(seen.cycles.has_value());
      in_vain += find_disturbances(seen).empty() ? 0U : 1U;
    }
    disturbed += in_vain;
    given_up += in_vain == 3 ? 1U : 0U;
  }
  EXPECT_GT(disturbed, 60U);
  EXPECT_LT(disturbed, 140U);
  EXPECT_GT(given_up, 3U);
  EXPECT_LT(given_up, 25U);
}

TEST(SimulatedMeter, is_never_disturbed_in_a_quiet_world) {
  const auto meter = make_simulated_meter("quiet");
  for (std::uint32_t process = 0; process < 100; ++process) {
    EXPECT_TRUE(find_disturbances(meter->measure(job_of(process))).empty());
  }
}

TEST(SimulatedMeter, calibrates_for_the_wanted_time) {
  Job job = job_of(1);
  job.phase = "calibrate";
  job.calibration = {50'000'000};
  const record::Observation seen = make_simulated_meter("quiet")->measure(job);
  EXPECT_NEAR(static_cast<double>(seen.elapsed_ns), 50e6, 1e6);
}

void expect_refusal(const std::string& spec, const char* text) {
  try {
    static_cast<void>(make_simulated_meter(spec));
    FAIL() << "took " << spec;
  } catch (const Error& error) {
    EXPECT_EQ(error.render(), text);
    EXPECT_EQ(error.fault(), Fault::usage);
  }
}

TEST(SimulatedMeter, refuses_what_it_does_not_know) {
  expect_refusal(
      "loud",
      "hashprof: error: --simulate: unknown scenario 'loud'\n"
      "  hint: scenarios: quiet (counts cycles), noisy (counts cycles, is disturbed), no-pmu (time "
      "only)\n");
  expect_refusal("quiet,x",
                 "hashprof: error: --simulate: the seed 'x' is not a whole number\n"
                 "  hint: for example --simulate=quiet,7\n");
}

}  // namespace
}  // namespace hashprof::runner
