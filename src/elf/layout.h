// SPDX-License-Identifier: MIT
// Addresses of an image: pure arithmetic over segments and sections. Private to the unit.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "elf/elf_image.h"

namespace hashprof::elf {

/// A PT_LOAD segment.
struct Segment {
  std::uint64_t address = 0;
  std::uint64_t memory_bytes = 0;
  std::uint64_t offset = 0;
  std::uint64_t file_bytes = 0;
};

/// Addresses [start, end).
struct Range {
  std::uint64_t start = 0;
  std::uint64_t end = 0;
};

/// What a range of addresses holds.
struct Claim {
  Range range;
  std::uint64_t Parts::*part = nullptr;
};

/// The range of `bytes` bytes from `start`, cut at the last address.
[[nodiscard]] Range range_of(std::uint64_t start, std::uint64_t bytes);
/// Where a range of file offsets lies in memory: one range for each segment that loads of it.
[[nodiscard]] std::vector<Range> loaded_ranges(const std::vector<Segment>& segments,
                                               const Range& offsets);

/// Why the segments cannot all lie in an address space of `address_bits` bits; empty if they can.
/// Segments that can are safe to add up.
[[nodiscard]] std::string find_unmappable(const std::vector<Segment>& segments,
                                          std::uint32_t address_bits);

/// Sum of the memory bytes of segments that are mappable.
[[nodiscard]] std::uint64_t image_bytes(const std::vector<Segment>& segments);
/// `segments` mappable, ascending and disjoint; at least one.
[[nodiscard]] Pages count_pages(const std::vector<Segment>& segments, std::uint64_t page_bytes);
/// Each byte of the segments (mappable, ascending, disjoint) by the claim that holds it; where
/// claims overlap, the one that starts first. Data and bss within `relro` count as relro.
[[nodiscard]] Parts split_image(const std::vector<Segment>& segments, std::vector<Claim> claims,
                                const std::optional<Range>& relro);

}  // namespace hashprof::elf
