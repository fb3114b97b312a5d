// SPDX-License-Identifier: MIT
// Catches a neighbour that is overlooked, one that is invented where the machine does not tell, and
// two cores chosen as separate that wait for each other.
#include "host/cache_neighbours.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "temporary_folder.h"

namespace hashprof::host {

void PrintTo(const CacheNeighbour& neighbour, std::ostream* out) {
  *out << neighbour.cpu << " shares " << neighbour.shares;
}

namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;
using Neighbours = std::vector<CacheNeighbour>;

/// A machine that is built file by file.
class CacheNeighbours : public testing::Test {
 protected:
  [[nodiscard]] const fs::path& root() const { return folder_.path(); }

  void write(const std::string& path, const std::string& text) const {
    const fs::path file = root() / "sys/devices/system/cpu" / path;
    fs::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }
  void add_siblings(std::uint32_t cpu, const std::string& list) const {
    write("cpu" + std::to_string(cpu) + "/topology/thread_siblings_list", list + "\n");
  }
  void add_cache(std::uint32_t cpu, int index, const std::string& level, const std::string& type,
                 const std::string& list) const {
    const std::string cache =
        "cpu" + std::to_string(cpu) + "/cache/index" + std::to_string(index) + "/";
    write(cache + "level", level + "\n");
    write(cache + "type", type + "\n");
    write(cache + "shared_cpu_list", list + "\n");
  }
  /// Four cores of two threads: the second thread of core n is CPU n + 4; one L3.
  void make_desktop() const {
    write("online", "0-7\n");
    for (std::uint32_t cpu = 0; cpu < 8; ++cpu) {
      const std::string own = std::to_string(cpu % 4) + "," + std::to_string(cpu % 4 + 4);
      add_siblings(cpu, own);
      add_cache(cpu, 0, "1", "Data", own);
      add_cache(cpu, 1, "1", "Instruction", own);
      add_cache(cpu, 2, "2", "Unified", own);
      add_cache(cpu, 3, "3", "Unified", "0-7");
    }
  }
  /// Eight cores of one thread: four to an L2, no L3.
  void make_clusters() const {
    write("online", "0-7\n");
    for (std::uint32_t cpu = 0; cpu < 8; ++cpu) {
      const std::string own = std::to_string(cpu);
      add_siblings(cpu, own);
      add_cache(cpu, 0, "1", "Data", own);
      add_cache(cpu, 1, "1", "Instruction", own);
      add_cache(cpu, 2, "2", "Unified", cpu < 4 ? "0-3" : "4-7");
    }
  }

 private:
  TemporaryFolder folder_;
};

TEST_F(CacheNeighbours, of_a_desktop_with_two_threads_a_core) {
  make_desktop();
  EXPECT_EQ(
      find_cache_neighbours(root(), 1),
      (Neighbours{{0, "L3"}, {2, "L3"}, {3, "L3"}, {4, "L3"}, {5, "core"}, {6, "L3"}, {7, "L3"}}));
  EXPECT_THAT(choose_separate_cores(root(), {0, 1, 2, 3, 4, 5, 6, 7}), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(choose_separate_cores(root(), {1, 3, 5, 6}), ElementsAre(1, 3, 6));
}

TEST_F(CacheNeighbours, that_are_offline_are_none) {
  make_desktop();
  write("online", "0-3,6\n");
  EXPECT_EQ(find_cache_neighbours(root(), 2),
            (Neighbours{{0, "L3"}, {1, "L3"}, {3, "L3"}, {6, "core"}}));
}

TEST_F(CacheNeighbours, of_clusters_share_their_l2) {
  make_clusters();
  EXPECT_EQ(find_cache_neighbours(root(), 5), (Neighbours{{4, "L2"}, {6, "L2"}, {7, "L2"}}));
  EXPECT_THAT(choose_separate_cores(root(), {0, 1, 2, 3, 4, 5, 6, 7}), ElementsAre(0, 4));
  EXPECT_THAT(choose_separate_cores(root(), {2, 3}), ElementsAre(2));
}

TEST_F(CacheNeighbours, that_share_only_instructions_are_neighbours) {
  add_siblings(0, "0");
  add_cache(0, 0, "1", "Data", "0");
  add_cache(0, 1, "1", "Instruction", "0-1");
  EXPECT_EQ(find_cache_neighbours(root(), 0), (Neighbours{{1, "L1"}}));
}

TEST_F(CacheNeighbours, are_not_known_without_sysfs) {
  EXPECT_THAT(find_cache_neighbours(root(), 0), IsEmpty());
  EXPECT_THAT(choose_separate_cores(root(), {0, 1, 5}), ElementsAre(0, 1, 5));
  EXPECT_THAT(choose_separate_cores(root(), {}), IsEmpty());
}

TEST_F(CacheNeighbours, are_not_known_in_a_virtual_machine_without_caches) {
  write("online", "0-1\n");
  add_siblings(0, "0");
  add_siblings(1, "1");
  EXPECT_THAT(find_cache_neighbours(root(), 0), IsEmpty());
  EXPECT_THAT(choose_separate_cores(root(), {0, 1}), ElementsAre(0, 1));
}

TEST_F(CacheNeighbours, need_files_that_make_sense) {
  write("online", "perhaps\n");
  add_siblings(0, "0,,9");
  add_cache(0, 0, "1", "Data", "0-");
  add_cache(0, 1, "-1", "Instruction", "0-2");
  add_cache(0, 2, "2", "Sideways", "0-2");
  add_cache(0, 3, "4", "Unified", "0-7");
  write("cpu0/cache/uevent", "");
  write("cpu0/cache/index4/level", "3\n");
  EXPECT_THAT(find_cache_neighbours(root(), 0), IsEmpty());
  add_cache(0, 5, "3", "Unified", "0-1");
  EXPECT_EQ(find_cache_neighbours(root(), 0), (Neighbours{{1, "L3"}}));
}

TEST_F(CacheNeighbours, that_only_one_side_names_still_stand_in_the_way) {
  add_cache(0, 0, "2", "Unified", "0-1");
  EXPECT_THAT(choose_separate_cores(root(), {0, 1}), ElementsAre(0));
}

TEST(CacheNeighboursHere, never_name_the_core_itself) {
  for (const CacheNeighbour& neighbour : find_cache_neighbours("/", 0)) {
    EXPECT_NE(neighbour.cpu, 0U);
  }
}

}  // namespace
}  // namespace hashprof::host
