// SPDX-License-Identifier: MIT
// Catches an answer that stands although something it depends on changed, or that is lost although
// nothing did.
#include <gtest/gtest.h>

#include "app/kat_entry.h"

namespace hashprof::app {
namespace {

using record::KatEntry;
using record::KatFileEntry;

KatFileEntry file(const std::string& kind, const std::string& status, const std::string& mode) {
  KatFileEntry entry;
  entry.kind = kind;
  entry.status = status;
  entry.file = "KAT_" + kind + "_X.txt";
  entry.sha256 = "ab";
  entry.mode = mode;
  return entry;
}

std::vector<record::ContractEntry> all_kept() {
  std::vector<record::ContractEntry> checks;
  for (const kat::CheckRow& row : kat::check_table()) {
    checks.push_back({row.name, "kept", ""});
  }
  return checks;
}

/// What an earlier command left: everything answered.
KatEntry earlier() {
  KatEntry entry;
  entry.library_sha256 = "01";
  entry.question_sha256 = "02";
  entry.vectors = {"PASS", "3 vectors agree", {}};
  entry.files = {file("2_12", "PASS", "strict"), file("2_23", "MISMATCH", "strict")};
  entry.contract = all_kept();
  return entry;
}

/// What a command begins with that wants 2_12 and Loop.
KatEntry wanted() {
  KatEntry entry;
  entry.library_sha256 = "01";
  entry.question_sha256 = "02";
  entry.files = {file("2_12", "", ""), file("Loop", "", "")};
  return entry;
}

std::string status_after(const KatEntry& known) {
  KatEntry entry = wanted();
  adopt(known, entry);
  settle(entry);
  return entry.status + " " + entry.detail;
}

TEST(KatEntry, takes_over_what_stands_and_keeps_a_mismatch_that_is_not_asked_for) {
  KatEntry entry = wanted();
  adopt(earlier(), entry);
  ASSERT_EQ(entry.files.size(), 3U);
  EXPECT_EQ(entry.files[1].kind, "2_23");
  EXPECT_EQ(entry.files[1].status, "MISMATCH");
  settle(entry);
  EXPECT_EQ(entry.status + " " + entry.detail, "NOTRUN not finished: Loop");
  entry.files[2].status = "NOKAT";
  settle(entry);
  EXPECT_EQ(entry.status, "MISMATCH");
}

TEST(KatEntry, takes_nothing_over_of_another_question) {
  const std::string nothing = "NOTRUN not finished: vectors 2_12 Loop contract";
  for (auto member : {&KatEntry::library_sha256, &KatEntry::question_sha256, &KatEntry::manifest,
                      &KatEntry::manifest_sha256}) {
    KatEntry other = earlier();
    other.*member = "03";
    EXPECT_EQ(status_after(other), nothing);
  }
  KatEntry other = earlier();
  other.vector_files.emplace_back("v.tsv", "04");
  EXPECT_EQ(status_after(other), nothing);
}

TEST(KatEntry, asks_again_what_another_try_could_end_otherwise) {
  KatEntry known = earlier();
  known.files[0].status = "TIMEOUT";
  EXPECT_EQ(status_after(known), "NOTRUN not finished: 2_12 Loop");
  known = earlier();
  known.vectors.status = "CRASH";
  EXPECT_EQ(status_after(known), "NOTRUN not finished: vectors Loop");
  known = earlier();
  known.contract[3] = {"digest_guard", "NOTRUN", "the check input did not end in time"};
  EXPECT_EQ(status_after(known), "NOTRUN not finished: Loop contract");
  known.contract[3] = {"digest_guard", "BROKEN", "at 8 bits: SIGKILL"};
  EXPECT_EQ(status_after(known), "NOTRUN not finished: Loop contract");
  known.contract[3] = {"digest_guard", "BROKEN", "at 8 bits: SIGSEGV"};
  EXPECT_EQ(status_after(known), "NOTRUN not finished: Loop");
  known = earlier();
  known.contract.pop_back();
  EXPECT_EQ(status_after(known), "NOTRUN not finished: Loop contract");
}

TEST(KatEntry, a_file_is_asked_again_where_another_submitted_file_is_at_hand) {
  for (const char* status : {"PASS", "MISMATCH"}) {
    KatFileEntry entry = file("2_12", status, "strict");
    reopen(entry, true, "");
    EXPECT_FALSE(entry.is_pending);
    reopen(entry, true, "05");
    EXPECT_TRUE(entry.is_pending);
    entry.submitted_sha256 = "05";
    reopen(entry, true, "05");
    EXPECT_FALSE(entry.is_pending);
  }
}

TEST(KatEntry, what_a_submitted_file_said_goes_with_it) {
  KatFileEntry entry = file("2_12", "PASS", "strict");
  entry.submitted_sha256 = "05";
  entry.detail = "is not as submitted: f differs";
  reopen(entry, true, "");
  EXPECT_EQ(entry.status, "PASS");
  EXPECT_EQ(entry.detail + entry.submitted_sha256, "");

  entry = file("2_12", "MISMATCH", "strict");
  entry.submitted_sha256 = "05";
  entry.detail = "f differs first at record 1; the manifest has 00 at line 2";
  reopen(entry, true, "");
  EXPECT_EQ(entry.status, "MISMATCH");
  EXPECT_EQ(entry.detail, "the manifest has 00 at line 2");

  entry = file("2_12", "PASS", "");
  entry.submitted_sha256 = "05";
  entry.against = "the submitted file";
  reopen(entry, true, "");
  EXPECT_EQ(entry.status, "NOKAT");
  EXPECT_EQ(entry.detail, "not in the manifest");
  EXPECT_EQ(entry.against, "");
}

}  // namespace
}  // namespace hashprof::app
