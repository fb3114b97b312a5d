// SPDX-License-Identifier: MIT
// Catches a stop that is not heard while measuring, a process that outlives it, and a second
// signal that does not end hashprof at once.
#include "runner/signals.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <unistd.h>

#include <csignal>

#include "base/sys.h"
#include "runner/affinity.h"
#include "runner_support.h"

namespace hashprof::runner {
namespace {

void expect_stop_while_measuring(int number) {
  const pid_t parent = run_in_child([] {
    const SignalGuard guard;
    Job job = trial_of("endless");
    job.time_limit = {60'000'000'000};
    try {
      static_cast<void>(measure(job));
    } catch (const Interrupted& stop) {
      return children_of(::getpid()).empty() ? 128 + stop.number() : 1;
    }
    return 2;
  });
  const pid_t worker = find_loaded_worker(parent);
  ASSERT_GT(worker, 0);
  ASSERT_EQ(::kill(parent, number), 0);
  EXPECT_EQ(wait_for(parent), 128 + number);
  EXPECT_TRUE(is_gone_within_a_second(worker));
}

TEST(Stop, by_SIGINT_while_measuring_raises_Interrupted_and_leaves_no_process) {
  expect_stop_while_measuring(SIGINT);
}

TEST(Stop, by_SIGTERM_while_measuring_raises_Interrupted_and_leaves_no_process) {
  expect_stop_while_measuring(SIGTERM);
}

TEST(Stop, is_remembered_and_starts_no_further_process) {
  const SignalGuard guard;
  EXPECT_NO_THROW(throw_if_stopped());
  ASSERT_EQ(::raise(SIGTERM), 0);
  pollfd polled{stop_descriptor(), POLLIN, 0};
  EXPECT_EQ(::poll(&polled, 1, 0), 1);
  for (int i = 0; i < 2; ++i) {
    try {
      static_cast<void>(measure(trial_of("good")));
      FAIL() << "measured after a stop";
    } catch (const Interrupted& stop) {
      EXPECT_EQ(stop.number(), SIGTERM);
    }
  }
}

TEST(Stop, is_forgotten_with_its_guard) {
  {
    const SignalGuard guard;
    ASSERT_EQ(::raise(SIGTERM), 0);
    EXPECT_THROW(throw_if_stopped(), Interrupted);
  }
  EXPECT_EQ(stop_descriptor(), -1);
  EXPECT_NO_THROW(throw_if_stopped());
  EXPECT_STREQ(record::outcome_name(measure(trial_of("good")).outcome), "complete");
}

TEST(Stop, by_a_second_signal_ends_the_process_at_once) {
  const pid_t child = run_in_child([] {
    const SignalGuard guard;
    ::raise(SIGTERM);
    ::raise(SIGINT);
    return 0;
  });
  EXPECT_EQ(wait_for(child), 128 + SIGINT);
}

TEST(Stop, leaves_an_ignored_SIGHUP_ignored) {
  const pid_t child = run_in_child([] {
    ::signal(SIGHUP, SIG_IGN);
    const SignalGuard guard;
    ::raise(SIGHUP);
    throw_if_stopped();
    return 0;
  });
  EXPECT_EQ(wait_for(child), 0);
}

TEST(Core, is_left_to_the_worker_and_given_back) {
  const CpuSet before = CpuSet::read_own();
  {
    const CoreAvoidance avoidance(test_core());
    EXPECT_EQ(avoidance.is_shared(), before.count() == 1);
    EXPECT_EQ(CpuSet::read_own().has(test_core()), avoidance.is_shared());
  }
  EXPECT_EQ(CpuSet::read_own().words(), before.words());
}

TEST(Core, that_is_the_only_one_is_shared_and_said_so) {
  const pid_t child = run_in_child([] {
    CpuSet::of_core(test_core()).apply_to_self();
    const record::Observation seen = measure(trial_of("good"));
    return seen.outcome == record::Outcome::complete && seen.is_core_shared_with_parent ? 0 : 1;
  });
  EXPECT_EQ(wait_for(child), 0);
}

TEST(Core, beyond_1023_is_in_a_set_of_its_own) {
  const CpuSet set = CpuSet::of_core(2000);
  EXPECT_TRUE(set.has(2000));
  EXPECT_FALSE(set.has(1999));
  EXPECT_EQ(set.count(), 1U);
}

}  // namespace
}  // namespace hashprof::runner
