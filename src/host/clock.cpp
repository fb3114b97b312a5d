// SPDX-License-Identifier: MIT
// What governs the clock of the measured core: cpufreq, boost, and the second thread of the core
// (Documentation/admin-guide/pm/cpufreq.rst and ABI/testing/sysfs-devices-system-cpu of Linux).
#include "host/root_files.h"

namespace hashprof::host {

namespace {

constexpr const char* kCpus = "/sys/devices/system/cpu";
constexpr const char* kNoCpufreq = "no cpufreq";
constexpr std::uint64_t kMostKhz = 100'000'000;  // 100 GHz

Fact frequency(const RootFiles& files, const std::string& path) {
  const Fact fact = files.line(path);
  return fact.value.has_value() ? number_fact(*fact.value, path, 1, kMostKhz) : fact;
}

/// A file that holds 0 or 1, as "on" and "off"; `on` is the text that means on.
Fact toggle(const RootFiles& files, const std::string& path, const std::string& on) {
  Fact fact = files.line(path);
  if (!fact.value.has_value()) {
    return fact;
  }
  if (*fact.value != "0" && *fact.value != "1") {
    return Fact::unknown(path + " holds '" + *fact.value + "', neither 0 nor 1");
  }
  return Fact::known(*fact.value == on ? "on" : "off");
}

Fact read_boost(const RootFiles& files, const std::string& policy, bool has_cpufreq) {
  const std::string cpus = kCpus;
  struct Source {
    std::string path;
    std::string on;
  };
  // The policy's own file overrides the global one.
  for (const Source& source :
       {Source{policy + "/boost", "1"}, Source{cpus + "/intel_pstate/no_turbo", "0"},
        Source{cpus + "/cpufreq/boost", "1"}}) {
    if (files.find_text(source.path).has_value()) {
      return toggle(files, source.path, source.on);
    }
  }
  return Fact::unknown(has_cpufreq ? "no cpufreq/boost and no intel_pstate/no_turbo" : kNoCpufreq);
}

Fact read_smt(const RootFiles& files, const std::string& cpu) {
  const auto list = files.find_text(cpu + "/topology/thread_siblings_list");
  const auto siblings = list.has_value() ? parse_cpu_list(*list) : std::nullopt;
  if (siblings.has_value() && siblings->size() > 1) {
    return Fact::known("on");
  }
  const std::string control_path = std::string(kCpus) + "/smt/control";
  const Fact control = files.line(control_path);
  if (control.value == "off" || control.value == "forceoff") {
    return Fact::known("off");
  }
  if (control.value == "notsupported" || control.value == "notimplemented") {
    return Fact::known("none");
  }
  if (siblings.has_value()) {
    return Fact::known("none");  // this core has one thread, whatever the others have
  }
  if (control.value.has_value() && *control.value != "on") {
    return Fact::unknown(control_path + " holds '" + *control.value + "'");
  }
  if (control.value.has_value()) {
    return Fact::unknown("no " + cpu + "/topology/thread_siblings_list");
  }
  return Fact::unknown(control.reason);
}

}  // namespace

void read_clock(const RootFiles& files, std::uint32_t core, HostFacts& facts) {
  const std::string cpu = std::string(kCpus) + "/cpu" + std::to_string(core);
  const std::string policy = cpu + "/cpufreq";
  const bool has_cpufreq = files.has_directory(policy);
  if (has_cpufreq) {
    facts.governor = files.line(policy + "/scaling_governor");
    facts.driver = files.line(policy + "/scaling_driver");
    facts.min_khz = frequency(files, policy + "/scaling_min_freq");
    facts.max_khz = frequency(files, policy + "/scaling_max_freq");
  } else {
    facts.governor = Fact::unknown(kNoCpufreq);
    facts.driver = facts.governor;
    facts.min_khz = facts.governor;
    facts.max_khz = facts.governor;
  }
  facts.boost = read_boost(files, policy, has_cpufreq);
  facts.smt = read_smt(files, cpu);
}

}  // namespace hashprof::host
