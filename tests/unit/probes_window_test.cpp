// SPDX-License-Identifier: MIT
// Catches a witness that misses what the kernel did to a process in a stretch, or takes what it did
// before, after, or to another process for it.
#include "probes/window_probe.h"

#include <gtest/gtest.h>
#include <sched.h>

#include <algorithm>
#include <optional>

#include "probes_support.h"

namespace hashprof::probes {
namespace {

class WindowProbeTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { opened() = WindowProbe::open(); }
  static void TearDownTestSuite() { opened() = {}; }

  void SetUp() override {
    if (!opened().probe) {
      GTEST_SKIP() << opened().reason;
    }
  }

  [[nodiscard]] static WindowProbe& probe() { return *opened().probe; }

  /// Lets a puppet act while it is watched; its switches by getrusage.
  std::uint64_t watch(const std::string& act) {
    Puppet puppet(act, probe().window_fd());
    probe().watch(puppet.pid());
    return puppet.act();
  }

  /// Marks the test as skipped if the machine has no such figure.
  static void need(const std::string& figure) {
    for (const AbsentFigure& absent : probe().absent()) {
      if (absent.figure == figure) {
        GTEST_SKIP() << absent.figure << ": " << absent.reason;
      }
    }
  }

 private:
  static WindowProbe::Opened& opened() {
    static WindowProbe::Opened opened;
    return opened;
  }
};

TEST_F(WindowProbeTest, counts_a_fault_for_each_page_that_is_touched) {
  need("page_faults");
  if (IsSkipped()) {
    return;
  }
  watch("touch");
  EXPECT_EQ(probe().read(kFirst).use.page_faults, 10U);
  EXPECT_EQ(probe().read(kSecond).use.page_faults, 4U);
}

TEST_F(WindowProbeTest, sees_anonymous_memory_grow_to_the_page) {
  need("anon_growth_bytes");
  if (IsSkipped()) {
    return;
  }
  watch("touch");
  EXPECT_EQ(probe().read(kFirst).use.anon_growth_bytes, 10U * 4096U);
  // 10 pages went before 4 came: never more than at the begin.
  EXPECT_EQ(probe().read(kSecond).use.anon_growth_bytes, 0U);
}

TEST_F(WindowProbeTest, sees_the_pages_of_a_file_that_are_mapped) {
  need("file_growth_bytes");
  if (IsSkipped()) {
    return;
  }
  watch("file");
  EXPECT_EQ(probe().read(kFirst).use.file_growth_bytes, 8U * 4096U);
  EXPECT_EQ(probe().read(kFirst).use.anon_growth_bytes, 0U);
}

TEST_F(WindowProbeTest, adds_up_what_was_mapped_and_given_back) {
  need("mapped_bytes");
  if (IsSkipped()) {
    return;
  }
  watch("map");
  const record::WindowUse first = probe().read(kFirst).use;
  EXPECT_EQ(first.mapped_bytes, 12288U);
  EXPECT_EQ(first.mapped_calls, 1U);
  EXPECT_EQ(first.unmapped_bytes, 0U);
  EXPECT_EQ(first.break_bytes, 0U);
  const record::WindowUse second = probe().read(kSecond).use;
  EXPECT_EQ(second.mapped_bytes, 4096U);
  EXPECT_EQ(second.mapped_calls, 1U);
  EXPECT_EQ(second.unmapped_bytes, 16384U);
}

TEST_F(WindowProbeTest, knows_how_far_the_heap_moved_up) {
  need("break_bytes");
  if (IsSkipped()) {
    return;
  }
  watch("break");
  EXPECT_EQ(probe().read(kFirst).use.break_bytes, 8192U);
  EXPECT_EQ(probe().read(kFirst).use.mapped_bytes, 0U);
}

TEST_F(WindowProbeTest, counts_the_switches_that_getrusage_counts) {
  need("switches");
  if (IsSkipped()) {
    return;
  }
  const std::uint64_t switches = watch("nap");
  EXPECT_GE(switches, 3U);
  EXPECT_EQ(probe().read(kFirst).use.switches, switches);
}

TEST_F(WindowProbeTest, counts_migrations) {
  need("migrations");
  if (IsSkipped()) {
    return;
  }
  cpu_set_t cpus;
  ASSERT_EQ(::sched_getaffinity(0, sizeof cpus, &cpus), 0);
  if (CPU_COUNT(&cpus) < 2) {
    GTEST_SKIP() << "needs two processors";
  }
  watch("migrate");
  EXPECT_EQ(probe().read(kFirst).use.migrations, 6U);
}

TEST_F(WindowProbeTest, counts_interrupts_and_their_time) {
  need("interrupts");
  if (IsSkipped()) {
    return;
  }
  watch("spin");
  const record::WindowUse use = probe().read(kFirst).use;
  ASSERT_TRUE(use.interrupts && use.interrupt_ns);
  EXPECT_GT(*use.interrupts, 0U);
  EXPECT_GT(*use.interrupt_ns, 0U);
  EXPECT_LT(*use.interrupt_ns, 50'000'000U);
}

/// Zeros, but for the figures that the machine lacks.
record::WindowUse nothing(const WindowProbe& probe) {
  return probe.read(HASHPROF_STRETCH_LOAD).use;
}

TEST_F(WindowProbeTest, counts_nothing_outside_a_stretch) {
  watch("outside");
  const record::WindowUse none = nothing(probe());
  EXPECT_EQ(none.switches.value_or(0), 0U);
  EXPECT_EQ(none.mapped_bytes.value_or(0), 0U);
  for (std::uint32_t stretch = 2; stretch < HASHPROF_STRETCHES; ++stretch) {
    ASSERT_EQ(probe().read(stretch).use, none) << stretch;
  }
}

TEST_F(WindowProbeTest, counts_no_other_process_that_writes_the_same_flag) {
  Puppet other("touch", probe().window_fd());
  const Puppet watched("outside", probe().window_fd());
  probe().watch(watched.pid());
  other.act();
  EXPECT_EQ(probe().read(kFirst).use, nothing(probe()));
}

TEST_F(WindowProbeTest, forgets_what_it_saw_of_the_process_before) {
  watch("map");
  watch("outside");
  EXPECT_EQ(probe().read(kFirst).use, nothing(probe()));
  watch("map");
  probe().reset();
  EXPECT_EQ(probe().read(kFirst).use, nothing(probe()));
}

TEST_F(WindowProbeTest, has_a_reason_for_each_figure_that_is_absent) {
  for (const AbsentFigure& absent : probe().absent()) {
    EXPECT_NE(absent.reason, "") << absent.figure;
    RecordProperty(absent.figure, absent.reason);
  }
  EXPECT_EQ(probe().read(kFirst).absent, probe().absent());
}

}  // namespace
}  // namespace hashprof::probes
