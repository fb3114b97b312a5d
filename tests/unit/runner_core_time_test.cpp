// SPDX-License-Identifier: MIT
// Catches ticks of the wrong core or the wrong columns, a neighbour whose time is not known but
// passes for idle, and a real process whose neighbours are not recorded.
#include "runner/core_time.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "base/file.h"
#include "host/host_facts.h"
#include "runner/hardware_meter.h"
#include "runner_support.h"

namespace hashprof::runner {
namespace {

using testing::IsEmpty;
using Neighbours = std::vector<record::Neighbour>;

constexpr const char* kStat =
    "cpu  9 9 9 9 9 9 9 99 9 9\ncpu1 1 2 3 40 50 6 7 18 0 0\ncpu11 1 2 3 4 5 6 7 28 9 9\nintr 5\n";

TEST(CoreTime, is_that_of_the_cores_own_line) {
  EXPECT_EQ(find_core_time(kStat, 1), (CoreTime{37, 127, 18}));
  EXPECT_EQ(find_core_time(kStat, 11), (CoreTime{47, 56, 28}));
}

TEST(CoreTime, is_not_known_without_eight_numbers) {
  EXPECT_EQ(find_core_time(kStat, 0), std::nullopt);
  EXPECT_EQ(find_core_time("", 0), std::nullopt);
  EXPECT_EQ(find_core_time("cpu0 1 2 3 4 5 6 7\n", 0), std::nullopt);
  EXPECT_EQ(find_core_time("cpu0 1 2 3 4 x 6 7 8\n", 0), std::nullopt);
  EXPECT_EQ(find_core_time("cpu0 1 2 3 4 -5 6 7 8\n", 0), std::nullopt);
}

TEST(StealBetween, is_the_difference_where_both_are_known) {
  EXPECT_EQ(find_steal_between("cpu0 1 1 1 1 1 1 1 7\n", "cpu0 1 1 1 1 1 1 1 9\n", 0), 2U);
  EXPECT_EQ(find_steal_between("cpu0 1 1 1 1 1 1 1 9\n", "cpu0 1 1 1 1 1 1 1 7\n", 0),
            std::nullopt);
  EXPECT_EQ(find_steal_between("", "cpu0 1 1 1 1 1 1 1 9\n", 0), std::nullopt);
  EXPECT_EQ(find_steal_between("cpu0 1 1 1 1 1 1 1 9\n", "", 0), std::nullopt);
}

TEST(NeighboursBetween, are_busy_for_what_is_neither_idle_nor_waiting_for_a_disk) {
  const std::string before = "cpu2 10 0 5 100 3 0 1 0 0 0\ncpu3 10 0 5 100 3 0 1 0 0 0\n";
  const std::string after = "cpu2 16 1 7 106 5 1 2 1 0 0\ncpu3 10 0 5 120 3 0 1 0 0 0\n";
  EXPECT_EQ(neighbours_between({{2, "core"}, {3, "L3"}}, before, after),
            (Neighbours{{2, "core", 12, 20}, {3, "L3", 0, 20}}));
}

TEST(NeighboursBetween, leave_out_what_is_not_known) {
  const std::string before =
      "cpu2 10 0 5 100 3 0 1 0\ncpu3 10 0 5 100 3 0 1 0\ncpu4 1 1 1 1 1 1 1\n";
  const std::string after = "cpu2 10 0 5 99 3 0 1 0\ncpu4 1 1 1 1 1 1 1\ncpu5 1 1 1 1 1 1 1 1\n";
  EXPECT_THAT(
      neighbours_between({{2, "L2"}, {3, "L2"}, {4, "L2"}, {5, "L2"}, {6, "L2"}}, before, after),
      IsEmpty());
  EXPECT_THAT(neighbours_between({}, before, before), IsEmpty());
}

/// A trial of 100 ms and more, whatever the speed of the machine.
Job long_trial() {
  Job job = trial_of("good");
  const record::Observation probe = measure(job);
  EXPECT_EQ(probe.outcome, record::Outcome::complete) << probe.detail;
  constexpr double kLong = 1.2e8;
  job.calls = static_cast<std::uint64_t>(kLong / std::max(1.0, probe.call_ns()));
  return job;
}

TEST(RealNeighbours, of_a_process_are_those_of_its_core) {
  const Job job = long_trial();
  const record::Observation o = measure(job);
  ASSERT_EQ(o.outcome, record::Outcome::complete) << o.detail;
  std::vector<host::CacheNeighbour> recorded;
  for (const record::Neighbour& neighbour : o.neighbours) {
    recorded.push_back({neighbour.cpu, neighbour.shares});
    EXPECT_GT(neighbour.total_ticks, 0U) << "CPU " << neighbour.cpu;
    EXPECT_LE(neighbour.busy_ticks, neighbour.total_ticks) << "CPU " << neighbour.cpu;
  }
  EXPECT_EQ(recorded, host::find_cache_neighbours("/", job.core));
}

// A virtual machine may tell of no cache at all: the ticks are held to reality on any other core.
TEST(RealNeighbours, have_ticks_over_a_tenth_of_a_second) {
  const Job job = long_trial();
  std::vector<host::CacheNeighbour> others;
  for (const std::uint32_t cpu : host::read_host("/", job.core).online_cpus) {
    others.push_back({cpu, "L3"});
  }
  if (others.empty()) {
    GTEST_SKIP() << "needs /sys/devices/system/cpu/online: this machine does not list its CPUs";
  }
  const std::string before = find_file_text("/proc/stat").value_or("");
  (void)measure(job);
  const Neighbours found =
      neighbours_between(others, before, find_file_text("/proc/stat").value_or(""));
  EXPECT_EQ(found.size(), others.size());
  std::uint64_t busy = 0;
  for (const record::Neighbour& neighbour : found) {
    EXPECT_GT(neighbour.total_ticks, 0U) << "CPU " << neighbour.cpu;
    busy += neighbour.busy_ticks;
  }
  EXPECT_GT(busy, 0U);
}

}  // namespace
}  // namespace hashprof::runner
