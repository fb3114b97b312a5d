// SPDX-License-Identifier: MIT
// Catches a stack figure that is off by a byte, that counts the worker's or the loader's own, that
// misses a byte which looks like the paint, or an overflow that is told as another fault.
#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <link.h>

#include "base/error.h"
#include "runner/memory_process.h"
#include "runner_support.h"

namespace hashprof::runner {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr Bytes kCallStack{8U << 20U};
#if defined(__x86_64__)
/// What the call instruction pushes.
constexpr std::uint64_t kReturnAddress = 8;
#else
constexpr std::uint64_t kReturnAddress = 0;
#endif

MemoryJob job_of(const std::string& library) {
  MemoryJob job;
  job.worker = HASHPROF_WORKER;
  job.library = fixture(library + ".so");
  job.entry = "CryptHash";
  job.core = test_core();
  job.items = {{64, 256}};
  return job;
}

StackRun run_stack(const std::string& library, Bytes call_stack = kCallStack) {
  return run_stack_process(job_of(library), call_stack);
}

/// What the deepest byte of one call of a fixture is; 0 and a failed test if it was not measured.
std::uint64_t bytes_of(const std::string& library) {
  const StackRun run = run_stack(library);
  EXPECT_STREQ(record::outcome_name(run.outcome), "complete") << library << ": " << run.detail;
  EXPECT_EQ(run.bytes.size(), 1U) << library;
  return run.bytes.empty() ? 0 : run.bytes.front();
}

TEST(Stack, of_a_leaf_is_what_the_call_instruction_pushes) {
  EXPECT_EQ(bytes_of("stack_leaf"), kReturnAddress);
}

TEST(Stack, of_a_frame_is_its_size_to_the_byte) {
  EXPECT_EQ(bytes_of("stack_frame_1024"), 1024U);
  EXPECT_EQ(bytes_of("stack_frame_65536"), 65536U);
  EXPECT_EQ(bytes_of("stack_frame_3000000"), 3000000U);
}

TEST(Stack, of_a_recursion_is_the_sum_of_its_frames) {
#if defined(__x86_64__)
  EXPECT_EQ(bytes_of("stack_recursion"), 4808U);
#else
  EXPECT_EQ(bytes_of("stack_recursion"), 4816U);
#endif
}

TEST(Stack, ends_at_the_deepest_byte_that_was_written_and_not_where_the_frame_does) {
  // 8 KiB of which the highest byte is written: the rest of the array was never used.
  EXPECT_EQ(bytes_of("stack_top_byte"), kReturnAddress + 1);
}

TEST(Stack, shows_bytes_that_are_equal_to_either_pattern) {
  EXPECT_EQ(bytes_of("stack_pattern_one"), 1008U);
  EXPECT_EQ(bytes_of("stack_pattern_two"), 1008U);
}

TEST(Stack, is_that_of_the_deeper_of_the_two_painted_calls) {
  EXPECT_EQ(bytes_of("stack_second_deepest"), 1536U);
  EXPECT_EQ(bytes_of("stack_third_deepest"), 1536U);
}

TEST(Stack, of_the_call_that_warms_up_is_not_counted) {
  EXPECT_EQ(bytes_of("stack_first_deepest"), 1024U);
}

TEST(Stack, of_a_call_that_goes_deeper_than_the_paint_is_measured_again) {
  EXPECT_EQ(bytes_of("stack_grows"), 131072U);
}

TEST(Stack, of_each_item_stands_for_itself) {
  MemoryJob job = job_of("stack_grows");
  job.items = {{0, 256}, {1, 256}, {4096, 512}};
  const StackRun run = run_stack_process(job, kCallStack);
  EXPECT_STREQ(record::outcome_name(run.outcome), "complete") << run.detail;
  EXPECT_THAT(run.bytes, ElementsAre(131072U, 131072U, 131072U));
}

TEST(Stack, does_not_hold_the_loader_that_binds_a_lazy_library) {
  // The fixture asks for lazy binding; each of its three calls binds another function.
  void* const library = ::dlopen(fixture("stack_imports.so").c_str(), RTLD_LAZY | RTLD_LOCAL);
  ASSERT_NE(library, nullptr) << ::dlerror();
  const link_map* map = nullptr;
  ASSERT_EQ(::dlinfo(library, RTLD_DI_LINKMAP, static_cast<void*>(&map)), 0) << ::dlerror();
  bool has_table = false;
  for (const ElfW(Dyn)* entry = map->l_ld; entry->d_tag != DT_NULL; ++entry) {
    has_table = has_table || entry->d_tag == DT_JMPREL;
    EXPECT_NE(entry->d_tag, DT_BIND_NOW);
    EXPECT_FALSE(entry->d_tag == DT_FLAGS && (entry->d_un.d_val & DF_BIND_NOW) != 0);
  }
  EXPECT_TRUE(has_table);
  EXPECT_EQ(::dlclose(library), 0);
#if defined(__x86_64__)
  EXPECT_EQ(bytes_of("stack_imports"), 24U);
#else
  EXPECT_EQ(bytes_of("stack_imports"), 16U);
#endif
}

TEST(Stack, is_executable_for_a_library_that_runs_code_there) {
#if defined(__x86_64__)
  EXPECT_EQ(bytes_of("stack_runs_code"), 40U);
#else
  EXPECT_EQ(bytes_of("stack_runs_code"), 32U);
#endif
}

TEST(Stack, may_be_taken_whole) { EXPECT_EQ(bytes_of("stack_frame_8388608"), 8388608U); }

TEST(Stack, that_does_not_suffice_is_named_with_its_size) {
  for (const char* const library :
       {"stack_frame_8388624", "stack_frame_12582912", "stack_endless_recursion"}) {
    const StackRun run = run_stack(library);
    EXPECT_STREQ(record::outcome_name(run.outcome), "crashed") << library;
    EXPECT_EQ(run.detail, "stack > 8388608 bytes, message of 64 bytes") << library;
    EXPECT_THAT(run.bytes, IsEmpty()) << library;
  }
}

TEST(Stack, of_another_size_is_named_with_that_size) {
  const StackRun run = run_stack("stack_frame_65536", {65536 - 4096});
  EXPECT_EQ(run.detail, "stack > 61440 bytes, message of 64 bytes");
  EXPECT_THAT(run_stack("stack_frame_65536", {65536}).bytes, ElementsAre(65536U));
}

TEST(Stack, that_overflows_late_leaves_the_items_before_it) {
  // Three calls an item: the second item overflows a stack of 64 KiB in its first painted call.
  MemoryJob job = job_of("stack_fourth_overflows");
  job.items = {{64, 256}, {100, 256}};
  const StackRun run = run_stack_process(job, {65536});
  EXPECT_STREQ(record::outcome_name(run.outcome), "crashed");
  EXPECT_EQ(run.detail, "stack > 65536 bytes, message of 100 bytes");
  EXPECT_THAT(run.bytes, ElementsAre(1024U));
}

TEST(Stack, of_0_bytes_is_refused) {
  try {
    static_cast<void>(run_stack("stack_leaf", {0}));
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_THAT(std::string(error.what()), ::testing::HasSubstr("a stack of 0 bytes at step map"));
  }
}

TEST(Stack, fault_of_another_kind_keeps_its_name) {
  for (const char* const library : {"crash", "stack_raises"}) {
    const StackRun run = run_stack(library);
    EXPECT_STREQ(record::outcome_name(run.outcome), "crashed") << library;
    EXPECT_EQ(run.detail, "SIGSEGV at step call, message of 64 bytes") << library;
    EXPECT_THAT(run.bytes, IsEmpty()) << library;
  }
}

TEST(Stack, of_a_call_that_returns_non_zero_is_absent) {
  const StackRun run = run_stack("fail_at_3");
  EXPECT_STREQ(record::outcome_name(run.outcome), "failed_call");
  EXPECT_EQ(run.detail, "returned 1, message of 64 bytes");
  EXPECT_THAT(run.bytes, IsEmpty());
}

TEST(Stack, is_walked_by_an_unwinder_from_the_hash_to_main) {
  const StackRun run = run_stack("stack_unwinds");
  EXPECT_STREQ(record::outcome_name(run.outcome), "complete") << run.detail;
}

TEST(Stack, is_the_same_in_ten_processes) {
  const std::uint64_t first = bytes_of("good");
  EXPECT_GE(first, kReturnAddress);
  for (int i = 0; i < 9; ++i) {
    EXPECT_EQ(bytes_of("good"), first);
  }
}

}  // namespace
}  // namespace hashprof::runner
