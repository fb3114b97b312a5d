// SPDX-License-Identifier: MIT
// Catches a canonical digest that depends on line ends or pieces, or leaves out what it must cover.
#include "kat/canonical.h"

#include <gtest/gtest.h>

namespace hashprof::kat {
namespace {

std::string canonical(const std::string& text, const Mode& mode = {}) {
  CanonicalDigest digest(mode);
  digest.update(text);
  EXPECT_EQ(digest.bytes(), text.size());
  return digest.finish();
}

TEST(CanonicalDigest, drops_trailing_blanks_and_empty_lines) {
  const std::string plain = sha256_of("Msg_Len = 0\nMsg =\nDst = AB\n");
  EXPECT_EQ(canonical("Msg_Len = 0\nMsg = \nDst = AB\n\n"), plain);
  EXPECT_EQ(canonical("\r\nMsg_Len = 0\r\nMsg = \t \r\n \r\nDst = AB"), plain)
      << "also without a line end at the end";
  EXPECT_NE(canonical("Msg_Len = 0\n Msg =\nDst = AB\n"), plain) << "leading blanks count";
}

TEST(CanonicalDigest, does_not_depend_on_the_pieces) {
  const std::string text = "Count = 1\r\nA_Len = 3\nB = 4 \n\n";
  for (std::size_t size = 1; size <= text.size(); ++size) {
    CanonicalDigest digest({});
    for (std::size_t at = 0; at < text.size(); at += size) {
      digest.update(std::string_view(text).substr(at, size));
    }
    EXPECT_EQ(digest.finish(), sha256_of("Count = 1\nA_Len = 3\nB = 4\n")) << size;
  }
}

TEST(CanonicalDigest, nolen_leaves_out_lines_whose_key_ends_in_len) {
  const Mode nolen{true, std::nullopt};
  EXPECT_EQ(canonical("Msg_Len = 8\nMsg = 00\nDst_Len =\nDst = AB\n", nolen),
            sha256_of("Msg = 00\nDst = AB\n"));
  EXPECT_EQ(canonical("Length = 8\nMsg = A_Len\n", nolen), sha256_of("Length = 8\nMsg = A_Len\n"));
}

TEST(CanonicalDigest, a_number_of_records_ends_it_early) {
  const std::string text = "# head\nCount = 0\nA = 1\n\nCount = 1\nA = 2\n\nCount = 2\nA = 3\n";
  EXPECT_EQ(canonical(text, {false, 2}), sha256_of("# head\nCount = 0\nA = 1\nCount = 1\nA = 2\n"));
  EXPECT_EQ(canonical(text, {false, 3}), canonical(text));
}

TEST(CanonicalMode, is_read_and_written) {
  for (const char* word : {"strict", "nolen", "strict:10", "nolen:1"}) {
    const auto mode = find_mode(word);
    ASSERT_TRUE(mode.has_value()) << word;
    EXPECT_EQ(mode_text(mode.value_or(Mode{})), word);
  }
  for (const char* word : {"", "Strict", "strict:", "strict:0", "strict:x", ":3", "nolen:1:2"}) {
    EXPECT_FALSE(find_mode(word).has_value()) << word;
  }
}

}  // namespace
}  // namespace hashprof::kat
