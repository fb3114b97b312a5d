// SPDX-License-Identifier: MIT
// Catches any change of a page that nobody looked at: whole pages are compared with golden files,
// and every page must hold together as Markdown. HASHPROF_UPDATE_GOLDEN=1 rewrites the files.
#include "report/markdown.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/text.h"
#include "report_views.h"

namespace hashprof::report {
namespace {

struct Case {
  const char* name;
  record::RunView (*make)();
};

const std::vector<Case> kCases = {{"quiet", views::quiet},
                                  {"no_pmu", views::no_pmu},
                                  {"failing", views::failing},
                                  {"small", views::small},
                                  {"hostile", views::hostile},
                                  {"stopped", views::stopped},
                                  {"compared", views::compared},
                                  {"disagreeing", views::disagreeing},
                                  {"remembering", views::remembering}};

class Golden : public testing::TestWithParam<Case> {};

TEST_P(Golden, page_is_the_one_that_was_looked_at) {
  const std::filesystem::path file =
      std::filesystem::path(HASHPROF_GOLDEN) / "report" / GetParam().name / "expected.md";
  const std::string page = markdown(GetParam().make());
  const char* update = std::getenv("HASHPROF_UPDATE_GOLDEN");
  if (update != nullptr && std::string_view(update) == "1") {
    make_directories(file.parent_path());
    write_file_atomically(file, page);
  }
  EXPECT_EQ(page, read_file(file, Bytes{1U << 20U}));
}

TEST_P(Golden, equal_views_give_equal_bytes) {
  EXPECT_EQ(markdown(GetParam().make()), markdown(GetParam().make()));
}

TEST_P(Golden, page_ends_with_one_newline_and_is_utf8) {
  const std::string page = markdown(GetParam().make());
  EXPECT_TRUE(page.ends_with('\n'));
  EXPECT_FALSE(page.ends_with("\n\n"));
  EXPECT_TRUE(text::is_utf8(page));
}

std::size_t bars(std::string_view line) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\\') {
      ++i;
    } else if (line[i] == '|') {
      ++count;
    }
  }
  return count;
}

TEST_P(Golden, every_row_has_the_columns_of_its_table) {
  std::size_t columns = 0;
  std::size_t rows = 0;
  for (const std::string& line : text::split(markdown(GetParam().make()), '\n')) {
    if (!line.starts_with('|')) {
      columns = 0;
      continue;
    }
    columns = columns == 0 ? bars(line) : columns;
    EXPECT_EQ(bars(line), columns) << line;
    EXPECT_TRUE(line.ends_with('|')) << line;
    ++rows;
  }
  EXPECT_GT(rows, 0U);
}

TEST_P(Golden, every_absent_value_has_its_footnote) {
  const std::string page = markdown(GetParam().make());
  const std::vector<std::string> digits = {"¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::size_t seen = 0;
  for (std::size_t at = page.find("n/a"); at != std::string::npos; at = page.find("n/a", at + 3)) {
    const auto mark = std::find_if(digits.begin(), digits.end(), [&](const std::string& digit) {
      return page.compare(at + 3, digit.size(), digit) == 0;
    });
    ASSERT_NE(mark, digits.end()) << page.substr(at, 20);
    EXPECT_NE(page.find("\n- " + *mark + " "), std::string::npos) << *mark;
    ++seen;
  }
  EXPECT_GT(seen, 0U);  // each of these runs lacks something
}

TEST_P(Golden, no_page_holds_what_is_no_number) {
  const std::string page = markdown(GetParam().make());
  for (const char* bad : {"nan", "inf ", "-0.0 ", "-0 ", "e+0"}) {
    EXPECT_EQ(page.find(bad), std::string::npos) << bad;
  }
}

INSTANTIATE_TEST_SUITE_P(Report, Golden, testing::ValuesIn(kCases),
                         [](const auto& one) { return std::string(one.param.name); });

TEST(Grade, simulated_and_stopped_runs_are_never_publishable) {
  record::RunView view = views::quiet();
  EXPECT_NE(markdown(view).find("**Grade: PUBLISHABLE**\n"), std::string::npos);
  view.is_simulated = true;
  EXPECT_EQ(markdown(view).find("PUBLISHABLE"), std::string::npos);
  EXPECT_TRUE(markdown(view).starts_with("**SIMULATED: no figure on this page was measured.**\n"));
  view.is_simulated = false;
  view.is_complete = false;
  EXPECT_EQ(markdown(view).find("PUBLISHABLE"), std::string::npos);
}

TEST(Grade, a_hostile_note_cannot_forge_it) {
  const std::string page = markdown(views::hostile());
  EXPECT_EQ(page.find("\n**Grade: PUBLISHABLE**"), std::string::npos);
  EXPECT_EQ(page.find("\n# forged"), std::string::npos);
}

TEST(Headline, is_in_cycles_as_soon_as_one_cell_has_them) {
  record::RunView view = views::no_pmu();
  EXPECT_NE(markdown(view).find("ns/byte, back-to-back"), std::string::npos);
  view.builds[1].cells[0].cycles = view.builds[1].cells[0].time_ns;
  const std::string page = markdown(view);
  EXPECT_NE(page.find("cycles/byte, back-to-back"), std::string::npos);
  EXPECT_NE(page.find("No cycles in 7 of 8 cells: "), std::string::npos);
}

}  // namespace
}  // namespace hashprof::report
