// SPDX-License-Identifier: MIT
// Catches processes added where none disagree, or not where they do; single calls that are taken
// twice or never; a clock that fell unseen, and one that stays low repeated for ever.
#include <gtest/gtest.h>

#include <set>

#include "base/error.h"
#include "runner/schedule.h"

namespace hashprof::runner {
namespace {

/// Two cells, 3 processes each and up to 5 where they disagree.
class MoreTest : public ::testing::Test {
 protected:
  MoreTest() {
    campaign_.measure.sizes = {32, 64};
    campaign_.measure.processes = 3;
    campaign_.measure.max_processes = 5;
    campaign_.measure.percall = 50;
    plan::Build build;
    build.family_id = "f";
    build.label = "A";
    plan_ = plan::make_plan(campaign_, {build}, 0);
  }

  record::Observation observe(const Step& step, std::uint64_t call_ns) const {
    record::Observation o;
    o.cell = plan_.cell_name(step.cell);
    o.attempt = step.attempt;
    o.calls = step.is_calibration ? 100 : step.counts.calls;
    o.phase = "calibrate";
    if (!step.is_calibration) {
      const plan::Process& process = plan_.processes[step.process];
      o.phase = process.kind == plan::ProcessKind::percall ? "percall" : "trial";
      o.process = o.phase == "trial" ? process.block : 0;
    }
    o.slices = {{o.calls, std::nullopt, std::nullopt, o.calls * call_ns}};
    o.elapsed_ns = o.calls * call_ns;
    return o;
  }

  /// Runs to the end; `call_ns` says how long a call of a process takes. Returns the trials of a
  /// cell by name, and how often it was sampled under "<cell> percall".
  template <typename CallNs>
  std::map<std::string, std::size_t> run(Schedule& schedule, CallNs call_ns) {
    std::map<std::string, std::size_t> counts;
    while (const auto step = schedule.next()) {
      record::Observation o = observe(*step, 1000);
      o = observe(*step, call_ns(o));
      schedule.judge(o);
      schedule.add(o);
      if (o.phase != "calibrate") {
        ++counts[o.phase == "trial" ? o.cell : o.cell + " percall"];
      }
    }
    return counts;
  }

  campaign::Campaign campaign_;
  plan::Plan plan_;
};

using Count = std::map<std::string, std::size_t>;

TEST_F(MoreTest, a_quiet_run_takes_the_sure_processes_and_one_of_single_calls_a_cell) {
  Schedule schedule(campaign_, plan_, {true});
  EXPECT_EQ(run(schedule, [](const auto&) { return 1000U; }), (Count{{"f/A/hash_32", 3},
                                                                     {"f/A/hash_32 percall", 1},
                                                                     {"f/A/hash_64", 3},
                                                                     {"f/A/hash_64 percall", 1}}));
  EXPECT_EQ(schedule.planned_processes(), 8U);
  EXPECT_EQ(schedule.finished_processes(), 8U);
}

TEST_F(MoreTest, a_slow_process_brings_more_of_its_cell_only) {
  Schedule schedule(campaign_, plan_, {true});
  const auto counts = run(schedule, [](const record::Observation& o) {
    return o.cell == "f/A/hash_64" && o.phase == "trial" && o.process == 1 ? 1500U : 1000U;
  });
  EXPECT_EQ(counts.at("f/A/hash_32"), 3U);
  EXPECT_EQ(counts.at("f/A/hash_64"), 5U);
  EXPECT_EQ(schedule.planned_processes(), 10U);
}

TEST_F(MoreTest, more_processes_are_added_once_whatever_they_show) {
  Schedule schedule(campaign_, plan_, {true});
  const auto counts = run(schedule, [](const record::Observation& o) {
    return o.phase == "trial" && o.process > 1 ? 1500U : 1000U;
  });
  EXPECT_EQ(counts.at("f/A/hash_32"), 5U);
}

TEST_F(MoreTest, no_more_than_the_plan_has_where_both_numbers_are_equal) {
  campaign_.measure.max_processes = 3;
  plan_ = plan::make_plan(campaign_, {plan_.builds[0]}, 0);
  Schedule schedule(campaign_, plan_, {true});
  const auto counts = run(schedule, [](const record::Observation& o) {
    return o.phase == "trial" && o.process == 1 ? 1500U : 1000U;
  });
  EXPECT_EQ(counts.at("f/A/hash_32"), 3U);
}

TEST_F(MoreTest, single_calls_are_not_taken_where_none_are_asked_for) {
  campaign_.measure.percall = 0;
  plan_ = plan::make_plan(campaign_, {plan_.builds[0]}, 0);
  Schedule schedule(campaign_, plan_, {true});
  EXPECT_EQ(run(schedule, [](const auto&) { return 1000U; }).count("f/A/hash_32 percall"), 0U);
}

TEST_F(MoreTest, the_wish_for_more_does_not_depend_on_where_a_run_was_resumed) {
  Schedule first(campaign_, plan_, {true});
  std::vector<record::Observation> journal;
  while (const auto step = first.next()) {
    Schedule resumed(campaign_, plan_, {true});
    for (const auto& o : journal) {
      resumed.add(o);
    }
    const auto again = resumed.next();
    ASSERT_TRUE(again.has_value());
    EXPECT_EQ(again->process, step->process);
    EXPECT_EQ(resumed.planned_processes(), first.planned_processes());
    record::Observation o = observe(*step, 1000);
    o = observe(*step, o.phase == "trial" && o.process == 0 ? 700 : 1000);
    first.judge(o);
    first.add(o);
    journal.push_back(o);
  }
  // Each first trial is planned anew from its 700 ns, and fast beside the others.
  EXPECT_EQ(first.finished_processes(), 12U);
}

TEST_F(MoreTest, single_calls_of_a_cell_without_any_in_the_plan_are_refused) {
  campaign_.measure.percall = 0;
  plan_ = plan::make_plan(campaign_, {plan_.builds[0]}, 0);
  Schedule schedule(campaign_, plan_, {true});
  record::Observation o;
  o.cell = "f/A/hash_32";
  o.phase = "percall";
  EXPECT_THROW(schedule.add(o), Error);
}

/// Trials of one cell with counted cycles at clocks of our own.
class ClockTest : public MoreTest {
 protected:
  ClockTest() {
    campaign_.measure.sizes = {32};
    campaign_.measure.processes = campaign_.measure.max_processes = 9;
    campaign_.measure.percall = 0;
    plan_ = plan::make_plan(campaign_, {plan_.builds[0]}, 0);
  }

  /// Taints of a trial of 3000 cycles a call at `megahertz`.
  std::vector<std::string> measure(Schedule& schedule, std::uint64_t megahertz) {
    const auto step = schedule.next();
    record::Observation o = observe(*step, 3'000'000 / megahertz);
    o.cycles = o.elapsed_ns * megahertz / 1000;
    schedule.judge(o);
    schedule.add(o);
    return o.taints;
  }
};

TEST_F(ClockTest, a_step_down_is_a_disturbance_once_and_then_the_clock_of_the_machine) {
  Schedule schedule(campaign_, plan_, {true});
  measure(schedule, 3000);  // the calibration
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(measure(schedule, 3000).empty());
  }
  EXPECT_EQ(measure(schedule, 2000),
            std::vector<std::string>{"slow clock: 2.000 GHz, the processes before it 3.000 GHz"});
  EXPECT_TRUE(measure(schedule, 2000).empty());
  EXPECT_TRUE(measure(schedule, 2000).empty());
}

TEST_F(ClockTest, a_clock_within_5_percent_or_faster_is_none) {
  Schedule schedule(campaign_, plan_, {true});
  measure(schedule, 3000);
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(measure(schedule, 3000).empty());
  }
  EXPECT_TRUE(measure(schedule, 2860).empty());
  EXPECT_TRUE(measure(schedule, 3600).empty());
}

TEST_F(ClockTest, of_two_processes_neither_is_the_slow_one) {
  Schedule schedule(campaign_, plan_, {true});
  measure(schedule, 3000);
  EXPECT_TRUE(measure(schedule, 3000).empty());
  EXPECT_TRUE(measure(schedule, 3000).empty());
  EXPECT_TRUE(measure(schedule, 2000).empty());
}

}  // namespace
}  // namespace hashprof::runner
