// SPDX-License-Identifier: MIT
// Catches calls that do not wait for the digest before them where they should, calls that do where
// they should not, and a broken digest that hides behind the changed messages.
#include <gtest/gtest.h>

#include "runner_support.h"

namespace hashprof::runner {
namespace {

Job latency_of(const std::string& library, const std::string& phase) {
  Job job = trial_of(library);
  job.phase = phase;
  job.is_latency = true;
  job.calibration = {5'000'000};
  return job;
}

constexpr const char* kSeen = "changes\nfollows\n";

TEST(Latency, gives_each_call_the_digest_before_it_in_every_phase) {
  for (const char* phase : {"calibrate", "trial", "percall"}) {
    const WorkerEnd end = run_job(latency_of("witness", phase), HASHPROF_WORKER);
    EXPECT_TRUE(end.result.has_value()) << phase << ": " << describe_end(end);
    EXPECT_EQ(end.output.tail, kSeen) << phase;
  }
}

TEST(Latency, is_not_in_throughput) {
  for (const char* phase : {"calibrate", "trial", "percall"}) {
    Job job = latency_of("witness", phase);
    job.is_latency = false;
    const WorkerEnd end = run_job(job, HASHPROF_WORKER);
    EXPECT_TRUE(end.result.has_value()) << phase << ": " << describe_end(end);
    EXPECT_EQ(end.output.tail, "") << phase;
  }
}

TEST(Latency, of_a_good_hash_is_complete_and_counts_the_calls_of_the_loop_alone) {
  Job job = latency_of("good", "trial");
  job.message_offset = 192;
  const record::Observation seen = measure(job);
  ASSERT_STREQ(record::outcome_name(seen.outcome), "complete") << seen.detail;
  EXPECT_EQ(seen.calls, 200U);
  EXPECT_EQ(seen.slices.size(), 16U);
  EXPECT_LE(seen.minor_faults, 2U);  // the message's page was copied before the loop
}

TEST(Latency, of_a_message_of_one_byte_is_complete) {
  Job job = latency_of("good", "trial");
  job.message_bytes = 1;
  EXPECT_STREQ(record::outcome_name(measure(job).outcome), "complete");
}

TEST(Latency, of_no_bytes_is_refused_by_the_worker) {
  Job job = latency_of("good", "trial");
  job.message_bytes = 0;
  const record::Observation seen = measure(job);
  EXPECT_STREQ(record::outcome_name(seen.outcome), "worker_failed");
  EXPECT_EQ(seen.detail, "latency of a message without a first byte at step start");
}

TEST(Latency, finds_another_digest_of_the_first_message) {
  for (const char* library : {"unsteady", "once"}) {
    for (const char* phase : {"calibrate", "trial", "percall"}) {
      const record::Observation seen = measure(latency_of(library, phase));
      EXPECT_STREQ(record::outcome_name(seen.outcome), "wrong_digest") << library << ", " << phase;
    }
  }
}

TEST(Latency, names_a_call_that_fails_after_the_loop) {
  Job job = latency_of("fail_at_50", "trial");
  job.calls = 45;  // behind the first call and 3 warm-ups
  const record::Observation seen = measure(job);
  EXPECT_STREQ(record::outcome_name(seen.outcome), "failed_call");
  EXPECT_EQ(seen.detail, "returned non-zero after the timed loop");
}

}  // namespace
}  // namespace hashprof::runner
