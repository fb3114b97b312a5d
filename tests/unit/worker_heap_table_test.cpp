// SPDX-License-Identifier: MIT
// Catches a table of blocks that forgets, doubles or invents one: deletions that leave a hole in a
// run of neighbours, addresses of one home, a full table.
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <vector>

extern "C" {
#include "worker/heap_table.h"
}
#include "worker/protocol.h"

namespace hashprof {
namespace {

class HeapTable : public testing::Test {
 protected:
  static void SetUpTestSuite() { ASSERT_EQ(heap_table_map(), 0); }
  void SetUp() override { heap_table_clear(); }
};

int add(std::uintptr_t address, std::uint64_t bytes) {
  const heap_block block{address, bytes, bytes + 8};
  return heap_table_add(&block);
}

TEST_F(HeapTable, agrees_with_a_map_over_a_million_random_steps) {
  std::map<std::uintptr_t, std::uint64_t> expected;
  std::vector<std::uintptr_t> live;
  std::mt19937_64 random(7);
  for (int step = 0; step < 1'000'000; ++step) {
    const bool is_growing = (step / 100'000) % 2 == 0;
    if (live.empty() || random() % 8 < (is_growing ? 6U : 2U)) {
      const std::uintptr_t address = 0x7f0000000000U + random() % 4'000'000 * 16;
      if (live.size() < HASHPROF_MAX_LIVE_BLOCKS && expected.emplace(address, step).second) {
        live.push_back(address);
        ASSERT_EQ(add(address, static_cast<std::uint64_t>(step)), 0);
      }
      continue;
    }
    std::swap(live[random() % live.size()], live.back());
    heap_block taken{};
    ASSERT_EQ(heap_table_take(live.back(), &taken), 1) << step;
    ASSERT_EQ(taken.address, live.back());
    ASSERT_EQ(taken.bytes, expected.at(live.back()));
    ASSERT_EQ(taken.usable_bytes, taken.bytes + 8);
    ASSERT_EQ(heap_table_take(live.back(), &taken), 0) << step;
    expected.erase(live.back());
    live.pop_back();
  }
  for (const auto& [address, bytes] : expected) {
    heap_block taken{};
    ASSERT_EQ(heap_table_take(address, &taken), 1);
    ASSERT_EQ(taken.bytes, bytes);
  }
}

TEST_F(HeapTable, holds_neighbours_until_it_is_full_and_not_one_more) {
  for (std::uintptr_t i = 1; i <= HASHPROF_MAX_LIVE_BLOCKS; ++i) {
    ASSERT_EQ(add(i * 16, i), 0);
  }
  EXPECT_EQ(add(16 * (std::uintptr_t{HASHPROF_MAX_LIVE_BLOCKS} + 1), 1), -1);
  heap_block taken{};
  EXPECT_EQ(heap_table_take(0x10 * std::uintptr_t{5000}, &taken), 1);
  EXPECT_EQ(taken.bytes, 5000U);
  EXPECT_EQ(add(16 * (std::uintptr_t{HASHPROF_MAX_LIVE_BLOCKS} + 1), 1), 0);
}

TEST_F(HeapTable, is_empty_after_it_was_cleared) {
  ASSERT_EQ(add(0x1000, 5), 0);
  heap_table_clear();
  heap_block taken{};
  EXPECT_EQ(heap_table_take(0x1000, &taken), 0);
}

}  // namespace
}  // namespace hashprof
