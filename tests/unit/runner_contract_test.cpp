// SPDX-License-Identifier: MIT
// Catches a check that misses the fault it is there for, or charges a right library with one. Each
// library is the same toy hash with one fault (tests/fixtures/contract/toy.c).
#include "runner/contract.h"

#include <gtest/gtest.h>

#include "runner_support.h"

namespace hashprof::runner {
namespace {

constexpr std::uint32_t kDigestBits = 256;
constexpr std::uint64_t kDenseBits = 1100;

KatJob job_of(const std::string& fault) {
  KatJob job;
  job.worker = HASHPROF_WORKER;
  job.library = fixture("contract_" + fault + ".so");
  job.entry = "CryptHash";
  job.core = test_core();
  return job;
}

std::vector<kat::CheckResult> checked(const std::string& fault) {
  return run_contract(job_of(fault), kDigestBits, kDenseBits);
}

/// "returns: at 1000 bits: returned 3\n" for each result of that standing.
std::string lines_with(const std::vector<kat::CheckResult>& results, kat::Standing standing) {
  std::string lines;
  for (const kat::CheckResult& result : results) {
    if (result.standing == standing) {
      lines += std::string(kat::row_of(result.check).name) + ": " + result.detail + "\n";
    }
  }
  return lines;
}

std::string broken(const std::string& fault) {
  return lines_with(checked(fault), kat::Standing::broken);
}

std::string reported(const std::string& fault, kat::Check check) {
  for (const kat::CheckResult& result : checked(fault)) {
    if (result.check == check) {
      return result.detail;
    }
  }
  return "(none)";
}

TEST(RunnerContract, a_right_hash_keeps_every_promise) {
  const auto results = checked("right");
  EXPECT_EQ(lines_with(results, kat::Standing::kept),
            "returns: \nrepeat: \ninput: \ndigest_guard: \ndigest_whole: \nunused_bits: \n"
            "message_end: \ndigest_end: \n");
  EXPECT_EQ(lines_with(results, kat::Standing::reported),
            "message_alignment: the same digests at offsets 1 to 15\n"
            "digest_alignment: the same digests at offsets 1 to 15\n"
            "overlap: the same digests\n"
            "digest_length: 128: ignored, wrote 256 bits; 264: ignored, wrote 256 bits; "
            "512: ignored, wrote 256 bits\n"
            "null_message: the same digest\n");
  EXPECT_EQ(results.size(), kat::kChecks);
}

TEST(RunnerContract, a_wrong_constant_breaks_no_promise) { EXPECT_EQ(broken("constant"), ""); }

TEST(RunnerContract, a_byte_that_is_not_written_is_found) {
  EXPECT_EQ(broken("short_write"),
            "digest_whole: at 0 bits: did not write byte 31 of the digest\n");
}

TEST(RunnerContract, a_digest_that_depends_on_its_buffer_is_found) {
  EXPECT_EQ(broken("keeps_buffer"), "digest_whole: at 0 bits: another digest from byte 0 on\n");
}

TEST(RunnerContract, one_byte_behind_the_digest_is_found_twice) {
  EXPECT_EQ(broken("over_write"),
            "digest_guard: at 0 bits: wrote byte 32 of a digest of 32 bytes\n"
            "digest_end: at 0 bits: SIGSEGV (needs memory behind the digest)\n");
}

TEST(RunnerContract, one_byte_before_the_digest_is_found) {
  EXPECT_EQ(broken("under_write"),
            "digest_guard: at 0 bits: wrote byte -1 of a digest of 32 bytes\n");
}

TEST(RunnerContract, a_changed_message_is_found) {
  EXPECT_EQ(broken("changes_input"),
            "input: at 1 bit: changed byte 0 of the message\n"
            "message_end: at 1 bit: SIGSEGV (reads behind the message, or writes to it)\n");
}

TEST(RunnerContract, a_message_that_is_changed_and_changed_back_is_found) {
  EXPECT_EQ(broken("restores_input"),
            "message_end: at 1 bit: SIGSEGV (reads behind the message, or writes to it)\n");
}

TEST(RunnerContract, a_read_behind_the_message_is_found) {
  EXPECT_EQ(broken("over_read"),
            "message_end: at 0 bits: SIGSEGV (reads behind the message, or writes to it)\n");
  EXPECT_EQ(broken("empty_read"),
            "message_end: at 0 bits: SIGSEGV (reads behind the message, or writes to it)\n");
}

TEST(RunnerContract, digests_that_do_not_repeat_are_found_and_compared_no_further) {
  for (const char* fault : {"random", "static_state"}) {
    const auto results = checked(fault);
    EXPECT_EQ(lines_with(results, kat::Standing::broken),
              "repeat: at 0 bits: another digest from byte 0 on\n")
        << fault;
    EXPECT_EQ(lines_with(results, kat::Standing::kept),
              "returns: \ninput: \ndigest_guard: \nmessage_end: \ndigest_end: \n")
        << fault;
  }
}

TEST(RunnerContract, a_call_that_fails_at_one_length_is_found) {
  EXPECT_EQ(broken("returns"), "returns: at 1000 bits: returned 3\n");
}

TEST(RunnerContract, bits_beyond_the_length_are_found) {
  EXPECT_EQ(broken("unused_bits"), "unused_bits: at 1 bit: another digest from byte 0 on\n");
}

TEST(RunnerContract, a_hash_that_needs_alignment_is_reported_and_not_charged) {
  EXPECT_EQ(broken("aligned"), "");
#ifdef __SSE2__
  EXPECT_EQ(reported("aligned", kat::Check::message_alignment),
            "at 128 bits, message at offset 1: SIGSEGV");
#else
  EXPECT_EQ(reported("aligned", kat::Check::message_alignment),
            "at 128 bits, message at offset 1: SIGABRT");
#endif
}

TEST(RunnerContract, other_digest_lengths_are_reported) {
  EXPECT_EQ(reported("refuses", kat::Check::digest_length),
            "128: refused with -1; 264: refused with -1; 512: refused with -1");
  EXPECT_EQ(reported("honours", kat::Check::digest_length),
            "128: honoured; 264: honoured; 512: honoured");
  EXPECT_EQ(broken("honours"), "");
}

TEST(RunnerContract, a_null_message_that_ends_the_process_is_reported) {
  EXPECT_EQ(reported("null_fault", kat::Check::null_message), "at 0 bits: SIGABRT");
  EXPECT_EQ(broken("null_fault"), "");
}

TEST(RunnerContract, a_hang_is_charged_to_its_length_and_ends_the_checks) {
  KatJob job = job_of("hangs");
  job.time_limit = {1'000'000'000};
  const auto results = run_contract(job, kDigestBits, kDenseBits);
  EXPECT_EQ(lines_with(results, kat::Standing::broken),
            "returns: at 1000 bits: no end within 1 s at step call\n");
  ASSERT_EQ(results.size(), kat::kChecks);
  EXPECT_EQ(results[1].standing, kat::Standing::not_run);
  EXPECT_EQ(results[1].detail, "the check returns did not end in time");
}

/// Alignment is no promise: what it does there must not keep the promises behind it unchecked.
TEST(RunnerContract, a_hang_in_what_is_reported_leaves_the_promises_to_be_checked) {
  KatJob job = job_of("hangs_unaligned");
  job.time_limit = {2'000'000'000};
  const auto results = run_contract(job, kDigestBits, kDenseBits);
  EXPECT_EQ(lines_with(results, kat::Standing::kept),
            "returns: \nrepeat: \ninput: \ndigest_guard: \ndigest_whole: \nunused_bits: \n"
            "message_end: \ndigest_end: \n");
  EXPECT_EQ(lines_with(results, kat::Standing::not_run), "");
}

TEST(RunnerContract, a_hash_of_whole_bytes_is_not_asked_for_parts_of_one) {
  KatJob job = job_of("takes_bytes");
  EXPECT_EQ(lines_with(run_contract(job, kDigestBits, kDenseBits), kat::Standing::broken),
            "returns: at 1 bit: returned -1\n");
  job.takes_bytes = true;
  const auto results = run_contract(job, kDigestBits, kDenseBits);
  EXPECT_EQ(lines_with(results, kat::Standing::kept),
            "returns: \nrepeat: \ninput: \ndigest_guard: \ndigest_whole: \nmessage_end: \n"
            "digest_end: \n");
  EXPECT_EQ(lines_with(results, kat::Standing::not_run),
            "unused_bits: it takes whole bytes only\n");
  KatJob other = job_of("over_write");
  other.takes_bytes = true;
  EXPECT_NE(lines_with(run_contract(other, kDigestBits, kDenseBits), kat::Standing::broken), "");
}

TEST(RunnerContract, a_library_that_does_not_load_ends_the_checks) {
  KatJob job = job_of("right");
  job.entry = "Absent";
  const auto results = run_contract(job, kDigestBits, kDenseBits);
  ASSERT_EQ(results.size(), kat::kChecks);
  EXPECT_EQ(results[0].standing, kat::Standing::broken);
  EXPECT_NE(results[0].detail.find("Absent"), std::string::npos) << results[0].detail;
  EXPECT_EQ(results[1].detail, "the check returns did not come to a call");
}

TEST(RunnerContract, the_numbers_of_a_finding_come_from_the_event) {
  WorkerEnd end;
  hashprof_event event{};
  event.error = HASHPROF_FINDING_OTHER_DIGEST;
  event.number = 7;
  event.detail = HASHPROF_CALL_DETAIL(1000, 3);
  end.findings.push_back(event);
  event.error = 99;
  end.findings.push_back(event);
  end.result.emplace();
  end.result->items_done = 5;
  const kat::Sighting sighting = sighting_of(end, {1}, "toy.so");
  ASSERT_EQ(sighting.findings.size(), 1U);
  EXPECT_EQ(sighting.findings[0].number, 7);
  EXPECT_EQ(sighting.findings[0].message_bits, 1000U);
  EXPECT_EQ(sighting.findings[0].beside, 3U);
  EXPECT_EQ(sighting.fault, "");
  EXPECT_EQ(sighting.judged, 5U);
}

}  // namespace
}  // namespace hashprof::runner
