// SPDX-License-Identifier: MIT
// Catches what is taken for code in a comment, and code that odd bytes or line ends hide.
#include <gtest/gtest.h>

#include "submission/source_facts.h"

namespace hashprof::submission {
namespace {

using Names = std::vector<std::string>;

TEST(SourceFacts, includes_of_both_kinds) {
  const SourceFacts facts = facts_of(
      "# include \"a b.h\" // x\n#include <math.h>\n/*\n#include <no.h>\n*/\n"
      "#include<openssl/sha.h>\n#include MACRO\n#includes <no.h>\n#include <open\n");
  EXPECT_EQ(facts.quoted_includes, (Names{"a b.h"}));
  EXPECT_EQ(facts.system_includes, (Names{"math.h", "openssl/sha.h"}));
}

TEST(SourceFacts, the_entry_is_a_body_outside_of_comments_and_strings) {
  EXPECT_TRUE(facts_of("int\nCryptHash(int b)\n{ return 0; }").defines_ngcc);
  EXPECT_TRUE(facts_of("extern \"C\" {\nint crypto_hash(void) { } }").defines_supercop);
  EXPECT_FALSE(facts_of("int CryptHash(int);").defines_ngcc);
  EXPECT_FALSE(facts_of("/* int CryptHash(int) { } */").defines_ngcc);
  EXPECT_FALSE(facts_of("const char *s = \"int CryptHash(int) { }\";").defines_ngcc);
  EXPECT_FALSE(facts_of("// x \\\nint CryptHash(int b) { }\n").defines_ngcc);
  EXPECT_FALSE(facts_of("int CryptHash512(int b) { }").defines_ngcc);
}

TEST(SourceFacts, gbk_crlf_and_a_byte_order_mark_hide_nothing) {
  const SourceFacts facts = facts_of(
      "\xEF\xBB\xBF#include \"a.h\"\r\n// \xb9\xfe\xcf\xa3 \" '\r\n"
      "#define BITS \\\r\n 512\r\nint CryptHash(int b)\r\n{\r\n}\r\n");
  EXPECT_EQ(facts.quoted_includes, (Names{"a.h"}));
  ASSERT_EQ(facts.macros.size(), 1U);
  EXPECT_EQ(facts.macros[0].value, "512");
  EXPECT_TRUE(facts.defines_ngcc);
}

TEST(SourceFacts, macros_without_parameters) {
  const SourceFacts facts = facts_of("#define A\n# define B \"x y\" /* c */\n#define F(x) x\n");
  ASSERT_EQ(facts.macros.size(), 2U);
  EXPECT_EQ(facts.macros[0].name, "A");
  EXPECT_EQ(facts.macros[0].value, "");
  EXPECT_EQ(facts.macros[1].value, "\"x y\"");
}

TEST(SourceFacts, words_stand_outside_of_directives_and_literals) {
  const SourceFacts facts =
      facts_of("#define X _mm512_no\nf(_mm256_xor_si256(a)); \"typeof\"; // asm\n0x1F;");
  EXPECT_TRUE(facts.has_word("_mm256_xor_si256"));
  EXPECT_TRUE(facts.has_word_prefix("_mm256_"));
  EXPECT_FALSE(facts.has_word_prefix("_mm512_"));
  EXPECT_FALSE(facts.has_word("typeof") || facts.has_word("asm") || facts.has_word("x1F"));
}

TEST(SourceFacts, types_of_stdint_that_a_typedef_ends_in) {
  EXPECT_EQ(facts_of("typedef unsigned long long uint64_t;\n").stdint_types, (Names{"uint64_t"}));
  EXPECT_EQ(facts_of("typedef unsigned char u8, uint8_t;").stdint_types, (Names{"uint8_t"}));
  EXPECT_TRUE(facts_of("typedef uint64_t word; uint32_t x;").stdint_types.empty());
}

TEST(SourceFacts, bytes_that_are_no_text_say_nothing) {
  const SourceFacts facts = facts_of(std::string_view("int CryptHash(int b) { }\0", 25));
  EXPECT_TRUE(facts.is_binary);
  EXPECT_FALSE(facts.defines_ngcc);
}

TEST(SourceFacts, headers_of_the_system_and_of_cxx) {
  EXPECT_TRUE(is_system_header("stdint.h") && is_system_header("openssl/evp.h"));
  EXPECT_FALSE(is_system_header("toy.h"));
  EXPECT_TRUE(is_cxx_header("toy.hpp") && is_cxx_header("vector") && is_cxx_header("cstdint"));
  EXPECT_FALSE(is_cxx_header("toy.h") || is_cxx_header("string.h") || is_cxx_header("hpp"));
}

}  // namespace
}  // namespace hashprof::submission
