// SPDX-License-Identifier: MIT
// Whether the machine is as the campaign requires: gathers the findings and holds them against
// `require`.
#pragma once

#include <cstdint>
#include <vector>

#include "app/setup.h"
#include "host/findings.h"
#include "record/kat_log.h"

namespace hashprof::app {

/// What to try on the machine beside reading its files; a probe of the clock takes from one to 14
/// seconds and is made only where there is no cpufreq.
struct Probes {
  bool pinning = false;
  bool counter = false;
  bool clock = false;
};

/// The findings of this machine for measuring on `core`.
[[nodiscard]] std::vector<host::Finding> find_findings(std::uint32_t core, const Probes& probes);

/// Findings for a run: tried is what its `require` asks for. With `is_simulated` nothing is tried
/// and nothing of the machine required, since no figure is of it. Throws Error{requirement} after
/// it has written each finding that is in the way, and its remedy, to standard error.
[[nodiscard]] std::vector<host::Finding> require_machine(const Setup& setup, bool is_simulated);

/// Whether `require` holds `kat` and a build is not proved.
[[nodiscard]] bool lacks_known_answers(const Setup& setup,
                                       const std::vector<record::KatEntry>& answers);
/// Throws Error{requirement} for that, naming each such build on standard error.
[[noreturn]] void refuse_known_answers(const Setup& setup,
                                       const std::vector<record::KatEntry>& answers);

}  // namespace hashprof::app
