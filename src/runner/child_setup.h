// SPDX-License-Identifier: MIT
// What happens between fork and exec of a worker. The child of a fork may only make
// async-signal-safe calls, so everything is prepared before.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/units.h"
#include "runner/affinity.h"

namespace hashprof::runner {

/// The state a worker starts in, ready for a child that may not allocate. Descriptors are numbers
/// of the parent; -1 leaves the worker's slot closed. `argv` and `envp` point into `program` and
/// `environment`, so it is neither copied nor moved.
struct ChildPlan {
  std::string program;
  std::vector<std::string> environment;
  std::vector<char*> argv;
  std::vector<char*> envp;
  CpuSet cpus;
  Bytes address_space;
  Bytes stack;
  int null_fd = -1;
  int stdout_fd = -1;
  int stderr_fd = -1;
  int protocol_fd = -1;
  int library_fd = -1;
  int message_fd = -1;
  int window_fd = -1;
  int digest_fd = -1;
  int parent_pid = 0;

  /// Fills argv, envp and environment: `env`, then HASHPROF_PADDING with `padding` bytes, so that
  /// two processes differ by exactly the difference of their paddings.
  ChildPlan(std::string worker, const std::vector<std::pair<std::string, std::string>>& env,
            std::uint32_t padding);
  ChildPlan(const ChildPlan&) = delete;
  ChildPlan& operator=(const ChildPlan&) = delete;
  ChildPlan(ChildPlan&&) = delete;
  ChildPlan& operator=(ChildPlan&&) = delete;
  ~ChildPlan() = default;
};

/// Runs in the child, with all signals blocked. What fails is sent as an ERROR event over the
/// protocol socket before any STEP event, and the child exits.
[[noreturn]] void exec_worker(const ChildPlan& plan) noexcept;

}  // namespace hashprof::runner
