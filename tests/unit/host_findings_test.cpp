// SPDX-License-Identifier: MIT
// Catches a machine that disturbs and is called ready, a finding without value or remedy, and a
// page of `doctor` that changes unseen. Golden pages: tests/golden/doctor, machines:
// tests/fixtures/roots; what only a live machine can tell is given here.
#include "host/findings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <set>

#include "base/file.h"

namespace hashprof::host {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

namespace fs = std::filesystem;

std::vector<Finding> findings_of(const std::string& machine, std::uint32_t core,
                                 const LiveFacts& live = {}) {
  const fs::path root = fs::path(HASHPROF_FIXTURES) / "roots" / machine;
  return make_findings(read_host(root, core), read_surroundings(root, core), live);
}

Finding finding(const std::vector<Finding>& findings, const std::string& id) {
  for (const Finding& one : findings) {
    if (one.id == id) {
      return one;
    }
  }
  ADD_FAILURE() << "no finding " << id;
  return {};
}

std::string golden(const std::string& name) {
  return find_file_text(fs::path(HASHPROF_SOURCE_DIR) / "tests/golden/doctor" / name)
      .value_or("no golden file " + name);
}

LiveFacts counting() {
  LiveFacts live;
  live.pinning_fault = "";
  live.counter = CounterProbe{10'000'137, 10'000'000, "", ""};
  return live;
}

LiveFacts without_pmu() {
  LiveFacts live;
  live.pinning_fault = "";
  live.counter = CounterProbe{
      {},
      0,
      "no hardware PMU on this machine (virtual machine?): cycles cannot be counted (ENOENT)",
      "measure on bare metal, or give the guest a virtual PMU"};
  return live;
}

/// 21 windows around 2.5 whose quartiles are `half_range` below and above.
ClockWindows windows(double half_range) {
  ClockWindows out;
  for (int i = -10; i <= 10; ++i) {
    out.rates.push_back(2.5 + half_range * i / 5);
  }
  return out;
}

TEST(Doctor, a_machine_in_order) {
  EXPECT_EQ(findings_text(findings_of("amd_fixed", 3, counting()), 3), golden("amd_fixed.txt"));
}

TEST(Doctor, a_hybrid_laptop_at_work) {
  LiveFacts live = counting();
  live.counter = CounterProbe{{},
                              0,
                              "the kernel does not let this user count cycles (EACCES); "
                              "perf_event_paranoid is 4",
                              "sysctl kernel.perf_event_paranoid=2, or run with CAP_PERFMON"};
  EXPECT_EQ(findings_text(findings_of("intel_laptop", 2, live), 2), golden("intel_laptop.txt"));
}

TEST(Doctor, an_arm_board_whose_clock_moves) {
  EXPECT_EQ(findings_text(findings_of("arm_board", 3, counting()), 3), golden("arm_board.txt"));
}

TEST(Doctor, a_guest_without_cpufreq_whose_clock_does_not_stand_still) {
  LiveFacts live = without_pmu();
  live.clock = {windows(0.1), windows(0.05), windows(0.02)};
  EXPECT_EQ(findings_text(findings_of("vm_no_cpufreq", 1, live), 1), golden("vm_no_cpufreq.txt"));
}

TEST(Doctor, a_machine_that_tells_nonsense) {
  LiveFacts live;
  live.pinning_fault = "CPU 0: sched_setaffinity: Invalid argument (EINVAL)";
  EXPECT_EQ(findings_text(findings_of("broken", 0, live), 0), golden("broken.txt"));
}

TEST(Doctor, json_says_null_and_why_where_nothing_is_known) {
  const json::Value value = findings_json(findings_of("broken", 0), 0);
  EXPECT_EQ(value.at("core").as_unsigned(), 0U);
  for (const json::Value& row : value.at("findings").as_array()) {
    if (row.at("id").as_string() == "load") {
      EXPECT_EQ(json::write_compact(row),
                R"({"id": "load", "severity": "unknown", "value": null, )"
                R"("reason": "/proc/loadavg holds 'much', no load", )"
                R"("meaning": "other work takes the core, its caches and its power", )"
                R"("remedy": "", "requirement": "quiet-core"})");
    }
  }
  EXPECT_EQ(json::write_compact(value.at("require")),
            R"({"cycles": false, "fixed-clock": false, "quiet-core": false, "bare-metal": false})");
}

TEST(Findings, every_id_is_there_once_and_explains_itself) {
  std::set<std::string> ids;
  for (const Finding& one : findings_of("intel_laptop", 2)) {
    EXPECT_TRUE(ids.insert(one.id).second) << one.id;
    EXPECT_FALSE(one.meaning.empty()) << one.id;
    EXPECT_NE(one.value.value.has_value(), !one.value.reason.empty()) << one.id;
    const bool is_wrong = one.severity == Severity::warning || one.severity == Severity::blocking;
    EXPECT_TRUE(!is_wrong || !one.remedy.empty()) << one.id;
  }
  EXPECT_EQ(ids, (std::set<std::string>{"architecture",
                                        "aslr",
                                        "clock_probe",
                                        "counter",
                                        "cpuset",
                                        "frequency_range",
                                        "governor",
                                        "hybrid_core",
                                        "irq_affinity",
                                        "isolation",
                                        "load",
                                        "nmi_watchdog",
                                        "perf_event_paranoid",
                                        "pinning",
                                        "smt",
                                        "steal",
                                        "temperature",
                                        "throttling",
                                        "turbo",
                                        "virtualization"}));
}

TEST(Findings, a_machine_in_order_meets_every_requirement_and_gives_no_reason) {
  const auto findings = findings_of("amd_fixed", 3, counting());
  for (const std::string& word : machine_requirements()) {
    EXPECT_THAT(unmet(findings, word), IsEmpty()) << word;
  }
  EXPECT_THAT(orientation_reasons(findings), IsEmpty());
}

TEST(Findings, what_was_not_tried_meets_no_requirement) {
  const auto findings = findings_of("amd_fixed", 3);
  ASSERT_EQ(unmet(findings, "cycles").size(), 1U);
  EXPECT_EQ(unmet(findings, "cycles")[0].value, Fact::unknown("not tried"));
  ASSERT_EQ(unmet(findings, "quiet-core").size(), 1U);
  EXPECT_EQ(unmet(findings, "quiet-core")[0].id, "pinning");
}

TEST(Findings, a_steady_probe_fixes_the_clock_where_there_is_no_cpufreq) {
  LiveFacts live;
  live.clock = {windows(0.1), windows(0.006)};
  const auto findings = findings_of("vm_no_cpufreq", 1, live);
  EXPECT_THAT(unmet(findings, "fixed-clock"), IsEmpty());
  EXPECT_EQ(finding(findings, "clock_probe").value,
            Fact::known("IQR 0.48 % of the median 2.500 dependent additions/ns (no cycle counter), "
                        "21 windows"));
  EXPECT_THAT(orientation_reasons(findings),
              ElementsAre("virtual machine (hypervisor flag, DMI vendor QEMU)"));
}

TEST(Findings, a_probe_of_a_counter_is_in_gigahertz) {
  LiveFacts live;
  live.clock = {windows(0.006)};
  live.clock[0].are_cycles = true;
  EXPECT_EQ(finding(findings_of("vm_no_cpufreq", 1, live), "clock_probe").value,
            Fact::known("IQR 0.48 % of the median 2.500 GHz, 21 windows"));
}

TEST(Findings, a_steady_probe_does_not_overrule_cpufreq) {
  LiveFacts live;
  live.clock = {windows(0.001)};
  const auto findings = findings_of("intel_laptop", 2, live);
  EXPECT_EQ(unmet(findings, "fixed-clock").size(), 2U);
}

TEST(Findings, spread_is_the_interquartile_range_in_per_cent_of_the_median) {
  const auto spread = spread_of({4, 1, 3, 2, 5});
  ASSERT_TRUE(spread.has_value());
  EXPECT_DOUBLE_EQ(spread->median, 3);
  EXPECT_DOUBLE_EQ(spread->percent, 100.0 * 2 / 3);
  EXPECT_DOUBLE_EQ(spread_of({1, 2, 3, 4, 5, 6})->percent, 100.0 * 2.5 / 3.5);
  EXPECT_FALSE(spread_of({1, 1, 1, 1}).has_value());
  EXPECT_FALSE(spread_of({0, 0, 0, 0, 0}).has_value());
  EXPECT_FALSE(spread_of({NAN, NAN, NAN, NAN, NAN}).has_value());
}

TEST(Findings, half_a_per_cent_is_steady_and_more_is_not) {
  EXPECT_TRUE(is_steady({true, {399, 399, 400, 401, 401}}));
  EXPECT_FALSE(is_steady({true, {398.9, 398.9, 400, 401, 401}}));
  EXPECT_FALSE(is_steady({true, {}}));
}

TEST(Findings, a_core_outside_the_cpuset_blocks) {
  const Finding cpuset = finding(findings_of("amd_fixed", 2), "cpuset");
  EXPECT_EQ(cpuset.severity, Severity::blocking);
  EXPECT_EQ(cpuset.remedy,
            "choose one of them (measure.core), or widen taskset, cpuset or container");
}

TEST(Findings, a_small_core_is_told_from_a_large_one_by_its_capacity) {
  const Finding small = finding(findings_of("big_little", 1), "hybrid_core");
  EXPECT_EQ(small.severity, Severity::warning);
  EXPECT_EQ(small.value, Fact::known("armv8_cortex_a53"));
  EXPECT_EQ(small.remedy, "measure.core: one of 4-5");
  const Finding large = finding(findings_of("big_little", 5), "hybrid_core");
  EXPECT_EQ(large.severity, Severity::ok);
  EXPECT_EQ(large.value, Fact::known("armv8_cortex_a72"));
}

TEST(Findings, an_architecture_without_a_worker_blocks) {
  HostFacts facts;
  facts.architecture = "riscv64";
  const auto findings = make_findings(facts, {}, {});
  EXPECT_EQ(finding(findings, "architecture").severity, Severity::blocking);
}

TEST(Findings, paranoid_is_a_note_where_the_counter_counts_all_the_same) {
  EXPECT_EQ(finding(findings_of("intel_laptop", 2, counting()), "perf_event_paranoid").severity,
            Severity::note);
}

}  // namespace
}  // namespace hashprof::host
