// SPDX-License-Identifier: MIT
// Catches an end of a worker that is given the wrong name, and a forged or torn result that is
// believed.
#include "runner/outcome.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include "runner/hardware_meter.h"

namespace hashprof::runner {
namespace {

constexpr Nanoseconds kLimit{12'000'000'000};

WorkerEnd ended(WorkerEnd::Kind kind, int code, std::uint32_t step) {
  WorkerEnd end;
  end.kind = kind;
  end.code = code;
  end.step = step;
  return end;
}

WorkerEnd failed(std::uint32_t error, std::int64_t number, std::uint32_t step, const char* text) {
  WorkerEnd end = ended(WorkerEnd::Kind::exited, 1, step);
  end.error.emplace();
  end.error->error = error;
  end.error->number = number;
  end.error->step = step;
  std::strncpy(end.error->text, text, sizeof end.error->text - 1);
  return end;
}

void expect_name(const WorkerEnd& end, const char* outcome, const char* detail) {
  const Named named = name_end(end, kLimit, "lib.so");
  EXPECT_STREQ(record::outcome_name(named.outcome), outcome);
  EXPECT_EQ(named.detail, detail);
}

TEST(Outcome, of_a_timeout_names_limit_and_step) {
  expect_name(ended(WorkerEnd::Kind::timed_out, SIGKILL, HASHPROF_STEP_CALL), "timed_out",
              "no end within 12 s at step call");
}

TEST(Outcome, of_a_signal_names_signal_and_step) {
  expect_name(ended(WorkerEnd::Kind::signalled, SIGSEGV, HASHPROF_STEP_CALL), "crashed",
              "SIGSEGV at step call");
  expect_name(ended(WorkerEnd::Kind::signalled, SIGRTMIN + 1, HASHPROF_STEP_WARM_UP), "crashed",
              "signal 35 at step warm-up");
}

TEST(Outcome, of_an_instruction_that_the_processor_lacks_names_where) {
  expect_name(ended(WorkerEnd::Kind::signalled, SIGILL, HASHPROF_STEP_COUNTERS), "crashed",
              "SIGILL at step counters");
  expect_name(ended(WorkerEnd::Kind::signalled, SIGILL, HASHPROF_STEP_CALL), "crashed",
              "SIGILL at step call");
}

TEST(Outcome, of_an_exit_without_result_is_exited_whatever_its_status) {
  expect_name(ended(WorkerEnd::Kind::exited, 0, HASHPROF_STEP_LOAD), "exited",
              "exited with status 0 at step load");
}

TEST(Outcome, of_an_exit_with_a_result_but_another_status_is_exited) {
  WorkerEnd end = ended(WorkerEnd::Kind::exited, 7, HASHPROF_STEP_DONE);
  end.result.emplace();
  expect_name(end, "exited", "exited with status 7 at step done");
}

TEST(Outcome, of_a_system_error_names_call_reason_and_step) {
  expect_name(failed(HASHPROF_ERROR_SYSTEM, EPERM, HASHPROF_STEP_SANDBOX, "setgroups"),
              "worker_failed", "setgroups: Operation not permitted (EPERM) at step sandbox");
  expect_name(failed(HASHPROF_ERROR_SYSTEM, 0, HASHPROF_STEP_SANDBOX, "no_new_privs is not set"),
              "worker_failed", "no_new_privs is not set at step sandbox");
}

TEST(Outcome, of_a_failed_load_names_the_library_not_the_descriptor) {
  expect_name(
      failed(HASHPROF_ERROR_LOAD, 0, HASHPROF_STEP_LOAD, "/proc/self/fd/4: undefined symbol: f"),
      "load_failed", "lib.so: undefined symbol: f");
}

TEST(Outcome, of_a_protocol_error_is_the_workers) {
  expect_name(failed(HASHPROF_ERROR_PROTOCOL, 0, HASHPROF_STEP_START, "unknown kind of request"),
              "worker_failed", "unknown kind of request at step start");
}

TEST(Outcome, of_garbage_before_a_good_result_is_not_complete) {
  WorkerEnd end = ended(WorkerEnd::Kind::exited, 0, HASHPROF_STEP_DONE);
  end.result.emplace();
  EXPECT_STREQ(record::outcome_name(name_end(end, kLimit, "lib.so").outcome), "complete");
  end.is_garbled = true;
  expect_name(end, "worker_failed", "the process sent what is not of the protocol at step done");
}

TEST(Outcome, has_a_name_for_a_step_that_is_none_of_ours) {
  EXPECT_EQ(step_name(HASHPROF_STEP_DONE), "done");
  EXPECT_EQ(step_name(HASHPROF_STEP_READY), "wait");
  EXPECT_EQ(step_name(11), "step 11");
}

/// A trial of `slices` slices of 10 calls, 1000 cycles and 2000 instructions.
hashprof_result counted(std::uint32_t slices) {
  hashprof_result result{};
  result.slice_count = slices;
  result.is_counting = 1;
  result.calls = slices * 10ULL;
  result.time_enabled_ns = result.time_running_ns = 5000;
  for (std::uint32_t i = 0; i < slices; ++i) {
    result.slices[i] = {10, 400, 1000, 2000};
  }
  return result;
}

TEST(Contradiction, is_none_in_a_result_that_adds_up) {
  hashprof_request request{};
  request.kind = HASHPROF_KIND_TRIAL;
  request.calls = 40;
  EXPECT_EQ(find_contradiction(request, counted(4)), "");
}

TEST(Contradiction, is_found_where_calls_or_slices_do_not_add_up) {
  hashprof_request request{};
  request.kind = HASHPROF_KIND_TRIAL;
  request.calls = 50;
  EXPECT_EQ(find_contradiction(request, counted(4)),
            "the result holds 40 calls, 50 were asked for");
  request.kind = HASHPROF_KIND_CALIBRATE;
  EXPECT_EQ(find_contradiction(request, counted(4)), "");
  hashprof_result result = counted(4);
  result.calls = 41;
  EXPECT_EQ(find_contradiction(request, result), "the slices hold 40 calls, the result says 41");
  result.slice_count = 65;
  EXPECT_EQ(find_contradiction(request, result), "the result has 65 slices");
  result.slice_count = 0;
  EXPECT_EQ(find_contradiction(request, result), "the result has 0 slices");
}

const counters::OpenFacts kFacts{"2", "x86_64"};

TEST(Counters, that_count_are_printed) {
  const CounterVerdict verdict = judge_counters(counted(4), kFacts);
  EXPECT_TRUE(verdict.has_cycles);
  EXPECT_TRUE(verdict.has_instructions);
  EXPECT_EQ(verdict.cycles_reason, "");
  EXPECT_EQ(verdict.instructions_reason, "");
}

void expect_no_counters(const hashprof_result& result, const char* reason) {
  const CounterVerdict verdict = judge_counters(result, kFacts);
  EXPECT_FALSE(verdict.has_cycles);
  EXPECT_FALSE(verdict.has_instructions);
  EXPECT_EQ(verdict.cycles_reason, reason);
  EXPECT_EQ(verdict.instructions_reason, reason);
}

TEST(Counters, that_could_not_be_opened_have_the_errnos_sentence) {
  hashprof_result result = counted(4);
  result.open_errno[HASHPROF_EVENT_CYCLES] = ENOENT;
  expect_no_counters(
      result,
      "no hardware PMU on this machine (virtual machine?): cycles cannot be counted (ENOENT)");
}

TEST(Counters, without_instructions_keep_the_cycles) {
  hashprof_result result = counted(4);
  result.open_errno[HASHPROF_EVENT_INSTRUCTIONS] = ENOENT;
  CounterVerdict verdict = judge_counters(result, kFacts);
  EXPECT_TRUE(verdict.has_cycles);
  EXPECT_FALSE(verdict.has_instructions);
  EXPECT_EQ(verdict.cycles_reason, "");
  EXPECT_EQ(verdict.instructions_reason,
            "instructions unavailable: this PMU counts cycles but not instructions (ENOENT)");
  const counters::OpenFacts not_listed{"2", "aarch64", "instructions unavailable: not listed"};
  result = counted(4);
  result.slices[0].instructions = 0;
  verdict = judge_counters(result, not_listed);
  EXPECT_TRUE(verdict.has_cycles);
  EXPECT_FALSE(verdict.has_instructions);
  EXPECT_EQ(verdict.instructions_reason, "instructions unavailable: not listed");
}

TEST(Counters, name_the_way_they_were_read) {
  EXPECT_EQ(read_method_name(HASHPROF_READ_NONE), "none");
  EXPECT_EQ(read_method_name(HASHPROF_READ_SYSCALL), "read(2)");
  EXPECT_EQ(read_method_name(HASHPROF_READ_RDPMC), "rdpmc");
  EXPECT_EQ(read_method_name(HASHPROF_READ_MRS), "mrs");
}

TEST(OddClock, is_found_where_an_addition_does_not_take_one_cycle) {
  EXPECT_EQ(find_odd_clock(950), "");
  EXPECT_EQ(find_odd_clock(1050), "");
  EXPECT_EQ(find_odd_clock(949),
            "odd_clock: 1000 dependent additions took 949 cycles (0.949 each, outside 0.95 to "
            "1.05)");
  EXPECT_EQ(find_odd_clock(8010),
            "odd_clock: 1000 dependent additions took 8010 cycles (8.01 each, outside 0.95 to "
            "1.05)");
}

TEST(Request, asks_for_the_planned_event_and_for_none_that_is_missing) {
  counters::PlannedEvent planned;
  planned.type = 8;
  planned.config = 0x11;
  planned.config1 = {3, 2, 0};
  const hashprof_perf_event event = to_request(planned);
  EXPECT_EQ(event.type, 8U);
  EXPECT_EQ(event.config, 0x11U);
  ASSERT_EQ(event.tries, 3U);
  EXPECT_EQ(event.config1[0], 3U);
  EXPECT_EQ(event.config1[1], 2U);
  EXPECT_EQ(event.config1[2], 0U);
  planned.missing = "not listed";
  EXPECT_EQ(to_request(planned).tries, 0U);
}

TEST(Counters, that_opened_but_do_not_read_are_absent) {
  hashprof_result result = counted(4);
  result.is_counting = 0;
  expect_no_counters(
      result, "the cycle counter was opened but could not be read: another user holds the PMU");
}

TEST(Counters, that_ran_less_than_they_were_enabled_are_absent) {
  hashprof_result result = counted(4);
  result.time_running_ns = 4999;
  expect_no_counters(result,
                     "the cycle counter ran 4999 ns of 5000 ns (multiplexed with another user's)");
}

TEST(Counters, that_read_zero_in_one_slice_are_absent) {
  hashprof_result result = counted(4);
  result.slices[2].cycles = 0;
  expect_no_counters(result, "the cycle counter read 0");
  result = counted(4);
  result.slices[3].instructions = 0;
  expect_no_counters(result, "the instruction counter read 0");
}

/// Every slice of the result with another pair of counts.
hashprof_result counted_as(std::uint64_t cycles, std::uint64_t instructions) {
  hashprof_result result = counted(16);
  for (std::uint32_t i = 0; i < result.slice_count; ++i) {
    result.slices[i].cycles = cycles;
    result.slices[i].instructions = instructions;
  }
  return result;
}

// A host that virtualises one of its counters and not the other.
TEST(Counters, of_cycles_that_stand_still_beside_instructions_are_absent) {
  expect_no_counters(counted_as(0, 668'753), "the cycle counter read 0");
}

// A group with too many events, or in an order that the PMU cannot place.
TEST(Counters, of_a_group_that_was_never_scheduled_are_absent_whichever_stood_still) {
  expect_no_counters(counted_as(0, 0), "the cycle counter read 0");
  expect_no_counters(counted_as(1000, 0), "the instruction counter read 0");
  hashprof_result result = counted_as(1000, 2000);
  result.time_enabled_ns = result.time_running_ns = 0;
  expect_no_counters(result,
                     "the cycle counter ran 0 ns of 0 ns (multiplexed with another user's)");
}

// Three counters share one register: a third of the time, a third of the count.
TEST(Counters, that_ran_a_third_of_the_time_are_not_scaled) {
  hashprof_result result = counted_as(333, 666);
  result.time_running_ns = result.time_enabled_ns / 3;
  expect_no_counters(result,
                     "the cycle counter ran 1666 ns of 5000 ns (multiplexed with another user's)");
}

TEST(Counters, that_go_backwards_are_absent) {
  hashprof_result result = counted(4);
  result.slices[1].cycles = static_cast<std::uint64_t>(-5);
  expect_no_counters(result, "the cycle counter went backwards");
}

TEST(Counters, of_an_implausible_ratio_are_absent) {
  hashprof_result result = counted(1);
  result.slices[0].instructions = 12'001;
  expect_no_counters(result,
                     "implausible counters: 12001 instructions in 1000 cycles (12 a cycle, outside "
                     "0.05 to 12)");
  result.slices[0].instructions = 49;
  expect_no_counters(result,
                     "implausible counters: 49 instructions in 1000 cycles (0.049 a cycle, outside "
                     "0.05 to 12)");
  result.slices[0].instructions = 12'000;
  EXPECT_TRUE(judge_counters(result, kFacts).has_cycles);
  result.slices[0].instructions = 50;
  EXPECT_TRUE(judge_counters(result, kFacts).has_cycles);
}

TEST(Counters, without_instructions_give_cycles_alone) {
  hashprof_result result = counted(4);
  result.open_errno[HASHPROF_EVENT_INSTRUCTIONS] = EMFILE;
  const CounterVerdict verdict = judge_counters(result, kFacts);
  EXPECT_TRUE(verdict.has_cycles);
  EXPECT_FALSE(verdict.has_instructions);
  EXPECT_EQ(verdict.cycles_reason, "");
  EXPECT_EQ(verdict.instructions_reason,
            "no descriptor is left for the event instructions (EMFILE)");
}

}  // namespace
}  // namespace hashprof::runner
