// SPDX-License-Identifier: MIT
// What an object file (.o) takes of a program's memory, by section.
#pragma once

#include <cstdint>
#include <filesystem>

#include "json/value.h"

namespace hashprof::elf {

/// Bytes of the sections that are loaded (SHF_ALLOC), by what they hold. `size` of binutils prints
/// text + rodata as text, and data and bss as they are here. Common symbols, which only a linker
/// places, count as bss, as `size --common` has them.
struct ObjectSizes {
  std::uint64_t text = 0;    ///< executable
  std::uint64_t rodata = 0;  ///< read-only: constants, unwind tables
  std::uint64_t data = 0;    ///< writable, initialised by the file
  std::uint64_t bss = 0;     ///< writable, zero
  [[nodiscard]] bool operator==(const ObjectSizes&) const = default;
  ObjectSizes& operator+=(const ObjectSizes& other);
};

/// Reads an object file of any machine, class and byte order. Throws Error{target} naming the file
/// if it is none or malformed, Error{environment} if it cannot be read.
[[nodiscard]] ObjectSizes read_object_sizes(const std::filesystem::path& file);

/// {"text": 1, "rodata": 2, "data": 3, "bss": 4}
[[nodiscard]] json::Value to_json(const ObjectSizes& sizes);

}  // namespace hashprof::elf
