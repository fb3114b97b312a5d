// SPDX-License-Identifier: MIT
// Catches a heap meter that does not know a member of the malloc family, loses count of a full
// table, or counts in another stretch than the worker says it is in.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <span>

#include "base/error.h"
#include "base/sys.h"
#include "runner/worker_file.h"
#include "runner_memory_support.h"

namespace hashprof::runner {
namespace {

/// Without usable bytes, which are the C library's.
record::HeapUse use_of(const StretchUse& stretch) {
  EXPECT_TRUE(stretch.heap.value.has_value()) << stretch.heap.reason;
  record::HeapUse use = stretch.heap.value.value_or(record::HeapUse{});
  EXPECT_GE(use.peak_usable_bytes, use.peak_bytes);
  use.peak_usable_bytes = 0;
  return use;
}

MemoryRun run_of(const std::string& library, std::vector<MemoryItem> items) {
  MemoryJob job = memory_job(library);
  job.items = std::move(items);
  MemoryRun run = run_memory_process(job);
  EXPECT_EQ(run.outcome, record::Outcome::complete) << run.detail;
  EXPECT_EQ(run.calls.size(), job.items.size());
  run.calls.resize(job.items.size());
  return run;
}

TEST(heap_meter, knows_the_whole_family) {
  const MemoryRun run = run_of("memory_family", {{64, 256}});
  // memalign 100, valloc 200, pvalloc 300, reallocarray 70 to 90, realloc 50 to 500 to 20,
  // malloc 0, strdup 10, calloc 0
  record::HeapUse expected;
  expected.allocations = 8;
  expected.resizes = 3;
  expected.frees = 8;
  expected.total_bytes = 100 + 200 + 300 + 70 + 90 + 50 + 500 + 20 + 0 + 10 + 0;
  expected.peak_bytes = 100 + 200 + 300 + 90 + 500;
  EXPECT_EQ(use_of(run.calls[0][0]), expected);
  EXPECT_EQ(use_of(run.calls[0][1]), expected);
}

TEST(heap_meter, fails_as_the_c_library_does_and_keeps_the_block_of_a_failed_resize) {
  const MemoryRun run = run_of("memory_refused", {{64, 256}});
  record::HeapUse expected;
  expected.allocations = 1;
  expected.frees = 1;
  expected.failures = 7;
  expected.total_bytes = 500;
  expected.peak_bytes = 500;
  EXPECT_EQ(use_of(run.calls[0][0]), expected);
  EXPECT_EQ(use_of(run.calls[0][1]), expected);
}

TEST(heap_meter, owns_a_foreign_block_from_its_resize_on) {
  const MemoryRun run = run_of("memory_foreign", {{0, 256}, {64, 256}});
  record::HeapUse taken;
  taken.allocations = 1;
  taken.total_bytes = taken.peak_bytes = taken.left_bytes = 100;
  taken.left_blocks = 1;
  record::HeapUse given_back;
  given_back.frees = given_back.foreign_frees = 1;
  record::HeapUse grown;
  grown.resizes = grown.foreign_frees = 1;
  grown.total_bytes = grown.peak_bytes = grown.left_bytes = 300;
  grown.left_blocks = 1;
  EXPECT_EQ(use_of(run.calls[0][0]), taken);
  EXPECT_EQ(use_of(run.calls[0][1]), given_back);
  EXPECT_EQ(use_of(run.calls[1][0]), taken);
  EXPECT_EQ(use_of(run.calls[1][1]), grown);
}

TEST(heap_meter, holds_as_many_blocks_as_it_says_and_recovers_from_one_more) {
  const MemoryRun run = run_of("memory_many_blocks", {{1, 256}, {3, 256}, {0, 256}});
  record::HeapUse expected;
  expected.allocations = expected.frees = expected.total_bytes = expected.peak_bytes = 65536;
  EXPECT_EQ(use_of(run.calls[0][0]), expected);
  EXPECT_EQ(use_of(run.calls[0][1]), expected);
  EXPECT_FALSE(run.calls[1][0].heap.value.has_value());
  EXPECT_EQ(run.calls[1][1].heap.reason,
            "more than 65536 blocks were live at once: 2 could not be counted");
  expected.allocations = expected.frees = expected.total_bytes = expected.peak_bytes = 65535;
  EXPECT_EQ(use_of(run.calls[2][0]), expected);
}

TEST(heap_meter, loses_nothing_of_threads_on_several_cores) {
  if (::geteuid() != 0) {
    GTEST_SKIP() << "only root's workers may start threads (RLIMIT_NPROC is 0)";
  }
  MemoryJob job = memory_job("memory_racing");
  job.is_sandboxed = false;
  const MemoryRun run = run_memory_process(job);
  ASSERT_EQ(run.outcome, record::Outcome::complete) << run.detail;
  // Of the second call: the first one also has what the loader takes for new threads.
  const record::HeapUse use = use_of(run.calls[0][1]);
  EXPECT_EQ(use.allocations, 4U * (100000 + 1));
  EXPECT_EQ(use.resizes, 4U * 100000);
  EXPECT_EQ(use.frees, 4U * 100000);
  EXPECT_EQ(use.total_bytes, 4U * (100000 * (16 + 32) + 100));
  EXPECT_GE(use.peak_bytes, 4U * 100);
  EXPECT_LE(use.peak_bytes, 4U * 100 + 4 * 32);
  EXPECT_EQ(use.left_bytes, 4U * 100);
  EXPECT_EQ(use.left_blocks, 4U);
  EXPECT_EQ(use.foreign_frees, 0U);
  EXPECT_EQ(use.failures, 0U);
}

TEST(memory_process, says_in_the_window_which_stretch_it_is_in) {
  const UniqueFd window = sys::writable_memory("window", 4096);
  const MemoryRun run = run_memory_process(memory_job("memory_stretches"), {window.get(), nullptr});
  EXPECT_EQ(run.outcome, record::Outcome::complete) << run.detail;
  EXPECT_EQ(run.output.tail, "1 2 3 4 5 ");
  hashprof_window last{7};
  sys::read_at(window.get(), 0, std::as_writable_bytes(std::span(&last, 1)), "window");
  EXPECT_EQ(last.stretch, HASHPROF_STRETCH_NONE);
}

TEST(memory_process, does_without_a_window) {
  const MemoryRun run = run_memory_process(memory_job("memory_stretches"));
  EXPECT_EQ(run.outcome, record::Outcome::complete) << run.detail;
  EXPECT_EQ(run.output.tail, "no window no window no window no window no window ");
}

TEST(memory_process, does_not_charge_the_worker_with_the_time_of_attaching) {
  MemoryJob job = plain_job("good");
  job.time_limit = {500'000'000};
  Watcher watcher;
  watcher.attach = [](pid_t) { ::usleep(700'000); };
  const MemoryRun run = run_memory_process(job, watcher);
  EXPECT_EQ(run.outcome, record::Outcome::complete) << run.detail;
}

TEST(memory_process, fits_into_the_smallest_address_space_beside_what_it_maps_itself) {
  MemoryJob job = memory_job("good");
  job.address_space = {16U << 20U};
  const MemoryRun run = run_memory_process(job);
  EXPECT_EQ(run.outcome, record::Outcome::complete) << run.detail;
}

TEST(heap_worker, that_is_missing_is_named_with_its_target) {
  const TemporaryFolder folder;
  try {
    static_cast<void>(heap_worker_of(folder.path() / "hashprof-worker"));
    FAIL() << "found";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(),
                testing::HasSubstr("hashprof-worker-heap: there is no worker program"));
    EXPECT_EQ(error.hint_text(),
              "install hashprof again, or build the target hashprof_worker_heap");
  }
}

}  // namespace
}  // namespace hashprof::runner
