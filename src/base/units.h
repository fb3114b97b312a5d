// SPDX-License-Identifier: MIT
// Quantities whose unit is part of the type.
#pragma once

#include <compare>
#include <cstdint>

namespace hashprof {

/// A span of time in nanoseconds.
struct Nanoseconds {
  std::uint64_t value = 0;
  constexpr auto operator<=>(const Nanoseconds&) const = default;
};

/// Core clock cycles as a PMU counted them; never ticks of another clock.
struct Cycles {
  std::uint64_t value = 0;
  constexpr auto operator<=>(const Cycles&) const = default;
};

/// A size in bytes.
struct Bytes {
  std::uint64_t value = 0;
  constexpr auto operator<=>(const Bytes&) const = default;
};

}  // namespace hashprof
