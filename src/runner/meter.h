// SPDX-License-Identifier: MIT
// The seam of the measuring device: one call measures one planned process. The product ships a real
// meter and a simulated one; everything above cannot tell them apart.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/units.h"
#include "record/observation.h"

namespace hashprof::runner {

/// One process to measure, with every choice made.
struct Job {
  std::string cell;   ///< "<family>/<label>/<operation>"
  std::string phase;  ///< "calibrate", "trial" or "percall"
  std::uint32_t process = 0;
  std::uint32_t attempt = 1;
  std::filesystem::path library;
  std::string entry;
  std::uint32_t digest_bits = 0;  ///< what the function declares: its buffer is never smaller
  /// What an extendable-output function is asked for, checked before the loop; empty = digest_bits.
  std::optional<std::uint64_t> output_bytes;
  std::uint64_t message_bytes = 0;
  std::uint64_t calls = 0;  ///< of a trial; a calibration finds its own; samples of a percall
  bool is_latency = false;  ///< each call waits for the digest before it
  std::uint32_t warmups = 0;
  Nanoseconds calibration{50'000'000};  ///< how long a calibration should time
  std::uint32_t message_offset = 0;
  std::uint32_t digest_offset = 0;
  std::uint32_t env_padding = 0;
  std::uint32_t layout = 0;  ///< that `library` is; for the record
  /// Which process of the run this is, and how many the plan has: where a simulation's drift
  /// stands.
  std::uint64_t ordinal = 0;
  std::uint64_t planned = 1;
  std::uint32_t core = 0;
  Nanoseconds time_limit{10'000'000'000};
  Bytes address_space{1U << 30U};
  Bytes stack{8U << 20U};
  std::vector<std::pair<std::string, std::string>> env;
  std::uint32_t uid = 65534;
  bool is_sandboxed = true;
};

/// Measures one process at a time. Not thread safe.
class Meter {
 public:
  Meter() = default;
  Meter(const Meter&) = delete;
  Meter& operator=(const Meter&) = delete;
  Meter(Meter&&) = delete;
  Meter& operator=(Meter&&) = delete;
  virtual ~Meter() = default;

  /// Never throws for what the measured code does: that is the observation's outcome. Throws
  /// Error{environment} if the worker cannot be started at all, and Interrupted on a signal.
  [[nodiscard]] virtual record::Observation measure(const Job& job) = 0;
  /// This moment, as the meter's world has it.
  [[nodiscard]] virtual std::string now_utc() = 0;
  /// Empty for the real one; else what the report says ("quiet, seed 1").
  [[nodiscard]] virtual std::string simulation() const = 0;
};

/// The meter that execs a worker a process.
[[nodiscard]] std::unique_ptr<Meter> make_hardware_meter(std::filesystem::path worker);
/// Invented figures, a function of scenario, seed and job alone. `spec` is SCENARIO[,SEED], of the
/// scenarios of base/scenarios.h; throws Error{usage} on another one. The counters of those whose
/// counter is at fault are refused as a real worker's are.
[[nodiscard]] std::unique_ptr<Meter> make_simulated_meter(const std::string& spec);

}  // namespace hashprof::runner
