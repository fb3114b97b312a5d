// SPDX-License-Identifier: MIT
// What a library occupies beyond an empty one that was built the same way: what its sources
// brought.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "elf/elf_image.h"
#include "json/value.h"

namespace hashprof::elf {

/// One class of the own part. Absent where the library has less of it than the empty one, which a
/// linker's alignment can bring about: then the difference says nothing about the sources.
using OwnBytes = std::optional<std::uint64_t>;

/// Image minus empty image, in all and by class.
struct StaticUse {
  OwnBytes image;
  OwnBytes text;
  OwnBytes rodata;
  OwnBytes relro;
  OwnBytes data;
  OwnBytes bss;
  /// text + rodata + relro + data: what a read-only memory would have to hold. The loader's tables,
  /// headers and gaps are in no sum but `image`.
  OwnBytes rom;
  /// relro + data + bss: what has to lie in memory that can be written, if only by the loader, so
  /// that relro and data count in both sums.
  OwnBytes ram;
  /// Why something is absent, "own rodata is 16 bytes below that of the empty library"; empty if
  /// nothing is.
  std::string reason;
  [[nodiscard]] bool operator==(const StaticUse&) const = default;
};

/// A sum is absent if one of its classes is.
[[nodiscard]] StaticUse subtract(const Parts& image, const Parts& empty);

/// Nothing but the reason.
[[nodiscard]] StaticUse absent_use(const std::string& reason);

/// Each figure by its name, null where it is absent, and "reason".
[[nodiscard]] json::Value to_json(const StaticUse& use);

}  // namespace hashprof::elf
