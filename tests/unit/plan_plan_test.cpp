// SPDX-License-Identifier: MIT
// Catches an order that is not balanced or not repeatable, and counts that break the design's rule.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "base/random.h"
#include "plan/plan.h"

namespace hashprof::plan {
namespace {

campaign::Campaign small_campaign() {
  campaign::Campaign campaign;
  campaign.name = "c";
  campaign.measure.sizes = {32, 4096};
  campaign.measure.processes = 3;
  campaign.measure.max_processes = 5;
  campaign.measure.percall = 100;
  return campaign;
}

std::vector<Build> two_builds() {
  Build a;
  a.family_id = "f";
  a.instance = a.label = "A";
  a.profile = "guide";
  a.compiler = "gcc";
  a.digest_bits = 256;
  Build b = a;
  b.instance = b.label = "B";
  return {a, b};
}

TEST(Random, follows_the_published_sequence) {
  // First outputs of SplitMix64 for the seed 1234567.
  Random random(1234567);
  EXPECT_EQ(random.next(), 6457827717110365317U);
  EXPECT_EQ(random.next(), 3203168211198807973U);
}

TEST(Random, below_reaches_every_value_and_no_other) {
  Random random(1);
  std::set<std::uint64_t> seen;
  for (int i = 0; i < 1000; ++i) {
    const std::uint64_t value = random.below(7);
    ASSERT_LT(value, 7U);
    seen.insert(value);
  }
  EXPECT_EQ(seen.size(), 7U);
}

TEST(Plan, each_block_holds_one_process_of_every_cell) {
  const Plan plan = make_plan(small_campaign(), two_builds(), 1);
  ASSERT_EQ(plan.cells.size(), 4U);
  ASSERT_EQ(plan.processes.size(), 12U + 4U + 8U);
  std::set<std::vector<std::size_t>> orders;
  for (std::uint32_t block = 0; block < 3; ++block) {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_EQ(plan.processes[block * 4 + i].block, block);
      order.push_back(plan.processes[block * 4 + i].cell);
    }
    orders.insert(order);
    std::sort(order.begin(), order.end());
    EXPECT_EQ(order, (std::vector<std::size_t>{0, 1, 2, 3}));
  }
  EXPECT_GT(orders.size(), 1U) << "blocks are not shuffled apart";
  EXPECT_EQ(plan.cell_name(3), "f/B/hash_4096");
}

TEST(Plan, single_calls_come_after_the_sure_blocks_and_the_other_blocks_last) {
  campaign::Campaign campaign = small_campaign();
  campaign.measure.sizes = {0, 32, 4096};
  campaign.measure.modes = {campaign::Mode::throughput, campaign::Mode::latency};
  campaign.measure.latency_up_to = 32;
  const Plan plan = make_plan(campaign, two_builds(), 1);
  ASSERT_EQ(plan.cells.size(), 8U);
  EXPECT_EQ(plan.cell_name(3), "f/A/hash_32__latency");
  std::vector<ProcessKind> kinds;
  std::set<std::size_t> sampled;
  for (const Process& process : plan.processes) {
    if (kinds.empty() || kinds.back() != process.kind) {
      kinds.push_back(process.kind);
    }
    if (process.kind == ProcessKind::percall) {
      EXPECT_EQ(plan.cells[process.cell].mode, campaign::Mode::throughput);
      EXPECT_TRUE(sampled.insert(process.cell).second);
    }
    if (process.kind == ProcessKind::more) {
      EXPECT_GE(process.block, 3U);
    }
  }
  EXPECT_EQ(kinds, (std::vector<ProcessKind>{ProcessKind::trial, ProcessKind::percall,
                                             ProcessKind::more}));
  EXPECT_EQ(sampled.size(), 6U);
  EXPECT_EQ(plan.processes.size(), 3U * 8U + 6U + 2U * 8U);
}

TEST(Plan, samples_fit_the_time_of_a_trial_and_are_nine_at_least) {
  campaign::Campaign campaign = small_campaign();
  campaign.measure.percall = 10'000;
  EXPECT_EQ(derive_counts(campaign, 1000.0).samples, 10'000U);
  EXPECT_EQ(derive_counts(campaign, 1e6).samples, 250U);
  EXPECT_EQ(derive_counts(campaign, 1e9).samples, 9U);
  campaign.measure.percall = 5;
  EXPECT_EQ(derive_counts(campaign, 1e9).samples, 5U);
  campaign.measure.percall = 0;
  EXPECT_EQ(derive_counts(campaign, 1000.0).samples, 0U);
}

TEST(Plan, offsets_are_cache_lines_within_a_page) {
  for (const Process& process : make_plan(small_campaign(), two_builds(), 1).processes) {
    EXPECT_EQ(process.message_offset % 64, 0U);
    EXPECT_LT(process.message_offset, 4096U);
    EXPECT_EQ(process.digest_offset % 64, 0U);
    EXPECT_LT(process.digest_offset, 4096U);
    EXPECT_LT(process.env_padding, 4096U);
  }
}

TEST(Plan, another_seed_gives_another_order_and_the_same_seed_the_same_text) {
  campaign::Campaign campaign = small_campaign();
  const std::string first = print(campaign, make_plan(campaign, two_builds(), 1), {});
  EXPECT_EQ(print(campaign, make_plan(campaign, two_builds(), 1), {}), first);
  campaign.measure.seed = 2;
  EXPECT_NE(print(campaign, make_plan(campaign, two_builds(), 1), {}), first);
}

TEST(Counts, fill_the_trial_and_never_fall_below_the_guides_hundred) {
  campaign::Campaign campaign = small_campaign();
  campaign.measure.processes = 9;
  EXPECT_EQ(derive_counts(campaign, 1000.0).calls, 250000U);
  // ceil(100 / 9) = 12 calls although one alone fills the trial.
  EXPECT_EQ(derive_counts(campaign, 1e9).calls, 12U);
  campaign.measure.max_calls = 20000;
  EXPECT_EQ(derive_counts(campaign, 1000.0).calls, 20000U);
}

TEST(Counts, stay_within_the_limit_of_a_cell) {
  campaign::Campaign campaign = small_campaign();
  campaign.measure.processes = 9;
  // 300 s for 9 processes of calls of 10 s: three calls each.
  EXPECT_EQ(derive_counts(campaign, 10e9).calls, 3U);
  EXPECT_EQ(derive_counts(campaign, 1e12).calls, 1U);
}

TEST(Counts, warm_up_less_where_a_call_is_long) {
  const campaign::Campaign campaign = small_campaign();
  EXPECT_EQ(derive_counts(campaign, 49.9e6).warmups, 3U);
  EXPECT_EQ(derive_counts(campaign, 50e6).warmups, 1U);
  EXPECT_EQ(derive_counts(campaign, 5e9).warmups, 0U);
}

TEST(Counts, a_call_of_no_measurable_time_gives_a_finite_count) {
  EXPECT_EQ(derive_counts(small_campaign(), 0.0).calls, 250000000U);
}

TEST(Limits, follow_the_campaign_or_the_rule) {
  campaign::Campaign campaign = small_campaign();
  Counts counts;
  counts.calls = 99;
  counts.call_ns = 1e6;
  EXPECT_EQ(process_time_limit(campaign, counts).value, 12'000'000'000U);
  campaign.limits.call = Nanoseconds{1'000'000'000};
  EXPECT_EQ(process_time_limit(campaign, counts).value, 3'000'000'000U);
  EXPECT_EQ(address_space_limit(campaign, 65536).value, (1U << 30U) + 4U * 65536U);
  campaign.limits.memory = Bytes{123};
  EXPECT_EQ(address_space_limit(campaign, 65536).value, 123U);
}

TEST(Print, says_calibrated_until_counts_are_known) {
  const campaign::Campaign campaign = small_campaign();
  const Plan plan = make_plan(campaign, two_builds(), 1);
  EXPECT_NE(print(campaign, plan, {}).find("calls: calibrated"), std::string::npos);
  std::map<std::size_t, Counts> counts;
  for (std::size_t cell = 0; cell < 4; ++cell) {
    counts[cell] = derive_counts(campaign, 1000.0);
  }
  const std::string text = print(campaign, plan, counts);
  EXPECT_EQ(text.find("calibrated"), std::string::npos);
  EXPECT_NE(text.find("calls: 250000 warm-ups: 3"), std::string::npos);
  EXPECT_NE(text.find("samples: 100 warm-ups: 3"), std::string::npos);
  EXPECT_NE(text.find("total: 16 processes in 4 cells"), std::string::npos);
  EXPECT_NE(text.find("where processes disagree: up to 8 more, up to about 2.1 s more\n"),
            std::string::npos);
}

}  // namespace
}  // namespace hashprof::plan
