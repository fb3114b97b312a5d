// SPDX-License-Identifier: MIT
// Catches a build that passes its known answers without computing them, and a fault that is not
// charged to its vector.
#include "runner/known_answers.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "runner_support.h"

namespace hashprof::runner {
namespace {

/// The fixtures' digest (tests/fixtures/libs/hash.h), computed here a second time.
std::vector<std::uint8_t> digest_of(const std::vector<std::uint8_t>& message, std::uint64_t bits,
                                    std::uint32_t bytes) {
  std::uint64_t sum = bits + 1;
  for (const std::uint8_t byte : message) {
    sum = sum * 31 + byte;
  }
  std::vector<std::uint8_t> digest;
  for (std::uint32_t i = 0; i < bytes; ++i) {
    digest.push_back(static_cast<std::uint8_t>((sum >> (i % 8 * 8)) + i));
  }
  return digest;
}

std::vector<kat::Vector> vectors_of(std::size_t count) {
  std::vector<kat::Vector> vectors;
  for (std::size_t i = 0; i < count; ++i) {
    kat::Vector vector;
    vector.instance = "fixture";
    vector.message_bits = i;
    vector.message = kat::pattern_message((i + 7) / 8);
    vector.digest = digest_of(vector.message, i, 32);
    vector.file = "fixture.tsv";
    vector.line = static_cast<std::uint32_t>(i + 2);
    vectors.push_back(vector);
  }
  return vectors;
}

KatJob job_of(const std::string& library) {
  KatJob job;
  job.worker = HASHPROF_WORKER;
  job.library = fixture(library + ".so");
  job.entry = "CryptHash";
  job.core = test_core();
  return job;
}

kat::Verdict judge(const KatJob& job, std::size_t count) {
  return run_known_answers(job, vectors_of(count)).verdict;
}

void expect_verdict(const kat::Verdict& verdict, const char* status, const char* detail,
                    std::uint64_t checked) {
  EXPECT_STREQ(kat::status_name(verdict.status), status);
  EXPECT_EQ(verdict.detail, detail);
  EXPECT_EQ(verdict.checked, checked);
}

TEST(KnownAnswers, pass_for_4097_messages_of_a_right_library) {
  const kat::Verdict verdict = judge(job_of("good"), 4097);
  EXPECT_STREQ(kat::status_name(verdict.status), "PASS") << verdict.detail;
  EXPECT_EQ(verdict.checked, 4097U);
  EXPECT_EQ(verdict.total, 4097U);
}

TEST(KnownAnswers, do_not_pass_where_half_a_digest_is_written) {
  EXPECT_STREQ(kat::status_name(judge(job_of("half"), 20).status), "MISMATCH");
}

TEST(KnownAnswers, do_not_pass_where_only_the_first_digest_is_written) {
  EXPECT_STREQ(kat::status_name(judge(job_of("once"), 20).status), "MISMATCH");
}

TEST(KnownAnswers, do_not_pass_with_one_wrong_byte_expected) {
  std::vector<kat::Vector> vectors = vectors_of(20);
  vectors[7].digest[31] ^= 1U;
  const kat::Verdict verdict = run_known_answers(job_of("good"), vectors).verdict;
  EXPECT_STREQ(kat::status_name(verdict.status), "MISMATCH");
  EXPECT_NE(verdict.detail.find("message of 7 bits"), std::string::npos) << verdict.detail;
}

TEST(KnownAnswers, charge_a_crash_to_its_vector) {
  expect_verdict(judge(job_of("crash"), 5), "CRASH",
                 "SIGSEGV at step call, vector 1 of 5 (message of 0 bits)", 0);
}

TEST(KnownAnswers, charge_a_non_zero_return_to_its_vector_and_length) {
  expect_verdict(judge(job_of("fail_at_3"), 5), "CRYPTFAIL",
                 "returned 1, vector 3 of 5 (message of 2 bits)", 2);
}

TEST(KnownAnswers, charge_an_exit_to_its_vector) {
  expect_verdict(judge(job_of("exit_zero"), 5), "CRASH",
                 "exited with status 0 at step call, vector 1 of 5 (message of 0 bits)", 0);
}

TEST(KnownAnswers, charge_an_endless_loop_to_its_vector) {
  KatJob job = job_of("endless");
  job.time_limit = {200'000'000};
  expect_verdict(judge(job, 5), "TIMEOUT",
                 "no end within 0.2 s at step call, vector 1 of 5 (message of 0 bits)", 0);
}

TEST(KnownAnswers, say_why_a_library_does_not_load) {
  KatJob job = job_of("good");
  job.entry = "OtherHash";
  expect_verdict(judge(job, 5), "LOADFAIL", "good.so: undefined symbol: OtherHash", 0);
}

TEST(KnownAnswers, charge_an_initialiser_to_the_load) {
  expect_verdict(judge(job_of("initialiser_crashes"), 5), "CRASH", "SIGSEGV at step load", 0);
}

TEST(KnownAnswers, start_no_process_without_vectors) {
  KatJob job = job_of("good");
  job.worker = "/nonexistent";
  EXPECT_STREQ(kat::status_name(run_known_answers(job, {}).verdict.status), "NOVECTORS");
}

TEST(KnownAnswers, keep_what_the_library_wrote) {
  const KatRun run = run_known_answers(job_of("chatty"), vectors_of(3));
  EXPECT_STREQ(kat::status_name(run.verdict.status), "PASS") << run.verdict.detail;
  EXPECT_EQ(run.output.tail.size(), 65536U);
  EXPECT_EQ(run.output.tail.substr(65526), "last line\n");
}

}  // namespace
}  // namespace hashprof::runner
