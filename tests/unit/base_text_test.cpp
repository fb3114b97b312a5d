// SPDX-License-Identifier: MIT
// Catches numbers that depend on a locale or lose digits, and names that sort or match wrongly.
#include "base/text.h"

#include <gtest/gtest.h>

#include <clocale>

namespace hashprof::text {
namespace {

TEST(Text, rounds_half_to_even_on_the_binary_value) {
  EXPECT_EQ(fixed(0.5, 0), "0");
  EXPECT_EQ(fixed(1.5, 0), "2");
  EXPECT_EQ(fixed(2.5, 0), "2");
  EXPECT_EQ(fixed(0.125, 2), "0.12");
  EXPECT_EQ(fixed(1e300, 0).size(), 301U);
}

TEST(Text, significant_drops_trailing_zeros) {
  EXPECT_EQ(significant(52.0, 3), "52");
  EXPECT_EQ(significant(8.70, 3), "8.7");
  EXPECT_EQ(significant(1.005, 3), "1");
}

TEST(Text, shortest_reads_back_the_same) { EXPECT_EQ(shortest(0.1), "0.1"); }

TEST(Text, parse_unsigned_takes_digits_only) {
  EXPECT_EQ(parse_unsigned("18446744073709551615"), 18446744073709551615U);
  for (const char* bad : {"", "18446744073709551616", "+5", "-1", " 7", "7 ", "0x10", "1,5"}) {
    EXPECT_FALSE(parse_unsigned(bad).has_value()) << bad;
  }
}

TEST(Text, hexadecimal_round_trip) {
  EXPECT_EQ(hex(*parse_hex("00fFa5")), "00ffa5");
  EXPECT_FALSE(parse_hex("0").has_value());
  EXPECT_FALSE(parse_hex("0g").has_value());
}

TEST(Text, natural_order_compares_digit_runs_as_numbers) {
  EXPECT_TRUE(natural_less("LLH-256", "LLH-1024"));
  EXPECT_FALSE(natural_less("LLH-1024", "LLH-256"));
  EXPECT_TRUE(natural_less("a", "a1"));
  EXPECT_FALSE(natural_less("a1", "a1"));
  EXPECT_NE(natural_less("a01", "a1"), natural_less("a1", "a01"));
}

TEST(Text, patterns) {
  EXPECT_TRUE(matches_pattern("Thunder-XOF-256", "Thunder-XOF-*"));
  EXPECT_TRUE(matches_pattern("abc", "*"));
  EXPECT_TRUE(matches_pattern("abcbc", "a*bc"));
  EXPECT_TRUE(matches_pattern("abc", "a?c"));
  EXPECT_FALSE(matches_pattern("abc", "a?"));
  EXPECT_FALSE(matches_pattern("", "?"));
  EXPECT_TRUE(matches_pattern("", "*"));
}

TEST(Text, suggests_only_what_is_near) {
  EXPECT_EQ(closest("cycels", {"cycles", "instructions"}), "cycles");
  EXPECT_FALSE(closest("zebra", {"cycles", "instructions"}).has_value());
}

TEST(Text, printable_escapes_what_a_terminal_would_obey) {
  EXPECT_EQ(printable("a\x1b[31m\xff\xc3\xa9"), "a\\x1b[31m\\xff\xc3\xa9");
  EXPECT_EQ(printable(std::string(300, 'x')), std::string(200, 'x') + "...");
}

TEST(Text, utf8_is_checked_to_the_letter) {
  EXPECT_TRUE(is_utf8("h\xc3\xa4sh \xf0\x9f\x98\x80"));
  for (const char* bad : {"\xc0\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xc3", "\x80"}) {
    EXPECT_FALSE(is_utf8(bad));
  }
}

}  // namespace
}  // namespace hashprof::text
