// SPDX-License-Identifier: MIT
// Catches an event that is opened on the PMU of another kind of core (it would read 0 for ever), or
// one that the PMU does not have. HASHPROF_UPDATE_GOLDEN=1 rewrites the files.
#include "counters/event_plan.h"

#include <gtest/gtest.h>
#include <linux/perf_event.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "base/file.h"
#include "counters/core_pmu.h"

namespace hashprof::counters {
namespace {

struct Machine {
  const char* root;
  std::uint32_t core;
  const char* architecture;
};

const std::vector<Machine> kMachines{{"xeon", 3, "x86_64"},
                                     {"hybrid", 7, "x86_64"},
                                     {"hybrid", 17, "x86_64"},
                                     {"hybrid", 16, "x86_64"},
                                     {"big_little", 3, "aarch64"},
                                     {"big_little", 4, "aarch64"},
                                     {"big_little", 6, "aarch64"},
                                     {"emulated", 0, "aarch64"},
                                     {"no_instructions", 0, "aarch64"},
                                     {"apple", 5, "aarch64"},
                                     {"virtual_machine", 0, "x86_64"},
                                     {"absent", 0, "x86_64"},
                                     {"damaged", 2, "x86_64"},
                                     {"damaged", 2, "aarch64"},
                                     {"damaged", 4, "x86_64"},
                                     {"overlapping", 3, "x86_64"}};

std::string name_of(const Machine& machine) {
  return std::string(machine.root) + "_core_" + std::to_string(machine.core) + "_" +
         machine.architecture;
}

std::filesystem::path root_of(const std::string& name) {
  return std::filesystem::path(HASHPROF_FIXTURES) / "pmus" / name;
}

class EventPlanOf : public ::testing::TestWithParam<Machine> {};

TEST_P(EventPlanOf, this_machine_is_the_one_that_was_looked_at) {
  const Machine& machine = GetParam();
  const std::filesystem::path file =
      std::filesystem::path(HASHPROF_GOLDEN) / "counters" / (name_of(machine) + ".txt");
  const std::string text =
      print(plan_events(root_of(machine.root), machine.core, machine.architecture));
  const char* update = std::getenv("HASHPROF_UPDATE_GOLDEN");
  if (update != nullptr && std::string_view(update) == "1") {
    write_file_atomically(file, text);
  }
  EXPECT_EQ(text, read_file(file, Bytes{4096}));
}

INSTANTIATE_TEST_SUITE_P(Golden, EventPlanOf, ::testing::ValuesIn(kMachines),
                         [](const auto& tested) { return name_of(tested.param); });

TEST(EventPlan, keeps_the_type_of_the_pmu_in_the_upper_half_on_hybrid_processors) {
  const EventPlan plan = plan_events(root_of("hybrid"), 8, "x86_64");
  EXPECT_EQ(plan.pmu, "cpu_atom");
  EXPECT_EQ(plan.cycles.type, 0U);
  EXPECT_EQ(plan.cycles.config, 0xa'0000'0000U);
  EXPECT_EQ(plan.instructions.config, 0xa'0000'0001U);
}

// No table of processor models stands between a new one and its cycles.
TEST(EventPlan, of_a_processor_that_no_table_knows_has_the_events_of_the_kernel) {
  for (const char* root : {"absent", "virtual_machine", "xeon"}) {
    const EventPlan plan = plan_events(root_of(root), 0, "x86_64");
    EXPECT_EQ(plan.cycles.missing, "") << root;
    EXPECT_EQ(plan.cycles.type, std::uint32_t{PERF_TYPE_HARDWARE}) << root;
    EXPECT_EQ(plan.cycles.config, std::uint64_t{PERF_COUNT_HW_CPU_CYCLES}) << root;
    EXPECT_EQ(plan.instructions.config, std::uint64_t{PERF_COUNT_HW_INSTRUCTIONS}) << root;
  }
}

TEST(EventPlan, asks_for_64_bit_user_access_first_and_for_none_last) {
  const EventPlan plan = plan_events(root_of("big_little"), 5, "aarch64");
  EXPECT_EQ(plan.cycles.type, 9U);
  EXPECT_EQ(plan.cycles.config1, (std::vector<std::uint64_t>{3, 2, 0}));
}

TEST(CoreList, holds_what_the_kernel_writes_and_nothing_else) {
  EXPECT_TRUE(is_listed("0-3,7\n", 0));
  EXPECT_TRUE(is_listed("0-3,7\n", 3));
  EXPECT_TRUE(is_listed("0-3,7\n", 7));
  EXPECT_FALSE(is_listed("0-3,7\n", 4));
  EXPECT_FALSE(is_listed("0-3,7\n", 17));
  EXPECT_FALSE(is_listed("", 0));
  EXPECT_FALSE(is_listed("0-", 0));
  EXPECT_FALSE(is_listed("0-3,x", 1));
}

TEST(EventConfig, of_an_event_with_more_than_its_number_is_not_known) {
  EXPECT_EQ(find_event_config(root_of("emulated"), "armv8_pmuv3", "cpu_cycles"), 0x11U);
  EXPECT_EQ(find_event_config(root_of("emulated"), "armv8_pmuv3", "stall"), std::nullopt);
  EXPECT_EQ(find_event_config(root_of("damaged"), "armv8_x", "cpu_cycles"), std::nullopt);
}

}  // namespace
}  // namespace hashprof::counters
