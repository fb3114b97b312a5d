// SPDX-License-Identifier: MIT
// Workers that show what a call does to the memory: its heap, its pages, its stack. No process here
// is timed.
#pragma once

#include <sys/types.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/units.h"
#include "record/memory_entry.h"
#include "record/observation.h"
#include "runner/worker_process.h"

namespace hashprof::runner {

/// A message and output length; the message is kat::pattern_message of its bytes.
struct MemoryItem {
  std::uint64_t message_bytes = 0;
  std::uint32_t digest_bits = 0;
};

/// One build whose memory is wanted.
struct MemoryJob {
  /// hashprof-worker, or of the meter hashprof-worker-heap (heap_worker_of).
  std::filesystem::path worker;
  std::filesystem::path library;
  std::string entry;
  std::uint32_t core = 0;
  Nanoseconds time_limit{60'000'000'000};        ///< for all items together
  Bytes address_space{std::uint64_t{1} << 30U};  ///< messages and call_stack are mapped beside it
  Bytes stack{8U << 20U};                        ///< RLIMIT_STACK
  std::vector<std::pair<std::string, std::string>> env;
  std::uint32_t uid = 65534;
  bool is_sandboxed = true;
  /// At least one, at most HASHPROF_MAX_MEMORY_ITEMS.
  std::vector<MemoryItem> items;
};

/// Who watches a memory process from outside.
struct Watcher {
  int window_fd = -1;  ///< of a page that holds a hashprof_window; -1 = none
  /// Called with the worker's pid when it has given up its privileges and before it loads the
  /// library; null = it does not wait. What it throws ends the process.
  std::function<void(pid_t)> attach;
};

/// One stretch, as the process itself saw it.
struct StretchUse {
  record::Seen<record::HeapUse> heap;  ///< by the meter
  record::Seen<record::PageUse> pages;
};

struct MemoryRun {
  record::Outcome outcome = record::Outcome::complete;
  std::string detail;  ///< empty if complete
  record::Seen<record::ProcessPages> before;
  record::Seen<record::ProcessPages> after;
  StretchUse load;
  /// Of each item its first and second call; empty unless complete.
  std::vector<std::array<StretchUse, HASHPROF_MEMORY_CALLS>> calls;
  Captured output;
  Captured errors;
};

/// Two calls of each item in one process. Throws Error{environment} if the worker cannot be used or
/// cannot do its own part, Error{internal} for too many items, Interrupted on a signal.
[[nodiscard]] MemoryRun run_memory_process(const MemoryJob& job, const Watcher& watcher = {});

struct StackRun {
  record::Outcome outcome = record::Outcome::complete;
  /// "stack > 8388608 bytes, message of 64 bytes" of a call that overflows: it is `crashed`.
  std::string detail;
  std::vector<std::uint64_t> bytes;  ///< of each item; those before the one that failed
  Captured output;
  Captured errors;
};

/// The stack of a call of each item: bytes between the stack pointer before the call instruction
/// and the deepest byte that was written; worker/stack.h says what it does not see. The first of
/// three calls warms up, the deeper of the others counts. `call_stack`, rounded up to pages, is the
/// most it may take. Throws as above, and Error{environment} for a stack of 0 bytes.
[[nodiscard]] StackRun run_stack_process(const MemoryJob& job, Bytes call_stack);

/// The stack of each function of worker/depth.h on this machine, deepest of several situations, in
/// words of 8 bytes; absent where the C library does not have it. Throws Error{environment} if the
/// worker cannot. Library, entry and items of `job` do not count.
[[nodiscard]] std::vector<record::ExternalDepth> measure_libc_depths(const MemoryJob& job,
                                                                     Bytes call_stack);

}  // namespace hashprof::runner
