// SPDX-License-Identifier: MIT
// The contract checks of one build, one process each, startable one after the other: their owner
// waits for many builds at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kat/contract.h"
#include "runner/computation.h"

namespace hashprof::runner {

/// What a worker's end says about the check that it made; `time_limit` is for the sentence.
[[nodiscard]] kat::Sighting sighting_of(const WorkerEnd& end, Nanoseconds time_limit,
                                        const std::string& library);

/// All checks of one build. Each may take the job's time limit. After a time-out, or where the
/// library does not come as far as a call, the rest is NOTRUN.
class ContractRun {
 public:
  /// `dense_bits`: kat::dense_bits. Throws Error{environment} if the worker cannot be used.
  ContractRun(KatJob job, std::uint32_t digest_bits, std::uint64_t dense_bits);

  /// Starts the next check's process; false if none is left. Throws Error{environment}.
  [[nodiscard]] bool advance();
  /// The process to wait for.
  [[nodiscard]] RunningWorker* worker() { return worker_.get(); }
  /// Judges the process that was started last. Call it when it has ended or used up its time.
  /// Throws Error{environment} if the worker cannot do its own part.
  void take();

  /// One for each check of kat::check_table(), in its order, once advance() said false.
  [[nodiscard]] const std::vector<kat::CheckResult>& results() const { return results_; }
  /// What the library wrote in processes that ended in a fault, for the build's log.
  [[nodiscard]] const std::string& output() const { return output_; }

 private:
  [[nodiscard]] WorkerSpec make_spec(kat::Check check) const;

  KatJob job_;
  std::uint32_t digest_bits_;
  std::uint64_t dense_bits_;
  std::vector<kat::CheckResult> results_;
  std::string output_;
  std::string stop_;  ///< why no further check is made
  std::unique_ptr<RunningWorker> worker_;
};

/// Makes all of them, and waits for each. Throws as ContractRun, Interrupted on a signal.
[[nodiscard]] std::vector<kat::CheckResult> run_contract(const KatJob& job,
                                                         std::uint32_t digest_bits,
                                                         std::uint64_t dense_bits);

}  // namespace hashprof::runner
