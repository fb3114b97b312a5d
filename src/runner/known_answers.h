// SPDX-License-Identifier: MIT
// Known answers computed by a worker: all vectors of one build in one process, judged outside it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "base/units.h"
#include "kat/vectors.h"
#include "runner/worker_process.h"

namespace hashprof::runner {

/// One build whose answers are wanted.
struct KatJob {
  std::filesystem::path worker;
  std::filesystem::path library;
  std::string entry;
  std::uint32_t core = 0;
  Nanoseconds time_limit{60'000'000'000};  ///< for all vectors together
  Bytes address_space{1U << 30U};          ///< the messages are mapped within it
  Bytes stack{8U << 20U};
  std::vector<std::pair<std::string, std::string>> env;
  std::uint32_t uid = 65534;
  bool is_sandboxed = true;
};

struct KatRun {
  kat::Verdict verdict;
  Captured output;  ///< what the library wrote, for the build's log
  Captured errors;
};

/// Hashes every vector's message in one worker and compares. A crash, an end of its own (exit), a
/// time-out, a non-zero return or a failed load is the verdict, charged to the vector and its
/// length; `checked` then counts the vectors that were computed before. Without vectors no process
/// is started. Throws Error{environment} if the worker cannot do its own part, Interrupted on a
/// signal.
[[nodiscard]] KatRun run_known_answers(const KatJob& job, const std::vector<kat::Vector>& vectors);

}  // namespace hashprof::runner
