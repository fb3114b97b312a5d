// SPDX-License-Identifier: MIT
// Catches numbers that lose digits, order that changes, and NaN or infinity in evidence.
#include "json/value.h"

#include <gtest/gtest.h>

#include <limits>

#include "base/error.h"

namespace hashprof::json {
namespace {

TEST(Json, keeps_order_and_integers_and_puts_one_space_after_the_colon) {
  const Value value(Object{{"z", std::uint64_t{18446744073709551615U}},
                           {"a", Array{1, -2, 0.1, true, nullptr, "q\"\n"}},
                           {"e", Object{}}});
  const std::string line = write_compact(value);
  EXPECT_EQ(line,
            R"({"z": 18446744073709551615, "a": [1, -2, 0.1, true, null, "q\"\n"], "e": {}})");
  EXPECT_EQ(write_compact(parse(line, "test")), line);
  EXPECT_EQ(write_pretty(parse(R"({"a": [1], "b": {}})", "test")),
            "{\n \"a\": [\n  1\n ],\n \"b\": {}\n}\n");
}

TEST(Json, refuses_what_is_not_finite) {
  for (const double bad :
       {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_THROW((void)write_compact(Value(bad)), Error);
  }
  EXPECT_THROW((void)parse("NaN", "test"), Error);
  EXPECT_THROW((void)parse("1e999", "test"), Error);
}

TEST(Json, refuses_text_that_is_not_utf8) {
  EXPECT_THROW((void)write_compact(Value("\xff")), Error);
}

TEST(Json, names_source_and_place_of_a_fault) {
  try {
    (void)parse("{\"a\": }", "campaign.json");
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "campaign.json: not valid JSON at byte 7");
  }
  EXPECT_THROW((void)parse("{} x", "t"), Error);
  EXPECT_THROW((void)parse("", "t"), Error);
  EXPECT_THROW((void)parse(std::string(100, '['), "t"), Error);
}

TEST(Json, missing_members_and_wrong_types_are_named) {
  const Value value = parse(R"({"a": 1})", "t");
  EXPECT_THROW((void)value.at("b"), Error);
  EXPECT_EQ(value.find("b"), nullptr);
  EXPECT_THROW((void)value.at("a").as_string(), Error);
  EXPECT_THROW((void)parse("-1", "t").as_unsigned(), Error);
}

}  // namespace
}  // namespace hashprof::json
