// SPDX-License-Identifier: MIT
// Catches a header that is overlooked, so that its change would not cause a new build.
#include "toolchain/includes.h"

#include <gtest/gtest.h>

#include <sstream>

namespace hashprof::toolchain {
namespace {

TEST(Includes, a_marker_that_enters_a_file_names_it) {
  EXPECT_EQ(entered_file("# 1 \"d0/a.h\" 1"), "d0/a.h");
  EXPECT_EQ(entered_file("# 12 \"/abs/a.h\" 1"), "/abs/a.h");
}

TEST(Includes, returns_line_changes_text_and_damaged_markers_are_not) {
  for (const char* const line :
       {"# 3 \"d0/a.c\" 2", "# 1 \"d0/a.c\"", "# 1 \"/usr/include/a.h\" 1 3 4", "int x;", "", "#",
        "# ", "# \"a\" 1", "# 1 a 1", "# 1 \"open 1", "# 1 \"\" 1", "# 1 \"end\\"}) {
    EXPECT_EQ(entered_file(line), std::nullopt) << line;
  }
}

TEST(Includes, a_relative_name_counts_even_as_a_system_header) {
  EXPECT_EQ(entered_file("# 1 \"d0/a.h\" 1 3"), "d0/a.h");
}

TEST(Includes, escapes_of_both_compilers_are_undone) {
  EXPECT_EQ(entered_file("# 1 \"d0/a\\\\b\\\"c\" 1"), "d0/a\\b\"c");
  EXPECT_EQ(entered_file("# 1 \"d0/\\303\\251\\012x\" 1"), "d0/\xC3\xA9\nx");
  EXPECT_EQ(entered_file("# 1 \"d0/a\\nb\" 1"), "d0/a\nb");
  EXPECT_EQ(entered_file("# 1 \"d0/\\1012\" 1"), "d0/A2");
}

TEST(Includes, each_file_is_named_once_in_order) {
  std::istringstream text("# 1 \"b\" 1\nx\n# 1 \"a\" 1\n# 2 \"b\" 2\n# 1 \"b\" 1\n");
  EXPECT_EQ(entered_files(text), (std::vector<std::string>{"b", "a"}));
}

}  // namespace
}  // namespace hashprof::toolchain
