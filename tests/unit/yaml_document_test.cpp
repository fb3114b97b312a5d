// SPDX-License-Identifier: MIT
// Catches a document that is accepted though it says two things, nothing, or something else than
// its writer meant, and a fault that is reported at the wrong place.
#include "yaml/document.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <vector>

#include "yaml_faults.h"

namespace hashprof::yaml {
namespace {

std::string refusal(const std::string& text) {
  return fault_text([&] { (void)parse(text, "c.yaml"); });
}

constexpr const char* kLook =
    "\n  hint: look at this line and the one before it: quotes, brackets, indentation, and a blank "
    "after each ':'";

TEST(YamlDocument, keeps_kind_text_quotes_and_place_of_each_node) {
  const Document document = parse("a: 1\nb:\n  - \"x\"\n  - {c: ~}\n", "c.yaml");
  const Element& root = document.node(0);
  EXPECT_EQ(root.kind, Kind::map);
  ASSERT_EQ(root.children.size(), 2U);
  const Element& a = document.node(root.children[0]);
  EXPECT_EQ(a.kind, Kind::text);
  EXPECT_EQ(a.key, "a");
  EXPECT_EQ(a.text, "1");
  EXPECT_FALSE(a.is_quoted);
  EXPECT_EQ(document.location(a.place), "c.yaml:1:4");
  EXPECT_EQ(document.location(a.key_place), "c.yaml:1:1");
  const Element& b = document.node(root.children[1]);
  EXPECT_EQ(b.kind, Kind::list);
  ASSERT_EQ(b.children.size(), 2U);
  EXPECT_TRUE(document.node(b.children[0]).is_quoted);
  EXPECT_EQ(document.path_of(b.children[0]), "b[0]");
  const std::size_t c = document.node(b.children[1]).children.at(0);
  EXPECT_EQ(document.node(c).kind, Kind::null);
  EXPECT_EQ(document.path_of(c), "b[1].c");
  EXPECT_EQ(document.location(document.node(c).key_place), "c.yaml:4:6");
}

TEST(YamlDocument, a_column_counts_characters_and_a_byte_order_mark_is_none) {
  const Document document = parse("\xEF\xBB\xBF\"é\u4e2d\": x\r\nb: y\r\n", "c.yaml");
  const Element& first = document.node(document.node(0).children[0]);
  EXPECT_EQ(first.key, "é\u4e2d");
  EXPECT_EQ(document.location(first.place), "c.yaml:1:7");
  const Element& second = document.node(document.node(0).children[1]);
  EXPECT_EQ(second.text, "y");
  EXPECT_EQ(document.location(second.place), "c.yaml:2:4");
}

TEST(YamlDocument, refuses_a_key_that_appears_twice_with_both_lines) {
  EXPECT_EQ(refusal("runs: 5\nb: 1\nruns: 6\n"),
            "c.yaml:3:1: runs: key 'runs' appears twice, at line 1 and at line 3\n"
            "  hint: keep one of them");
  EXPECT_EQ(refusal("m:\n  x: {a: 1, \"a\": 1}\n"),
            "c.yaml:2:13: m.x.a: key 'a' appears twice, at line 2 and at line 2\n"
            "  hint: keep one of them");
}

TEST(YamlDocument, refuses_merge_keys_aliases_anchors_and_tags) {
  const char* merge =
      ": <<: merge keys ('<<') are not supported\n"
      "  hint: repeat here the keys it would bring in";
  EXPECT_EQ(refusal("base: &base {a: 1}\nx:\n  <<: *base\n"),
            "c.yaml:3:3: x.<<: merge keys ('<<') are not supported\n"
            "  hint: repeat here the keys it would bring in");
  EXPECT_EQ(refusal("<<: *base\n"), std::string("c.yaml:1:1") + merge);
  EXPECT_EQ(refusal("\"<<\": {a: 1}\n"), std::string("c.yaml:1:1") + merge);
  const char* alias = "aliases are not supported\n  hint: write the value out instead of '*'";
  EXPECT_EQ(refusal("a: &x 1\nb: *x\n"), std::string("c.yaml:2:4: b: ") + alias);
  EXPECT_EQ(refusal("b: *nope\n"), std::string("c.yaml:1:4: b: ") + alias);
  const char* anchor =
      "anchors are not supported\n  hint: write the value where it is used, without '&'";
  EXPECT_EQ(refusal("a: &x 1\nb: 2\n"), std::string("c.yaml:1:4: ") + anchor);
  EXPECT_EQ(refusal("a: 1\nb: &x\n"), std::string("c.yaml:2:4: ") + anchor);
  const char* tag = "tags are not supported\n  hint: remove the word that begins with '!'";
  EXPECT_EQ(refusal("a: !!int 5\n"), std::string("c.yaml:1:4: a: ") + tag);
  EXPECT_EQ(refusal("a: ! 5\n"), std::string("c.yaml:1:4: a: ") + tag);
  EXPECT_EQ(refusal("a: !x [1]\n"), std::string("c.yaml:1:4: a: ") + tag);
  EXPECT_EQ(refusal("!x\na: 1\n"), std::string("c.yaml:1:1: ") + tag);
}

TEST(YamlDocument, refuses_all_but_one_document) {
  EXPECT_EQ(refusal("a: 1\n---\nb: 2\n"),
            "c.yaml:2:1: a second document begins here\n"
            "  hint: a file holds one document; remove what follows");
  EXPECT_EQ(refusal("{a: 1} b\n"),
            "c.yaml:1:8: text after the end of the document\n"
            "  hint: a file holds one document; remove what follows");
  EXPECT_EQ(refusal("a: 1\n...\nb: 2\n"),
            "c.yaml:3:1: text after the end of the document\n"
            "  hint: a file holds one document; remove what follows");
  for (const char* empty : {"", "\n", "# only a comment\n", "---\n", "~\n", "\xEF\xBB\xBF"}) {
    EXPECT_EQ(refusal(empty), "c.yaml:1:1: the file is empty\n  hint: begin it with 'hashprof: 1'")
        << empty;
  }
  EXPECT_EQ(parse("%YAML 1.2\n---\na: 1\n...\n", "c.yaml").node(0).kind, Kind::map);
}

TEST(YamlDocument, says_that_a_tab_indents) {
  const char* tab = ": tabs are not allowed for indentation\n  hint: indent with spaces";
  EXPECT_EQ(refusal("a:\n\tb: 1\n"), std::string("c.yaml:2:3") + tab);
  EXPECT_EQ(refusal("a:\n\t- 1\n"), std::string("c.yaml:2:2") + tab);
  EXPECT_EQ(refusal("a:\n  b: 1\n\tc: 2\n"), std::string("c.yaml:3:1") + tab);
  EXPECT_EQ(refusal("a:\n  b: 1\n  \tc: 2\n"), std::string("c.yaml:3:3") + tab);
  EXPECT_EQ(refusal("\ta: 1\n"), std::string("c.yaml:1:3") + tab);
  const Document document = parse("a:\t1\n", "c.yaml");
  EXPECT_EQ(document.node(1).text, "1");
}

TEST(YamlDocument, refuses_what_is_no_yaml_at_its_place) {
  const std::pair<const char*, const char*> cases[] = {
      {"a: b: c\n", "c.yaml:1:5: not valid YAML: illegal map value"},
      {"a: 1\n b: 2\n", "c.yaml:2:3: not valid YAML: illegal map value"},
      {"a: [1, 2\n", "c.yaml:2:1: not valid YAML: end of sequence flow not found"},
      {"a: {b: 1\n", "c.yaml:2:1: not valid YAML: end of map flow not found"},
      {"a: {b: 1}}\n", "c.yaml:1:10: not valid YAML: illegal flow end"},
      {"a: 1\n]\n", "c.yaml:2:1: not valid YAML: illegal flow end"},
      {"a: x\n- b\n", "c.yaml:2:1: not valid YAML: end of map not found"},
      {"a: - b\n", "c.yaml:1:4: not valid YAML: illegal block entry"},
      {"a: \"x\" y\n", "c.yaml:1:8: not valid YAML: end of map not found"},
      {"a: @x\n", "c.yaml:1:4: not valid YAML: unknown token"},
      {"a: \"\\q\"\n", "c.yaml:1:7: not valid YAML: unknown escape character: q"},
  };
  for (const auto& [text, expected] : cases) {
    EXPECT_EQ(refusal(text), std::string(expected) + kLook) << text;
  }
}

TEST(YamlDocument, refuses_a_quotation_mark_that_is_never_closed) {
  EXPECT_EQ(refusal("name: \"x\nb: 1\n"),
            "c.yaml:1:7: name: the quotation mark that opens here is never closed\n"
            "  hint: end the text with \"");
  EXPECT_EQ(refusal("a: 'it''s\n"),
            "c.yaml:1:4: a: the quotation mark that opens here is never closed\n"
            "  hint: end the text with '");
  EXPECT_EQ(refusal("a: \"q\\\"\n"),
            "c.yaml:1:4: a: the quotation mark that opens here is never closed\n"
            "  hint: end the text with \"");
  EXPECT_EQ(parse("a: 'it''s'\n", "c.yaml").node(1).text, "it's");
  EXPECT_EQ(parse("a: \"q\\\"\\\\\"\n", "c.yaml").node(1).text, "q\"\\");
  EXPECT_EQ(parse("a: |\n  \"x\n", "c.yaml").node(1).text, "\"x\n");
}

TEST(YamlDocument, refuses_keys_that_are_no_text) {
  EXPECT_EQ(refusal("? [a]\n: b\n"),
            "c.yaml:1:3: a key must be a plain text\n  hint: write 'key: value'");
  EXPECT_EQ(refusal("{{a: 1}: 2}\n"),
            "c.yaml:1:2: a key must be a plain text\n  hint: write 'key: value'");
  EXPECT_EQ(refusal("b:\n  : 1\n"),
            "c.yaml:2:3: b: a key is missing before ':'\n  hint: write 'key: value'");
  EXPECT_EQ(refusal(std::string(201, 'k') + ": 1\n"),
            "c.yaml:1:1: a key is longer than 200 bytes\n  hint: give it a shorter name");
}

TEST(YamlDocument, refuses_bytes_that_are_no_text) {
  EXPECT_EQ(refusal("a: 1\nb: \xC3(\n"),
            "c.yaml:2:4: the file is not UTF-8 text\n"
            "  hint: save it as UTF-8; is it the right file?");
  EXPECT_EQ(refusal("a: é\xE4\n"),
            "c.yaml:1:5: the file is not UTF-8 text\n"
            "  hint: save it as UTF-8; is it the right file?");
  EXPECT_EQ(refusal(std::string("\xFF\xFE") + std::string("a\0:\0", 4)),
            "c.yaml:1:1: the file is not UTF-8 text\n"
            "  hint: save it as UTF-8; is it the right file?");
  EXPECT_EQ(refusal(std::string("\x7f"
                                "ELF\2\1\1\0\0\0",
                                10)),
            "c.yaml:1:1: the control character \\x7f is not allowed\n"
            "  hint: is it the right file?");
  EXPECT_EQ(refusal(std::string("a: 1\nb: x\0y\n", 12)),
            "c.yaml:2:5: the control character \\x00 is not allowed\n"
            "  hint: is it the right file?");
  EXPECT_EQ(refusal("a: 1\n\x04not read by the parser\n"),
            "c.yaml:2:1: the control character \\x04 is not allowed\n"
            "  hint: is it the right file?");
  EXPECT_EQ(refusal("a: 1\rb: 2\r"),
            "c.yaml:1:5: the control character \\x0d is not allowed\n"
            "  hint: end each line with a line feed");
  EXPECT_EQ(refusal("a: \"x\\0y\"\n"),
            "c.yaml:1:4: a: a text holds a NUL character\n  hint: remove the escape '\\0'");
}

TEST(YamlDocument, refuses_what_is_too_deep_or_too_large_quickly) {
  const auto start = std::chrono::steady_clock::now();
  const std::string deep = "a: " + std::string(31, '[') + std::string(31, ']') + "\n";
  EXPECT_EQ(parse(deep, "c.yaml").node(0).kind, Kind::map);
  EXPECT_EQ(refusal("a: " + std::string(32, '[') + std::string(32, ']') + "\n"),
            "c.yaml:1:35: nested deeper than 32 levels\n"
            "  hint: no key of hashprof lies that deep");
  constexpr std::size_t kHalf = (1U << 19U) - 2;
  EXPECT_EQ(refusal("a: " + std::string(kHalf, '[') + std::string(kHalf, ']')),
            "c.yaml:1:35: nested deeper than 32 levels\n"
            "  hint: no key of hashprof lies that deep");
  EXPECT_EQ(refusal(std::string((1U << 20U) + 1, '#')),
            "c.yaml: larger than 1048576 bytes, the most that is read");
  std::string many = "a: [";
  while (many.size() < (1U << 20U) - 8) {
    many += "1,";
  }
  EXPECT_EQ(parse(many + "1]\n", "c.yaml").node(1).children.size(), 524'283U);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(60));
}

TEST(YamlDocument, a_bomb_of_aliases_is_refused_at_its_first_alias) {
  std::string bomb = "a0: &a0 [x, x]\n";
  for (int i = 1; i < 30; ++i) {
    const std::string last = "*a" + std::to_string(i - 1);
    bomb +=
        "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + last + ", " + last + "]\n";
  }
  EXPECT_EQ(refusal(bomb),
            "c.yaml:2:10: a1[0]: aliases are not supported\n"
            "  hint: write the value out instead of '*'");
}

TEST(YamlDocument, a_name_with_odd_bytes_stays_on_one_line_of_the_message) {
  EXPECT_EQ(fault_text([] { (void)parse("", "a\nb\xFF.yaml"); }),
            "a\\x0ab\\xff.yaml:1:1: the file is empty\n  hint: begin it with 'hashprof: 1'");
}

TEST(YamlDocument, a_quoted_text_reads_back_unchanged) {
  const std::string texts[] = {"",
                               "plain",
                               "it's \"so\" \\",
                               "a\nb\tc\r\x01\x7f",
                               "é\u4e2d \U0001F600",
                               "*a &b !c #d: - [x] {y}",
                               "~/$HOME/%x"};
  for (const std::string& text : texts) {
    const Document document = parse("a: " + quoted(text) + "\n", "c.yaml");
    EXPECT_EQ(document.node(1).text, text);
    EXPECT_TRUE(document.node(1).is_quoted);
  }
}

class YamlFile : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = ::testing::TempDir() + "hashprof-yaml-XXXXXX";
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  [[nodiscard]] std::string refusal_of(const std::string& name) const {
    return fault_text([&] { (void)read_text(folder_ / name); });
  }
  std::filesystem::path folder_;
};

TEST_F(YamlFile, is_read_whatever_its_name) {
  const std::string name = "odd \xC3\xA9\n\xFF name.yaml";
  std::ofstream(folder_ / name) << "a: 1\n";
  EXPECT_EQ(read_text(folder_ / name), "a: 1\n");
}

TEST_F(YamlFile, that_is_missing_is_refused) {
  EXPECT_EQ(refusal_of("none.yaml"),
            (folder_ / "none.yaml").native() + ": open: No such file or directory (ENOENT)");
}

TEST_F(YamlFile, that_is_a_folder_is_refused) {
  EXPECT_EQ(refusal_of(""), (folder_ / "").native() +
                                ": is a folder, not a file\n  hint: name the YAML file in it");
}

TEST_F(YamlFile, that_is_a_fifo_is_refused_without_waiting) {
  ASSERT_EQ(::mkfifo((folder_ / "fifo").c_str(), 0600), 0);
  EXPECT_EQ(refusal_of("fifo"), (folder_ / "fifo").native() + ": not a regular file");
}

TEST_F(YamlFile, that_is_too_large_is_refused) {
  std::ofstream(folder_ / "large.yaml") << std::string((1U << 20U) + 1, '#');
  EXPECT_EQ(refusal_of("large.yaml"), (folder_ / "large.yaml").native() +
                                          ": larger than 1048576 bytes, the most that is read");
}

TEST_F(YamlFile, that_may_not_be_read_is_refused) {
  std::ofstream(folder_ / "secret.yaml") << "a: 1\n";
  ASSERT_EQ(::chmod((folder_ / "secret.yaml").c_str(), 0), 0);
  // Root reads every file: the test looks as the user "nobody".
  const bool is_root = ::geteuid() == 0;
  ASSERT_EQ(::chmod(folder_.c_str(), 0755), 0);
  if (is_root) {
    ASSERT_EQ(::seteuid(65534), 0);
  }
  const std::string text = refusal_of("secret.yaml");
  if (is_root) {
    ASSERT_EQ(::seteuid(0), 0);
  }
  EXPECT_EQ(text, (folder_ / "secret.yaml").native() + ": open: Permission denied (EACCES)");
}

}  // namespace
}  // namespace hashprof::yaml
