// SPDX-License-Identifier: MIT
// The judges behind make_findings, a file a subject. Private to the unit.
#pragma once

#include <string>
#include <vector>

#include "host/findings.h"

namespace hashprof::host {

inline constexpr const char* kCycles = "cycles";
inline constexpr const char* kFixedClock = "fixed-clock";
inline constexpr const char* kQuietCore = "quiet-core";
inline constexpr const char* kBareMetal = "bare-metal";

struct Evidence {
  const HostFacts& facts;
  const Surroundings& surroundings;
  const LiveFacts& live;
};

[[nodiscard]] Finding judge_governor(const Evidence& evidence);
[[nodiscard]] Finding judge_frequency_range(const Evidence& evidence);
[[nodiscard]] Finding judge_turbo(const Evidence& evidence);
[[nodiscard]] Finding judge_clock_probe(const Evidence& evidence);

/// load, steal, isolation, irq_affinity, nmi_watchdog, aslr, temperature, throttling.
void judge_noise(const Evidence& evidence, std::vector<Finding>& findings);

}  // namespace hashprof::host
