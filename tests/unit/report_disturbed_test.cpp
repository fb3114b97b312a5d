// SPDX-License-Identifier: MIT
// Catches a page that hides disturbed processes or an odd clock.
#include <gtest/gtest.h>

#include "report/markdown.h"
#include "report_views.h"

namespace hashprof::report {
namespace {

bool has(const std::string& page, const std::string& text) {
  return page.find(text) != std::string::npos;
}

record::CellView& first_cell(record::RunView& run) { return run.builds.at(0).cells.at(0); }

TEST(DisturbedCell, shows_how_many_attempts_its_processes_took) {
  record::RunView run = views::quiet();
  record::CellView& cell = first_cell(run);
  ASSERT_EQ(cell.used_processes, 9U);
  EXPECT_FALSE(has(markdown(run), "used 9 of"));
  cell.attempts = 13;
  EXPECT_TRUE(has(markdown(run), "| used 9 of 13 |"));
}

TEST(DisturbedCell, with_fewer_processes_than_planned_is_flagged_and_footnoted) {
  record::RunView run = views::quiet();
  record::CellView& cell = first_cell(run);
  cell.used_processes = 7;
  cell.disturbed_processes = 2;
  cell.attempts = 14;
  cell.shortfall = "2 of 9 processes are not used: why";
  const std::string page = markdown(run);
  EXPECT_TRUE(has(page, ": 2 of 9 processes are not used: why\n"));
  EXPECT_TRUE(has(page, "7 of 9 planned"));
  EXPECT_TRUE(has(page, ", 14 attempts |"));
  EXPECT_TRUE(has(page, " 2 of 9 processes are not used: why\n\nRaw results")) << "no footnote";
}

TEST(DisturbedCell, keeps_its_figures_where_its_clock_is_odd) {
  record::RunView run = views::quiet();
  const std::string before = markdown(run);
  first_cell(run).findings = {"odd_clock: 1000 dependent additions took 8010 cycles"};
  const std::string page = markdown(run);
  EXPECT_TRUE(has(page, ": odd_clock: 1000 dependent additions took 8010 cycles\n"));
  EXPECT_TRUE(has(page, before.substr(before.find("### 4.1"), 800)));
}

}  // namespace
}  // namespace hashprof::report
