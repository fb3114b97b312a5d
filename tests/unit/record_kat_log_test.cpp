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
  e.label = "SM3";
  e.library = "lib/sm3/SM3.so";
  e.library_sha256 = "ab12";
  e.vector_files = {{"a b.tsv", "cd34"}};
  e.manifest = "m.sha256";
  e.manifest_sha256 = "ef56";
  e.files = {{"2_12", "MISMATCH", "0a", "strict", "KAT_2_12_SM3.txt", "the manifest",
              "the manifest has 0b", 815, 12, "9c"},
             {"2_23", "NOKAT", "", "", "KAT_2_23_SM3.txt", "", "not in the manifest", {}, {}, ""}};
  e.contract = {{"returns", "kept", ""},
                {"repeat", "BROKEN", "at 8 bits: another digest from byte 0 on"},
                {"overlap", "NOTRUN", "a reason"}};
  e.vectors = {"MISMATCH", "1 of 7 vectors differ", 8};
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
            "manifest ef56 m.sha256\n"
            "output hello\n"
            "output RESULT sm3 SM3 PASS\n"
            "output \\x1b[31m\n"
            "checked 3 of 7\n"
            "rows MISMATCH 8 1 of 7 vectors differ\n"
            "kat 2_12 MISMATCH 0a strict KAT_2_12_SM3.txt 815 bytes 12 ns\n"
            "against 2_12 the manifest\n"
            "submitted 2_12 9c\n"
            "detail 2_12 the manifest has 0b\n"
            "kat 2_23 NOKAT - - KAT_2_23_SM3.txt - bytes\n"
            "detail 2_23 not in the manifest\n"
            "contract returns kept\n"
            "contract repeat BROKEN at 8 bits: another digest from byte 0 on\n"
            "contract overlap NOTRUN a reason\n"
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
  EXPECT_EQ(read->manifest, "m.sha256");
  EXPECT_EQ(read->manifest_sha256, "ef56");
  ASSERT_EQ(read->files.size(), 2U);
  EXPECT_EQ(read->files[0].status, "MISMATCH");
  EXPECT_EQ(read->files[0].against, "the manifest");
  EXPECT_EQ(read->files[1].against, "");
  EXPECT_EQ(read->files[0].submitted_sha256, "9c");
  EXPECT_EQ(read->files[1].submitted_sha256, "");
  EXPECT_EQ(read->vectors.status, "MISMATCH");
  EXPECT_EQ(read->vectors.detail, "1 of 7 vectors differ");
  EXPECT_EQ(read->vectors.first_wrong_bits, 8U);
  EXPECT_EQ(read->files[0].sha256, "0a");
  EXPECT_EQ(read->files[0].mode, "strict");
  EXPECT_EQ(read->files[0].bytes, 815U);
  EXPECT_EQ(read->files[0].elapsed_ns, 12U);
  EXPECT_EQ(read->files[1].sha256, "");
  ASSERT_EQ(read->contract.size(), 3U);
  EXPECT_EQ(read->contract[0].step, "returns");
  EXPECT_EQ(read->contract[0].standing, "kept");
  EXPECT_EQ(read->contract[0].detail, "");
  EXPECT_EQ(read->contract[1].standing, "BROKEN");
  EXPECT_EQ(read->contract[1].detail, "at 8 bits: another digest from byte 0 on");
  EXPECT_EQ(read->files[1].detail, "not in the manifest");
  EXPECT_FALSE(read->files[1].bytes.has_value() || read->files[1].elapsed_ns.has_value());
}

TEST(KatLog, stands_only_for_the_same_library_vectors_and_manifest) {
  KatEntry now = entry();
  now.files[0].status = now.files[0].sha256 = "";
  now.files[0].elapsed_ns.reset();
  now.status = now.detail = "";
  EXPECT_TRUE(is_same_question(entry(), now)) << "results are no part of the question";
  const auto differs = [](auto change) {
    KatEntry other = entry();
    change(other);
    return !is_same_question(entry(), other);
  };
  EXPECT_TRUE(differs([](KatEntry& e) { e.library_sha256 = "x"; }));
  EXPECT_TRUE(differs([](KatEntry& e) { e.vector_files.clear(); }));
  EXPECT_TRUE(differs([](KatEntry& e) { e.manifest_sha256 = "x"; }));
  EXPECT_FALSE(differs([](KatEntry& e) { e.files.pop_back(); })) << "each file stands for itself";
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
  write_file_atomically(file, kat_log_text(entry()).replace(whole.find("BROKEN"), 6, "broken"));
  EXPECT_FALSE(find_kat_log(file).has_value()) << "a standing that is none";
  write_file_atomically(file, "x\n" + whole);
  EXPECT_FALSE(find_kat_log(file).has_value());
}

}  // namespace
}  // namespace hashprof::record
