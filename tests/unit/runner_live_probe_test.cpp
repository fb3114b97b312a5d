// SPDX-License-Identifier: MIT
// Catches a probe that leaves this process pinned, takes a core that it cannot have, or says
// neither what a counter counted nor why it did not.
#include "runner/live_probe.h"

#include <gtest/gtest.h>
#include <sched.h>

#include "base/error.h"

namespace hashprof::runner {
namespace {

std::uint32_t first_core(const CpuSet& set) {
  std::uint32_t core = 0;
  while (!set.has(core)) {
    ++core;
  }
  return core;
}

TEST(CorePin, keeps_this_process_on_the_core_and_gives_the_others_back) {
  const CpuSet before = CpuSet::read_own();
  const std::uint32_t core = first_core(before);
  {
    const CorePin pin(core);
    EXPECT_EQ(CpuSet::read_own().count(), 1U);
    EXPECT_TRUE(CpuSet::read_own().has(core));
    EXPECT_EQ(::sched_getcpu(), static_cast<int>(core));
  }
  EXPECT_EQ(CpuSet::read_own().words(), before.words());
}

TEST(CorePin, a_core_that_is_not_there_is_refused_and_nothing_changes) {
  const CpuSet before = CpuSet::read_own();
  try {
    const CorePin pin(8191);
    FAIL() << "pinned";
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::environment);
    EXPECT_STREQ(error.what(), "CPU 8191: sched_setaffinity: Invalid argument (EINVAL)");
  }
  EXPECT_EQ(CpuSet::read_own().words(), before.words());
}

TEST(CounterTrial, says_what_was_counted_or_why_nothing_was) {
  const CounterTrial trial = try_counter(0);
  if (trial.cycles.has_value()) {
    // A dependent addition takes a cycle; emulators that fold them are no cores.
    EXPECT_GE(*trial.cycles, trial.additions / 2);
    EXPECT_EQ(trial.sentence, "");
  } else {
    EXPECT_NE(trial.sentence, "");
  }
}

}  // namespace
}  // namespace hashprof::runner
