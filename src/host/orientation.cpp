// SPDX-License-Identifier: MIT
// Why the machine makes figures for orientation only: what is known to disturb, and what is not
// known to be in order.
#include "host/host_facts.h"

namespace hashprof::host {

namespace {

void judge_virtualization(const HostFacts& facts, std::vector<std::string>& reasons) {
  if (!facts.virtualization.value.has_value()) {
    reasons.push_back("not known to be bare metal (" + facts.virtualization.reason + ")");
  } else if (*facts.virtualization.value != "none") {
    reasons.push_back("virtual machine (" + *facts.virtualization.value + ")");
  }
}

void judge_governor(const HostFacts& facts, std::vector<std::string>& reasons) {
  if (!facts.governor.value.has_value()) {
    reasons.push_back("clock not known to be fixed (" + facts.governor.reason + ")");
  } else if (*facts.governor.value != "performance") {
    reasons.push_back("governor is " + *facts.governor.value + ", not performance");
  }
}

/// On AArch64 the governor may still move within the limits; there they must be equal.
void judge_limits(const HostFacts& facts, std::vector<std::string>& reasons) {
  if (facts.architecture != "aarch64" || !facts.governor.value.has_value()) {
    return;
  }
  if (!facts.min_khz.value.has_value() || !facts.max_khz.value.has_value()) {
    const Fact& missing = facts.min_khz.value.has_value() ? facts.max_khz : facts.min_khz;
    reasons.push_back("clock not known to be fixed (" + missing.reason + ")");
  } else if (*facts.min_khz.value != *facts.max_khz.value) {
    reasons.push_back("clock free between " + *facts.min_khz.value + " and " +
                      *facts.max_khz.value + " kHz");
  }
}

void judge_boost(const HostFacts& facts, std::vector<std::string>& reasons) {
  if (facts.boost.value == "on") {
    reasons.emplace_back("boost on");
  } else if (!facts.boost.value.has_value() && facts.architecture != "aarch64" &&
             facts.governor.value.has_value()) {
    // AArch64 without the file has no boost; without cpufreq one reason is enough.
    reasons.push_back("boost not known to be off (" + facts.boost.reason + ")");
  }
}

void judge_smt(const HostFacts& facts, std::vector<std::string>& reasons) {
  if (!facts.smt.value.has_value()) {
    reasons.push_back("SMT not known to be off (" + facts.smt.reason + ")");
  } else if (*facts.smt.value == "on") {
    reasons.emplace_back("SMT sibling active (SMT on)");
  }
}

}  // namespace

std::vector<std::string> orientation_reasons(const HostFacts& facts) {
  std::vector<std::string> reasons;
  judge_virtualization(facts, reasons);
  judge_governor(facts, reasons);
  judge_limits(facts, reasons);
  judge_boost(facts, reasons);
  judge_smt(facts, reasons);
  return reasons;
}

}  // namespace hashprof::host
