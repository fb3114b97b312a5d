// SPDX-License-Identifier: MIT
// Catches a stack that is off by a byte, an overflow that looks like a crash, and a crash that
// looks like an overflow.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runner_memory_support.h"

namespace hashprof::runner {
namespace {

constexpr Bytes kCallStack{8U << 20U};
#if defined(__x86_64__)
constexpr std::uint64_t kReturn = 8;  ///< that a call pushes
constexpr std::uint64_t kLeaf = 8;
#else
constexpr std::uint64_t kReturn = 16;  ///< the frame record of fixtures/stack/frames.S
constexpr std::uint64_t kLeaf = 0;
#endif

StackRun stack_of(const std::string& library) {
  return run_stack_process(plain_job(library), kCallStack);
}

void expect_bytes(const std::string& library, std::uint64_t bytes) {
  const StackRun run = stack_of(library);
  EXPECT_EQ(run.outcome, record::Outcome::complete) << library << ": " << run.detail;
  EXPECT_THAT(run.bytes, testing::ElementsAre(bytes, bytes)) << library;
}

TEST(stack, equals_the_sum_that_is_written_in_the_assembly) {
  expect_bytes("stack_leaf", kLeaf);
  expect_bytes("stack_1k", kReturn + 1024);
  expect_bytes("stack_64k", kReturn + 65536);
  expect_bytes("stack_3m", kReturn + 3000000);
  expect_bytes("stack_100", 100 * (kReturn + 48));
}

TEST(stack, of_an_array_that_is_written_at_its_top_is_what_was_written) {
  const StackRun run = stack_of("stack_top_only");
  ASSERT_EQ(run.bytes.size(), 2U) << run.detail;
  // The definition is the deepest byte written: the 8191 bytes below it were not.
  EXPECT_LT(run.bytes[0], 200U);
  EXPECT_GT(run.bytes[0], kLeaf);
}

TEST(stack, sees_bytes_that_equal_a_pattern) {
  const StackRun run = stack_of("stack_pattern");
  ASSERT_EQ(run.bytes.size(), 2U) << run.detail;
  EXPECT_GE(run.bytes[0], 4096U);
}

TEST(stack, is_the_deeper_of_calls_that_differ) {
  const StackRun run = stack_of("stack_twice");
  ASSERT_EQ(run.bytes.size(), 2U) << run.detail;
  EXPECT_GE(run.bytes[0], 8192U);
  EXPECT_GE(run.bytes[1], 8192U);
}

TEST(stack, that_is_too_small_is_named_with_its_size) {
  const StackRun run = run_stack_process(plain_job("stack_64k"), {32U << 10U});
  EXPECT_EQ(run.outcome, record::Outcome::crashed);
  EXPECT_EQ(run.detail, "stack > 32768 bytes, message of 64 bytes");
  EXPECT_TRUE(run.bytes.empty());
}

TEST(stack, that_is_too_small_for_a_frame_beyond_a_page_is_named_too) {
  const StackRun run = run_stack_process(plain_job("stack_3m"), {2U << 20U});
  EXPECT_EQ(run.detail, "stack > 2097152 bytes, message of 64 bytes");
}

TEST(stack, of_a_call_that_faults_elsewhere_is_a_crash) {
  const StackRun run = stack_of("stack_null_write");
  EXPECT_EQ(run.outcome, record::Outcome::crashed);
  EXPECT_THAT(run.detail, testing::HasSubstr("SIGSEGV"));
  EXPECT_THAT(run.detail, testing::HasSubstr("message of 64 bytes"));
}

TEST(stack, does_not_hold_the_linker_of_a_lazy_library) {
  const StackRun eager = stack_of("stack_eager");
  const StackRun lazy = stack_of("stack_lazy");
  ASSERT_EQ(lazy.bytes.size(), 2U) << lazy.detail;
  EXPECT_EQ(lazy.bytes, eager.bytes);
  EXPECT_LT(lazy.bytes[0], 1000U);
}

TEST(depth, is_there_for_the_functions_that_hashes_call) {
  const auto depths = measure_libc_depths(plain_job("good"), kCallStack);
  std::uint64_t found = 0;
  for (const record::ExternalDepth& depth : depths) {
    EXPECT_GE(depth.bytes, kLeaf) << depth.function;
    EXPECT_LT(depth.bytes, 64U << 10U) << depth.function;
    std::printf("%s %llu B\n", depth.function.c_str(),
                static_cast<unsigned long long>(depth.bytes));
    found += depth.function == "memcpy" || depth.function == "malloc" || depth.function == "free" ||
                     depth.function == "calloc" || depth.function == "memset"
                 ? 1
                 : 0;
  }
  EXPECT_EQ(found, 5U);
}

}  // namespace
}  // namespace hashprof::runner
