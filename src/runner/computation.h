// SPDX-License-Identifier: MIT
// One worker that hashes a list of messages: packed into its descriptors, watched, and its digests
// read back. It knows nothing of what the digests should be.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/units.h"
#include "kat/vectors.h"
#include "runner/message_memory.h"
#include "runner/worker_process.h"

namespace hashprof::runner {

/// One build whose answers are wanted.
struct KatJob {
  std::filesystem::path worker;
  std::filesystem::path library;
  std::string entry;
  std::uint32_t core = 0;
  Nanoseconds time_limit{60'000'000'000};  ///< for all messages together
  Bytes address_space{1U << 30U};          ///< the messages are mapped beside it
  Bytes stack{8U << 20U};
  std::vector<std::pair<std::string, std::string>> env;
  std::uint32_t uid = 65534;
  bool is_sandboxed = true;
  bool takes_bytes = false;  ///< the function is never given a partial byte
};

struct Answers {
  kat::Status status = kat::Status::pass;          ///< PASS: every message was hashed
  std::string detail;                              ///< empty if so; else the fault and its message
  std::vector<std::vector<std::uint8_t>> digests;  ///< of every item, or empty
  std::uint64_t done = 0;
  Nanoseconds elapsed;  ///< from the start of the process to its end
  Captured output;      ///< what the library wrote, for the build's log
  Captured errors;
};

/// Starts the worker when it is made. Throws Error{environment} if the worker cannot be used.
class Computation {
 public:
  /// `noun` is what the items are called in a fault: "vector 3 of 7". `digest_bits` is the length
  /// of digests that the messages do not name. Job and messages must outlive it.
  Computation(const KatJob& job, const MessageMemory& messages, std::uint32_t digest_bits,
              std::string noun);

  /// What to wait for; null if the library was refused before a worker was started.
  [[nodiscard]] RunningWorker* worker() { return worker_ ? &*worker_ : nullptr; }
  /// Call it once, when the worker has ended or used up its time. A crash, an end of its own
  /// (exit), a time-out, a non-zero return or a failed load is the status, charged to the message
  /// and its length. Throws Error{environment} if the worker cannot do its own part.
  [[nodiscard]] Answers finish();

 private:
  [[nodiscard]] std::string charged(const WorkerEnd& end, std::string detail) const;
  [[nodiscard]] std::vector<std::uint8_t> read_digest(std::size_t item) const;

  const KatJob& job_;
  const MessageMemory& messages_;
  std::uint32_t digest_bits_;
  std::string noun_;
  WorkerSpec spec_;
  std::string refusal_;
  std::uint64_t start_ns_ = 0;
  std::optional<RunningWorker> worker_;
};

}  // namespace hashprof::runner
