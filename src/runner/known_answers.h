// SPDX-License-Identifier: MIT
// Known answers computed by workers and judged outside them: all vectors of a build in one process,
// one process for each known-answer file, and then one for each check of the API's contract.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/units.h"
#include "kat/contract.h"
#include "kat/verdict.h"
#include "runner/computation.h"

namespace hashprof::runner {

struct KatRun {
  kat::Verdict verdict;
  Captured output;  ///< what the library wrote, for the build's log
  Captured errors;
};

/// Hashes every vector's message in one worker and compares. `digest_bits` is the length of the
/// instance, which every buffer holds. A crash, an end of its own (exit), a
/// time-out, a non-zero return or a failed load is the verdict, charged to the vector and its
/// length; `checked` then counts the vectors that were computed before. Without vectors no process
/// is started. Throws Error{environment} if the worker cannot do its own part, Interrupted on a
/// signal.
[[nodiscard]] KatRun run_known_answers(const KatJob& job, const std::vector<kat::Vector>& vectors,
                                       std::uint32_t digest_bits);

/// One known-answer file that is wanted of a build.
struct KatFile {
  kat::Kind kind = kat::Kind::k2_12;
  std::string name;
  const kat::ManifestLine* line = nullptr;    ///< null: nothing to compare with, so not computed
  const kat::MessageSet* messages = nullptr;  ///< set where there is a line
};

/// One build with all that is wanted of it. What it points to must outlive run_kat_tasks.
struct KatTask {
  KatJob job;  ///< its core is chosen by run_kat_tasks
  const std::vector<kat::Vector>* vectors = nullptr;
  std::vector<KatFile> files;
  bool has_manifest = false;
  std::uint32_t digest_bits = 0;
  std::optional<std::uint32_t> block_bytes;      ///< of the hash, for the lengths of the checks
  Nanoseconds file_time_limit{300'000'000'000};  ///< for each file
};

struct KatFileRun {
  kat::KindVerdict verdict;
  std::optional<Nanoseconds> elapsed;  ///< none if no process was started
  Captured output;
  Captured errors;
};

struct KatAnswers {
  KatRun vectors;
  std::vector<KatFileRun> files;           ///< in the order of the task's
  std::vector<kat::CheckResult> contract;  ///< one for each check
  std::string contract_output;  ///< what the library wrote in checks that ended in a fault
};

/// Carries the tasks out, one process at a time on each of `cores` (at least one), and calls `done`
/// with the index of each as it is through. A build's processes follow each other. Where its
/// vectors crash, time out, fail or do not load, its files are NOTRUN; where vectors or a file
/// crash, time out or do not load, its contract checks are. One thread. Throws as
/// run_known_answers; no process is left then.
void run_kat_tasks(const std::vector<KatTask>& tasks, const std::vector<std::uint32_t>& cores,
                   const std::function<void(std::size_t, KatAnswers&&)>& done);

}  // namespace hashprof::runner
