// SPDX-License-Identifier: MIT
// Catches a disturbed process that is believed, and an idle machine whose processes are thrown
// away.
#include "runner/taint.h"

#include <gtest/gtest.h>

namespace hashprof::runner {
namespace {

using Taints = std::vector<std::string>;

record::Observation quiet(std::uint64_t elapsed_ns = 250'000'000) {
  record::Observation o;
  o.elapsed_ns = elapsed_ns;
  o.time_enabled_ns = o.time_running_ns = elapsed_ns;
  o.steal_ticks = 0;
  return o;
}

TEST(Taint, is_none_in_a_process_with_a_few_switches_and_faults) {
  record::Observation o = quiet();
  o.involuntary_switches = 4;
  o.voluntary_switches = 1;
  o.minor_faults = 100;
  o.lost_ns = 1'250'000;  // exactly 0.5 %
  o.steal_ticks = 1;
  EXPECT_EQ(find_disturbances(o), Taints{});
}

TEST(Taint, is_time_off_the_CPU_beyond_half_a_percent) {
  record::Observation o = quiet();
  o.lost_ns = 1'250'001;
  EXPECT_EQ(find_disturbances(o), (Taints{"off the CPU: 1.25 ms of 250.00 ms (0.5 %)"}));
  o.lost_ns = 125'000'000;
  EXPECT_EQ(find_disturbances(o), (Taints{"off the CPU: 125.00 ms of 250.00 ms (50 %)"}));
}

TEST(Taint, needs_twenty_microseconds_whatever_their_share) {
  record::Observation o = quiet(1'000'000);
  o.lost_ns = 20'000;  // 2 %
  EXPECT_EQ(find_disturbances(o), Taints{});
  o.lost_ns = 20'001;
  EXPECT_EQ(find_disturbances(o), (Taints{"off the CPU: 0.02 ms of 1.00 ms (2 %)"}));
}

TEST(Taint, is_a_migration) {
  record::Observation o = quiet();
  o.migrations = 1;
  EXPECT_EQ(find_disturbances(o), (Taints{"migrated: 1 times to another core"}));
}

TEST(Taint, is_two_stolen_ticks_of_more_than_a_percent) {
  record::Observation o = quiet();
  o.steal_ticks = 2;
  EXPECT_EQ(find_disturbances(o),
            (Taints{"stolen by the hypervisor: 2 ticks of 10 ms in 250.00 ms"}));
  o = quiet(2'000'000'000);
  o.steal_ticks = 2;  // exactly 1 %
  EXPECT_EQ(find_disturbances(o), Taints{});
  o.steal_ticks = 3;
  EXPECT_EQ(find_disturbances(o),
            (Taints{"stolen by the hypervisor: 3 ticks of 10 ms in 2000.00 ms"}));
  o = quiet(1'000'000);
  o.steal_ticks = 1;  // the rounding of a tick
  EXPECT_EQ(find_disturbances(o), Taints{});
  o.steal_ticks = std::nullopt;
  EXPECT_EQ(find_disturbances(o), Taints{});
}

TEST(Taint, is_a_counter_that_did_not_run_all_the_time) {
  record::Observation o = quiet();
  --o.time_running_ns;
  EXPECT_EQ(find_disturbances(o),
            (Taints{"multiplexed: the counter ran 249999999 ns of 250000000 ns"}));
}

TEST(Taint, are_all_named) {
  record::Observation o = quiet();
  o.lost_ns = 10'000'000;
  o.migrations = 2;
  EXPECT_EQ(find_disturbances(o), (Taints{"off the CPU: 10.00 ms of 250.00 ms (4 %)",
                                          "migrated: 2 times to another core"}));
}

TEST(Taint, is_not_looked_for_in_a_process_that_failed) {
  record::Observation o = quiet();
  o.migrations = 2;
  o.outcome = record::Outcome::crashed;
  EXPECT_EQ(find_disturbances(o), Taints{});
  EXPECT_EQ(find_disturbances(record::Observation{}), Taints{});
}

TEST(Taint, of_a_cell_planned_anew_is_no_disturbance) {
  record::Observation o = quiet();
  EXPECT_FALSE(o.is_disturbed());
  o.taints = {"replanned: x"};
  EXPECT_FALSE(o.is_disturbed());
  EXPECT_FALSE(o.is_used());
  o.taints = {"off the CPU: x"};
  EXPECT_TRUE(o.is_disturbed());
  o.outcome = record::Outcome::crashed;
  EXPECT_FALSE(o.is_disturbed());
}

}  // namespace
}  // namespace hashprof::runner
