// SPDX-License-Identifier: MIT
// Catches samples of single calls that are too few, of the wrong batch or unit, invented where the
// counter is not believed, or forged.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>

#include "runner/outcome.h"
#include "runner_support.h"

namespace hashprof::runner {
namespace {

Job percall_of(const std::string& library) {
  Job job = trial_of(library);
  job.phase = "percall";
  return job;
}

record::Percall percall_in(const record::Observation& seen) {
  EXPECT_STREQ(record::outcome_name(seen.outcome), "complete") << seen.detail;
  EXPECT_TRUE(seen.percall.has_value()) << seen.cycles_reason;
  return seen.percall.value_or(record::Percall{});
}

std::uint64_t median(std::vector<std::uint64_t> values) {
  if (values.empty()) {
    ADD_FAILURE() << "no values";
    return 0;
  }
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

TEST(Percall, of_a_short_call_has_batches_and_samples_of_twice_the_batch) {
  Job job = percall_of("good");
  job.message_bytes = 16;
  job.calls = 3000;
  const record::Observation seen = measure(job);
  const record::Percall percall = percall_in(seen);
  EXPECT_EQ(percall.unit, seen.cycles ? "cycles" : "ns");
  EXPECT_EQ(percall.empty.size(), 1000U);
  EXPECT_EQ(percall.samples.size(), 3000U);
  EXPECT_EQ(percall.doubled.size(), 1000U);
  EXPECT_GT(percall.batch, 1U);
  EXPECT_TRUE(std::has_single_bit(percall.batch));
  EXPECT_EQ(seen.calls, percall.batch * (3000 + 2 * 1000));
  ASSERT_EQ(seen.slices.size(), 2U);
  EXPECT_EQ(seen.slices[0].calls, percall.batch * 3000);
  // Twenty times the empty sample and less than forty, but for the noise of the machine.
  const double times =
      static_cast<double>(median(percall.samples)) / static_cast<double>(median(percall.empty));
  std::cout << "batch " << percall.batch << ", empty " << median(percall.empty) << ", sample "
            << median(percall.samples) << ", doubled " << median(percall.doubled) << " "
            << percall.unit << '\n';
  EXPECT_GE(times, 10);
  EXPECT_LE(times, 80);
  const double twice =
      static_cast<double>(median(percall.doubled)) / static_cast<double>(median(percall.samples));
  EXPECT_NEAR(twice, 2, 0.5);
}

TEST(Percall, of_a_long_call_samples_one_call_and_doubles_nothing) {
  Job job = percall_of("good");
  job.message_bytes = 262144;
  job.calls = 20;
  const record::Observation seen = measure(job);
  const record::Percall percall = percall_in(seen);
  EXPECT_EQ(percall.batch, 1U);
  EXPECT_EQ(percall.samples.size(), 20U);
  EXPECT_TRUE(percall.doubled.empty());
  EXPECT_EQ(seen.calls, 20U);
  EXPECT_EQ(seen.slices.size(), 1U);
  EXPECT_GE(median(percall.samples), 20 * median(percall.empty));
}

TEST(Percall, of_fewer_samples_doubles_as_many) {
  Job job = percall_of("good");
  job.calls = 9;
  const record::Percall percall = percall_in(measure(job));
  EXPECT_EQ(percall.samples.size(), 9U);
  EXPECT_EQ(percall.doubled.size(), percall.batch > 1 ? 9U : 0U);
}

TEST(Percall, of_many_samples_takes_no_page_of_their_memory_in_the_loop) {
  Job job = percall_of("good");
  job.calls = 20'000;
  const record::Observation seen = measure(job);
  EXPECT_EQ(percall_in(seen).samples.size(), 20'000U);
  EXPECT_LE(seen.minor_faults, 4U);
  EXPECT_EQ(seen.major_faults, 0U);
  EXPECT_GT(seen.elapsed_ns, 0U);
  EXPECT_EQ(seen.migrations, 0U);
}

TEST(Percall, keeps_the_figures_of_the_process_as_a_trial_does) {
  for (const char* phase : {"trial", "percall"}) {
    Job job = trial_of("good");
    job.phase = phase;
    const record::Observation seen = measure(job);
    EXPECT_GT(seen.first_call_ns, 0U) << phase;
    EXPECT_EQ(seen.first_call_cycles.has_value(), seen.cycles.has_value()) << phase;
    EXPECT_EQ(seen.suspended_ns, 0U) << phase;
    EXPECT_NE(seen.addresses.heap, 0U) << phase;
    EXPECT_EQ(seen.addresses.heap % 16, 0U) << phase;
    EXPECT_EQ(seen.baseline_anon_huge_kib.has_value(), seen.baseline_file_pmd_kib.has_value())
        << phase;
    EXPECT_EQ(seen.percall.has_value(), std::string(phase) == "percall") << phase;
  }
}

struct Row {
  int line;
  const char* library;
  record::Outcome outcome;
  const char* detail;
};

const std::vector<Row> kRows{
    {__LINE__, "crash_late", record::Outcome::crashed, "SIGSEGV at step call"},
    {__LINE__, "crash", record::Outcome::crashed, "SIGSEGV at step first call"},
    {__LINE__, "fail_at_3", record::Outcome::failed_call, "returned 1 at call 3"},
    {__LINE__, "fail_at_6", record::Outcome::failed_call,
     "returned non-zero while the calls of a sample were counted"},
    {__LINE__, "unsteady", record::Outcome::wrong_digest,
     "the digest after the loop differs from the one of the first call"},
    {__LINE__, "garble_protocol", record::Outcome::worker_failed,
     "the process sent what is not of the protocol at step done"},
};

TEST(Percall, that_does_not_end_well_is_a_named_outcome_without_samples) {
  for (const Row& row : kRows) {
    const record::Observation seen = measure(percall_of(row.library));
    EXPECT_STREQ(record::outcome_name(seen.outcome), record::outcome_name(row.outcome))
        << row.library << ", row of line " << row.line;
    EXPECT_EQ(seen.detail, row.detail) << row.library << ", row of line " << row.line;
    EXPECT_FALSE(seen.percall.has_value());
    EXPECT_FALSE(seen.first_call_cycles.has_value());
    EXPECT_TRUE(children_of(::getpid()).empty());
  }
}

TEST(Percall, that_fails_in_the_samples_says_so) {
  Job job = percall_of("fail_at_50");
  job.message_bytes = 262144;  // one call a sample: 3 of them choose the batch
  EXPECT_EQ(measure(job).detail, "returned non-zero in the samples of single calls");
}

/// What a worker could say of 10 samples of 4 calls, and of 10 of 8.
struct Said {
  hashprof_request request{};
  hashprof_result result{};
  std::vector<std::uint64_t> samples = std::vector<std::uint64_t>(1020, 30);

  Said() {
    request.kind = HASHPROF_KIND_PERCALL;
    request.calls = 10;
    result.batch = 4;
    result.doubled_count = 10;
    result.calls = 120;
    result.slice_count = 2;
    result.slices[0] = {40, 400, 4000, 8000};
    result.slices[1] = {80, 800, 8000, 16000};
    result.is_counting = 1;
    result.time_enabled_ns = result.time_running_ns = 5000;
    result.first_call_ns = 7000;
    result.first_call_cycles = 9000;
  }
  [[nodiscard]] std::string contradiction() const {
    return find_contradiction(request, result, samples);
  }
  [[nodiscard]] record::Observation observed() const {
    WorkerEnd end;
    end.step = HASHPROF_STEP_DONE;
    end.result = result;
    return observe(percall_of("good"), request, end, {"2", "x86_64"}, samples);
  }
};

TEST(PercallContradiction, is_none_in_samples_that_add_up) {
  EXPECT_EQ(Said().contradiction(), "");
  Said single;
  single.result.batch = 1;
  single.result.doubled_count = 0;
  single.result.calls = 10;
  single.result.slice_count = 1;
  single.result.slices[0].calls = 10;
  EXPECT_EQ(single.contradiction(), "");
}

TEST(PercallContradiction, is_found_in_a_batch_that_is_none) {
  for (const std::uint32_t batch : {0U, 3U, 131072U}) {
    Said said;
    said.result.batch = batch;
    EXPECT_EQ(said.contradiction(),
              "the result has samples of " + std::to_string(batch) + " calls");
  }
}

TEST(PercallContradiction, is_found_in_other_counts) {
  Said said;
  said.result.doubled_count = 11;
  EXPECT_EQ(said.contradiction(), "the result has 11 samples of twice 4 calls");
  said.result.doubled_count = 0;
  EXPECT_EQ(said.contradiction(), "the result has 0 samples of twice 4 calls");
  said.result.batch = 1;
  EXPECT_EQ(said.contradiction(), "the result holds 120 calls, its samples 10");
}

TEST(PercallContradiction, is_found_in_memory_of_another_size) {
  Said said;
  said.samples.pop_back();
  EXPECT_EQ(said.contradiction(), "the samples' memory has 1019 of them, not 1020");
}

TEST(PercallContradiction, is_found_in_samples_that_say_nothing_or_go_backwards) {
  Said said;
  said.samples[1001] = static_cast<std::uint64_t>(-3);
  EXPECT_EQ(said.contradiction(), "a sample went backwards");
  std::fill(said.samples.begin() + 1000, said.samples.end(), 0);
  EXPECT_EQ(said.contradiction(), "all samples are 0");
  EXPECT_STREQ(record::outcome_name(said.observed().outcome), "worker_failed");
  EXPECT_EQ(said.observed().detail, "all samples are 0");
  EXPECT_FALSE(said.observed().percall.has_value());
}

TEST(PercallOfACounter, is_in_cycles_with_the_first_call) {
  const record::Observation seen = Said().observed();
  ASSERT_TRUE(seen.percall.has_value());
  EXPECT_EQ(seen.percall->unit, "cycles");
  EXPECT_EQ(seen.percall->batch, 4U);
  EXPECT_EQ(seen.first_call_cycles, 9000U);
  EXPECT_EQ(seen.cycles, 12000U);
}

TEST(PercallOfACounter, that_is_not_believed_is_absent_with_the_reason) {
  Said said;
  said.result.time_running_ns = 4000;
  record::Observation seen = said.observed();
  EXPECT_STREQ(record::outcome_name(seen.outcome), "complete");
  EXPECT_FALSE(seen.percall.has_value());
  EXPECT_FALSE(seen.first_call_cycles.has_value());
  EXPECT_NE(seen.cycles_reason, "");
  Said still;
  still.result.slices[0].cycles = still.result.slices[1].cycles = 0;
  std::fill(still.samples.begin(), still.samples.end(), 0);
  seen = still.observed();
  EXPECT_STREQ(record::outcome_name(seen.outcome), "complete");
  EXPECT_FALSE(seen.percall.has_value());
  EXPECT_EQ(seen.cycles_reason, "the cycle counter read 0");
}

TEST(PercallOfACounter, that_was_lost_meanwhile_is_in_nanoseconds) {
  Said said;
  said.result.is_counting = 0;
  const record::Observation seen = said.observed();
  ASSERT_TRUE(seen.percall.has_value());
  EXPECT_EQ(seen.percall->unit, "ns");
  EXPECT_FALSE(seen.first_call_cycles.has_value());
  EXPECT_EQ(seen.cycles_reason,
            "the cycle counter was opened but could not be read: another user holds the PMU");
}

}  // namespace
}  // namespace hashprof::runner
