// SPDX-License-Identifier: MIT
// Catches samples of a counter that failed while they were taken: mixed of two ways to read, or
// cycles that pass for nanoseconds.
#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "worker/protocol.h"

namespace {

/// What the fixture says of a counter that gives `readings` readings, 1000 cycles apart.
std::string samples_after(std::uint64_t readings) {
  std::string name = ::testing::TempDir() + "hashprof-counter-XXXXXX";
  const int fd = ::mkstemp(name.data());
  EXPECT_GE(fd, 0);
  EXPECT_EQ(::close(fd), 0);
  {
    std::ofstream file(name, std::ios::binary);
    for (std::uint64_t i = 1; i <= readings; ++i) {
      // Count, enabled, running and the values, as read(2) gives a group (perf_event_open(2)).
      const std::array<std::uint64_t, 5> reading{2, i * 10, i * 10, i * 1000, i * 2000};
      file.write(reinterpret_cast<const char*>(reading.data()), sizeof reading);
    }
  }
  std::FILE* pipe = ::popen(("'" HASHPROF_LOST_COUNTER "' " + name).c_str(), "r");
  EXPECT_NE(pipe, nullptr);
  std::array<char, 256> line{};
  EXPECT_NE(std::fgets(line.data(), static_cast<int>(line.size()), pipe), nullptr);
  EXPECT_EQ(::pclose(pipe), 0);
  std::filesystem::remove(name);
  return line.data();
}

TEST(LostCounter, that_is_not_granted_in_user_space_is_read_by_read_2_from_the_first_sample_on) {
  EXPECT_EQ(samples_after(10'000),
            "counting 1 method 1 slices 2 batch most doubled all equal all\n");
}

TEST(LostCounter, that_gives_no_reading_leaves_the_clock) {
  EXPECT_EQ(samples_after(0).substr(0, 28), "counting 0 method 0 slices 2");
}

// Two readings around the first call and around each sample: 1000 of the empty call, 3 of each of
// the 17 batches, 9 of the hash and 9 of twice the batch; and one of the values or the times at
// each end of the loop (2 and 1) and behind each of its slices.
constexpr std::uint64_t kFirst = 2;
constexpr std::uint64_t kEmpty = kFirst + 2 * 1000;
constexpr std::uint64_t kBatch = kEmpty + 2 * 3 * 17;
constexpr std::uint64_t kSingle = kBatch + 2 + 2 * 9 + 1;
constexpr std::uint64_t kDoubled = kSingle + 2 * 9 + 1;
constexpr std::uint64_t kAll = kDoubled + 1;

TEST(LostCounter, that_ends_anywhere_in_a_percall_leaves_the_clock_for_all_samples) {
  for (const std::uint64_t readings :
       {kFirst - 1, kFirst, kEmpty - 500, kEmpty, kEmpty + 7, kBatch, kBatch + 1, kBatch + 2,
        kBatch + 12, kSingle - 1, kSingle, kSingle + 3, kDoubled - 1, kDoubled}) {
    EXPECT_EQ(samples_after(readings).substr(0, 28), "counting 0 method 0 slices 2") << readings;
  }
}

TEST(LostCounter, that_lasts_to_the_end_is_kept) {
  EXPECT_EQ(samples_after(kAll), samples_after(10'000));
}

}  // namespace
