// SPDX-License-Identifier: MIT
// Catches a resumed run that measures twice, leaves out, or plans with other counts than the first.
#include "runner/schedule.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace hashprof::runner {
namespace {

class ScheduleTest : public ::testing::Test {
 protected:
  ScheduleTest() {
    campaign_.measure.sizes = {32, 64};
    campaign_.measure.processes = 2;
    campaign_.measure.max_processes = 2;
    campaign_.measure.percall = 0;
    plan::Build build;
    build.family_id = "f";
    build.label = "A";
    plan_ = plan::make_plan(campaign_, {build}, 0);
  }

  static record::Observation calibration(const std::string& cell, std::uint64_t call_ns) {
    record::Observation o;
    o.cell = cell;
    o.phase = "calibrate";
    o.calls = 30;
    o.slices = {{10, std::nullopt, std::nullopt, 10 * call_ns},
                {10, std::nullopt, std::nullopt, 10 * call_ns},
                {10, std::nullopt, std::nullopt, 90 * call_ns}};
    o.elapsed_ns = 110 * call_ns;
    return o;
  }

  record::Observation trial(const Step& step, std::uint64_t call_ns) const {
    record::Observation o;
    o.cell = plan_.cell_name(step.cell);
    o.phase = "trial";
    o.process = plan_.processes[step.process].block;
    o.attempt = step.attempt;
    o.calls = step.counts.calls;
    o.elapsed_ns = o.calls * call_ns;
    return o;
  }

  /// Judged and added as the runner does.
  static void finish(Schedule& schedule, record::Observation o, bool is_disturbed) {
    o.lost_ns = is_disturbed ? o.elapsed_ns / 2 : 0;
    schedule.judge(o);
    EXPECT_EQ(o.is_disturbed(), is_disturbed);
    schedule.add(o);
  }

  campaign::Campaign campaign_;
  plan::Plan plan_;
};

TEST_F(ScheduleTest, calibrates_every_cell_and_then_follows_the_plan) {
  Schedule schedule(campaign_, plan_, {true});
  for (const char* cell : {"f/A/hash_32", "f/A/hash_64"}) {
    const auto step = schedule.next();
    ASSERT_TRUE(step && step->is_calibration);
    EXPECT_EQ(plan_.cell_name(step->cell), cell);
    schedule.add(calibration(cell, 1000));
  }
  for (std::size_t i = 0; i < plan_.processes.size(); ++i) {
    const auto step = schedule.next();
    ASSERT_TRUE(step.has_value());
    EXPECT_EQ(step->process, i);
    EXPECT_EQ(step->counts.calls, 250000U);
    auto o = trial(*step, 1000);
    schedule.judge(o);
    EXPECT_TRUE(o.taints.empty());
    schedule.add(o);
  }
  EXPECT_FALSE(schedule.next().has_value());
  EXPECT_EQ(schedule.finished_processes(), 4U);
  EXPECT_FALSE(schedule.has_failures());
}

TEST_F(ScheduleTest, calibrates_by_the_median_slice) {
  EXPECT_EQ(calibrated_call_ns(calibration("c", 1000)), 1000.0);
}

TEST_F(ScheduleTest, plans_a_cell_anew_once_where_the_calibration_was_off) {
  Schedule schedule(campaign_, plan_, {true});
  schedule.add(calibration("f/A/hash_32", 1000));
  schedule.add(calibration("f/A/hash_64", 1000));
  const Step first = *schedule.next();
  auto o = trial(first, 1200);
  schedule.judge(o);
  ASSERT_EQ(
      o.taints,
      (std::vector<std::string>{"replanned: a call took 1200 ns, 20 % more than its calibration"}));
  schedule.add(o);
  const Step second = *schedule.next();
  EXPECT_EQ(second.process, first.process);
  EXPECT_EQ(second.attempt, 2U);
  EXPECT_EQ(second.counts.calls, 208333U);
  auto again = trial(second, 600);
  schedule.judge(again);
  EXPECT_TRUE(again.taints.empty()) << "planned anew twice";
}

TEST_F(ScheduleTest, does_not_plan_anew_where_the_counts_would_stay) {
  campaign_.measure.max_calls = 10;
  Schedule schedule(campaign_, plan_, {true});
  schedule.add(calibration("f/A/hash_32", 1000));
  schedule.add(calibration("f/A/hash_64", 1000));
  auto o = trial(*schedule.next(), 5000);
  schedule.judge(o);
  EXPECT_TRUE(o.taints.empty());
}

TEST_F(ScheduleTest, a_disturbed_process_is_tried_three_times_and_then_left) {
  Schedule schedule(campaign_, plan_, {true});
  schedule.add(calibration("f/A/hash_32", 1000));
  schedule.add(calibration("f/A/hash_64", 1000));
  const std::size_t process = schedule.next()->process;
  for (std::uint32_t attempt = 1; attempt <= 3; ++attempt) {
    const Step step = *schedule.next();
    EXPECT_EQ(step.process, process);
    EXPECT_EQ(step.attempt, attempt);
    EXPECT_EQ(step.counts.calls, 250000U) << "a disturbed trial changed the plan";
    EXPECT_EQ(schedule.finished_processes(), 0U);
    finish(schedule, trial(step, 2000), true);
  }
  EXPECT_NE(schedule.next()->process, process);
  EXPECT_EQ(schedule.finished_processes(), 1U);
  EXPECT_FALSE(schedule.has_failures());
}

TEST_F(ScheduleTest, a_process_that_is_quiet_at_last_is_used) {
  Schedule schedule(campaign_, plan_, {true});
  schedule.add(calibration("f/A/hash_32", 1000));
  schedule.add(calibration("f/A/hash_64", 1000));
  const Step first = *schedule.next();
  finish(schedule, trial(first, 1000), true);
  finish(schedule, trial(*schedule.next(), 1000), false);
  EXPECT_NE(schedule.next()->process, first.process);
  EXPECT_EQ(schedule.finished_processes(), 1U);
}

TEST_F(ScheduleTest, planning_anew_is_none_of_the_three_attempts) {
  Schedule schedule(campaign_, plan_, {true});
  schedule.add(calibration("f/A/hash_32", 1000));
  schedule.add(calibration("f/A/hash_64", 1000));
  const std::size_t process = schedule.next()->process;
  finish(schedule, trial(*schedule.next(), 1200), true);
  finish(schedule, trial(*schedule.next(), 1200), false);  // planned anew from the quiet one
  finish(schedule, trial(*schedule.next(), 1200), true);
  const Step last = *schedule.next();
  EXPECT_EQ(last.process, process);
  EXPECT_EQ(last.attempt, 4U);
  EXPECT_EQ(last.counts.calls, 208333U);
  finish(schedule, trial(last, 1200), true);
  EXPECT_NE(schedule.next()->process, process);
}

TEST_F(ScheduleTest, a_disturbed_calibration_is_repeated_and_the_third_used_as_it_is) {
  Schedule schedule(campaign_, plan_, {true});
  for (std::uint32_t attempt = 1; attempt <= 3; ++attempt) {
    const Step step = *schedule.next();
    ASSERT_TRUE(step.is_calibration);
    EXPECT_EQ(step.cell, 0U);
    EXPECT_EQ(step.attempt, attempt);
    auto o = calibration("f/A/hash_32", std::uint64_t{1000} * attempt);
    o.attempt = attempt;
    finish(schedule, o, true);
  }
  EXPECT_EQ(schedule.counts().at(0).calls, 83333U);
  EXPECT_EQ(schedule.next()->cell, 1U);
}

TEST_F(ScheduleTest, a_replayed_journal_of_a_noisy_machine_leads_to_the_same_next_step) {
  Schedule first(campaign_, plan_, {true});
  std::vector<record::Observation> journal;
  std::size_t disturbed = 0;
  for (std::uint64_t i = 0; const auto step = first.next(); ++i) {
    Schedule resumed(campaign_, plan_, {true});
    for (const auto& o : journal) {
      resumed.add(o);
    }
    const auto again = resumed.next();
    ASSERT_TRUE(again.has_value());
    EXPECT_EQ(again->is_calibration, step->is_calibration);
    EXPECT_EQ(again->process, step->process);
    EXPECT_EQ(again->attempt, step->attempt);
    EXPECT_EQ(again->counts.calls, step->counts.calls);
    EXPECT_EQ(resumed.finished_processes(), first.finished_processes());
    auto o = step->is_calibration ? calibration(plan_.cell_name(step->cell), 1000)
                                  : trial(*step, 1000 + 300 * (i % 2));
    o.attempt = step->attempt;
    o.lost_ns = i % 3 == 0 ? 0 : o.elapsed_ns / 10;
    first.judge(o);
    disturbed += o.is_disturbed() ? 1U : 0U;
    first.add(o);
    journal.push_back(o);
  }
  EXPECT_EQ(first.finished_processes(), 4U);
  EXPECT_GT(disturbed, 4U);
}

TEST_F(ScheduleTest, a_replayed_journal_leads_to_the_same_next_step) {
  Schedule first(campaign_, plan_, {true});
  std::vector<record::Observation> journal;
  for (std::uint64_t call_ns = 1000; const auto step = first.next(); call_ns += 150) {
    Schedule resumed(campaign_, plan_, {true});
    for (const auto& o : journal) {
      resumed.add(o);
    }
    const auto again = resumed.next();
    ASSERT_TRUE(again.has_value());
    EXPECT_EQ(again->is_calibration, step->is_calibration);
    EXPECT_EQ(again->process, step->process);
    EXPECT_EQ(again->attempt, step->attempt);
    EXPECT_EQ(again->counts.calls, step->counts.calls);
    auto o = step->is_calibration ? calibration(plan_.cell_name(step->cell), call_ns)
                                  : trial(*step, call_ns);
    first.judge(o);
    first.add(o);
    journal.push_back(o);
  }
  EXPECT_EQ(first.finished_processes(), 4U);
}

TEST_F(ScheduleTest, a_failed_cell_is_left_and_its_neighbour_goes_on) {
  Schedule schedule(campaign_, plan_, {true});
  auto crash = calibration("f/A/hash_32", 1000);
  crash.outcome = record::Outcome::crashed;
  schedule.add(crash);
  schedule.add(calibration("f/A/hash_64", 1000));
  std::size_t processes = 0;
  while (const auto step = schedule.next()) {
    EXPECT_EQ(plan_.cell_name(step->cell), "f/A/hash_64");
    schedule.add(trial(*step, 1000));
    ++processes;
  }
  EXPECT_EQ(processes, 2U);
  EXPECT_TRUE(schedule.has_failures());
}

TEST_F(ScheduleTest, a_build_that_may_not_be_timed_is_left_out) {
  Schedule schedule(campaign_, plan_, {false});
  EXPECT_FALSE(schedule.next().has_value());
  EXPECT_EQ(schedule.planned_processes(), 0U);
}

TEST_F(ScheduleTest, a_journal_of_another_plan_is_refused) {
  Schedule schedule(campaign_, plan_, {true});
  EXPECT_THROW(schedule.add(calibration("f/B/hash_32", 1)), Error);
  auto o = calibration("f/A/hash_32", 1);
  o.phase = "trial";
  o.process = 2;
  EXPECT_THROW(schedule.add(o), Error);
}

}  // namespace
}  // namespace hashprof::runner
