// SPDX-License-Identifier: MIT
// The findings in their order, and those of the machine itself: kind, counter, core.
#include "host/findings.h"

#include <algorithm>

#include "base/text.h"
#include "host/judges.h"

namespace hashprof::host {

namespace {

Finding judge_architecture(const Evidence& evidence) {
  const std::string& name = evidence.facts.architecture;
  Finding finding{.id = "architecture", .meaning = "hashprof measures on x86_64 and aarch64 only"};
  if (name == "unknown") {
    finding.value = Fact::unknown("the kernel does not say");
    return finding;
  }
  const bool is_known = name == "x86_64" || name == "aarch64";
  finding.value = Fact::known(name);
  finding.severity = is_known ? Severity::ok : Severity::blocking;
  finding.remedy = is_known ? "" : "measure on a machine of one of the two";
  return finding;
}

Finding judge_cpuset(const Evidence& evidence) {
  const Fact& allowed = evidence.surroundings.allowed;
  Finding finding{
      .id = "cpuset",
      .value = allowed,
      .meaning = "only these CPUs may be measured on; hashprof itself needs another one"};
  const auto cpus = allowed.value.has_value() ? parse_cpu_list(*allowed.value) : std::nullopt;
  if (!cpus.has_value()) {
    return finding;
  }
  const std::uint32_t core = evidence.surroundings.core;
  const std::size_t online = evidence.facts.online_cpus.size();
  if (std::find(cpus->begin(), cpus->end(), core) == cpus->end()) {
    finding.severity = Severity::blocking;
    finding.remedy = "choose one of them (measure.core), or widen taskset, cpuset or container";
  } else if (cpus->size() == 1) {
    finding.severity = Severity::warning;
    finding.requirement = kQuietCore;
    finding.remedy = "give hashprof a second CPU (taskset, cpuset or container)";
  } else {
    finding.severity = online > cpus->size() ? Severity::note : Severity::ok;
  }
  return finding;
}

Finding judge_pinning(const Evidence& evidence) {
  Finding finding{.id = "pinning",
                  .value = Fact::unknown("not tried"),
                  .meaning = "a process that moves between cores is not measured",
                  .requirement = kQuietCore};
  const auto& fault = evidence.live.pinning_fault;
  if (!fault.has_value()) {
    return finding;
  }
  if (fault->empty()) {
    finding.severity = Severity::ok;
    finding.value = Fact::known("works on CPU " + std::to_string(evidence.surroundings.core));
  } else {
    finding.severity = Severity::blocking;
    finding.value = Fact::known(*fault);
    finding.remedy = "choose another core (measure.core), or widen taskset, cpuset or container";
  }
  return finding;
}

Finding judge_virtualization(const Evidence& evidence) {
  const Fact& fact = evidence.facts.virtualization;
  Finding finding{.id = "virtualization",
                  .value = fact,
                  .meaning = "a hypervisor takes time and hides what the hardware does",
                  .requirement = kBareMetal};
  if (!fact.value.has_value()) {
    finding.grade_reason = "not known to be bare metal (" + fact.reason + ")";
  } else if (*fact.value == "none") {
    finding.severity = Severity::ok;
  } else {
    finding.severity = Severity::warning;
    finding.remedy = "measure on bare metal";
    finding.grade_reason = "virtual machine (" + *fact.value + ")";
  }
  return finding;
}

Finding judge_paranoid(const Evidence& evidence) {
  const Fact& fact = evidence.facts.perf_event_paranoid;
  Finding finding{.id = "perf_event_paranoid",
                  .value = fact,
                  .meaning = "above 2, some kernels let only CAP_PERFMON count anything"};
  if (!fact.value.has_value()) {
    return finding;
  }
  const auto level = text::parse_unsigned(*fact.value);  // -1 is no unsigned number, and allows all
  if (!level.has_value() || *level <= 2) {
    finding.severity = Severity::ok;
    return finding;
  }
  const auto& counter = evidence.live.counter;
  const bool counts = counter.has_value() && counter->cycles.has_value();
  finding.severity = counts ? Severity::note : Severity::warning;
  finding.remedy = "sysctl kernel.perf_event_paranoid=2, or run with CAP_PERFMON";
  return finding;
}

Finding judge_counter(const Evidence& evidence) {
  Finding finding{.id = "counter",
                  .value = Fact::unknown("not tried"),
                  .meaning = "without it there are no cycles; time is measured all the same",
                  .requirement = kCycles};
  const auto& counter = evidence.live.counter;
  if (!counter.has_value()) {
    return finding;
  }
  if (counter->cycles.has_value()) {
    finding.severity = Severity::ok;
    finding.value = Fact::known(std::to_string(*counter->cycles) + " cycles for " +
                                std::to_string(counter->additions) + " dependent additions");
  } else {
    finding.severity = Severity::warning;
    finding.value = Fact::known(counter->sentence);
    finding.remedy = counter->remedy;
  }
  return finding;
}

Finding judge_hybrid_core(const Evidence& evidence) {
  const Surroundings& surroundings = evidence.surroundings;
  Finding finding{.id = "hybrid_core",
                  .value = surroundings.core_kind,
                  .meaning = "cores of another kind have another speed and another counter"};
  if (!surroundings.core_kind.value.has_value()) {
    return finding;
  }
  finding.severity = Severity::ok;
  if (!surroundings.larger_cpus.empty()) {
    finding.severity = Severity::warning;
    finding.remedy = "measure.core: one of " + surroundings.larger_cpus;
    finding.grade_reason =
        "measured on a small core (" + *surroundings.core_kind.value + ") of a hybrid machine";
  }
  return finding;
}

Finding judge_smt(const Evidence& evidence) {
  const Fact& smt = evidence.facts.smt;
  Finding finding{.id = "smt",
                  .value = smt,
                  .meaning = "a second thread of the core shares its units with what is measured",
                  .requirement = kQuietCore};
  if (!smt.value.has_value()) {
    finding.grade_reason = "SMT not known to be off (" + smt.reason + ")";
  } else if (*smt.value == "on") {
    finding.severity = Severity::warning;
    finding.remedy = "echo off > /sys/devices/system/cpu/smt/control";
    finding.grade_reason = "SMT sibling active (SMT on)";
  } else {
    finding.severity = Severity::ok;
  }
  return finding;
}

bool is_met(const Finding& finding) {
  return finding.severity == Severity::ok || finding.severity == Severity::note;
}

}  // namespace

std::vector<Finding> make_findings(const HostFacts& facts, const Surroundings& surroundings,
                                   const LiveFacts& live) {
  const Evidence evidence{facts, surroundings, live};
  std::vector<Finding> findings{
      judge_architecture(evidence),   judge_cpuset(evidence),      judge_pinning(evidence),
      judge_virtualization(evidence), judge_paranoid(evidence),    judge_counter(evidence),
      judge_hybrid_core(evidence),    judge_governor(evidence),    judge_frequency_range(evidence),
      judge_turbo(evidence),          judge_clock_probe(evidence), judge_smt(evidence)};
  judge_noise(evidence, findings);
  return findings;
}

const std::vector<std::string>& machine_requirements() {
  static const std::vector<std::string> words{kCycles, kFixedClock, kQuietCore, kBareMetal};
  return words;
}

std::vector<Finding> unmet(const std::vector<Finding>& findings, const std::string& requirement) {
  std::vector<Finding> out;
  std::copy_if(findings.begin(), findings.end(), std::back_inserter(out),
               [&requirement](const Finding& finding) {
                 return finding.requirement == requirement && !is_met(finding);
               });
  return out;
}

std::vector<std::string> orientation_reasons(const std::vector<Finding>& findings) {
  std::vector<std::string> reasons;
  for (const Finding& finding : findings) {
    if (!finding.grade_reason.empty()) {
      reasons.push_back(finding.grade_reason);
    }
  }
  return reasons;
}

}  // namespace hashprof::host
