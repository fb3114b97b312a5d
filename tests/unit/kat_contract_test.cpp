// SPDX-License-Identifier: MIT
// Catches a broken promise that passes the gate, a reported fact that fails it, a check charged
// with the fault of another, and a sentence that does not say where.
#include "kat/contract.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace hashprof::kat {
namespace {

using Kind = Finding::Kind;

constexpr std::uint32_t kDigestBits = 256;

CheckResult judged(Check check, const Sighting& sighting) {
  return judge(check, sighting, kDigestBits);
}

Sighting saw(Kind kind, std::int64_t number, std::uint64_t bits, std::uint32_t beside = 0) {
  Sighting sighting;
  sighting.findings = {{kind, number, bits, beside}};
  sighting.judged = 1;
  return sighting;
}

Sighting died(const char* fault, std::uint64_t bits, std::uint32_t beside = 0) {
  Sighting sighting;
  sighting.fault = fault;
  sighting.is_in_call = true;
  sighting.message_bits = bits;
  sighting.beside = beside;
  return sighting;
}

Sighting quiet() {
  Sighting sighting;
  sighting.judged = 1200;
  return sighting;
}

void expect_result(const CheckResult& result, Standing standing, const std::string& detail) {
  EXPECT_STREQ(standing_name(result.standing), standing_name(standing)) << result.detail;
  EXPECT_EQ(result.detail, detail);
}

TEST(KatContract, the_table_is_in_the_order_of_the_checks) {
  std::string promises;
  std::string reported;
  for (std::size_t i = 0; i < kChecks; ++i) {
    const CheckRow& row = check_table()[i];
    EXPECT_EQ(static_cast<std::size_t>(row.check), i + 1);
    EXPECT_EQ(&row_of(row.check), &row);
    (row.is_promise ? promises : reported) += std::string(row.name) + " ";
  }
  EXPECT_EQ(promises,
            "returns repeat input digest_guard digest_whole unused_bits message_end digest_end ");
  EXPECT_EQ(reported, "message_alignment digest_alignment overlap digest_length null_message ");
}

TEST(KatContract, a_promise_that_nothing_broke_is_kept) {
  expect_result(judged(Check::repeat, quiet()), Standing::kept, "");
}

TEST(KatContract, a_broken_promise_says_where_and_what) {
  expect_result(judged(Check::returns, saw(Kind::returned, -3, 1000)), Standing::broken,
                "at 1000 bits: returned -3");
  expect_result(judged(Check::repeat, saw(Kind::other_digest, 2, 1)), Standing::broken,
                "at 1 bit: another digest from byte 2 on");
  expect_result(judged(Check::input, saw(Kind::input_changed, -1, 8)), Standing::broken,
                "at 8 bits: changed byte -1 of the message");
  expect_result(judged(Check::digest_guard, saw(Kind::wrote_outside, 32, 0)), Standing::broken,
                "at 0 bits: wrote byte 32 of a digest of 32 bytes");
  expect_result(judged(Check::digest_whole, saw(Kind::not_written, 16, 0)), Standing::broken,
                "at 0 bits: did not write byte 16 of the digest");
}

TEST(KatContract, a_fault_breaks_a_promise_at_its_length) {
  expect_result(judged(Check::message_end, died("SIGSEGV", 9)), Standing::broken,
                "at 9 bits: SIGSEGV (reads behind the message, or writes to it)");
  expect_result(judged(Check::digest_end, died("SIGBUS", 9)), Standing::broken,
                "at 9 bits: SIGBUS (needs memory behind the digest)");
  expect_result(judged(Check::message_end, died("no end within 60 s at step call", 9)),
                Standing::broken, "at 9 bits: no end within 60 s at step call");
  expect_result(judged(Check::returns, died("SIGABRT", 9)), Standing::broken, "at 9 bits: SIGABRT");
}

TEST(KatContract, a_hash_that_refuses_every_call_keeps_nothing) {
  expect_result(judged(Check::repeat, {}), Standing::not_run, "no call returned 0");
  expect_result(judged(Check::overlap, {}), Standing::not_run, "no call returned 0");
}

TEST(KatContract, what_the_api_leaves_open_is_reported) {
  expect_result(judged(Check::message_alignment, quiet()), Standing::reported,
                "the same digests at offsets 1 to 15");
  expect_result(judged(Check::message_alignment, died("SIGSEGV", 64, 1)), Standing::reported,
                "at 64 bits, message at offset 1: SIGSEGV");
  expect_result(judged(Check::digest_alignment, saw(Kind::other_digest, 0, 8, 5)),
                Standing::reported, "at 8 bits, digest at offset 5: another digest from byte 0 on");
  expect_result(judged(Check::overlap, saw(Kind::other_digest, 0, 512)), Standing::reported,
                "at 512 bits: another digest from byte 0 on");
  expect_result(judged(Check::null_message, saw(Kind::same_digest, 0, 0)), Standing::reported,
                "the same digest");
  expect_result(judged(Check::null_message, saw(Kind::returned, -2, 0)), Standing::reported,
                "refused with -2");
  expect_result(judged(Check::null_message, died("SIGSEGV", 0)), Standing::reported,
                "at 0 bits: SIGSEGV");
}

TEST(KatContract, other_digest_lengths_are_refused_ignored_honoured_or_something_else) {
  Sighting sighting;
  sighting.findings = {
      {Kind::returned, -1, 403, 128}, {Kind::wrote, 256, 403, 264}, {Kind::wrote, 512, 403, 512}};
  expect_result(judged(Check::digest_length, sighting), Standing::reported,
                "128: refused with -1; 264: ignored, wrote 256 bits; 512: honoured");
  expect_result(judged(Check::digest_length, saw(Kind::wrote, 64, 403, 512)), Standing::reported,
                "512: wrote 64 bits");
  sighting = died("SIGABRT", 403, 512);
  sighting.findings = {{Kind::returned, -1, 403, 128}};
  expect_result(judged(Check::digest_length, sighting), Standing::reported,
                "128: refused with -1; asked for 512 bits: SIGABRT");
}

TEST(KatContract, digests_that_do_not_repeat_are_compared_with_nothing) {
  const std::vector<CheckResult> before{judged(Check::repeat, saw(Kind::other_digest, 0, 0))};
  const char* reason = "the digests are not known to repeat, so that none can be compared";
  EXPECT_EQ(find_obstacle(Check::digest_whole, before, kDigestBits), reason);
  EXPECT_EQ(find_obstacle(Check::null_message, before, kDigestBits), reason);
  EXPECT_EQ(find_obstacle(Check::digest_guard, before, kDigestBits), "");
  EXPECT_EQ(find_obstacle(Check::unused_bits, {}, kDigestBits, true), "it takes whole bytes only");
  EXPECT_EQ(find_obstacle(Check::unused_bits, {}, kDigestBits), "");
  EXPECT_EQ(find_obstacle(Check::digest_whole, {judged(Check::repeat, quiet())}, kDigestBits), "");
}

TEST(KatContract, a_hash_that_needs_alignment_is_not_charged_with_the_end_of_a_page) {
  const std::vector<CheckResult> before{judged(Check::message_alignment, died("SIGSEGV", 64, 1)),
                                        judged(Check::digest_alignment, died("SIGSEGV", 64, 1))};
  const std::vector<CheckResult> sound{judged(Check::message_alignment, quiet()),
                                       judged(Check::digest_alignment, quiet())};
  EXPECT_EQ(length_step(Check::message_end, before), 64U);
  EXPECT_EQ(length_step(Check::message_end, sound), 1U);
  EXPECT_EQ(length_step(Check::repeat, before), 1U);
  EXPECT_EQ(find_obstacle(Check::digest_end, before, 256), "");
  EXPECT_EQ(find_obstacle(Check::digest_end, before, 320),
            "a digest of 40 bytes that ends with a page is not aligned, and the hash was not seen "
            "to bear that");
  EXPECT_EQ(find_obstacle(Check::digest_end, sound, 320), "");
}

TEST(KatContract, two_blocks_and_their_padding_are_tried_bit_by_bit) {
  EXPECT_EQ(dense_bits(std::nullopt), 1100U);
  EXPECT_EQ(dense_bits(64), 1100U);
  EXPECT_EQ(dense_bits(128), 2124U);
  EXPECT_EQ(dense_bits(1024), 2400U);
}

Verdict verdict_of(Status status) { return {status, "38 vectors agree", 38, 38, std::nullopt}; }

TEST(KatContract, a_broken_promise_fails_the_gate_and_the_first_one_is_named) {
  const std::vector<CheckResult> results{
      judged(Check::repeat, quiet()), judged(Check::digest_guard, saw(Kind::wrote_outside, 32, 0)),
      judged(Check::digest_end, died("SIGSEGV", 0)), judged(Check::overlap, died("SIGSEGV", 0))};
  const Verdict verdict = with_contract(verdict_of(Status::pass), results);
  EXPECT_STREQ(status_name(verdict.status), "CONTRACT");
  EXPECT_EQ(verdict.detail,
            "digest_guard: at 0 bits: wrote byte 32 of a digest of 32 bytes; also broken: "
            "digest_end");
  EXPECT_EQ(verdict.checked, 38U);
  EXPECT_EQ(with_contract(verdict_of(Status::no_vectors), results).status, Status::contract);
}

TEST(KatContract, other_failures_go_before_a_broken_promise) {
  const std::vector<CheckResult> results{judged(Check::repeat, saw(Kind::other_digest, 0, 0))};
  for (const Status status :
       {Status::mismatch, Status::crypt_fail, Status::crash, Status::timeout, Status::load_fail}) {
    const Verdict verdict = with_contract(verdict_of(status), results);
    EXPECT_EQ(verdict.status, status);
    EXPECT_EQ(verdict.detail, "38 vectors agree; broken promises: repeat");
  }
}

TEST(KatContract, reported_facts_and_checks_that_were_not_run_fail_nothing) {
  const std::vector<CheckResult> results{judged(Check::null_message, died("SIGSEGV", 0)),
                                         not_run(Check::digest_end, "reason")};
  EXPECT_EQ(with_contract(verdict_of(Status::pass), results).status, Status::pass);
  EXPECT_EQ(with_contract(verdict_of(Status::pass), results).detail, "38 vectors agree");
}

}  // namespace
}  // namespace hashprof::kat
