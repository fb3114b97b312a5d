// SPDX-License-Identifier: MIT
// One worker, from fork to reaped: started, watched, and always gone when run_worker returns.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/unique_fd.h"
#include "base/units.h"
#include "worker/protocol.h"

namespace hashprof::runner {

/// What to start. The request's magic, version, size, parent_pid and HAS_ flags are filled in.
struct WorkerSpec {
  std::filesystem::path worker;
  hashprof_request request{};
  UniqueFd library;
  UniqueFd message;
  UniqueFd window;  ///< BPF window map, or none
  UniqueFd digest;  ///< memory for the digests of a kat, or none
  std::uint32_t core = 0;
  Bytes address_space;
  Bytes stack;
  Nanoseconds time_limit;
  std::vector<std::pair<std::string, std::string>> env;
  std::uint32_t env_padding = 0;
};

/// What came through one of the worker's output pipes: the last 64 KiB, and how much before them
/// was dropped.
struct Captured {
  std::string tail;
  std::uint64_t dropped_bytes = 0;
};

/// How a worker ended and what it said until then. Raw; runner/outcome.h gives it names.
struct WorkerEnd {
  enum class Kind { exited, signalled, timed_out };
  Kind kind = Kind::exited;
  int code = 0;            ///< exit status or signal number
  std::uint32_t step = 0;  ///< the last one announced
  std::uint64_t step_detail = 0;
  std::optional<hashprof_event> error;    ///< its ERROR event
  std::optional<hashprof_result> result;  ///< only if it came whole
  bool is_garbled = false;                ///< something else came through the protocol socket
  Captured output;
  Captured errors;
};

/// "exited with status 3" or "SIGSEGV".
[[nodiscard]] std::string describe_end(const WorkerEnd& end);

/// Starts one worker, waits for its end, and kills what is left of its process group. Throws
/// Error{environment} if it could not be started, Interrupted (runner/signals.h) when a stop was
/// asked for; no process is left in either case.
[[nodiscard]] WorkerEnd run_worker(const WorkerSpec& spec);

}  // namespace hashprof::runner
