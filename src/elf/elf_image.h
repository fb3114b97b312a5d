// SPDX-License-Identifier: MIT
// What a shared library occupies once it is loaded, read from the file as the loader reads it: by
// its program headers. Sections only split the sum and may be missing.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "json/value.h"

namespace hashprof::elf {

/// What a file was built for.
struct Target {
  std::uint16_t machine = 0;  ///< e_machine: EM_X86_64, EM_AARCH64, ...
  std::uint32_t bits = 0;     ///< 32 or 64: size of an address (ELFCLASS)
  bool is_big_endian = false;
  [[nodiscard]] bool operator==(const Target&) const = default;
};

/// "x86-64", "AArch64", ...; "machine 4711" for a number that has no name here.
[[nodiscard]] std::string machine_name(std::uint16_t machine);
/// The machine, with what sets it apart from the usual one of its name: "AArch64, big-endian",
/// "x86-64, 32-bit addresses".
[[nodiscard]] std::string target_name(const Target& target);
/// What this program itself was built for: what its workers can load.
[[nodiscard]] Target own_target();
/// "built for AArch64, this machine is x86-64"; empty if `machine` runs code of `file`.
[[nodiscard]] std::string find_mismatch(const Target& file, const Target& machine);
/// find_mismatch of an open file against own_target(). Reads its first bytes only and leaves the
/// offset alone. Empty too if it is no ELF file: then the loader's own words are right. Throws
/// Error{environment} naming `object` if it cannot be read.
[[nodiscard]] std::string find_foreign_machine(int fd, const std::string& object);

/// Bytes of the image by what they hold. Each byte of each PT_LOAD segment belongs to exactly one
/// class, so that the classes add up to Image::bytes.
struct Parts {
  std::uint64_t text = 0;     ///< executable sections
  std::uint64_t rodata = 0;   ///< read-only contents: constants, unwind tables
  std::uint64_t relro = 0;    ///< writable until relocated, then read-only (PT_GNU_RELRO)
  std::uint64_t data = 0;     ///< writable, initialised by the file
  std::uint64_t bss = 0;      ///< writable, zero, not in the file
  std::uint64_t other = 0;    ///< the loader's read-only tables: symbols, relocations, notes
  std::uint64_t headers = 0;  ///< ELF header and program headers, where they are loaded
  std::uint64_t gaps = 0;     ///< in a segment, but in no section: alignment, patched holes

  [[nodiscard]] std::uint64_t sum() const;
  [[nodiscard]] bool operator==(const Parts&) const = default;
};

/// Names of the classes in the order in which they are written.
inline constexpr std::array<std::pair<const char*, std::uint64_t Parts::*>, 8> kPartNames{{
    {"text", &Parts::text},
    {"rodata", &Parts::rodata},
    {"relro", &Parts::relro},
    {"data", &Parts::data},
    {"bss", &Parts::bss},
    {"other", &Parts::other},
    {"headers", &Parts::headers},
    {"gaps", &Parts::gaps},
}};

/// The image in whole pages. Differs from the sum by alignment and by what a patching tool left.
struct Pages {
  std::uint64_t page_bytes = 0;    ///< the page that was counted with
  std::uint64_t span_bytes = 0;    ///< addresses from the first to the last page, holes included
  std::uint64_t mapped_bytes = 0;  ///< pages that hold a byte of a segment, each counted once
  [[nodiscard]] bool operator==(const Pages&) const = default;
};

struct Image {
  Target target;
  std::string obstacle;                ///< why a loader would refuse it; empty if loadable
  std::optional<std::uint64_t> bytes;  ///< sum of p_memsz over PT_LOAD; empty if no image exists
  std::optional<Pages> pages;          ///< present exactly where `bytes` is
  std::optional<Parts> parts;
  std::string parts_reason;         ///< why there are none; empty if there are
  std::string build_id;             ///< lower-case hexadecimal; empty if the file has none
  std::vector<std::string> needed;  ///< DT_NEEDED in the order of the file
  std::optional<std::vector<std::string>> exports;  ///< sorted names of defined dynamic symbols
  std::string exports_reason;                       ///< why there are none; empty if there are

  [[nodiscard]] bool is_loadable() const { return obstacle.empty(); }
};

/// Page size of this machine in bytes.
[[nodiscard]] std::uint64_t own_page_bytes();

/// Reads a shared library of any machine, class and byte order; a FIFO does not block.
/// `page_bytes` is a power of two. What is well-formed but cannot be loaded (no PT_LOAD, more bytes
/// than addresses, no dynamic section) is an Image with an obstacle. Throws Error{target} naming
/// the file and what is wrong where it is no shared library (archive, object file, program, script)
/// or malformed, and Error{environment} if it cannot be opened or read.
[[nodiscard]] Image read_image(const std::filesystem::path& file,
                               std::uint64_t page_bytes = own_page_bytes());

/// Each class by its name.
[[nodiscard]] json::Value to_json(const Parts& parts);
/// Throws Error{configuration} naming the class that is missing.
[[nodiscard]] Parts parts_from_json(const json::Value& value);

/// For build.json and records. Without an image "bytes" is null and "reason" says why; bytes of
/// names that are not UTF-8 are written as \xNN.
[[nodiscard]] json::Value to_json(const Image& image);
/// The same object for a file that could not be read as an image.
[[nodiscard]] json::Value absent_image(const std::string& reason);

}  // namespace hashprof::elf
