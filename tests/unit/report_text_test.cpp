// SPDX-License-Identifier: MIT
// Catches names that break a table or forge a page, footnotes that do not resolve, and rows that
// do not fit their table.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "base/error.h"
#include "report/footnotes.h"
#include "report/markdown_text.h"
#include "report/table.h"

namespace hashprof::report {
namespace {

TEST(Escape, leaves_plain_names_alone) {
  for (const char* plain :
       {"Thunder-XOF-256", "hash_65536", "SM3__hash_32.json", "kat/hash-33/SM3.log",
        "x86-64, 12.2.0", "gcc (Debian 12.2.0-14) 12.2.0", "h\xc3\xa4sh", "哈希"}) {
    EXPECT_EQ(escape(plain), plain);
  }
}

TEST(Escape, makes_active_characters_literal) {
  EXPECT_EQ(escape("a|b"), "a\\|b");
  EXPECT_EQ(escape("`x` *y* _z_ ~~s~~"), "\\`x\\` \\*y\\* \\_z\\_ \\~\\~s\\~\\~");
  EXPECT_EQ(escape("<script>"), "\\<script\\>");
  EXPECT_EQ(escape("[a](http://b)"), "\\[a\\](http://b)");
  EXPECT_EQ(escape("&lt; \\ $x$ #1"), "\\&lt; \\\\ \\$x\\$ \\#1");
}

TEST(Escape, underscores_that_could_emphasise_are_literal) {
  EXPECT_EQ(escape("__a__ b_"), "\\_\\_a\\_\\_ b\\_");
  EXPECT_EQ(escape("a_(b)"), "a\\_(b)");
}

TEST(Escape, keeps_one_line) {
  EXPECT_EQ(escape("a\nb\r\nc\td"), "a b  c d");
  EXPECT_EQ(escape("\n| x |\n"), "\\| x \\|");
}

/// "a", the character of these UTF-8 bytes, "b".
std::string between(const std::vector<std::uint8_t>& bytes) {
  return "a" + std::string(bytes.begin(), bytes.end()) + "b";
}

TEST(Escape, shows_what_cannot_be_seen) {
  EXPECT_EQ(escape("a\x1b[31m"), "a\\\\x1b\\[31m");
  EXPECT_EQ(escape("a\xff\x80"), "a\\\\xff\\\\x80");
  EXPECT_EQ(escape(between({0xE2, 0x80, 0xAE})), "a\\\\xe2\\\\x80\\\\xaeb");  // override
  EXPECT_EQ(escape(between({0xE2, 0x81, 0xA7})), "a\\\\xe2\\\\x81\\\\xa7b");  // isolate
  EXPECT_EQ(escape(between({0xE2, 0x80, 0xA8})), "a\\\\xe2\\\\x80\\\\xa8b");  // line separator
  EXPECT_EQ(escape(between({0xC2, 0x85})), "a\\\\xc2\\\\x85b");               // next line
}

TEST(Escape, shows_other_characters_of_the_same_block) {
  EXPECT_EQ(escape("a\u2026b \u2013"), "a\u2026b \u2013");
}

TEST(Link, takes_web_addresses_only) {
  EXPECT_EQ(link("spec", "https://example.org/a_b?c=1"), "[spec](<https://example.org/a_b?c=1>)");
  EXPECT_EQ(link("a]b", "http://example.org"), "[a\\]b](<http://example.org>)");
  EXPECT_EQ(link("spec", "javascript:alert(1)"), "spec: javascript:alert(1)");
  EXPECT_EQ(link("spec", "https://example.org/> <b>"), "spec: https://example.org/\\> \\<b\\>");
  EXPECT_EQ(link("spec", "https://example.org/a|b"), "spec: https://example.org/a\\|b");
}

TEST(Footnotes, number_distinct_reasons_in_order_of_appearance) {
  Footnotes notes;
  EXPECT_EQ(notes.render(), "");
  EXPECT_EQ(notes.absent("second to none"), "n/a¹");
  EXPECT_EQ(notes.absent("a|b"), "n/a²");
  EXPECT_EQ(notes.absent("second to none"), "n/a¹");
  EXPECT_EQ(notes.mark(""), "³");
  EXPECT_EQ(notes.render(), "- ¹ second to none\n- ² a\\|b\n- ³ no reason was recorded\n");
}

TEST(Footnotes, have_numbers_of_several_digits) {
  Footnotes notes;
  for (int i = 1; i < 12; ++i) {
    (void)notes.mark(std::to_string(i));
  }
  EXPECT_EQ(notes.absent("twelfth"), "n/a¹²");
}

TEST(Table, aligns_characters_and_not_bytes) {
  Table table({{"name"}, {"time", true}});
  table.add({"a", "8.7 µs"});
  table.add({"abcde", "629 ns"});
  EXPECT_EQ(table.render(),
            "| name  |   time |\n"
            "| ----- | -----: |\n"
            "| a     | 8.7 µs |\n"
            "| abcde | 629 ns |\n");
}

TEST(Table, refuses_a_row_that_does_not_fit) {
  Table table({{"name"}, {"time", true}});
  try {
    table.add({"a"});
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::internal);
    EXPECT_STREQ(error.what(), "report: a row of 1 cells in a table of 2 columns");
  }
}

}  // namespace
}  // namespace hashprof::report
