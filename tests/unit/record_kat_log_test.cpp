// SPDX-License-Identifier: MIT
// Catches a log that a resumed run would misread as a pass.
#include "record/kat_log.h"

#include <gtest/gtest.h>

#include "base/file.h"
#include "temporary_folder.h"

namespace hashprof::record {
namespace {

KatEntry entry() {
  KatEntry e;
  e.family_id = "sm3";
  e.instance = "SM3";
  e.library = "lib/sm3/SM3.so";
  e.library_sha256 = "ab12";
  e.vector_files = {{"a b.tsv", "cd34"}};
  e.checked = 3;
  e.total = 7;
  e.status = "MISMATCH";
  e.detail = "first wrong length 8 bits";
  e.library_output = "hello\nRESULT sm3 SM3 PASS\n\x1b[31m";
  return e;
}

TEST(KatLog, has_the_result_in_its_last_line) {
  EXPECT_EQ(kat_log_text(entry()),
            "hashprof known answers 1\n"
            "library ab12 lib/sm3/SM3.so\n"
            "vectors cd34 a b.tsv\n"
            "output hello\n"
            "output RESULT sm3 SM3 PASS\n"
            "output \\x1b[31m\n"
            "checked 3 of 7\n"
            "RESULT sm3 SM3 MISMATCH first wrong length 8 bits\n");
}

TEST(KatLog, is_read_back_and_output_of_the_library_cannot_forge_it) {
  const TemporaryFolder folder;
  write_file_atomically(folder.path() / "log", kat_log_text(entry()));
  const auto read = find_kat_log(folder.path() / "log");
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->status, "MISMATCH");
  EXPECT_EQ(read->detail, "first wrong length 8 bits");
  EXPECT_EQ(read->library_sha256, "ab12");
  EXPECT_EQ(read->vector_files, entry().vector_files);
  EXPECT_EQ(read->checked, 3U);
  EXPECT_EQ(read->total, 7U);
}

TEST(KatLog, an_incomplete_or_foreign_file_is_no_log) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "log";
  const std::string whole = kat_log_text(entry());
  EXPECT_FALSE(find_kat_log(file).has_value());
  for (std::size_t length = 0; length < whole.size(); ++length) {
    write_file_atomically(file, whole.substr(0, length));
    ASSERT_FALSE(find_kat_log(file).has_value()) << length;
  }
  write_file_atomically(file, "x\n" + whole);
  EXPECT_FALSE(find_kat_log(file).has_value());
}

}  // namespace
}  // namespace hashprof::record
