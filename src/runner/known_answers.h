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
  const kat::ManifestLine* line = nullptr;   ///< null: not in the manifest
  const MessageMemory* messages = nullptr;   ///< null: not computed
  kat::Status status = kat::Status::no_kat;  ///< of one that is not computed, with its reason
  std::string reason;
  Nanoseconds time_limit{300'000'000'000};
  Bytes address_space{1U << 30U};  ///< as in the job
};

/// One build with all that is wanted of it now. What it points to must outlive run_kat_tasks.
struct KatTask {
  KatJob job;  ///< its core is chosen by run_kat_tasks
  /// Null: they are not wanted, and `vectors_status` says what they came to.
  const std::vector<kat::Vector>* vectors = nullptr;
  kat::Status vectors_status = kat::Status::no_vectors;
  /// Further libraries that have to give the same answers to the vectors, where these are wanted.
  std::vector<std::filesystem::path> layouts = {};
  std::vector<KatFile> files;
  bool is_contract_wanted = true;
  bool has_manifest = false;
  std::uint32_t digest_bits = 0;
  std::optional<std::uint32_t> block_bytes;  ///< of the hash, for the lengths of the checks
};

struct KatFileRun {
  kat::KindVerdict verdict;
  std::vector<std::vector<std::uint8_t>> digests;  ///< of every record, or none
  std::optional<Nanoseconds> elapsed;              ///< none if no process was started
  Captured output;
  Captured errors;
};

/// What a task came to so far.
struct KatAnswers {
  std::optional<KatRun> vectors;
  std::vector<KatRun> layouts;             ///< the vectors of each, in the order of the task's
  std::vector<KatFileRun> files;           ///< in the order of the task's
  std::vector<kat::CheckResult> contract;  ///< one for each check; empty until all are made
  std::string contract_output;  ///< what the library wrote in checks that ended in a fault
  bool is_through = false;
};

/// Carries the tasks out, one process at a time on each of `cores` (at least one), and calls `step`
/// with the index of a task and its answers whenever there is a new one, and once more as it is
/// through. A build's processes follow each other. Where its vectors crash, time out, fail or do
/// not load, its files are NOTRUN; where vectors or a file crash, time out or do not load, its
/// contract checks are. One thread. Throws as run_known_answers, and what `step` throws; no process
/// is left then.
void run_kat_tasks(const std::vector<KatTask>& tasks, const std::vector<std::uint32_t>& cores,
                   const std::function<void(std::size_t, const KatAnswers&)>& step);

}  // namespace hashprof::runner
