// SPDX-License-Identifier: MIT
// Catches a machine described wrongly or by an empty value, a fact without its reason, and a grade
// that overlooks a disturbance. Each fake machine is a tree below tests/fixtures/roots.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "base/error.h"
#include "host/findings.h"
#include "host/host_facts.h"

namespace hashprof::host {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

HostFacts facts_of(const std::string& name, std::uint32_t core) {
  return read_host(std::filesystem::path(HASHPROF_FIXTURES) / "roots" / name, core);
}

/// What the machine says against its figures where nothing was probed.
std::vector<std::string> reasons_of(const HostFacts& facts, const std::string& name,
                                    std::uint32_t core) {
  const auto root = std::filesystem::path(HASHPROF_FIXTURES) / "roots" / name;
  return orientation_reasons(make_findings(facts, read_surroundings(root, core), {}));
}

struct Machine {
  std::vector<std::string> reasons;
  std::string json;
};

Machine machine(const std::string& name, std::uint32_t core) {
  const HostFacts facts = facts_of(name, core);
  return {reasons_of(facts, name, core), json::write_pretty(to_json(facts))};
}

TEST(Host, amd_fixed) {
  const Machine amd = machine("amd_fixed", 3);
  EXPECT_EQ(amd.json, R"json({
 "architecture": "x86_64",
 "hostname": "bench1",
 "processor": "AMD EPYC 7763 64-Core Processor",
 "machine": "Supermicro AS -2024US-TRT",
 "virtualization": "none",
 "memory_kib": "263855464",
 "os": "Debian GNU/Linux 12 (bookworm)",
 "kernel": "6.1.0-30-amd64",
 "governor": "performance",
 "driver": "acpi-cpufreq",
 "min_khz": "2450000",
 "max_khz": "2450000",
 "boost": "off",
 "smt": "off",
 "perf_event_paranoid": "2",
 "online_cpus": [
  0,
  1,
  3
 ]
}
)json");
  EXPECT_THAT(amd.reasons, IsEmpty());
}

TEST(Host, intel_laptop) {
  const Machine intel = machine("intel_laptop", 2);
  EXPECT_EQ(intel.json, R"json({
 "architecture": "x86_64",
 "hostname": "laptop",
 "processor": "12th Gen Intel(R) Core(TM) i7-1260P",
 "machine": "LENOVO 21CB",
 "virtualization": "none",
 "memory_kib": "16098412",
 "os": "Ubuntu 24.04.1 LTS",
 "kernel": "6.8.0-45-generic",
 "governor": "powersave",
 "driver": "intel_pstate",
 "min_khz": "400000",
 "max_khz": "4700000",
 "boost": "on",
 "smt": "on",
 "perf_event_paranoid": "4",
 "online_cpus": [
  0,
  1,
  2,
  3
 ]
}
)json");
  EXPECT_THAT(intel.reasons, ElementsAre("measured on a small core (cpu_atom) of a hybrid machine",
                                         "governor is powersave, not performance", "boost on",
                                         "SMT sibling active (SMT on)"));
}

TEST(Host, arm_board) {
  const Machine arm = machine("arm_board", 3);
  EXPECT_EQ(arm.json, R"json({
 "architecture": "aarch64",
 "hostname": "board",
 "processor": "Arm Cortex-A72 (implementer 0x41, part 0xd08)",
 "machine": "Raspberry Pi 4 Model B Rev 1.4",
 "virtualization": null,
 "virtualization_reason": "nothing here tells a virtual machine from bare metal",
 "memory_kib": "3884376",
 "os": "Debian GNU/Linux 12 (bookworm)",
 "kernel": "6.6.31-v8",
 "governor": "performance",
 "driver": "cpufreq-dt",
 "min_khz": "600000",
 "max_khz": "1800000",
 "boost": null,
 "boost_reason": "no cpufreq/boost and no intel_pstate/no_turbo",
 "smt": "none",
 "perf_event_paranoid": "-1",
 "online_cpus": [
  0,
  1,
  2,
  3
 ]
}
)json");
  EXPECT_THAT(
      arm.reasons,
      ElementsAre(
          "not known to be bare metal (nothing here tells a virtual machine from bare metal)",
          "clock free between 600000 and 1800000 kHz", "address layouts are not randomised"));
}

TEST(Host, vm_no_cpufreq) {
  const Machine guest = machine("vm_no_cpufreq", 1);
  EXPECT_EQ(guest.json, R"json({
 "architecture": "x86_64",
 "hostname": "vm",
 "processor": "Intel(R) Xeon(R) Processor",
 "machine": "QEMU Standard PC (Q35 + ICH9, 2009)",
 "virtualization": "hypervisor flag, DMI vendor QEMU",
 "memory_kib": "8143616",
 "os": "Debian GNU/Linux 12 (bookworm)",
 "kernel": "6.1.0-30-cloud-amd64",
 "governor": null,
 "governor_reason": "no cpufreq",
 "driver": null,
 "driver_reason": "no cpufreq",
 "min_khz": null,
 "min_khz_reason": "no cpufreq",
 "max_khz": null,
 "max_khz_reason": "no cpufreq",
 "boost": null,
 "boost_reason": "no cpufreq",
 "smt": "none",
 "perf_event_paranoid": "3",
 "online_cpus": [
  0,
  1
 ]
}
)json");
  EXPECT_THAT(guest.reasons, ElementsAre("virtual machine (hypervisor flag, DMI vendor QEMU)",
                                         "clock not known to be fixed (no cpufreq)"));
}

TEST(Host, broken) {
  const Machine broken = machine("broken", 0);
  EXPECT_EQ(broken.json, R"json({
 "architecture": "unknown",
 "hostname": null,
 "hostname_reason": "/proc/sys/kernel/hostname is empty",
 "processor": null,
 "processor_reason": "no processor 0 in /proc/cpuinfo",
 "machine": null,
 "machine_reason": "/sys/class/dmi/id/product_name holds the placeholder 'To Be Filled By O.E.M.'",
 "virtualization": null,
 "virtualization_reason": "nothing here tells a virtual machine from bare metal",
 "memory_kib": null,
 "memory_kib_reason": "MemTotal of /proc/meminfo holds '-5', no sensible number",
 "os": null,
 "os_reason": "no PRETTY_NAME in /etc/os-release",
 "kernel": null,
 "kernel_reason": "/proc/sys/kernel/osrelease holds no readable line",
 "governor": null,
 "governor_reason": "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor is empty",
 "driver": null,
 "driver_reason": "/sys/devices/system/cpu/cpu0/cpufreq/scaling_driver holds no readable line",
 "min_khz": null,
 "min_khz_reason": "/sys/devices/system/cpu/cpu0/cpufreq/scaling_min_freq holds '0', no sensible number",
 "max_khz": null,
 "max_khz_reason": "/sys/devices/system/cpu/cpu0/cpufreq/scaling_max_freq holds '99999999999999999999', no sensible number",
 "boost": null,
 "boost_reason": "/sys/devices/system/cpu/cpufreq/boost holds '7', neither 0 nor 1",
 "smt": null,
 "smt_reason": "/sys/devices/system/cpu/smt/control holds 'perhaps'",
 "perf_event_paranoid": null,
 "perf_event_paranoid_reason": "/proc/sys/kernel/perf_event_paranoid holds 'often', no sensible number",
 "online_cpus": []
}
)json");
  EXPECT_THAT(
      broken.reasons,
      ElementsAre(
          "not known to be bare metal (nothing here tells a virtual machine from bare metal)",
          "clock not known to be fixed (/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor is "
          "empty)",
          "SMT not known to be off (/sys/devices/system/cpu/smt/control holds 'perhaps')"));
}

TEST(Host, empty) {
  const Machine empty = machine("empty", 0);
  EXPECT_EQ(empty.json, R"json({
 "architecture": "unknown",
 "hostname": null,
 "hostname_reason": "no /proc/sys/kernel/hostname",
 "processor": null,
 "processor_reason": "no /proc/cpuinfo",
 "machine": null,
 "machine_reason": "no firmware tables and no device tree",
 "virtualization": null,
 "virtualization_reason": "nothing here tells a virtual machine from bare metal",
 "memory_kib": null,
 "memory_kib_reason": "no /proc/meminfo",
 "os": null,
 "os_reason": "no /etc/os-release",
 "kernel": null,
 "kernel_reason": "no /proc/sys/kernel/osrelease",
 "governor": null,
 "governor_reason": "no cpufreq",
 "driver": null,
 "driver_reason": "no cpufreq",
 "min_khz": null,
 "min_khz_reason": "no cpufreq",
 "max_khz": null,
 "max_khz_reason": "no cpufreq",
 "boost": null,
 "boost_reason": "no cpufreq",
 "smt": null,
 "smt_reason": "no /sys/devices/system/cpu/smt/control",
 "perf_event_paranoid": null,
 "perf_event_paranoid_reason": "no /proc/sys/kernel/perf_event_paranoid",
 "online_cpus": []
}
)json");
  EXPECT_THAT(
      empty.reasons,
      ElementsAre(
          "not known to be bare metal (nothing here tells a virtual machine from bare metal)",
          "clock not known to be fixed (no cpufreq)",
          "SMT not known to be off (no /sys/devices/system/cpu/smt/control)"));
}

TEST(Host, a_core_without_entry_is_not_described_by_another) {
  EXPECT_EQ(facts_of("amd_fixed", 2).processor, Fact::unknown("no processor 2 in /proc/cpuinfo"));
}

TEST(Host, facts_survive_json) {
  for (const char* name : {"amd_fixed", "arm_board", "vm_no_cpufreq", "broken", "empty"}) {
    const json::Value written = to_json(facts_of(name, 0));
    const HostFacts back = host_from_json(json::parse(json::write_compact(written), "test"));
    EXPECT_EQ(json::write_compact(to_json(back)), json::write_compact(written)) << name;
  }
}

TEST(Host, json_without_the_reason_is_refused) {
  const json::Value cut =
      json::parse(R"({"architecture": "x86_64", "hostname": null})", "facts.json");
  try {
    (void)host_from_json(cut);
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::configuration);
    EXPECT_NE(std::string(error.what()).find("hostname_reason"), std::string::npos) << error.what();
  }
}

TEST(Host, this_machine_has_an_architecture) {
  const HostFacts facts = read_host("/", 0);
  EXPECT_TRUE(facts.architecture == "x86_64" || facts.architecture == "aarch64")
      << facts.architecture;
}

TEST(Orientation, limits_need_not_be_equal_on_x86) {
  HostFacts facts = facts_of("amd_fixed", 3);
  facts.min_khz = Fact::known("1500000");
  EXPECT_THAT(reasons_of(facts, "amd_fixed", 3), IsEmpty());
  facts.architecture = "aarch64";
  EXPECT_THAT(reasons_of(facts, "amd_fixed", 3),
              ElementsAre("clock free between 1500000 and 2450000 kHz"));
}

TEST(Orientation, unknown_limits_and_boost_are_reasons_where_they_decide) {
  HostFacts facts = facts_of("amd_fixed", 3);
  facts.boost = Fact::unknown("no cpufreq/boost and no intel_pstate/no_turbo");
  EXPECT_THAT(reasons_of(facts, "amd_fixed", 3),
              ElementsAre("boost not known to be off (no cpufreq/boost and no "
                          "intel_pstate/no_turbo)"));
  facts.architecture = "aarch64";
  facts.max_khz = Fact::unknown("no limit");
  EXPECT_THAT(reasons_of(facts, "amd_fixed", 3),
              ElementsAre("clock not known to be fixed (no limit)"));
}

}  // namespace
}  // namespace hashprof::host
