// SPDX-License-Identifier: MIT
// The parent's ends of one running worker: takes apart what it says and keeps what it prints.
#pragma once

#include <cstddef>

#include "base/unique_fd.h"
#include "runner/worker_process.h"

namespace hashprof::runner {

/// Reads the protocol socket and the two output pipes into a WorkerEnd, which outlives it. A
/// descriptor whose other end is closed becomes -1, which poll ignores.
class WorkerLine {
 public:
  /// The pipes' ends become non-blocking. Throws Error{environment}.
  WorkerLine(UniqueFd socket, UniqueFd output, UniqueFd errors, WorkerEnd& end);

  [[nodiscard]] int socket() const { return socket_.get(); }
  [[nodiscard]] int output() const { return output_.get(); }
  [[nodiscard]] int errors() const { return errors_.get(); }
  /// Whether the worker has announced a step, that is, came as far as its own main.
  [[nodiscard]] bool has_started() const { return has_started_; }

  /// Sends a worker on that waits (STEP_READY). One that is gone meanwhile is nobody's loss: its
  /// end says so.
  void send_go();

  /// Reads what is there, within bounds: a library that writes without end must not keep the
  /// watchdog from its turn.
  void drain();
  /// The last words of a process that is gone, and the final cut of its output. Bounded: whoever
  /// else may hold the pipes is not waited for.
  void drain_rest();

 private:
  void drain_socket();
  void take(const char* packet, std::size_t size);
  void take_event(const hashprof_event& event);

  UniqueFd socket_;
  UniqueFd output_;
  UniqueFd errors_;
  WorkerEnd& end_;
  bool has_started_ = false;
  bool is_result_next_ = false;
};

}  // namespace hashprof::runner
