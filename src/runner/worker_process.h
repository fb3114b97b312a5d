// SPDX-License-Identifier: MIT
// Workers from fork to reaped: started, watched, and always gone when their object is.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
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
  /// If set, the worker waits before it loads the library until this was called with its pid. What
  /// it throws comes out of wait_any.
  std::function<void(pid_t)> attach = {};
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
  std::vector<hashprof_event> findings;   ///< of a contract check; the first 16
  std::optional<hashprof_result> result;  ///< only if it came whole
  bool is_garbled = false;                ///< something else came through the protocol socket
  Captured output;
  Captured errors;
};

/// "exited with status 3" or "SIGSEGV".
[[nodiscard]] std::string describe_end(const WorkerEnd& end);

/// A worker that runs: started by the constructor; killed with its process group and reaped by the
/// destructor if it was not finished before. Throws Error{environment} if it could not be started.
class RunningWorker {
 public:
  explicit RunningWorker(const WorkerSpec& spec);
  RunningWorker(const RunningWorker&) = delete;
  RunningWorker& operator=(const RunningWorker&) = delete;
  RunningWorker(RunningWorker&&) = delete;
  RunningWorker& operator=(RunningWorker&&) = delete;
  ~RunningWorker();

  /// Ends it if it runs still, and says how it ended. Call it once, after wait_any named it. Throws
  /// Error{environment} if the worker did not come as far as its own main.
  [[nodiscard]] WorkerEnd finish();

 private:
  friend std::size_t wait_any(const std::vector<RunningWorker*>& workers);
  struct State;
  std::unique_ptr<State> state_;
};

/// Waits until one of `workers`, of which there is at least one, has ended or has used up its time:
/// its index. What they say meanwhile is kept. One thread: ppoll over all of them. Throws
/// Interrupted when a stop was asked for.
[[nodiscard]] std::size_t wait_any(const std::vector<RunningWorker*>& workers);

/// Starts one worker, waits for its end, and kills what is left of its process group. Throws
/// Error{environment} if it could not be started, Interrupted (runner/signals.h) when a stop was
/// asked for; no process is left in either case.
[[nodiscard]] WorkerEnd run_worker(const WorkerSpec& spec);

}  // namespace hashprof::runner
