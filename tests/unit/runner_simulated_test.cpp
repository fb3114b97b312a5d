// SPDX-License-Identifier: MIT
// Catches simulated figures that depend on anything but scenario, seed and job, that claim cycles
// where the scenario has none or its counter is at fault, or whose true median is another one than
// the tests of the statistics go by.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.h"
#include "base/file.h"
#include "json/value.h"
#include "runner/simulated_scenarios.h"
#include "runner/taint.h"
#include "runner_support.h"
#include "stats/details.h"

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
  expect_refusal("loud", ("hashprof: error: --simulate: unknown scenario 'loud'\n"
                          "  hint: scenarios: " +
                          list_scenarios(true) + "\n")
                             .c_str());
  expect_refusal("quiet,x",
                 "hashprof: error: --simulate: the seed 'x' is not a whole number\n"
                 "  hint: for example --simulate=quiet,7\n");
}

TEST(SimulatedMeter, knows_every_scenario_of_the_list_by_its_name) {
  for (const ScenarioText& text : kScenarios) {
    const auto meter = make_simulated_meter(std::string(text.name) + ",7");
    EXPECT_EQ(meter->simulation(), std::string(text.name) + ", seed 7");
    EXPECT_EQ(find_scenario(text.name), text.scenario);
    EXPECT_GT(meter->measure(job_of(1)).elapsed_ns, 0U) << text.name;
  }
}

TEST(SimulatedMeter, the_manual_page_describes_every_scenario_of_the_list) {
  const std::string page =
      read_file(std::string(HASHPROF_SOURCE_DIR) + "/man/hashprof.1", Bytes{1U << 20U});
  for (const ScenarioText& text : kScenarios) {
    std::string name(text.name);
    if (const auto at = name.find('-'); at != std::string::npos) {
      name.insert(at, "\\");
    }
    EXPECT_NE(page.find(".IP \\fB" + name + "\\fR"), std::string::npos) << name;
  }
}

/// The shares of `count` processes of a scenario, ascending.
std::vector<double> shares_of(Scenario scenario, std::uint32_t count) {
  std::vector<double> shares;
  for (std::uint32_t process = 0; process < count; ++process) {
    const Job job = job_of(process);
    const std::uint64_t share = simulated_share(scenario, job, simulated_noise(scenario, 1, job));
    shares.push_back(static_cast<double>(share) / static_cast<double>(kShareOfOne));
  }
  std::sort(shares.begin(), shares.end());
  return shares;
}

/// How many of `shares` lie above `bound`, as a share of all.
double part_above(const std::vector<double>& shares, double bound) {
  const auto above =
      std::count_if(shares.begin(), shares.end(), [&](double share) { return share > bound; });
  return static_cast<double>(above) / static_cast<double>(shares.size());
}

TEST(SimulatedScenarios, half_of_all_processes_lie_above_the_true_median) {
  constexpr std::uint32_t kProcesses = 40'000;  // 4 standard errors of one half: 1 %
  for (const Scenario scenario :
       {Scenario::quiet, Scenario::slow, Scenario::bimodal, Scenario::skewed}) {
    const auto median = true_median_share(scenario);
    ASSERT_TRUE(median.has_value());
    EXPECT_NEAR(part_above(shares_of(scenario, kProcesses), *median), 0.5, 0.01);
  }
  EXPECT_NEAR(true_median_share(Scenario::slow).value_or(0), 1.000125, 1e-12);
  EXPECT_NEAR(true_median_share(Scenario::bimodal).value_or(0), 1 + 0.003 * 3 / 7, 1e-12);
  EXPECT_EQ(true_median_share(Scenario::skewed), 1.01);
  EXPECT_FALSE(true_median_share(Scenario::drifting).has_value());
  EXPECT_FALSE(true_median_share(Scenario::two_modes).has_value());
}

TEST(SimulatedScenarios, hold_the_parts_of_slow_processes_that_they_name) {
  constexpr std::uint32_t kProcesses = 40'000;
  EXPECT_NEAR(part_above(shares_of(Scenario::slow, kProcesses), 1.49), 0.04, 0.004);
  EXPECT_NEAR(part_above(shares_of(Scenario::bimodal, kProcesses), 1.11), 0.30, 0.01);
  EXPECT_NEAR(part_above(shares_of(Scenario::two_modes, kProcesses), 1.03), 0.50, 0.01);
  const std::vector<double> skewed = shares_of(Scenario::skewed, kProcesses);
  EXPECT_NEAR(part_above(skewed, 1.02), 0.25, 0.01);
  EXPECT_NEAR(part_above(skewed, 1.03), 0.125, 0.01);
  EXPECT_GT(skewed.back(), 1.1);
}

TEST(SimulatedScenarios, have_values_without_ties) {
  for (const Scenario scenario : {Scenario::quiet, Scenario::skewed}) {
    std::vector<double> shares = shares_of(scenario, 1000);
    EXPECT_LT(shares.end() - std::unique(shares.begin(), shares.end()), 3);
  }
}

TEST(SimulatedScenarios, two_modes_are_those_of_short_messages) {
  Job job = job_of(1);
  job.message_bytes = 129;
  for (std::uint32_t process = 0; process < 100; ++process) {
    job.process = process;
    EXPECT_LT(
        simulated_share(Scenario::two_modes, job, simulated_noise(Scenario::two_modes, 1, job)),
        kShareOfOne / 100 * 101);
  }
}

TEST(SimulatedScenarios, drift_by_a_fifth_from_the_first_process_to_the_last_planned_one) {
  Job job = job_of(1);
  job.planned = 101;
  const auto share_at = [&](std::uint64_t ordinal) {
    job.ordinal = ordinal;
    return static_cast<double>(simulated_share(Scenario::drifting, job, 12345)) /
           static_cast<double>(kShareOfOne);
  };
  const double first = share_at(0);
  EXPECT_NEAR(share_at(50) / first, 1 / 0.9, 1e-8);
  EXPECT_NEAR(share_at(100) / first, 1 / 0.8, 1e-8);
  EXPECT_EQ(share_at(200), share_at(100));
}

TEST(SimulatedScenarios, a_loop_of_calls_that_wait_for_each_other_takes_a_few_percent_more) {
  Job job = job_of(1);
  job.message_bytes = 4096;
  const auto plain = static_cast<double>(simulated_call_cycles(1, job));
  job.is_latency = true;
  job.cell += "__latency";
  const double ratio = static_cast<double>(simulated_call_cycles(1, job)) / plain;
  EXPECT_GT(ratio, 1.019);
  EXPECT_LT(ratio, 1.051);
}

/// No figure of cycles, and the reason that a real worker's result would give.
record::Observation expect_no_cycles(const std::string& scenario, const std::string& reason) {
  Job job = job_of(1);
  const record::Observation seen = make_simulated_meter(scenario)->measure(job);
  EXPECT_EQ(seen.outcome, record::Outcome::complete);
  EXPECT_FALSE(seen.cycles || seen.instructions || seen.first_call_cycles || seen.probe_cycles);
  for (const record::Slice& slice : seen.slices) {
    EXPECT_FALSE(slice.cycles || slice.instructions);
  }
  EXPECT_GT(seen.elapsed_ns, 0U);
  EXPECT_EQ(seen.read_method, "none");
  EXPECT_EQ(seen.cycles_reason, reason);
  EXPECT_EQ(seen.instructions_reason, reason);
  job.phase = "percall";
  EXPECT_FALSE(make_simulated_meter(scenario)->measure(job).percall.has_value());
  return seen;
}

TEST(SimulatedScenarios, a_counter_that_reads_0_gives_no_cycles) {
  expect_no_cycles("zero-counter", "the cycle counter read 0");
}

TEST(SimulatedScenarios, a_counter_that_goes_backwards_gives_no_cycles) {
  const record::Observation seen = expect_no_cycles("wrapping", "the cycle counter went backwards");
  EXPECT_TRUE(find_disturbances(seen).empty());
}

TEST(SimulatedScenarios, a_counter_that_runs_part_of_the_time_gives_no_cycles_and_a_taint) {
  const record::Observation seen = make_simulated_meter("multiplexed")->measure(job_of(1));
  const std::string part = "ran " + std::to_string(seen.time_running_ns) + " ns of " +
                           std::to_string(seen.time_enabled_ns) + " ns";
  EXPECT_LT(seen.time_running_ns, seen.time_enabled_ns);
  expect_no_cycles("multiplexed",
                   "the cycle counter " + part + " (multiplexed with another user's)");
  EXPECT_EQ(find_disturbances(seen),
            (std::vector<std::string>{"multiplexed: the counter " + part}));
}

stats::SingleCall single_call_of(const record::Percall& percall) {
  const auto figures =
      stats::summarize_single_calls(percall.empty, percall.samples, percall.doubled, percall.batch);
  return figures.value_or(stats::SingleCall{});
}

TEST(SimulatedMeter, samples_single_calls_in_a_batch_that_is_long_beside_an_empty_one) {
  Job job = job_of(0);
  job.phase = "percall";
  job.calls = 2000;
  for (const auto& [scenario, unit] : {std::pair{"quiet", "cycles"}, std::pair{"no-pmu", "ns"}}) {
    const record::Observation seen = make_simulated_meter(scenario)->measure(job);
    ASSERT_TRUE(seen.percall.has_value());
    const record::Percall& percall = *seen.percall;
    EXPECT_EQ(percall.unit, unit);
    EXPECT_EQ(percall.empty.size(), HASHPROF_EMPTY_SAMPLES);
    EXPECT_EQ(percall.samples.size(), 2000U);
    EXPECT_EQ(percall.doubled.size(), percall.batch > 1 ? 1000U : 0U);
    EXPECT_EQ(*std::min_element(percall.empty.begin(), percall.empty.end()), 38U);
    EXPECT_EQ(*std::max_element(percall.empty.begin(), percall.empty.end()), 42U);
    EXPECT_EQ(seen.calls, percall.batch * (2000 + 2 * percall.doubled.size()));
    const stats::SingleCall figures = single_call_of(percall);
    EXPECT_EQ(figures.empty, 40);
    EXPECT_GE(figures.read * static_cast<double>(percall.batch), 20 * 40 * 0.99);
    EXPECT_FALSE(figures.is_below_resolution);
    const double call = unit == std::string("ns") ? seen.call_ns()
                                                  : static_cast<double>(seen.cycles.value_or(0)) /
                                                        static_cast<double>(seen.calls);
    EXPECT_NEAR(figures.net / call, 1, 0.002);
    EXPECT_NEAR(figures.by_doubling.value_or(call) / call, 1, 0.005);
  }
}

TEST(SimulatedMeter, needs_no_batch_for_a_long_call) {
  Job job = job_of(0);
  job.phase = "percall";
  job.message_bytes = 4096;
  job.calls = 20;
  const auto percall = make_simulated_meter("quiet")->measure(job).percall;
  ASSERT_TRUE(percall.has_value());
  EXPECT_EQ(percall->batch, 1U);
  EXPECT_TRUE(percall->doubled.empty());
}

TEST(SimulatedMeter, gives_every_member_that_a_record_has) {
  const record::Observation seen = make_simulated_meter("quiet")->measure(job_of(1));
  ASSERT_TRUE(seen.first_call_cycles.has_value());
  EXPECT_NEAR(
      static_cast<double>(*seen.first_call_cycles) / static_cast<double>(seen.first_call_ns), 2.5,
      0.01);
  EXPECT_EQ(seen.probe_cycles, 1000U);
  EXPECT_TRUE(seen.findings.empty());
  EXPECT_TRUE(seen.neighbours.empty());
  EXPECT_EQ(seen.suspended_ns, 0U);
  EXPECT_EQ(seen.baseline_anon_huge_kib, 0U);
  EXPECT_EQ(seen.baseline_file_pmd_kib, 0U);
  EXPECT_NE(seen.addresses.heap, 0U);
  EXPECT_EQ(seen.addresses.heap % 16, 0U);
  EXPECT_FALSE(seen.percall.has_value());
}

}  // namespace
}  // namespace hashprof::runner
