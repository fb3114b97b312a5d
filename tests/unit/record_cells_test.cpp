// SPDX-License-Identifier: MIT
// Catches first and single calls that come from processes which are not used, or without a reason
// where they are absent, and a cell that was to have more processes without saying so.
#include "record/cells.h"

#include <gtest/gtest.h>

namespace hashprof::record {
namespace {

Observation trial(std::uint32_t process, std::uint64_t call_ns) {
  Observation o;
  o.cell = "f/A/hash_32";
  o.phase = "trial";
  o.process = process;
  o.calls = 10;
  o.elapsed_ns = 10 * call_ns;
  o.cycles = 30 * call_ns;
  o.first_call_ns = 1000 + process;
  o.first_call_cycles = 3000 + process;
  return o;
}

Observation single_calls() {
  Observation o;
  o.cell = "f/A/hash_32";
  o.phase = "percall";
  o.percall = Percall{"cycles", 1, {40, 41, 39}, {2040, 2041, 2050}, {}};
  return o;
}

CellView planned() {
  CellView cell;
  cell.operation = "hash_32";
  cell.planned_processes = 3;
  return cell;
}

std::vector<Observation> observations() {
  return {trial(0, 100), trial(1, 101), trial(2, 102), single_calls()};
}

TEST(FillCell, gives_first_and_single_calls_of_used_processes) {
  auto all = observations();
  all.push_back(trial(2, 100));
  all.back().taints = {"migrated"};
  all.back().first_call_ns = 9'000'000;
  CellView cell = planned();
  fill_cell(cell, all);
  EXPECT_EQ(cell.first_call_ns.summary->median, 1001);
  EXPECT_EQ(cell.first_call_ns.summary->count, 3U);
  EXPECT_EQ(cell.first_call_cycles.summary->median, 3001);
  EXPECT_EQ(cell.single_call.unit, "cycles");
  EXPECT_EQ(cell.single_call.figures->net, 2001);
  EXPECT_EQ(cell.single_call.reason, "");
}

TEST(FillCell, says_why_single_calls_are_absent) {
  CellView cell = planned();
  fill_cell(cell, {trial(0, 100)});
  EXPECT_EQ(cell.single_call.reason, "not sampled");

  auto disturbed = observations();
  disturbed.back().taints = {"migrated"};
  cell = planned();
  fill_cell(cell, disturbed);
  EXPECT_FALSE(cell.single_call.figures.has_value());
  EXPECT_EQ(cell.single_call.reason, "the machine disturbed the process: migrated");

  disturbed.push_back(single_calls());
  cell = planned();
  fill_cell(cell, disturbed);
  EXPECT_EQ(cell.single_call.figures->net, 2001);
}

TEST(FillCell, a_failed_process_of_single_calls_fails_the_cell) {
  auto all = observations();
  all.back().outcome = Outcome::crashed;
  all.back().detail = "SIGSEGV at step call";
  CellView cell = planned();
  fill_cell(cell, all);
  EXPECT_EQ(cell.failure, "process of single calls crashed: SIGSEGV at step call");
  for (const Figure* figure :
       {&cell.time_ns, &cell.cycles, &cell.first_call_ns, &cell.first_call_cycles}) {
    EXPECT_FALSE(figure->summary.has_value());
    EXPECT_EQ(figure->reason, cell.failure);
  }
  EXPECT_EQ(cell.single_call.reason, cell.failure);
}

TEST(FillCell, first_calls_have_cycles_only_if_all_have) {
  auto all = observations();
  all[0].cycles.reset();
  all[0].first_call_cycles.reset();
  all[0].cycles_reason = "no hardware PMU";
  CellView cell = planned();
  fill_cell(cell, all);
  EXPECT_TRUE(cell.first_call_ns.summary.has_value());
  EXPECT_FALSE(cell.first_call_cycles.summary.has_value());
  EXPECT_EQ(cell.first_call_cycles.reason, "no hardware PMU");
}

class JudgeAgreement : public ::testing::Test {
 protected:
  JudgeAgreement() {
    run_.processes = 3;
    run_.max_processes = 5;
    build_.family_id = "f";
    build_.label = "A";
    build_.cells = {planned()};
  }

  const CellView& judge(const std::vector<Observation>& all) {
    fill_cell(build_.cells[0], all);
    judge_agreement({{"f/A/hash_32", all}}, run_, false, build_);
    return build_.cells[0];
  }

  RunView run_;
  BuildView build_;
};

TEST_F(JudgeAgreement, leaves_the_plan_of_processes_that_agree) {
  const CellView& cell = judge(observations());
  EXPECT_EQ(cell.planned_processes, 3U);
  EXPECT_EQ(cell.agreement.count, 3U);
  EXPECT_FALSE(cell.agreement.judgement.has_outliers());
}

TEST_F(JudgeAgreement, plans_more_where_the_sure_processes_disagree) {
  const CellView& cell = judge({trial(0, 100), trial(1, 150), trial(2, 102)});
  EXPECT_EQ(cell.planned_processes, 5U);
  EXPECT_EQ(cell.used_processes, 3U);
  EXPECT_EQ(cell.agreement.judgement.degree, stats::Degree::severe);
}

TEST_F(JudgeAgreement, judges_all_processes_in_the_end) {
  const CellView& cell =
      judge({trial(0, 100), trial(1, 150), trial(2, 102), trial(3, 151), trial(4, 101)});
  EXPECT_EQ(cell.agreement.count, 5U);
  EXPECT_TRUE(cell.agreement.judgement.is_bimodal());
}

TEST_F(JudgeAgreement, a_failed_cell_is_not_judged) {
  auto all = observations();
  all[1].outcome = Outcome::timed_out;
  const CellView& cell = judge(all);
  EXPECT_EQ(cell.agreement.count, 0U);
  EXPECT_EQ(cell.planned_processes, 3U);
}

TEST_F(JudgeAgreement, a_cell_of_another_mode_is_left) {
  build_.cells[0].is_latency = true;
  EXPECT_EQ(judge(observations()).agreement.count, 0U);
}

}  // namespace
}  // namespace hashprof::record
