// SPDX-License-Identifier: MIT
// Quantities as people write them ("0.25 s", "4 KiB", "2%"), exact in both directions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hashprof::yaml {

struct Unit {
  std::string_view name;
  std::uint64_t factor = 1;  ///< how many of the smallest unit
};
/// ns, us, ms, s, min; in nanoseconds.
[[nodiscard]] const std::vector<Unit>& time_units();
/// B, KiB, MiB, GiB; in bytes.
[[nodiscard]] const std::vector<Unit>& size_units();
/// %; in millionths of the whole.
[[nodiscard]] const std::vector<Unit>& share_units();

enum class QuantityFault : std::uint8_t {
  none,
  malformed,     ///< no plain decimal number, or more than one blank before the unit
  no_unit,       ///< a number and nothing else
  unknown_unit,  ///< `unit` is what stood there
  too_fine,      ///< digits below the smallest unit
  too_large      ///< beyond 64 bits of the smallest unit
};

struct Quantity {
  QuantityFault fault = QuantityFault::none;
  std::uint64_t value = 0;  ///< in the smallest unit; only where there is no fault
  std::string unit;
};

/// Reads digits, perhaps a point and digits, at most one blank, and a unit. No sign, no exponent,
/// nothing in front or behind. The value is exact or it is a fault; nothing is rounded.
[[nodiscard]] Quantity parse_quantity(std::string_view text, const std::vector<Unit>& units);

/// The value in the largest unit that divides it: 250000000 of time is "250 ms".
[[nodiscard]] std::string quantity_text(std::uint64_t value, const std::vector<Unit>& units);

}  // namespace hashprof::yaml
