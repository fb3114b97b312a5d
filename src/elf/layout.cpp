// SPDX-License-Identifier: MIT
// See elf/layout.h.
#include "elf/layout.h"

#include <algorithm>
#include <limits>

namespace hashprof::elf {

namespace {

constexpr std::uint64_t kLastAddress = std::numeric_limits<std::uint64_t>::max();

Range cut(const Range& range, const Range& by) {
  const std::uint64_t start = std::max(range.start, by.start);
  return {start, std::max(start, std::min(range.end, by.end))};
}

/// The claims without what an earlier one holds already: ascending and disjoint.
std::vector<Claim> disjoint(std::vector<Claim> claims) {
  std::stable_sort(claims.begin(), claims.end(), [](const Claim& left, const Claim& right) {
    return left.range.start < right.range.start;
  });
  std::vector<Claim> out;
  std::uint64_t taken = 0;
  for (Claim& claim : claims) {
    claim.range.start = std::max(claim.range.start, taken);
    if (claim.range.start < claim.range.end) {
      taken = claim.range.end;
      out.push_back(claim);
    }
  }
  return out;
}

void add_claim(const Claim& claim, const Range& within, const std::optional<Range>& relro,
               Parts& parts) {
  const Range held = cut(claim.range, within);
  std::uint64_t protected_bytes = 0;
  if (relro && (claim.part == &Parts::data || claim.part == &Parts::bss)) {
    const Range both = cut(held, *relro);
    protected_bytes = both.end - both.start;
  }
  parts.relro += protected_bytes;
  parts.*claim.part += held.end - held.start - protected_bytes;
}

}  // namespace

std::uint64_t Parts::sum() const {
  std::uint64_t total = 0;
  for (const auto& [name, part] : kPartNames) {
    total += this->*part;
  }
  return total;
}

Range range_of(std::uint64_t start, std::uint64_t bytes) {
  return {start, bytes > kLastAddress - start ? kLastAddress : start + bytes};
}

std::vector<Range> loaded_ranges(const std::vector<Segment>& segments, const Range& offsets) {
  std::vector<Range> ranges;
  for (const Segment& segment : segments) {
    const Range held = cut(range_of(segment.offset, segment.file_bytes), offsets);
    if (held.start < held.end) {
      ranges.push_back(
          range_of(segment.address + (held.start - segment.offset), held.end - held.start));
    }
  }
  return ranges;
}

std::string find_unmappable(const std::vector<Segment>& segments, std::uint32_t address_bits) {
  const std::uint64_t last =
      address_bits >= 64 ? kLastAddress : (std::uint64_t{1} << address_bits) - 1;
  for (const Segment& segment : segments) {
    if (segment.address > last || segment.memory_bytes > last - segment.address) {
      return "a PT_LOAD segment of " + std::to_string(segment.memory_bytes) +
             " bytes does not fit into the " + std::to_string(address_bits) + " bits of an address";
    }
  }
  return {};
}

std::uint64_t image_bytes(const std::vector<Segment>& segments) {
  std::uint64_t sum = 0;
  for (const Segment& segment : segments) {
    sum += segment.memory_bytes;
  }
  return sum;
}

Pages count_pages(const std::vector<Segment>& segments, std::uint64_t page_bytes) {
  const std::uint64_t within = page_bytes - 1;
  Pages pages;
  pages.page_bytes = page_bytes;
  const std::uint64_t first = segments.front().address & ~within;
  std::uint64_t counted = first;
  for (const Segment& segment : segments) {
    const std::uint64_t start = std::max(segment.address & ~within, counted);
    const std::uint64_t end = (segment.address + segment.memory_bytes + within) & ~within;
    if (segment.memory_bytes != 0 && end > start) {
      pages.mapped_bytes += end - start;
      counted = end;
    }
  }
  pages.span_bytes = counted - first;
  return pages;
}

Parts split_image(const std::vector<Segment>& segments, std::vector<Claim> claims,
                  const std::optional<Range>& relro) {
  const std::vector<Claim> held = disjoint(std::move(claims));
  Parts parts;
  auto next = held.begin();
  for (const Segment& segment : segments) {
    const Range within = range_of(segment.address, segment.memory_bytes);
    const std::uint64_t before = parts.sum();
    while (next != held.end() && next->range.end <= within.start) {
      ++next;
    }
    // The last claim of a segment may reach into the next one, so it is not passed over here.
    for (auto claim = next; claim != held.end() && claim->range.start < within.end; ++claim) {
      add_claim(*claim, within, relro, parts);
      next = claim;
    }
    parts.gaps += segment.memory_bytes - (parts.sum() - before);
  }
  return parts;
}

}  // namespace hashprof::elf
