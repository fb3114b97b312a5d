// SPDX-License-Identifier: MIT
// Catches a quantity that is rounded, guessed, or read with the wrong unit.
#include "yaml/quantity.h"

#include <gtest/gtest.h>

namespace hashprof::yaml {
namespace {

struct Reading {
  const char* text;
  QuantityFault fault;
  std::uint64_t value;
};

TEST(Quantity, times_are_exact_or_a_fault) {
  const Reading readings[] = {
      {"0.25 s", QuantityFault::none, 250'000'000},
      {"250 ms", QuantityFault::none, 250'000'000},
      {"250ms", QuantityFault::none, 250'000'000},
      {"250000 us", QuantityFault::none, 250'000'000},
      {"1 ns", QuantityFault::none, 1},
      {"0 s", QuantityFault::none, 0},
      {"5 min", QuantityFault::none, 300'000'000'000},
      {"0.123456789 s", QuantityFault::none, 123'456'789},
      {"0.123456789000 s", QuantityFault::none, 123'456'789},
      {"0.00000000005 min", QuantityFault::none, 3},
      {"0.1234567891 s", QuantityFault::too_fine, 0},
      {"0.5 ns", QuantityFault::too_fine, 0},
      {"0.00000000001 min", QuantityFault::too_fine, 0},
      {"18446744073709551615 ns", QuantityFault::none, UINT64_MAX},
      {"18446744073709551616 ns", QuantityFault::too_large, 0},
      {"18446744073.709551615 s", QuantityFault::none, UINT64_MAX},
      {"18446744073.709551616 s", QuantityFault::too_large, 0},
      {"400000000000 min", QuantityFault::too_large, 0},
      {"0.25", QuantityFault::no_unit, 0},
      {"7", QuantityFault::no_unit, 0},
      {"1 h", QuantityFault::unknown_unit, 0},
      {"1 S", QuantityFault::unknown_unit, 0},
      {"1 sec", QuantityFault::unknown_unit, 0},
      {"", QuantityFault::malformed, 0},
      {"s", QuantityFault::malformed, 0},
      {" 1 s", QuantityFault::malformed, 0},
      {"1 s ", QuantityFault::malformed, 0},
      {"1  s", QuantityFault::malformed, 0},
      {"+1 s", QuantityFault::malformed, 0},
      {"-1 s", QuantityFault::malformed, 0},
      {".5 s", QuantityFault::malformed, 0},
      {"1. s", QuantityFault::malformed, 0},
      {"01 s", QuantityFault::malformed, 0},
      {"1,5 s", QuantityFault::malformed, 0},
      {"1.5.2 s", QuantityFault::malformed, 0},
      {"1 s 2 ms", QuantityFault::malformed, 0},
      {".inf", QuantityFault::malformed, 0},
      {"nan s", QuantityFault::malformed, 0},
  };
  for (const Reading& reading : readings) {
    const Quantity quantity = parse_quantity(reading.text, time_units());
    EXPECT_EQ(quantity.fault, reading.fault) << reading.text;
    EXPECT_EQ(quantity.value, reading.value) << reading.text;
  }
}

TEST(Quantity, an_exponent_is_no_unit) {
  EXPECT_EQ(parse_quantity("1e3 s", time_units()).fault, QuantityFault::malformed);
  EXPECT_EQ(parse_quantity("1e999", time_units()).fault, QuantityFault::malformed);
}

TEST(Quantity, sizes_are_powers_of_1024) {
  EXPECT_EQ(parse_quantity("4 KiB", size_units()).value, 4096U);
  EXPECT_EQ(parse_quantity("0.5 KiB", size_units()).value, 512U);
  EXPECT_EQ(parse_quantity("0.0009765625 KiB", size_units()).value, 1U);
  EXPECT_EQ(parse_quantity("0.000976562 KiB", size_units()).fault, QuantityFault::too_fine);
  EXPECT_EQ(parse_quantity("1.5 GiB", size_units()).value, 1'610'612'736U);
  EXPECT_EQ(parse_quantity("17 B", size_units()).value, 17U);
  EXPECT_EQ(parse_quantity("4 kB", size_units()).unit, "kB");
}

TEST(Quantity, shares_are_millionths) {
  EXPECT_EQ(parse_quantity("2%", share_units()).value, 20'000U);
  EXPECT_EQ(parse_quantity("0.5 %", share_units()).value, 5'000U);
  EXPECT_EQ(parse_quantity("0.00001%", share_units()).fault, QuantityFault::too_fine);
}

TEST(Quantity, is_written_in_the_largest_unit_that_divides_it) {
  EXPECT_EQ(quantity_text(250'000'000, time_units()), "250 ms");
  EXPECT_EQ(quantity_text(90'000'000'000, time_units()), "90 s");
  EXPECT_EQ(quantity_text(300'000'000'000, time_units()), "5 min");
  EXPECT_EQ(quantity_text(0, time_units()), "0 ns");
  EXPECT_EQ(quantity_text(1536, size_units()), "1536 B");
  EXPECT_EQ(quantity_text(8U << 20U, size_units()), "8 MiB");
}

}  // namespace
}  // namespace hashprof::yaml
