// SPDX-License-Identifier: MIT
// See kat/drbg.h.
#include "kat/drbg.h"

#include <algorithm>

#include "base/error.h"
#include "kat/sm3.h"

namespace hashprof::kat {

namespace {

using Number = Sm3Drbg::Number;

std::vector<std::uint8_t> prefixed(std::initializer_list<std::uint8_t> prefix,
                                   std::span<const std::uint8_t> rest) {
  std::vector<std::uint8_t> bytes(prefix);
  bytes.insert(bytes.end(), rest.begin(), rest.end());
  return bytes;
}

/// First 55 bytes of SM3(01 || 000001B8 || x) || SM3(02 || 000001B8 || x); 0x1B8 = 440.
Number derive(std::span<const std::uint8_t> x) {
  Number out{};
  for (std::uint8_t i = 0; i < 2; ++i) {
    const auto number = static_cast<std::uint8_t>(i + 1);
    const Sm3Digest part = sm3(prefixed({number, 0x00, 0x00, 0x01, 0xB8}, x));
    const std::size_t at = i * kSm3Bytes;
    const std::size_t count = std::min(kSm3Bytes, out.size() - at);
    std::copy_n(part.begin(), count, out.begin() + static_cast<std::ptrdiff_t>(at));
  }
  return out;
}

/// number = number + addend mod 2^440; the addend is right-aligned.
void add(Number& number, std::span<const std::uint8_t> addend) {
  unsigned carry = 0;
  for (std::size_t i = 1; i <= number.size(); ++i) {
    const unsigned other = i <= addend.size() ? addend[addend.size() - i] : 0U;
    carry += number[number.size() - i] + other;
    number[number.size() - i] = static_cast<std::uint8_t>(carry & 0xffU);
    carry >>= 8U;
  }
}

void add(Number& number, std::uint64_t addend) {
  std::array<std::uint8_t, 8> bytes{};
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    bytes[bytes.size() - 1 - i] = static_cast<std::uint8_t>(addend >> (8 * i) & 0xffU);
  }
  add(number, bytes);
}

std::uint64_t bytes_of(std::uint64_t bits) { return bits / 8 + (bits % 8 != 0 ? 1 : 0); }

}  // namespace

Sm3Drbg::Sm3Drbg(std::span<const std::uint8_t> seed)
    : v_(derive(seed)), c_(derive(prefixed({0x00}, v_))) {}

std::vector<std::uint8_t> Sm3Drbg::draw(std::uint64_t bits) {
  std::vector<std::uint8_t> out(bytes_of(bits));
  draw(bits, out);
  return out;
}

void Sm3Drbg::draw(std::uint64_t bits, std::span<std::uint8_t> out) {
  if (out.size() != bytes_of(bits)) {
    throw Error(Fault::internal, "drbg", "room for another number of bytes than is drawn");
  }
  Number t = v_;
  for (std::size_t at = 0; at < out.size(); at += kSm3Bytes, add(t, 1)) {
    const Sm3Digest block = sm3(t);
    const std::size_t count = std::min(kSm3Bytes, out.size() - at);
    std::copy_n(block.begin(), count, out.begin() + static_cast<std::ptrdiff_t>(at));
  }
  if (bits % 8 != 0) {
    out.back() = static_cast<std::uint8_t>(out.back() & (0xffU << (8 - bits % 8)));
  }
  advance();
}

/// V = V + SM3(03 || V) + C + counter.
void Sm3Drbg::advance() {
  const Sm3Digest hash = sm3(prefixed({0x03}, v_));
  add(v_, hash);
  add(v_, c_);
  add(v_, counter_);
  ++counter_;
}

}  // namespace hashprof::kat
