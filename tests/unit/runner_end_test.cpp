// SPDX-License-Identifier: MIT
// Catches a library whose end is not a named outcome, takes hashprof along, or leaves a process.
#include <gtest/gtest.h>

#include <chrono>
#include <cstring>

#include "base/file.h"
#include "runner_support.h"

namespace hashprof::runner {
namespace {

struct Row {
  int line;
  const char* library;
  record::Outcome outcome;
  const char* detail;
};

const std::vector<Row> kRows{
    {__LINE__, "crash", record::Outcome::crashed, "SIGSEGV at step first call"},
    {__LINE__, "overrun", record::Outcome::crashed, "SIGSEGV at step first call"},
    {__LINE__, "initialiser_crashes", record::Outcome::crashed, "SIGSEGV at step load"},
    {__LINE__, "exit_zero", record::Outcome::exited, "exited with status 0 at step first call"},
    {__LINE__, "initialiser_exits", record::Outcome::exited, "exited with status 3 at step load"},
    {__LINE__, "close_protocol", record::Outcome::exited,
     "exited with status 124 at step first call"},
    {__LINE__, "garble_protocol", record::Outcome::worker_failed,
     "the process sent what is not of the protocol at step done"},
    {__LINE__, "fail_at_3", record::Outcome::failed_call, "returned 1 at call 3"},
    {__LINE__, "fail_at_50", record::Outcome::failed_call,
     "returned non-zero in slice 4 of the timed loop"},
    {__LINE__, "unsteady", record::Outcome::wrong_digest,
     "the digest after the loop differs from the one of the first call"},
    {__LINE__, "once", record::Outcome::wrong_digest,
     "the digest after the loop differs from the one of the first call"},
};

TEST(End, of_every_kind_is_a_named_outcome_and_leaves_no_process) {
  for (const Row& row : kRows) {
    const record::Observation seen = measure(trial_of(row.library));
    EXPECT_STREQ(record::outcome_name(seen.outcome), record::outcome_name(row.outcome))
        << row.library << ", row of line " << row.line;
    EXPECT_EQ(seen.detail, row.detail) << row.library << ", row of line " << row.line;
    EXPECT_TRUE(seen.slices.empty());
    EXPECT_EQ(seen.cycles_reason, "the process did not complete");
    EXPECT_TRUE(children_of(::getpid()).empty());
  }
}

TEST(End, of_a_jump_to_nowhere_is_a_crash) {
  const record::Observation seen = measure(trial_of("jump"));
  EXPECT_STREQ(record::outcome_name(seen.outcome), "crashed");
  EXPECT_NE(seen.detail.find(" at step first call"), std::string::npos) << seen.detail;
}

TEST(End, of_an_endless_loop_comes_from_the_watchdog) {
  Job job = trial_of("endless");
  job.time_limit = {300'000'000};
  const auto start = std::chrono::steady_clock::now();
  const record::Observation seen = measure(job);
  const auto elapsed = std::chrono::steady_clock::now() - start;
  EXPECT_STREQ(record::outcome_name(seen.outcome), "timed_out");
  EXPECT_EQ(seen.detail, "no end within 0.3 s at step first call");
  EXPECT_GE(elapsed, std::chrono::milliseconds(300));
  EXPECT_TRUE(children_of(::getpid()).empty());
}

TEST(End, names_a_missing_entry) {
  Job job = trial_of("good");
  job.entry = "OtherHash";
  const record::Observation seen = measure(job);
  EXPECT_STREQ(record::outcome_name(seen.outcome), "load_failed");
  EXPECT_EQ(seen.detail, "good.so: undefined symbol: OtherHash");
}

TEST(End, names_a_file_that_is_no_library) {
  const TemporaryFolder folder;
  Job job = trial_of("good");
  job.library = folder.path() / "text.so";
  write_file_atomically(job.library,
                        "not a library, but long enough to be looked at as one: "
                        "the loader reads the header before it says anything");
  const record::Observation seen = measure(job);
  EXPECT_STREQ(record::outcome_name(seen.outcome), "load_failed");
  EXPECT_EQ(seen.detail, "text.so: invalid ELF header");
}

TEST(End, of_a_library_that_closes_its_output_is_complete) {
  EXPECT_STREQ(record::outcome_name(measure(trial_of("close_output")).outcome), "complete");
}

TEST(End, of_a_library_that_scribbles_on_its_message_is_complete) {
  EXPECT_STREQ(record::outcome_name(measure(trial_of("scribble")).outcome), "complete");
}

TEST(End, keeps_the_last_64_KiB_of_what_the_library_wrote) {
  const WorkerEnd end = run_job(trial_of("chatty"), HASHPROF_WORKER);
  ASSERT_TRUE(end.result.has_value());
  EXPECT_EQ(end.output.tail.size(), 65536U);
  EXPECT_EQ(end.output.dropped_bytes, 1048576U + 10U - 65536U);
  EXPECT_EQ(end.output.tail.substr(65536 - 12), "xxlast line\n");
  EXPECT_EQ(end.errors.tail, "");
}

TEST(End, complete_tells_what_was_done) {
  Job job = trial_of("good");
  job.process = 4;
  job.attempt = 2;
  job.message_offset = 192;
  job.digest_offset = 128;
  job.env_padding = 77;
  const record::Observation seen = measure(job);
  ASSERT_STREQ(record::outcome_name(seen.outcome), "complete") << seen.detail;
  EXPECT_EQ(seen.cell, "fixture/good/hash_64");
  EXPECT_EQ(seen.process, 4U);
  EXPECT_EQ(seen.attempt, 2U);
  EXPECT_EQ(seen.calls, 200U);
  ASSERT_EQ(seen.slices.size(), 16U);
  std::uint64_t calls = 0;
  std::uint64_t elapsed_ns = 0;
  for (const record::Slice& slice : seen.slices) {
    EXPECT_GE(slice.calls, 12U);
    EXPECT_LE(slice.calls, 13U);
    calls += slice.calls;
    elapsed_ns += slice.elapsed_ns;
  }
  EXPECT_EQ(calls, 200U);
  EXPECT_EQ(elapsed_ns, seen.elapsed_ns);
  EXPECT_GT(seen.first_call_ns, 0U);
  EXPECT_EQ(seen.addresses.message % 4096, 192U);
  EXPECT_EQ(seen.addresses.digest % 4096, 128U);
  EXPECT_EQ(seen.cycles.has_value(), seen.cycles_reason.empty());
  EXPECT_EQ(seen.read_method, seen.cycles ? "read(2)" : "none");
  EXPECT_GT(seen.baseline_rss_kib.value_or(0), 100U);
  EXPECT_GE(seen.peak_rss_kib.value_or(0), 100U);
  EXPECT_TRUE(seen.is_sandboxed);
}

TEST(End, fewer_calls_than_slices_give_fewer_slices) {
  Job job = trial_of("good");
  job.calls = 3;
  const record::Observation seen = measure(job);
  ASSERT_EQ(seen.slices.size(), 3U);
  EXPECT_EQ(seen.slices[0].calls, 1U);
}

TEST(End, of_a_message_of_no_bytes_is_complete) {
  Job job = trial_of("good");
  job.message_bytes = 0;
  EXPECT_STREQ(record::outcome_name(measure(job).outcome), "complete");
}

TEST(End, of_a_calibration_covers_the_wanted_time_in_equal_batches) {
  Job job = trial_of("good");
  job.phase = "calibrate";
  job.calibration = {20'000'000};
  const record::Observation seen = measure(job);
  ASSERT_STREQ(record::outcome_name(seen.outcome), "complete") << seen.detail;
  EXPECT_GE(seen.elapsed_ns, 20'000'000U);
  ASSERT_GE(seen.slices.size(), 3U);
  for (const record::Slice& slice : seen.slices) {
    EXPECT_EQ(slice.calls, seen.slices[0].calls);
  }
}

TEST(End, of_a_failing_calibration_is_named) {
  Job job = trial_of("fail_at_50");
  job.phase = "calibrate";
  EXPECT_EQ(measure(job).detail, "returned non-zero while the calibration looked for its batch");
}

TEST(Start, refuses_a_core_that_is_not_there) {
  Job job = trial_of("good");
  job.core = 4000;
  try {
    static_cast<void>(measure(job));
    FAIL() << "measured on core 4000";
  } catch (const Error& error) {
    EXPECT_EQ(error.render(), std::string("hashprof: error: ") + HASHPROF_WORKER +
                                  ": the worker could not be started: sched_setaffinity: Invalid "
                                  "argument (EINVAL)\n"
                                  "  hint: core 4000 is offline or not allowed here: choose "
                                  "another (measure.core)\n");
  }
  EXPECT_TRUE(children_of(::getpid()).empty());
}

TEST(Start, refuses_a_program_that_says_nothing) {
  try {
    static_cast<void>(run_job(trial_of("good"), fixture("plain_loader")));
    FAIL() << "took a program that is no worker";
  } catch (const Error& error) {
    EXPECT_EQ(error.render(),
              "hashprof: error: " + fixture("plain_loader").native() +
                  ": the worker ended before its first word (exited with status 1)\n"
                  "  hint: limits.memory may be too small, or the program does not fit this "
                  "system's libc\n");
  }
}

TEST(Start, refuses_an_entry_that_does_not_fit) {
  Job job = trial_of("good");
  job.entry = std::string(128, 'e');
  EXPECT_THROW(static_cast<void>(measure(job)), Error);
}

TEST(Start, refuses_a_library_that_is_not_there) {
  Job job = trial_of("good");
  job.library = "/nonexistent/lib.so";
  try {
    static_cast<void>(measure(job));
    FAIL() << "measured a library that is not there";
  } catch (const Error& error) {
    EXPECT_EQ(error.render(),
              "hashprof: error: /nonexistent/lib.so: open: No such file or directory (ENOENT)\n");
  }
}

}  // namespace
}  // namespace hashprof::runner
