// SPDX-License-Identifier: MIT
// Catches a CPU list read wrongly, a list that fills the memory, and a core chosen outside the
// CPUs that the process may use.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>

#include "base/error.h"
#include "host/host_facts.h"

namespace hashprof::host {
namespace {

using testing::ElementsAre;
using testing::Optional;

std::string render_choice(std::optional<std::uint32_t> wanted,
                          const std::vector<std::uint32_t>& allowed) {
  try {
    return "core " + std::to_string(choose_core(wanted, allowed));
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::configuration);
    return error.render();
  }
}

TEST(CpuList, reads_what_the_kernel_prints) {
  EXPECT_THAT(parse_cpu_list("0\n"), Optional(ElementsAre(0)));
  EXPECT_THAT(parse_cpu_list("0-3,7"), Optional(ElementsAre(0, 1, 2, 3, 7)));
  EXPECT_THAT(parse_cpu_list("5-5,8191"), Optional(ElementsAre(5, 8191)));
}

TEST(CpuList, refuses_everything_else) {
  for (const char* bad : {"", "\n", "3-1", "1,1", "1,0", "0-3,3", "-1", "1-", "a", "0x1", "1 2",
                          "0,,1", "1,", "0-4294967295", "65536", "18446744073709551616"}) {
    EXPECT_FALSE(parse_cpu_list(bad).has_value()) << bad;
  }
}

TEST(Core, auto_is_the_last_allowed_one) {
  EXPECT_EQ(render_choice(std::nullopt, {9, 10, 11}), "core 11");
  EXPECT_EQ(render_choice(std::nullopt, {0}), "core 0");
}

TEST(Core, takes_an_allowed_one) { EXPECT_EQ(render_choice(9, {9, 10, 11}), "core 9"); }

TEST(Core, refuses_another_one_and_lists_the_allowed) {
  EXPECT_EQ(render_choice(0, {9, 10, 11, 14}),
            "hashprof: error: measure.core: CPU 0 is not one that this process may run on\n"
            "  hint: allowed are 9-11,14 (taskset, cpuset or container); choose one of them, or "
            "core: auto\n");
}

TEST(Core, refuses_where_nothing_is_allowed) {
  EXPECT_EQ(render_choice(std::nullopt, {}),
            "hashprof: error: measure.core: this process may run on no CPU at all\n");
}

TEST(AllowedCpus, follow_the_affinity_of_the_process) {
  const std::vector<std::uint32_t> before = allowed_cpus();
  ASSERT_FALSE(before.empty());
  cpu_set_t old_set;
  ASSERT_EQ(::sched_getaffinity(0, sizeof old_set, &old_set), 0);
  cpu_set_t one_set;
  CPU_ZERO(&one_set);
  CPU_SET(before.back(), &one_set);
  ASSERT_EQ(::sched_setaffinity(0, sizeof one_set, &one_set), 0);
  EXPECT_THAT(allowed_cpus(), ElementsAre(before.back()));
  ASSERT_EQ(::sched_setaffinity(0, sizeof old_set, &old_set), 0);
  EXPECT_EQ(allowed_cpus(), before);
}

}  // namespace
}  // namespace hashprof::host
