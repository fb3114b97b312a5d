// SPDX-License-Identifier: MIT
// Catches a value that is read as something its writer did not mean: a coerced number or boolean, a
// list taken for a mapping, a key that is overlooked.
#include "yaml/reader.h"

#include <gtest/gtest.h>

#include "yaml_faults.h"

namespace hashprof::yaml {
namespace {

/// Reads the value of the key "runs" in a document of several lines.
template <typename Read>
auto read_runs(const std::string& value, Read read) {
  const Document document = parse("a: 1\n\n\nruns: " + value + "\n", "c.yaml");
  return read(Value(document).members().at(1));
}

template <typename Read>
std::string refusal(const std::string& value, Read read) {
  return fault_text([&] { (void)read_runs(value, read); });
}

std::uint64_t whole(const Value& value) { return value.whole(1, 200); }

TEST(YamlReader, takes_plain_decimal_numbers_in_range) {
  EXPECT_EQ(read_runs("1", whole), 1U);
  EXPECT_EQ(read_runs("200", whole), 200U);
  EXPECT_EQ(read_runs("18446744073709551615",
                      [](const Value& value) { return value.whole(0, UINT64_MAX); }),
            UINT64_MAX);
  EXPECT_EQ(read_runs("0", [](const Value& value) { return value.whole(0, 1); }), 0U);
}

TEST(YamlReader, refuses_numbers_out_of_range) {
  for (const char* number :
       {"300", "201", "0", "18446744073709551616", "99999999999999999999999999999999"}) {
    EXPECT_EQ(refusal(number, whole),
              std::string("c.yaml:4:7: runs: ") + number +
                  " out of range 1…200\n  hint: choose a value in that range");
  }
}

TEST(YamlReader, refuses_whatever_is_no_plain_decimal_number) {
  for (const char* number : {"+5", "-1", "0x10", "010", "0o7", "1_000", "1e3", "5.0", "1,5",
                             "1e999", ".inf", "-.inf", ".nan", "nan", "5 x", "\u0665"}) {
    EXPECT_EQ(refusal(number, whole),
              std::string("c.yaml:4:7: runs: expected a whole number, found the text '") + number +
                  "'\n  hint: write decimal digits only: no sign, point, exponent or leading zero")
        << number;
  }
  EXPECT_EQ(refusal("\" 7 \"", whole),
            "c.yaml:4:7: runs: expected a whole number, found the text ' 7 '\n"
            "  hint: write the number without quotation marks");
  EXPECT_EQ(refusal("'7'", whole),
            "c.yaml:4:7: runs: expected a whole number, found the text '7'\n"
            "  hint: write the number without quotation marks");
}

TEST(YamlReader, refuses_another_kind_of_value) {
  EXPECT_EQ(refusal("[1]", whole),
            "c.yaml:4:7: runs: expected a text, found a list\n  hint: write a single value");
  EXPECT_EQ(refusal("{b: 1}", whole),
            "c.yaml:4:7: runs: expected a text, found a mapping\n  hint: write a single value");
  EXPECT_EQ(refusal("", whole),
            "c.yaml:4:1: runs: has no value\n"
            "  hint: write a text after the colon, or remove the key");
  const auto items = [](const Value& value) { return value.items().size(); };
  EXPECT_EQ(refusal("{b: 1}", items),
            "c.yaml:4:7: runs: expected a list, found a mapping\n"
            "  hint: write '[a, b]', or each item on a line of its own after '- '");
  EXPECT_EQ(refusal("~", items),
            "c.yaml:4:1: runs: has no value\n"
            "  hint: write a list after the colon, or remove the key");
  const auto members = [](const Value& value) { return value.members().size(); };
  EXPECT_EQ(refusal("[b, c]", members),
            "c.yaml:4:7: runs: expected a mapping, found a list\n"
            "  hint: write 'key: value', with a blank after the colon");
  EXPECT_EQ(refusal("[a,,b]", [](const Value& value) { return value.items().at(1).text().size(); }),
            "c.yaml:4:10: runs[1]: expected a text, found nothing\n  hint: write a single value");
}

TEST(YamlReader, takes_true_and_false_only) {
  const auto boolean = [](const Value& value) { return value.boolean(); };
  EXPECT_TRUE(read_runs("true", boolean));
  EXPECT_FALSE(read_runs("false", boolean));
  for (const char* word : {"yes", "no", "on", "off", "y", "True", "TRUE", "tRuE", "1", "0"}) {
    EXPECT_EQ(refusal(word, boolean),
              std::string("c.yaml:4:7: runs: expected true or false, found the text '") + word +
                  "'\n  hint: write true or false, in lower case");
  }
  EXPECT_EQ(refusal("\"true\"", boolean),
            "c.yaml:4:7: runs: expected true or false, found the text 'true'\n"
            "  hint: write true or false, in lower case");
}

TEST(YamlReader, takes_quantities_with_units) {
  const auto time = [](const Value& value) {
    return value.time({1'000'000}, {600'000'000'000}).value;
  };
  EXPECT_EQ(read_runs("0.25 s", time), 250'000'000U);
  EXPECT_EQ(read_runs("\"250 ms\"", time), 250'000'000U);
  const std::string advice = "\n  hint: write for example '0.25 s'; units are ns, us, ms, s, min";
  EXPECT_EQ(refusal("0.25", time), "c.yaml:4:7: runs: '0.25' has no unit" + advice);
  EXPECT_EQ(refusal("1 sec", time), "c.yaml:4:7: runs: unknown unit 'sec'" + advice);
  EXPECT_EQ(refusal(".inf", time),
            "c.yaml:4:7: runs: expected a time, found the text '.inf'" + advice);
  EXPECT_EQ(refusal("-1 s", time),
            "c.yaml:4:7: runs: expected a time, found the text '-1 s'" + advice);
  EXPECT_EQ(refusal("1,5 s", time),
            "c.yaml:4:7: runs: expected a time, found the text '1,5 s'" + advice);
  EXPECT_EQ(refusal("0.1234567891 s", time),
            "c.yaml:4:7: runs: '0.1234567891 s' is no whole number of ns\n"
            "  hint: hashprof does not round; leave out the last digits");
  EXPECT_EQ(refusal("11 min", time),
            "c.yaml:4:7: runs: 11 min out of range 1 ms…10 min\n"
            "  hint: choose a value in that range");
  const auto size = [](const Value& value) { return value.size({1}, {1U << 20U}).value; };
  EXPECT_EQ(read_runs("4 KiB", size), 4096U);
  EXPECT_EQ(refusal("4 kB", size),
            "c.yaml:4:7: runs: unknown unit 'kB'\n"
            "  hint: write for example '4 KiB'; units are B, KiB, MiB, GiB");
  EXPECT_EQ(refusal("99999999999 GiB", size),
            "c.yaml:4:7: runs: 99999999999 GiB out of range 1 B…1 MiB\n"
            "  hint: choose a value in that range");
  EXPECT_EQ(read_runs("2%", [](const Value& value) { return value.share(0, 1'000'000); }), 20'000U);
}

TEST(YamlReader, a_choice_names_what_is_allowed_and_what_comes_later) {
  const auto choice = [](const Value& value) {
    return value.choice({{"quick", "tune"}, {"publish"}});
  };
  EXPECT_EQ(read_runs("tune", choice), "tune");
  EXPECT_EQ(refusal("quik", choice),
            "c.yaml:4:7: runs: unknown value 'quik'\n"
            "  hint: did you mean 'quick'? it is one of quick, tune");
  EXPECT_EQ(refusal("other", choice),
            "c.yaml:4:7: runs: unknown value 'other'\n  hint: it is one of quick, tune");
  EXPECT_EQ(refusal("publish", choice),
            "c.yaml:4:7: runs: 'publish' is not in this version\n"
            "  hint: it is reserved for a later version; choose another value");
}

TEST(YamlReader, names_that_end_in_file_names_are_narrow) {
  const auto name = [](const Value& value) { return value.name("ab.-", "[ab.-]", 4); };
  EXPECT_EQ(read_runs("a.b", name), "a.b");
  for (const char* text : {".a", "a/b", "aaaaa", "\"a b\"", "..", "c"}) {
    const std::string bare = text[0] == '"' ? "a b" : text;
    EXPECT_EQ(refusal(text, name), "c.yaml:4:7: runs: '" + bare +
                                       "' cannot be a name here\n"
                                       "  hint: a name is 1 to 4 of [ab.-]");
  }
  EXPECT_EQ(refusal("\"\"", name),
            "c.yaml:4:7: runs: is empty\n  hint: write a text, or remove the key");
}

const std::vector<Key>& table() {
  static const std::vector<Key> keys = {
      {"hashprof", ""},      {"lengths", ""},      {"later", "", true}, {"measure", ""},
      {"measure.sizes", ""}, {"measure.core", ""}, {"list[].use", ""}};
  return keys;
}

std::string map_refusal(const std::string& text) {
  return fault_text([&] {
    const Document document = parse(text, "c.yaml");
    (void)Map(Value(document), table(), "");
  });
}

TEST(YamlReader, refuses_unknown_keys_and_says_what_was_meant) {
  EXPECT_EQ(map_refusal("hashprof: 1\nlenghts: [1]\n"),
            "c.yaml:2:1: lenghts: unknown key 'lenghts'\n  hint: did you mean 'lengths'?");
  EXPECT_EQ(map_refusal("hashprof: 1\nzzzzzzzz: [1]\n"),
            "c.yaml:2:1: zzzzzzzz: unknown key 'zzzzzzzz'\n"
            "  hint: the keys here are hashprof, lengths, later, measure");
  EXPECT_EQ(map_refusal("{hashprof:1, lengths: [2]}\n"),
            "c.yaml:1:2: hashprof:1: unknown key 'hashprof:1'\n"
            "  hint: write 'hashprof: 1', with a blank after the colon");
  EXPECT_EQ(map_refusal("\"\": 1\n"),
            "c.yaml:1:1: : unknown key ''\n"
            "  hint: the keys here are hashprof, lengths, later, measure");
  EXPECT_EQ(map_refusal("later: 1\n"),
            "c.yaml:1:1: later: 'later' is not in this version\n"
            "  hint: it is reserved for a later version; remove the key");
  EXPECT_EQ(fault_text([] {
              const Document document = parse("measure: {size: 1}\n", "c.yaml");
              (void)Map(Value(document).members().at(0), table(), "measure");
            }),
            "c.yaml:1:11: measure.size: unknown key 'size'\n  hint: did you mean 'sizes'?");
}

TEST(YamlReader, a_required_key_that_is_missing_is_named) {
  const Document document = parse("a: {core: 1}\n", "c.yaml");
  Map map(Value(document).members().at(0), table(), "measure");
  EXPECT_EQ(fault_text([&] { (void)map.require("sizes"); }),
            "c.yaml:1:4: a: the key 'sizes' is missing\n  hint: add a line 'sizes: ...'");
}

TEST(YamlReader, a_key_that_nothing_reads_is_our_own_fault) {
  const Document document = parse("sizes: 1\ncore: 2\n", "c.yaml");
  Map map(Value(document), table(), "measure");
  (void)map.find("sizes");
  EXPECT_EQ(fault_text([&] { map.finish(); }, Fault::internal),
            "c.yaml:2:1: core: the key is accepted but nothing reads it");
  (void)map.find("core");
  EXPECT_NO_THROW(map.finish());
}

std::string version_refusal(const std::string& text) {
  return fault_text([&] {
    const Document document = parse(text, "c.yaml");
    check_version(Value(document));
  });
}

TEST(YamlReader, checks_the_version_before_the_keys) {
  EXPECT_EQ(version_refusal("a:1\n"),
            "c.yaml:1:1: expected a mapping at top level, found the text 'a:1'\n"
            "  hint: write 'key: value', with a blank after the colon");
  EXPECT_EQ(version_refusal("- a\n"),
            "c.yaml:1:1: expected a mapping at top level, found a list\n"
            "  hint: write 'key: value', with a blank after the colon");
  EXPECT_EQ(version_refusal("new: 1\nhashprof: 2\n"),
            "c.yaml:2:11: hashprof: version 2 is not read\n"
            "  hint: this hashprof reads version 1");
  EXPECT_EQ(version_refusal("name: x\n"),
            "c.yaml:1:1: the key 'hashprof' is missing\n"
            "  hint: begin the file with 'hashprof: 1'");
  EXPECT_EQ(version_refusal("hashprof: \"1\"\n"),
            "c.yaml:1:11: hashprof: expected a whole number, found the text '1'\n"
            "  hint: write the number without quotation marks");
}

}  // namespace
}  // namespace hashprof::yaml
