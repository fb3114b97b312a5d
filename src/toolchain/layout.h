// SPDX-License-Identifier: MIT
// The same objects linked in several orders: alignment inside a library changes the speed of a
// function, and one library is one sample of it. Private to unit toolchain.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace hashprof::toolchain {

/// Assembler text that fills HASHPROF_PADDING bytes of .text, in kGeneratedFolder.
inline constexpr const char* kPaddingName = "padding.S";
[[nodiscard]] const std::string& padding_text();

/// Indices of `objects` objects in the order in which a layout links them. Layout 0 has the order
/// of the sources; any other is a permutation that depends on seed and layout alone.
[[nodiscard]] std::vector<std::size_t> link_order(std::size_t objects, std::uint64_t seed,
                                                  std::uint32_t layout);

/// Bytes before the first object of a layout: a multiple of 4 below one page, from seed and layout.
[[nodiscard]] std::uint32_t padding_bytes(std::uint64_t seed, std::uint32_t layout);

}  // namespace hashprof::toolchain
