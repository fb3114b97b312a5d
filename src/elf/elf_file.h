// SPDX-License-Identifier: MIT
// One shared library in memory behind libelf: every call checked, every fault named. Private.
#pragma once

#include <gelf.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "elf/layout.h"

namespace hashprof::elf {

/// Owns the bytes and libelf's handle to them.
class ElfFile {
 public:
  /// Throws Error{environment} if `path` cannot be read, Error{target} if it is no shared library
  /// or its header is damaged.
  explicit ElfFile(const std::filesystem::path& path);

  [[nodiscard]] const GElf_Ehdr& header() const noexcept { return header_; }
  [[nodiscard]] std::uint64_t size() const noexcept { return content_.size(); }
  /// All of them; throws Error{target} if the table is damaged or cut.
  [[nodiscard]] std::vector<GElf_Phdr> program_headers() const;
  /// Fills `headers`; else returns why there are none. The loader needs none of them.
  [[nodiscard]] std::string read_section_headers(std::vector<GElf_Shdr>& headers) const;
  /// The bytes of a range of the file in this machine's byte order; `what` names it in faults.
  /// Null if `bytes` is 0.
  [[nodiscard]] Elf_Data* chunk(std::uint64_t offset, std::uint64_t bytes, Elf_Type type,
                                const std::string& what) const;
  /// Size of `count` items in this file's class.
  [[nodiscard]] std::uint64_t item_bytes(Elf_Type type) const;

  /// A fault of this file.
  [[nodiscard]] Error fault(const std::string& what) const;
  /// The same with libelf's reason.
  [[nodiscard]] Error libelf_fault(const std::string& what) const;

 private:
  void check_kind() const;
  void check_header_is_whole() const;
  void read_header();

  struct End {
    void operator()(Elf* handle) const noexcept;
  };
  std::string path_;
  std::string content_;
  std::unique_ptr<Elf, End> handle_;
  GElf_Ehdr header_{};
};

/// The PT_LOAD segments among `headers`, ascending and disjoint. Throws Error{target} if they are
/// not, or if one is not within the file.
[[nodiscard]] std::vector<Segment> find_segments(const ElfFile& file,
                                                 const std::vector<GElf_Phdr>& headers);

}  // namespace hashprof::elf
