// SPDX-License-Identifier: MIT
// Catches a depth of a function of the C library that differs from process to process, that is of
// a function which was not called, or that a call of the function exceeds.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "runner/memory_process.h"
#include "runner_support.h"
#include "worker/depth.h"

namespace hashprof::runner {
namespace {

constexpr Bytes kCallStack{8U << 20U};
#if defined(__x86_64__)
constexpr std::uint64_t kReturnAddress = 8;
#else
constexpr std::uint64_t kReturnAddress = 0;
#endif

using Depths = std::map<std::string, std::uint64_t>;

Depths read_depths() {
  MemoryJob job;
  job.worker = HASHPROF_WORKER;
  job.core = test_core();
  Depths depths;
  for (const record::ExternalDepth& depth : measure_libc_depths(job, kCallStack)) {
    EXPECT_TRUE(depths.emplace(depth.function, depth.bytes).second) << depth.function;
  }
  return depths;
}

TEST(LibcDepth, is_there_for_every_function_of_the_table) {
  const Depths depths = read_depths();
  for (const char* const function : hashprof_depth_functions) {
    EXPECT_TRUE(depths.contains(function)) << function;
  }
  EXPECT_EQ(depths.size(), std::size_t{HASHPROF_DEPTH_FUNCTIONS});
}

TEST(LibcDepth, of_functions_that_use_registers_only_is_their_return_address) {
  const Depths depths = read_depths();
  for (const char* const function : {"memcpy", "memmove", "memset", "memcmp", "strlen"}) {
    EXPECT_EQ(depths.at(function), kReturnAddress) << function;
  }
}

TEST(LibcDepth, of_allocations_is_more_than_a_leaf_and_less_than_a_page) {
  const Depths depths = read_depths();
  for (const char* const function :
       {"malloc", "calloc", "realloc", "free", "posix_memalign", "aligned_alloc"}) {
    std::printf("%s %llu\n", function, static_cast<unsigned long long>(depths.at(function)));
    EXPECT_GT(depths.at(function), 32U) << function;
    EXPECT_LT(depths.at(function), 4096U) << function;
    EXPECT_EQ(depths.at(function) % 8, 0U) << function;
  }
}

TEST(LibcDepth, bounds_what_a_hash_takes_that_calls_the_functions) {
  constexpr std::uint64_t kOwn = 16;  // of the fixture, on both machines
  MemoryJob job;
  job.worker = HASHPROF_WORKER;
  job.library = fixture("stack_allocates.so");
  job.entry = "CryptHash";
  job.core = test_core();
  for (const std::uint64_t bytes : {0U, 1U, 100U, 200U, 1000U, 20000U, 1000000U, 1U, 20000U}) {
    job.items.push_back({bytes, 256});
  }
  const StackRun run = run_stack_process(job, kCallStack);
  ASSERT_EQ(run.bytes.size(), job.items.size()) << run.detail;
  const Depths depths = read_depths();
  const std::uint64_t bound = kOwn + std::max(depths.at("malloc"), depths.at("free"));
  const std::uint64_t most = *std::max_element(run.bytes.begin(), run.bytes.end());
  std::printf("a hash that allocates takes %llu, its bound is %llu\n",
              static_cast<unsigned long long>(most), static_cast<unsigned long long>(bound));
  EXPECT_LE(most, bound);
  EXPECT_GT(most, bound / 2);
}

TEST(LibcDepth, is_the_same_in_ten_processes) {
  const Depths first = read_depths();
  for (int i = 0; i < 9; ++i) {
    EXPECT_EQ(read_depths(), first);
  }
}

}  // namespace
}  // namespace hashprof::runner
