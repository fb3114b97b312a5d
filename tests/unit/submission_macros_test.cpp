// SPDX-License-Identifier: MIT
// Catches a wrong digest length: a chain that is cut, an expression misread, a definition missed.
#include <gtest/gtest.h>

#include "submission/macros.h"
#include "submission/names.h"

namespace hashprof::submission {
namespace {

using Numbers = std::vector<std::uint64_t>;
using Names = std::vector<std::string>;

Numbers numbers(std::vector<Macro> macros) {
  Macros all;
  all.add(macros);
  return all.numbers("X");
}

TEST(Macros, literals_and_expressions_of_c) {
  EXPECT_EQ(numbers({{"X", "512"}}), (Numbers{512}));
  EXPECT_EQ(numbers({{"X", "(0x200UL)"}}), (Numbers{512}));
  EXPECT_EQ(numbers({{"X", "01000"}}), (Numbers{512}));
  EXPECT_EQ(numbers({{"X", "((32 + 2*16) * 8)"}}), (Numbers{512}));
  EXPECT_EQ(numbers({{"X", "1 << (10 - 1)"}}), (Numbers{512}));
  EXPECT_EQ(numbers({{"X", "1024/2"}}), (Numbers{512}));
  for (const char* bad : {"", "a", "512 bits", "(512", "5 5", "1/0", "1 << 64", "1 - 2", "0x", "9z",
                          "A ? 1 : 2", "\"512\""}) {
    EXPECT_EQ(numbers({{"X", bad}}), Numbers{}) << bad;
  }
}

TEST(Macros, chains_end_where_they_are_ambiguous_or_endless) {
  EXPECT_EQ(numbers({{"X", "(8 * BYTES)"}, {"BYTES", "(WORDS*4)"}, {"WORDS", "16"}}),
            (Numbers{512}));
  EXPECT_EQ(numbers({{"X", "Y"}, {"Y", "X"}}), Numbers{});
  EXPECT_EQ(numbers({{"X", "X + X"}}), Numbers{});
  EXPECT_EQ(numbers({{"X", "Y"}, {"Y", "256"}, {"Y", "512"}}), Numbers{});
  EXPECT_EQ(numbers({{"X", std::string(10000, '(')}}), Numbers{});
}

TEST(Macros, each_different_definition_counts_once) {
  EXPECT_EQ(numbers({{"X", "256"}, {"X", "512"}, {"X", "256"}}), (Numbers{256, 512}));
}

TEST(Macros, strings_may_be_joined_and_chained) {
  Macros all;
  all.add({{"N", "\"Toy\" \"-\" \"512\""}, {"M", "N"}, {"L", "(\"a\")"}, {"K", "K"}, {"J", "5"}});
  EXPECT_EQ(all.strings("N"), (Names{"Toy-512"}));
  EXPECT_EQ(all.strings("M"), (Names{"Toy-512"}));
  EXPECT_EQ(all.strings("L"), (Names{"a"}));
  EXPECT_EQ(all.strings("K"), Names{});
  EXPECT_EQ(all.strings("J"), Names{});
}

TEST(Names, are_made_clean_and_free) {
  EXPECT_EQ(clean_name("Toy 512 (v2)"), "Toy_512_v2");
  EXPECT_EQ(clean_name("\xe5\xae\x9e Toy"), "Toy");
  EXPECT_EQ(clean_name("\xe5\xae\x9e"), "");
  EXPECT_EQ(clean_name(".a.b", true), "a.b");
  EXPECT_EQ(clean_name(std::string(100, 'a')).size(), kLongestName);
  EXPECT_TRUE(is_clean_name("Toy-512_a"));
  EXPECT_FALSE(is_clean_name("") || is_clean_name("a b"));
  EXPECT_EQ(bare_name("Laurus-512"), bare_name("laurus_512"));
  EXPECT_EQ(free_name("a", {"a", "a_2"}), "a_3");
  EXPECT_EQ(free_name(std::string(64, 'a'), {std::string(64, 'a')}), std::string(62, 'a') + "_2");
}

TEST(Names, of_folders_pass_common_ones_over) {
  EXPECT_EQ(name_of_folder("/x/Toy/Reference_Implementation/src"), "Toy");
  EXPECT_EQ(name_of_folder("/x/Toy-512"), "Toy-512");
  EXPECT_EQ(name_of_folder("/ref"), "submission");
  EXPECT_TRUE(is_optimized("a/OPTIMISED/b"));
  EXPECT_FALSE(is_optimized("a/opt/b"));
}

}  // namespace
}  // namespace hashprof::submission
