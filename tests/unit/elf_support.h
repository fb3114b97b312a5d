// SPDX-License-Identifier: MIT
// What the tests of unit elf share: files written byte by byte, in every class and byte order, and
// libraries that CMake built from one source.
#pragma once

#include <elf.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/error.h"
#include "elf/elf_image.h"
#include "temporary_folder.h"

namespace hashprof::elf {

struct SegmentText {
  std::uint32_t type = PT_LOAD;
  std::uint64_t offset = 0;
  std::uint64_t address = 0;
  std::uint64_t file_bytes = 0;
  std::uint64_t memory_bytes = 0;
  std::uint64_t align = 4096;
};

struct SectionText {
  std::uint32_t type = SHT_PROGBITS;
  std::uint64_t flags = SHF_ALLOC;
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
};

/// An ELF file: header, program headers, filling up to `content_bytes`, section headers.
struct ElfText {
  Target target{EM_X86_64, 64, false};
  std::uint16_t type = ET_DYN;
  std::vector<SegmentText> segments;
  std::vector<SectionText> sections;  ///< without the empty first one; empty = no table
  std::uint64_t content_bytes = 4096;
  std::vector<std::pair<std::uint64_t, std::string>> patches;  ///< offset and bytes

  /// `value` in the byte order of the target, `width` bytes.
  [[nodiscard]] std::string number(std::uint64_t value, std::size_t width) const;
  /// `value` as wide as an address.
  [[nodiscard]] std::string address(std::uint64_t value) const;
  [[nodiscard]] std::string bytes() const;
};

/// Two segments that load and an empty dynamic section; the smallest library.
[[nodiscard]] ElfText small_library();

class ElfTest : public ::testing::Test {
 protected:
  [[nodiscard]] std::filesystem::path write(const std::string& content,
                                            const std::string& name = "x.so") const;
  [[nodiscard]] Image image_of(const ElfText& text) const;
  /// The full text of the error that reading `path` ends with, the folder left out; "(none)".
  [[nodiscard]] std::string fault_of(const std::filesystem::path& path) const;
  [[nodiscard]] std::string fault_of_content(const std::string& content) const;

  TemporaryFolder folder_;
};

/// The classes of an image that must have some.
[[nodiscard]] Parts parts_of(const Image& image);
/// A library that CMake built: "plain".
[[nodiscard]] std::filesystem::path built_library(const std::string& name);
[[nodiscard]] std::string content_of(const std::filesystem::path& file);
/// Standard output of a program; ends the test if it cannot be run.
[[nodiscard]] std::string output_of(const std::string& command);

}  // namespace hashprof::elf
