// SPDX-License-Identifier: MIT
// Catches a line of the privilege order that is lost: what a worker finds at exec, and what the
// library finds once it is loaded. Each test is one line of that order.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/perf_event.h>
#include <unistd.h>

#include <chrono>
#include <csignal>

#include "base/file.h"
#include "base/sys.h"
#include "runner/known_answers.h"
#include "runner/outcome.h"
#include "runner/taint.h"
#include "runner_support.h"

namespace hashprof::runner {
namespace {

#define SKIP_UNLESS_ROOT()                                                   \
  if (::geteuid() != 0) {                                                    \
    GTEST_SKIP() << "needs root: only root's worker has privileges to drop"; \
  }

/// What a library sees of its process.
std::string report_of(const Job& job) {
  const WorkerEnd end = run_job(job, HASHPROF_WORKER);
  EXPECT_TRUE(end.result.has_value()) << end.output.tail;
  return end.output.tail;
}

/// What a worker finds at exec.
std::string report_at_exec(WorkerSpec spec) {
  spec.worker = fixture("at_exec");
  const WorkerEnd end = run_worker(spec);
  EXPECT_EQ(describe_end(end), "exited with status 0");
  return end.output.tail;
}

std::vector<std::string> descriptor_numbers(const std::string& report) {
  std::vector<std::string> numbers;
  for (const std::string& line : lines_of(report)) {
    if (line.rfind("fd ", 0) == 0) {
      numbers.push_back(line.substr(3, line.find(' ', 3) - 3));
    }
  }
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

using Numbers = std::vector<std::string>;

TEST(OrderAtExec, leaves_exactly_descriptors_0_to_5) {
  const UniqueFd stray = sys::open("/dev/zero", 0);
  const UniqueFd high(::dup2(stray.get(), 900));
  const std::string report = report_at_exec(make_worker_spec(trial_of("good"), HASHPROF_WORKER));
  EXPECT_EQ(descriptor_numbers(report), (Numbers{"0", "1", "2", "3", "4", "5"})) << report;
  EXPECT_EQ(value_of(report, "fd 0 "), "/dev/null");
  EXPECT_EQ(value_of(report, "fd 1 ").substr(0, 5), "pipe:");
  EXPECT_EQ(value_of(report, "fd 2 ").substr(0, 5), "pipe:");
  EXPECT_NE(value_of(report, "fd 1 "), value_of(report, "fd 2 "));
  EXPECT_EQ(value_of(report, "fd 3 ").substr(0, 7), "socket:");
  EXPECT_EQ(value_of(report, "fd 4 "), fixture("good.so").native());
  EXPECT_EQ(value_of(report, "fd 5 "), "/memfd:hashprof-message (deleted)");
}

TEST(OrderAtExec, adds_descriptor_7_where_the_request_names_it) {
  WorkerSpec spec = make_worker_spec(trial_of("good"), HASHPROF_WORKER);
  spec.digest = sys::writable_memory("digests", 4096);
  const std::string report = report_at_exec(std::move(spec));
  EXPECT_EQ(descriptor_numbers(report), (Numbers{"0", "1", "2", "3", "4", "5", "7"})) << report;
}

TEST(OrderAtExec, adds_descriptor_6_where_the_request_names_it) {
  WorkerSpec spec = make_worker_spec(trial_of("good"), HASHPROF_WORKER);
  spec.window = sys::writable_memory("window", 4096);
  const std::string report = report_at_exec(std::move(spec));
  EXPECT_EQ(descriptor_numbers(report), (Numbers{"0", "1", "2", "3", "4", "5", "6"})) << report;
}

TEST(OrderAtExec, survives_a_parent_whose_descriptors_lie_in_the_workers_slots) {
  const pid_t pid = run_in_child([] {
    ::close(0);
    ::close(1);
    ::close(2);
    const WorkerEnd end = run_job(trial_of("good"), HASHPROF_WORKER);
    return end.result ? 0 : 1;
  });
  EXPECT_EQ(wait_for(pid), 0);
}

TEST(OrderAtExec, sets_the_limits) {
  Job job = trial_of("good");
  job.address_space = {1073741824};
  job.stack = {4194304};
  const std::string report = report_at_exec(make_worker_spec(job, HASHPROF_WORKER));
  EXPECT_EQ(value_of(report, "limit core "), "0 0");
  EXPECT_EQ(value_of(report, "limit fsize "), "0 0");
  EXPECT_EQ(value_of(report, "limit nproc "), "0 0");
  EXPECT_EQ(value_of(report, "limit as "), "1073741824 1073741824");
  EXPECT_EQ(value_of(report, "limit stack "), "4194304 4194304");
}

TEST(OrderAtExec, passes_no_environment_but_env_and_the_padding) {
  Job job = trial_of("good");
  job.env = {{"OMP_NUM_THREADS", "1"}};
  job.env_padding = 5;
  const std::string report = report_at_exec(make_worker_spec(job, HASHPROF_WORKER));
  std::vector<std::string> lines;
  for (const std::string& line : lines_of(report)) {
    if (line.rfind("env ", 0) == 0) {
      lines.push_back(line);
    }
  }
  EXPECT_EQ(lines, (Numbers{"env OMP_NUM_THREADS=1", "env HASHPROF_PADDING=xxxxx"}));
}

TEST(OrderAtExec, pins_to_the_core_in_a_group_of_its_own_with_default_signals) {
  struct sigaction ignore {};
  struct sigaction before {};
  ignore.sa_handler = SIG_IGN;
  ASSERT_EQ(::sigaction(SIGUSR1, &ignore, &before), 0);
  const std::string report = report_at_exec(make_worker_spec(trial_of("good"), HASHPROF_WORKER));
  ASSERT_EQ(::sigaction(SIGUSR1, &before, nullptr), 0);
  EXPECT_EQ(value_of(report, "Cpus_allowed_list:"), std::to_string(test_core()));
  EXPECT_EQ(value_of(report, "is_group_leader "), "1");
  EXPECT_EQ(value_of(report, "pdeathsig "), "9");
  EXPECT_EQ(value_of(report, "SigBlk:"), "0000000000000000");
  EXPECT_EQ(value_of(report, "SigIgn:"), "0000000000000000");
}

TEST(OrderInTheLibrary, finds_the_process_dumpable) {
  EXPECT_EQ(value_of(report_of(trial_of("reporter")), "dumpable "), "1");
}

TEST(OrderInTheLibrary, finds_the_parent_death_signal_set_again) {
  EXPECT_EQ(value_of(report_of(trial_of("reporter")), "pdeathsig "), "9");
}

TEST(OrderInTheLibrary, finds_no_new_privs) {
  EXPECT_EQ(value_of(report_of(trial_of("reporter")), "NoNewPrivs:"), "1");
}

TEST(OrderInTheLibrary, finds_uid_gid_65534_and_no_groups) {
  SKIP_UNLESS_ROOT();
  const std::string report = report_of(trial_of("reporter"));
  EXPECT_EQ(value_of(report, "Uid:"), "65534\t65534\t65534\t65534");
  EXPECT_EQ(value_of(report, "Gid:"), "65534\t65534\t65534\t65534");
  EXPECT_EQ(value_of(report, "Groups:"), "");
}

TEST(OrderInTheLibrary, finds_the_uid_that_the_campaign_names) {
  SKIP_UNLESS_ROOT();
  Job job = trial_of("reporter");
  job.uid = 12345;
  EXPECT_EQ(value_of(report_of(job), "Uid:"), "12345\t12345\t12345\t12345");
}

TEST(OrderInTheLibrary, finds_all_capability_sets_empty) {
  SKIP_UNLESS_ROOT();
  const std::string report = report_of(trial_of("reporter"));
  for (const char* set : {"CapInh:", "CapPrm:", "CapEff:", "CapBnd:", "CapAmb:"}) {
    EXPECT_EQ(value_of(report, set), "0000000000000000") << set;
  }
}

TEST(OrderInTheLibrary, keeps_root_only_where_the_sandbox_is_switched_off) {
  SKIP_UNLESS_ROOT();
  Job job = trial_of("reporter");
  job.is_sandboxed = false;
  EXPECT_EQ(value_of(report_of(job), "Uid:"), "0\t0\t0\t0");
  EXPECT_FALSE(measure(job).is_sandboxed);
  job.is_sandboxed = true;
  EXPECT_TRUE(measure(job).is_sandboxed);
}

TEST(OrderInTheLibrary, cannot_fork) {
  SKIP_UNLESS_ROOT();
  EXPECT_EQ(report_of(trial_of("forker")).substr(0, 13), "fork: EAGAIN\n");
}

TEST(OrderInTheLibrary, cannot_start_a_thread) {
  SKIP_UNLESS_ROOT();
  const record::Observation o = measure(trial_of("threader"));
  EXPECT_EQ(o.outcome, record::Outcome::failed_call);
  EXPECT_EQ(o.detail, "returned 11 at call 1");
}

// What the thread does on the one core is time off the CPU for the thread that is measured.
TEST(OrderInTheLibrary, is_tainted_by_threads_of_its_own_where_nothing_forbids_them) {
  SKIP_UNLESS_ROOT();
  Job job = trial_of("threader");
  job.is_sandboxed = false;
  const record::Observation o = measure(job);
  ASSERT_EQ(o.outcome, record::Outcome::complete) << o.detail;
  EXPECT_GT(o.lost_ns, o.elapsed_ns / 2);
  EXPECT_THAT(find_disturbances(o), testing::Contains(testing::StartsWith("off the CPU: ")));
}

TEST(Order, a_counter_opened_before_the_drop_still_reads_afterwards) {
  WorkerSpec spec = make_worker_spec(trial_of("reporter"), HASHPROF_WORKER);
  spec.request.events[HASHPROF_EVENT_CYCLES] = {PERF_TYPE_SOFTWARE, 1, PERF_COUNT_SW_TASK_CLOCK, 0};
  spec.request.events[HASHPROF_EVENT_INSTRUCTIONS] = {PERF_TYPE_SOFTWARE, 1,
                                                      PERF_COUNT_SW_PAGE_FAULTS, 0};
  const WorkerEnd end = run_worker(spec);
  const hashprof_result result = result_of(end);
  if (result.open_errno[0] != 0) {
    GTEST_SKIP() << "perf_event_open refuses task-clock here: "
                 << counters::explain_open_error(result.open_errno[0], "task-clock",
                                                 {"unknown", ""})
                        .sentence;
  }
  if (::geteuid() == 0) {
    EXPECT_EQ(value_of(end.output.tail, "Uid:"), "65534\t65534\t65534\t65534");
  }
  EXPECT_EQ(result.is_counting, 1U);
  EXPECT_EQ(result.open_errno[1], 0);
  EXPECT_GT(result.time_enabled_ns, 0U);
  EXPECT_EQ(result.time_enabled_ns, result.time_running_ns);
  std::uint64_t counted_ns = 0;
  std::uint64_t elapsed_ns = 0;
  for (std::uint32_t i = 0; i < result.slice_count; ++i) {
    counted_ns += result.slices[i].cycles;
    elapsed_ns += result.slices[i].elapsed_ns;
  }
  EXPECT_GT(counted_ns, 0U);
  EXPECT_LT(counted_ns, 10 * elapsed_ns + 1'000'000);
}

TEST(Order, an_event_that_is_refused_does_not_take_the_other_along) {
  WorkerSpec spec = make_worker_spec(trial_of("good"), HASHPROF_WORKER);
  spec.request.events[HASHPROF_EVENT_CYCLES] = {PERF_TYPE_SOFTWARE, 1, PERF_COUNT_SW_TASK_CLOCK, 0};
  spec.request.events[HASHPROF_EVENT_INSTRUCTIONS] = {PERF_TYPE_SOFTWARE, 1, 0xffffff, 0};
  const WorkerEnd end = run_worker(spec);
  const hashprof_result result = result_of(end);
  if (result.open_errno[0] != 0) {
    GTEST_SKIP() << "perf_event_open refuses task-clock here";
  }
  EXPECT_EQ(result.is_counting, 1U);
  EXPECT_NE(result.open_errno[1], 0);
  EXPECT_GT(result.slices[0].cycles, 0U);
  EXPECT_EQ(result.slices[0].instructions, 0U);
}

TEST(Order, without_the_leader_nothing_else_is_opened) {
  WorkerSpec spec = make_worker_spec(trial_of("good"), HASHPROF_WORKER);
  spec.request.events[HASHPROF_EVENT_CYCLES] = {PERF_TYPE_SOFTWARE, 1, 0xffffff, 0};
  spec.request.events[HASHPROF_EVENT_INSTRUCTIONS] = {PERF_TYPE_SOFTWARE, 1,
                                                      PERF_COUNT_SW_TASK_CLOCK, 0};
  const WorkerEnd end = run_worker(spec);
  const hashprof_result result = result_of(end);
  EXPECT_NE(result.open_errno[0], 0);
  EXPECT_EQ(result.open_errno[1], 0);
  EXPECT_EQ(result.is_counting, 0U);
  EXPECT_EQ(result.slices[0].instructions, 0U);
}

TEST(Order, a_library_of_mode_0644_in_a_folder_of_mode_0700_loads) {
  const TemporaryFolder folder;
  Job job = trial_of("good");
  job.library = folder.add(job.library, 0644);
  std::filesystem::permissions(folder.path(), std::filesystem::perms(0700));
  const record::Observation seen = measure(job);
  EXPECT_EQ(seen.outcome, record::Outcome::complete) << seen.detail;
}

TEST(Order, a_worker_is_gone_within_a_second_after_its_parent_was_killed) {
  const pid_t parent = run_in_child([] {
    static_cast<void>(run_job(trial_of("endless"), HASHPROF_WORKER));
    return 0;
  });
  const pid_t worker = find_loaded_worker(parent);
  ASSERT_GT(worker, 0);
  ASSERT_EQ(::kill(parent, SIGKILL), 0);
  EXPECT_TRUE(is_gone_within_a_second(worker));
  EXPECT_EQ(wait_for(parent), 1000 + SIGKILL);
}

}  // namespace
}  // namespace hashprof::runner
