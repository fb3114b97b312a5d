// SPDX-License-Identifier: MIT
// Catches a clock that stepped between processes, or calls that got faster as they went on, and
// nobody is told; and a neighbour that is blamed although nothing is known of it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "record/agreement.h"

namespace hashprof::record {
namespace {

using testing::Contains;
using testing::ElementsAre;

constexpr std::uint64_t kCalls = 1000;
constexpr std::uint64_t kSlices = 10;

/// A trial whose calls take `call_ns` each and, where it counts, `call_cycles`.
Observation trial(std::uint64_t call_ns, std::optional<std::uint64_t> call_cycles = {}) {
  Observation o;
  o.calls = kCalls;
  o.elapsed_ns = kCalls * call_ns;
  o.addresses = {0, 256, 512, 1024, 2048};
  o.baseline_file_pmd_kib = 0;
  const auto cycles_of = [&](std::uint64_t calls) {
    return call_cycles ? std::optional(calls * *call_cycles) : std::nullopt;
  };
  o.cycles = cycles_of(kCalls);
  for (std::uint64_t i = 0; i < kSlices; ++i) {
    const std::uint64_t calls = kCalls / kSlices;
    o.slices.push_back({calls, cycles_of(calls), std::nullopt, calls * call_ns});
  }
  return o;
}

Trials trials_of(const std::vector<Observation>& observations) {
  Trials trials;
  for (const Observation& o : observations) {
    trials.push_back(&o);
  }
  return trials;
}

/// Nine processes, the last `slow` of which ran with a clock of 4/5: 2.5 GHz, then 2 GHz.
std::vector<Observation> step_of_the_clock(std::size_t slow, bool is_counting) {
  std::vector<Observation> observations;
  const auto cycles = is_counting ? std::optional<std::uint64_t>(1000) : std::nullopt;
  for (std::size_t i = 0; i < 9; ++i) {
    observations.push_back(trial(i < 9 - slow ? 400 : 500, cycles));
  }
  return observations;
}

TEST(ClockStep, between_processes_is_severe_in_times) {
  const auto observations = step_of_the_clock(4, false);
  const auto agreement = judge_cells({trials_of(observations)}).at(0);
  EXPECT_EQ(agreement.degree, stats::Degree::severe);
  EXPECT_TRUE(agreement.is_bimodal());
  ASSERT_EQ(agreement.slow.size(), 4U);
  EXPECT_EQ(agreement.slow[0].index, 5U);
  EXPECT_DOUBLE_EQ(agreement.slow[0].deviation, 0.25);
  ASSERT_TRUE(agreement.drift.has_value());
  EXPECT_DOUBLE_EQ(agreement.drift.value_or(0), 0.25);
}

TEST(ClockStep, before_the_last_process_makes_it_the_odd_one) {
  const auto observations = step_of_the_clock(1, false);
  const auto agreement = judge_cells({trials_of(observations)}).at(0);
  EXPECT_EQ(agreement.degree, stats::Degree::severe);
  EXPECT_FALSE(agreement.is_bimodal());
  EXPECT_THAT(explain(trials_of(observations), {8}), ElementsAre("throughout"));
}

TEST(ClockStep, leaves_cycles_as_they_are) {
  const auto observations = step_of_the_clock(4, true);
  EXPECT_THAT(headline_values(trials_of(observations)), testing::Each(1000.0));
  EXPECT_FALSE(judge_cells({trials_of(observations)}).at(0).has_outliers());
}

TEST(SliceDrift, of_calls_that_get_faster_as_they_go_on_is_seen) {
  std::vector<Observation> observations(3, trial(400));
  EXPECT_EQ(find_slice_drift(trials_of(observations)), std::nullopt);
  for (Observation& o : observations) {
    for (std::size_t i = 0; i < kSlices / 2; ++i) {
      o.slices[i].elapsed_ns = o.slices[i].elapsed_ns * 5 / 4;
    }
  }
  ASSERT_TRUE(find_slice_drift(trials_of(observations)).has_value());
  EXPECT_DOUBLE_EQ(find_slice_drift(trials_of(observations)).value_or(0), -0.2);
}

/// Three processes of which the second is slow, beside a CPU that did what `busy_ticks` says.
class BusyNeighbour : public ::testing::Test {
 protected:
  void set(const std::string& shares, const std::vector<std::uint64_t>& busy_ticks,
           std::uint64_t total_ticks) {
    for (std::size_t i = 0; i < busy_ticks.size(); ++i) {
      trials_[i].neighbours = {{5, shares, busy_ticks[i], total_ticks}};
    }
  }
  [[nodiscard]] std::vector<std::string> clauses() const {
    return explain(trials_of(trials_), {1});
  }

  std::vector<Observation> trials_{trial(400), trial(600), trial(401)};
};

TEST_F(BusyNeighbour, of_the_slow_process_alone_is_named) {
  set("L2", {1, 18, 0}, 30);
  EXPECT_THAT(clauses(), ElementsAre("throughout",
                                     "the only one while CPU 5, which shares L2, was busy (60 %)"));
  set("core", {0, 30, 0}, 30);
  EXPECT_THAT(clauses(),
              Contains("the only one while CPU 5, which shares its core, was busy (100 %)"));
}

TEST_F(BusyNeighbour, of_every_process_explains_nothing) {
  set("L2", {18, 18, 18}, 30);
  EXPECT_THAT(clauses(), ElementsAre("throughout"));
  set("L2", {0, 6, 0}, 30);  // a fifth is not busy
  EXPECT_THAT(clauses(), ElementsAre("throughout"));
}

TEST_F(BusyNeighbour, that_was_not_recorded_beside_another_process_is_not_taken_for_quiet) {
  set("L2", {0, 18, 0}, 30);
  trials_[2].neighbours.clear();
  EXPECT_THAT(clauses(), ElementsAre("throughout"));
}

TEST_F(BusyNeighbour, is_not_told_from_a_few_ticks) {
  set("L2", {0, 2, 0}, 4);
  EXPECT_THAT(clauses(), ElementsAre("throughout"));
  set("L2", {0, 2, 0}, 5);
  EXPECT_THAT(clauses(), Contains("the only one while CPU 5, which shares L2, was busy (40 %)"));
}

}  // namespace
}  // namespace hashprof::record
