// SPDX-License-Identifier: MIT
// The SM3 hash function (GB/T 32905), which the DRNG of the known-answer messages is made of. It is
// no hash that is measured: those are data (hashes/).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace hashprof::kat {

inline constexpr std::size_t kSm3Bytes = 32;
using Sm3Digest = std::array<std::uint8_t, kSm3Bytes>;

[[nodiscard]] Sm3Digest sm3(std::span<const std::uint8_t> message);

}  // namespace hashprof::kat
