// SPDX-License-Identifier: MIT
// Catches a heap meter that misses, doubles or invents an allocation, and a memory process whose
// end is not what it says.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <stdexcept>

#include "base/error.h"
#include "runner/worker_file.h"
#include "runner_memory_support.h"

namespace hashprof::runner {
namespace {

record::HeapUse heap_of(const StretchUse& use) {
  EXPECT_TRUE(use.heap.value.has_value()) << use.heap.reason;
  return use.heap.value.value_or(record::HeapUse{});
}

std::array<record::HeapUse, 2> first_item(const MemoryRun& run) {
  EXPECT_EQ(run.outcome, record::Outcome::complete) << run.detail;
  if (run.calls.empty()) {
    return {};
  }
  return {heap_of(run.calls[0][0]), heap_of(run.calls[0][1])};
}

TEST(heap_meter, counts_a_known_call_to_the_byte) {
  const MemoryRun run = run_memory_process(memory_job("memory_known"));
  ASSERT_EQ(run.outcome, record::Outcome::complete) << run.detail;
  ASSERT_EQ(run.calls.size(), 2U);
  for (const auto& item : run.calls) {
    for (const StretchUse& call : item) {
      const record::HeapUse heap = heap_of(call);
      // malloc 1000, malloc 5000, calloc 300, posix_memalign 4096, aligned_alloc 640, malloc 64
      EXPECT_EQ(heap.allocations, 6U);
      EXPECT_EQ(heap.resizes, 1U);
      EXPECT_EQ(heap.frees, 5U);
      EXPECT_EQ(heap.failures, 0U);
      EXPECT_EQ(heap.total_bytes, 1000U + 5000 + 300 + 10000 + 4096 + 640 + 64);
      EXPECT_EQ(heap.peak_bytes, 300U + 10000 + 4096 + 640 + 64);
      EXPECT_EQ(heap.left_bytes, 64U);
      EXPECT_EQ(heap.left_blocks, 1U);
      EXPECT_EQ(heap.foreign_frees, 0U);
      EXPECT_GE(heap.peak_usable_bytes, heap.peak_bytes);
      EXPECT_EQ(heap.lost, 0U);
    }
  }
}

TEST(heap_meter, counts_constructors_apart_from_calls_and_knows_what_is_foreign) {
  const MemoryRun run = run_memory_process(memory_job("memory_constructor"));
  const record::HeapUse load = heap_of(run.load);
  EXPECT_EQ(load.allocations, 2U);
  EXPECT_EQ(load.frees, 1U);
  EXPECT_EQ(load.left_bytes, 777U);
  EXPECT_EQ(load.peak_bytes, 777U);
  const auto [first, later] = first_item(run);
  EXPECT_EQ(first.left_bytes, 100U);
  EXPECT_EQ(later.frees, 1U);
  EXPECT_EQ(later.foreign_frees, 1U);
  EXPECT_EQ(later.peak_bytes, 0U);
  EXPECT_EQ(heap_of(run.calls[1][0]), record::HeapUse{});
}

TEST(heap_meter, counts_nothing_of_a_library_that_allocates_nothing) {
  const MemoryRun run = run_memory_process(memory_job("good"));
  EXPECT_EQ(heap_of(run.load), record::HeapUse{});
  const auto [first, later] = first_item(run);
  EXPECT_EQ(first, record::HeapUse{});
  EXPECT_EQ(later, record::HeapUse{});
}

TEST(heap_meter, counts_every_pair_of_two_threads) {
  if (::geteuid() != 0) {
    GTEST_SKIP() << "only root's workers may start threads (RLIMIT_NPROC is 0)";
  }
  MemoryJob job = memory_job("memory_threads");
  job.is_sandboxed = false;
  const auto [first, later] = first_item(run_memory_process(job));
  // And one block of the loader's for each new thread, which the next call takes over with its
  // stack.
  EXPECT_EQ(first.allocations, 2000U + 2);
  EXPECT_EQ(first.frees, 2000U);
  EXPECT_EQ(later.allocations, 2000U);
  EXPECT_EQ(later.frees, 2000U);
  EXPECT_EQ(later.total_bytes, 2000U * 48);
  EXPECT_EQ(later.left_blocks, 0U);
  EXPECT_EQ(later.lost, 0U);
}

TEST(heap_meter, counts_failures_and_odd_calls) {
  const auto [first, later] = first_item(run_memory_process(memory_job("memory_odd")));
  EXPECT_EQ(first, later);
  // malloc, calloc and reallocarray too large, posix_memalign by 3, realloc too large.
  EXPECT_EQ(later.failures, 5U);
  // malloc 30, reallocarray 70, strdup 13, malloc 0.
  EXPECT_EQ(later.allocations, 4U);
  EXPECT_EQ(later.resizes, 0U);
  EXPECT_EQ(later.frees, 4U);
  EXPECT_EQ(later.total_bytes, 30U + 70 + 13 + 0);
  EXPECT_EQ(later.peak_bytes, 70U);
  EXPECT_EQ(later.left_blocks, 0U);
  EXPECT_EQ(later.foreign_frees, 0U);
}

TEST(heap_meter, counts_what_new_takes) {
  const auto [first, later] = first_item(run_memory_process(memory_job("memory_new")));
  EXPECT_EQ(first.allocations, 1U);
  EXPECT_EQ(first.peak_bytes, 100U);
  EXPECT_EQ(first.left_blocks, 0U);
  EXPECT_EQ(later, first);
}

TEST(heap_meter, has_no_figure_where_more_blocks_were_live_than_it_can_hold) {
  const MemoryRun run = run_memory_process(memory_job("memory_crowd"));
  ASSERT_EQ(run.calls.size(), 2U) << run.detail;
  EXPECT_FALSE(run.calls[0][0].heap.value.has_value());
  EXPECT_EQ(run.calls[0][0].heap.reason,
            "more than 65536 blocks were live at once: 1 could not be counted");
}

TEST(memory_process, shows_anonymous_growth_that_is_no_heap) {
  const MemoryRun run = run_memory_process(memory_job("memory_arena"));
  const auto [first, later] = first_item(run);
  EXPECT_EQ(first, record::HeapUse{});
  ASSERT_TRUE(run.calls[0][0].pages.value.has_value());
  const record::PageUse pages = *run.calls[0][0].pages.value;
  EXPECT_GE(pages.anon_after_kib - pages.anon_before_kib, 1024U);
  EXPECT_LE(pages.anon_after_kib - pages.anon_before_kib, 1024U + 16);
  ASSERT_TRUE(run.before.value && run.after.value);
  EXPECT_GE(run.after.value->peak_kib, run.before.value->all_kib + 1000);
}

TEST(memory_process, of_the_plain_worker_says_that_it_has_no_meter) {
  const MemoryRun run = run_memory_process(plain_job("memory_known"));
  ASSERT_EQ(run.calls.size(), 2U) << run.detail;
  EXPECT_EQ(run.calls[0][0].heap.reason, "this worker has no heap meter");
  EXPECT_TRUE(run.calls[0][0].pages.value.has_value());
}

TEST(memory_process, charges_a_failed_call_and_a_crash_to_the_message) {
  MemoryRun run = run_memory_process(memory_job("fail_at_3"));
  EXPECT_EQ(run.outcome, record::Outcome::failed_call);
  EXPECT_THAT(run.detail, testing::HasSubstr("message of 4096 bytes"));
  EXPECT_TRUE(run.calls.empty());
  run = run_memory_process(memory_job("crash"));
  EXPECT_EQ(run.outcome, record::Outcome::crashed);
}

TEST(memory_process, waits_until_somebody_has_attached) {
  pid_t seen = 0;
  Watcher watcher;
  watcher.attach = [&](pid_t pid) {
    seen = pid;
    std::array<char, 64> name{};
    std::FILE* file = std::fopen(("/proc/" + std::to_string(pid) + "/comm").c_str(), "r");
    ASSERT_NE(file, nullptr);
    EXPECT_NE(std::fgets(name.data(), name.size(), file), nullptr);
    std::fclose(file);
    EXPECT_STREQ(name.data(), "hashprof-worker\n");
  };
  const MemoryRun run = run_memory_process(plain_job("good"), watcher);
  EXPECT_EQ(run.outcome, record::Outcome::complete) << run.detail;
  EXPECT_GT(seen, 0);
}

TEST(memory_process, ends_the_worker_when_nobody_can_attach) {
  pid_t seen = 0;
  Watcher watcher;
  watcher.attach = [&](pid_t pid) {
    seen = pid;
    throw std::runtime_error("no probe");
  };
  EXPECT_THROW((void)run_memory_process(plain_job("good"), watcher), std::runtime_error);
  EXPECT_TRUE(is_gone_within_a_second(seen));
}

TEST(memory_process, of_too_many_items_is_refused) {
  MemoryJob job = memory_job("good");
  job.items.assign(128, {1, 256});
  EXPECT_THROW((void)run_memory_process(job), Error);
}

TEST(heap_worker, is_asked_for_beside_the_worker) {
  EXPECT_EQ(heap_worker_of(HASHPROF_WORKER), std::filesystem::path(HASHPROF_HEAP_WORKER));
  const TemporaryFolder folder;
  EXPECT_THROW((void)heap_worker_of(folder.path() / "hashprof-worker"), Error);
}

/// Names that the program gives to others.
std::string exports_of(const char* program) {
  std::string text;
  std::FILE* pipe = ::popen(("nm -D --defined-only '" + std::string(program) + "'").c_str(), "r");
  std::array<char, 256> line{};
  while (std::fgets(line.data(), line.size(), pipe) != nullptr) {
    text += line.data();
  }
  EXPECT_EQ(::pclose(pipe), 0);
  return text;
}

TEST(heap_worker, alone_defines_the_malloc_family) {
  const std::string plain = exports_of(HASHPROF_WORKER);
  const std::string metered = exports_of(HASHPROF_HEAP_WORKER);
  for (const char* name :
       {" malloc\n", " calloc\n", " realloc\n", " reallocarray\n", " free\n", " posix_memalign\n",
        " aligned_alloc\n", " memalign\n", " valloc\n", " pvalloc\n"}) {
    EXPECT_THAT(plain, testing::Not(testing::HasSubstr(name)));
    EXPECT_THAT(metered, testing::HasSubstr(name));
  }
}

}  // namespace
}  // namespace hashprof::runner
