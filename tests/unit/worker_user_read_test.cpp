// SPDX-License-Identifier: MIT
// Catches a user-space read that takes the upper bits of a narrow counter for zeros, believes a
// page that changed under it, or touches the hardware without the kernel's leave.
#include "worker/user_read.h"

#include <gtest/gtest.h>

namespace {

TEST(ExtendSign, keeps_a_positive_value_and_drops_what_lies_above_the_width) {
  EXPECT_EQ(hashprof_extend_sign(0, 48), 0U);
  EXPECT_EQ(hashprof_extend_sign(0x7fff'ffff'ffffU, 48), 0x7fff'ffff'ffffU);
  EXPECT_EQ(hashprof_extend_sign(0xabcd'0000'0000'0001U, 48), 1U);
}

TEST(ExtendSign, makes_the_upper_half_negative) {
  EXPECT_EQ(hashprof_extend_sign(0x8000'0000'0000U, 48), 0xffff'8000'0000'0000U);
  EXPECT_EQ(hashprof_extend_sign(0xffff'ffff'ffffU, 48), ~std::uint64_t{0});
  EXPECT_EQ(hashprof_extend_sign(0x8000'0000U, 32), 0xffff'ffff'8000'0000U);
  EXPECT_EQ(hashprof_extend_sign(1, 1), ~std::uint64_t{0});
}

TEST(ExtendSign, leaves_a_register_of_full_width) {
  EXPECT_EQ(hashprof_extend_sign(0x8000'0000'0000'0000U, 64), 0x8000'0000'0000'0000U);
  EXPECT_EQ(hashprof_extend_sign(0x1234'5678'9abc'def0U, 0), 0x1234'5678'9abc'def0U);
}

/// The hardware of these tests: a register, the number that was asked for, and a kernel that moves
/// the event while it is read.
struct Hardware {
  std::uint64_t value = 0;
  std::uint32_t number = 0;
  int reads = 0;
  perf_event_mmap_page* moves = nullptr;
};
Hardware hardware;

std::uint64_t read_fake(std::uint32_t number) {
  hardware.number = number;
  ++hardware.reads;
  const std::uint64_t value = hardware.value;
  if (hardware.moves != nullptr) {
    hardware.moves->lock += 2;
    hardware.moves->offset += 500;
    hardware.value = 7;
    hardware.moves = nullptr;
  }
  return value;
}

class UserRead : public ::testing::Test {
 protected:
  UserRead() {
    hardware = {};
    page_.cap_user_rdpmc = 1;
    page_.index = 3;
    page_.pmc_width = 48;
  }
  perf_event_mmap_page page_{};
  std::uint64_t value_ = 99;
};

TEST_F(UserRead, adds_the_offset_to_the_counter_of_one_less_than_the_index) {
  page_.offset = 1000;
  hardware.value = 234;
  ASSERT_EQ(hashprof_read_page(&page_, read_fake, &value_), 1);
  EXPECT_EQ(value_, 1234U);
  EXPECT_EQ(hardware.number, 2U);
}

TEST_F(UserRead, of_a_counter_that_the_kernel_started_below_zero_is_right) {
  // Started at -2^47, which the offset takes back; 17 events later.
  page_.offset = std::int64_t{1} << 47;
  hardware.value = (std::uint64_t{1} << 47) + 17;
  ASSERT_EQ(hashprof_read_page(&page_, read_fake, &value_), 1);
  EXPECT_EQ(value_, 17U);
}

TEST_F(UserRead, differences_survive_a_wrap_of_the_counter) {
  page_.pmc_width = 32;
  hardware.value = 0xffff'fff0U;
  std::uint64_t before = 0;
  ASSERT_EQ(hashprof_read_page(&page_, read_fake, &before), 1);
  hardware.value = 0x10U;
  ASSERT_EQ(hashprof_read_page(&page_, read_fake, &value_), 1);
  EXPECT_EQ(value_ - before, 0x20U);
}

TEST_F(UserRead, is_made_again_where_the_kernel_changed_the_page) {
  page_.offset = 1000;
  hardware.value = 234;
  hardware.moves = &page_;
  ASSERT_EQ(hashprof_read_page(&page_, read_fake, &value_), 1);
  EXPECT_EQ(value_, 1507U);
  EXPECT_EQ(hardware.reads, 2);
}

TEST_F(UserRead, does_not_touch_the_hardware_without_leave) {
  page_.cap_user_rdpmc = 0;
  EXPECT_EQ(hashprof_read_page(&page_, read_fake, &value_), 0);
  page_.cap_user_rdpmc = 1;
  page_.index = 0;
  EXPECT_EQ(hashprof_read_page(&page_, read_fake, &value_), 0);
  EXPECT_EQ(hardware.reads, 0);
  EXPECT_EQ(value_, 99U);
}

TEST_F(UserRead, knows_the_cycle_counter_of_AArch64_by_its_index) {
  page_.index = 32;
  ASSERT_EQ(hashprof_read_page(&page_, read_fake, &value_), 1);
  EXPECT_EQ(hardware.number, 31U);
}

}  // namespace
