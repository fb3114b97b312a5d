// SPDX-License-Identifier: MIT
// Catches a gate that lets a wrong known-answer file pass, or holds a right build up for want of a
// manifest.
#include <gtest/gtest.h>

#include "base/sha256.h"
#include "kat/verdict.h"

namespace hashprof::kat {
namespace {

Verdict vectors(Status status, const std::string& detail) { return {status, detail, 3, 3, {}}; }

KindVerdict kind(Kind which, Status status, const std::string& detail = "") {
  return {which, status, file_name(which, "X"), detail, "", "", "the manifest", 0};
}

void expect(const Verdict& verdict, Status status, const std::string& detail) {
  EXPECT_STREQ(status_name(verdict.status), status_name(status));
  EXPECT_EQ(verdict.detail, detail);
}

const Verdict kRight = vectors(Status::pass, "3 vectors agree");
const Verdict kNone = vectors(Status::no_vectors, "no vectors for this instance");

Verdict wrong_vectors() {
  Verdict verdict = vectors(Status::mismatch, "2 of 3 vectors differ; first: ...");
  verdict.first_wrong_bits = 7;
  return verdict;
}

TEST(Gate, passes_with_vectors_and_files) {
  expect(combine(kRight, {kind(Kind::k2_12, Status::pass), kind(Kind::k2_23, Status::pass)}),
         Status::pass, "3 vectors agree; 2_12 2_23 equal the manifest");
  expect(combine(kNone, {kind(Kind::k2_23, Status::pass)}), Status::pass,
         "2_23 equals the manifest");
}

TEST(Gate, a_file_without_a_line_neither_passes_nor_fails) {
  const KindVerdict no_kat = without_line(Kind::k2_12, "KAT_2_12_X.txt", false);
  EXPECT_EQ(no_kat.detail, "no manifest");
  EXPECT_EQ(without_line(Kind::k2_12, "KAT_2_12_X.txt", true).detail, "not in the manifest");
  expect(combine(kRight, {no_kat}), Status::pass, "3 vectors agree");
  expect(combine(kNone, {no_kat}), Status::no_vectors, "no vectors for this instance");
  expect(combine(kNone, {no_kat, kind(Kind::k2_23, Status::pass)}), Status::pass,
         "2_23 equals the manifest");
}

TEST(Gate, what_was_not_run_and_what_is_not_as_submitted_is_said_of_a_build_that_passes) {
  expect(combine(kRight, {kind(Kind::k2_12, Status::pass, "is not as submitted: f differs"),
                          kind(Kind::k2_33, Status::not_run, "short of memory"),
                          kind(Kind::loop, Status::not_run, "short of memory")}),
         Status::pass,
         "3 vectors agree; 2_12 equals the manifest; 2_12 is not as submitted: f differs; "
         "2_33 Loop not run: short of memory");
}

TEST(Gate, a_mismatch_names_the_first_wrong_length_that_the_vectors_find) {
  const KindVerdict wrong = kind(Kind::k2_12, Status::mismatch);
  expect(combine(wrong_vectors(), {wrong, kind(Kind::k2_23, Status::mismatch)}), Status::mismatch,
         "first wrong length 7 bits; 2_12 2_23 differ from the manifest; 2 of 3 vectors differ; "
         "first: ...");
  expect(combine(wrong_vectors(), {}), Status::mismatch,
         "first wrong length 7 bits; 2 of 3 vectors differ; first: ...");
  expect(combine(kRight, {wrong, kind(Kind::k2_23, Status::pass)}), Status::mismatch,
         "2_12 differs from the manifest, but 3 vectors agree: the first wrong length is none of "
         "theirs");
  expect(combine(kNone, {wrong}), Status::mismatch,
         "2_12 differs from the manifest; no vectors that could name the first wrong length");
}

TEST(Gate, a_crash_comes_before_a_mismatch) {
  expect(combine(wrong_vectors(), {kind(Kind::k2_12, Status::mismatch),
                                   kind(Kind::k2_23, Status::crash, "SIGSEGV at step call")}),
         Status::crash, "2_23: SIGSEGV at step call");
  const Verdict stuck = vectors(Status::timeout, "no end within 60 s");
  expect(combine(stuck, {kind(Kind::k2_12, Status::not_run)}), Status::timeout,
         "no end within 60 s");
}

TEST(Gate, the_shortest_wrong_message_is_found_in_any_order) {
  std::vector<Vector> wanted(3);
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    wanted[i].message_bits = std::vector<std::uint64_t>{90, 70, 80}[i];
    wanted[i].digest = {1};
  }
  EXPECT_EQ(compare(wanted, {{2}, {1}, {2}}).first_wrong_bits, 80U);
  EXPECT_EQ(compare(wanted, {{1}, {1}, {1}}).first_wrong_bits, std::nullopt);
}

TEST(KatFile, is_judged_by_the_digest_of_its_canonical_text) {
  const MessageSet set{Kind::k2_12, "", {{8, {0x3d}, {}}}};
  ManifestLine line{sha256_of("Msg_Len = 8\nMsg = 3D\nDst_Len = 16\nDst = 00FF\n"), {}, "X/f", 4};
  KindVerdict verdict = judge(set, "f", &line, true, {{0x00, 0xff}});
  EXPECT_EQ(verdict.status, Status::pass);
  EXPECT_EQ(verdict.sha256, line.sha256);
  EXPECT_EQ(verdict.mode, "strict");
  EXPECT_EQ(verdict.bytes, 46U);
  EXPECT_EQ(verdict.detail, "");
  line.sha256 = std::string(64, '0');
  verdict = judge(set, "f", &line, true, {{0x00, 0xff}});
  EXPECT_EQ(verdict.status, Status::mismatch);
  EXPECT_EQ(verdict.detail, "the manifest has " + std::string(64, '0') + " at line 4");
}

TEST(KatFile, without_a_line_has_its_digest_and_no_answer) {
  const MessageSet set{Kind::loop, "", {{8, {0x3d}, {}}}};
  const KindVerdict verdict = judge(set, "f", nullptr, true, {{0x00, 0xff}});
  EXPECT_EQ(verdict.status, Status::no_kat);
  EXPECT_EQ(verdict.detail, "not in the manifest");
  EXPECT_EQ(verdict.sha256, sha256_of("Msg_Len = 8\nMsg = 3D\nDst_Len = 16\nDst = 00FF\n"));
  EXPECT_EQ(judge(set, "f", nullptr, false, {{0x00, 0xff}}).detail, "no manifest");
  const KindVerdict same = compare_with_variant(verdict, "A.optimized", verdict.sha256);
  EXPECT_EQ(same.status, Status::no_kat);
  EXPECT_EQ(same.detail, "not in the manifest, the same text as A.optimized");
  const KindVerdict other = compare_with_variant(verdict, "A", "00");
  EXPECT_EQ(other.status, Status::mismatch);
  EXPECT_EQ(other.against, "A");
  EXPECT_EQ(other.detail, "not in the manifest; the text of A has 00");
}

TEST(Gate, files_without_an_answer_stand_with_their_own_words) {
  std::vector<KindVerdict> open = {kind(Kind::k2_12, Status::no_kat, "not in the manifest"),
                                   kind(Kind::k2_33, Status::no_kat, "not in the manifest"),
                                   kind(Kind::loop, Status::no_kat, "no manifest, the same text")};
  for (KindVerdict& each : open) {
    each.sha256 = "0a";
  }
  expect(combine(vectors(Status::pass, "4 vectors agree"), open), Status::pass,
         "4 vectors agree; 2_12 2_33 not in the manifest; Loop no manifest, the same text");
}

TEST(Gate, a_file_without_an_answer_is_named_and_a_differing_variant_fails) {
  KindVerdict open = kind(Kind::loop, Status::no_kat, "not in the manifest");
  open.sha256 = "0a";
  const Verdict right = vectors(Status::pass, "4 vectors agree");
  expect(combine(right, {kind(Kind::k2_12, Status::pass), open}), Status::pass,
         "4 vectors agree; 2_12 equals the manifest; Loop not in the manifest");
  expect(combine(right, {open}), Status::pass, "4 vectors agree; Loop not in the manifest");
  KindVerdict wrong = kind(Kind::loop, Status::mismatch);
  wrong.against = "A";
  expect(combine(right, {kind(Kind::k2_12, Status::pass), wrong}), Status::mismatch,
         "Loop differs from A, but 4 vectors agree: the first wrong length is none of theirs");
}

TEST(Gate, a_right_file_does_not_hide_vectors_that_did_not_end) {
  const Verdict crashed = vectors(Status::crash, "SIGSEGV");
  expect(combine(crashed, {kind(Kind::k2_12, Status::pass)}), Status::crash, "SIGSEGV");
}

}  // namespace
}  // namespace hashprof::kat
