// SPDX-License-Identifier: MIT
// The generator of the random known-answer messages: Hash_DRBG of SP 800-90A's shape over SM3, one
// instantiation, no reseed, no additional input.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace hashprof::kat {

class Sm3Drbg {
 public:
  static constexpr std::size_t kStateBytes = 55;  ///< 440 bits
  /// A number of 440 bits, most significant byte first.
  using Number = std::array<std::uint8_t, kStateBytes>;

  explicit Sm3Drbg(std::span<const std::uint8_t> seed);

  /// ceil(bits / 8) bytes, the first bit being the top one of byte 0; the unused low bits of a
  /// partial last byte are 0. A draw of 0 bits changes the state too, and each draw begins anew:
  /// two draws of 8 bits are not one of 16.
  [[nodiscard]] std::vector<std::uint8_t> draw(std::uint64_t bits);
  /// The same into `out`, which has room for exactly so many bytes.
  void draw(std::uint64_t bits, std::span<std::uint8_t> out);

  [[nodiscard]] const Number& v() const { return v_; }
  [[nodiscard]] const Number& c() const { return c_; }

 private:
  void advance();

  Number v_;
  Number c_;
  std::uint64_t counter_ = 1;
};

}  // namespace hashprof::kat
