// SPDX-License-Identifier: MIT
// Catches memory that is promised to a job although the machine or a control group does not have
// it.
#include <gtest/gtest.h>

#include "base/file.h"
#include "host/host_facts.h"
#include "temporary_folder.h"

namespace hashprof::host {
namespace {

class AvailableMemory : public ::testing::Test {
 protected:
  void write(const std::string& path, const std::string& text) {
    const auto file = folder_.path() / path;
    make_directories(file.parent_path());
    write_file_atomically(file, text);
  }
  [[nodiscard]] std::optional<std::uint64_t> find() const {
    return find_available_memory(folder_.path());
  }

  TemporaryFolder folder_;
};

TEST_F(AvailableMemory, is_what_the_kernel_says) {
  EXPECT_EQ(find(), std::nullopt);
  write("proc/meminfo", "MemTotal:       16000 kB\nMemFree: 10 kB\nMemAvailable:   2000 kB\n");
  EXPECT_EQ(find(), 2000U * 1024U);
  write("proc/meminfo", "MemTotal:       16000 kB\n");
  EXPECT_EQ(find(), std::nullopt);
}

TEST_F(AvailableMemory, is_less_where_a_group_above_leaves_less) {
  write("proc/meminfo", "MemAvailable:   2000 kB\n");
  write("proc/self/cgroup", "0::/user.slice/job\n");
  write("sys/fs/cgroup/user.slice/job/memory.max", "max\n");
  write("sys/fs/cgroup/user.slice/job/memory.current", "5\n");
  EXPECT_EQ(find(), 2000U * 1024U);
  write("sys/fs/cgroup/user.slice/memory.max", "1000000\n");
  write("sys/fs/cgroup/user.slice/memory.current", "400000\n");
  EXPECT_EQ(find(), 600'000U);
  write("sys/fs/cgroup/user.slice/memory.current", "1000001\n");
  EXPECT_EQ(find(), 0U) << "a group may stand above its limit for a moment";
}

TEST_F(AvailableMemory, is_bounded_by_the_group_of_a_container_too) {
  write("proc/meminfo", "MemAvailable:   2000 kB\n");
  write("proc/self/cgroup", "0::/\n");
  write("sys/fs/cgroup/memory.max", "300000\n");
  write("sys/fs/cgroup/memory.current", "100000\n");
  EXPECT_EQ(find(), 200'000U);
  write("proc/self/cgroup", "0::/init.scope\n");
  EXPECT_EQ(find(), 200'000U) << "a group below the root of a container";
}

}  // namespace
}  // namespace hashprof::host
