// SPDX-License-Identifier: MIT
// A generator of choices: fixed by its seed on every machine and library, unlike <random>'s
// distributions and std::shuffle.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace hashprof {

/// SplitMix64 (Steele, Lea, Flood 2014). Not for secrets.
class Random {
 public:
  explicit Random(std::uint64_t seed) noexcept : state_(seed) {}

  [[nodiscard]] std::uint64_t next() noexcept {
    state_ += 0x9E3779B97F4A7C15U;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31U);
  }

  /// Uniform in [0, bound); `bound` > 0. Draws that would favour small values are thrown away.
  [[nodiscard]] std::uint64_t below(std::uint64_t bound) noexcept {
    const std::uint64_t unfair = (0 - bound) % bound;
    for (;;) {
      const std::uint64_t draw = next();
      if (draw >= unfair) {
        return draw % bound;
      }
    }
  }

  /// Fisher–Yates.
  template <typename T>
  void shuffle(std::vector<T>& items) noexcept {
    for (std::size_t i = items.size(); i > 1; --i) {
      std::swap(items[i - 1], items[below(i)]);
    }
  }

 private:
  std::uint64_t state_;
};

}  // namespace hashprof
