// SPDX-License-Identifier: MIT
// What the loader reads besides the segments: libraries that are needed, symbols that are given,
// and the build-id. Found through program headers, so that a stripped section table hides nothing.
// Private to the unit.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "elf/elf_file.h"
#include "elf/elf_image.h"
#include "elf/layout.h"

namespace hashprof::elf {

/// Fills needed and exports of `image` from PT_DYNAMIC, which must be there. Throws Error{target}
/// if a table it names is not in the file, or if the file is a position-independent program.
void read_dynamic(const ElfFile& file, const std::vector<Segment>& segments,
                  const GElf_Phdr& dynamic, Image& image);

/// A function that the file defines and gives to others.
struct Function {
  std::string name;
  std::uint64_t offset = 0;  ///< of its first instruction in the file
};
/// Those of `names`, in the order of the table: a name stands once for each of its versions. What
/// is chosen at load time (STT_GNU_IFUNC) is not among them. Throws Error{target} if a table is
/// missing or not in the file.
[[nodiscard]] std::vector<Function> read_functions(const ElfFile& file,
                                                   const std::vector<Segment>& segments,
                                                   const GElf_Phdr& dynamic,
                                                   const std::set<std::string>& names);

/// The GNU build-id in lower-case hexadecimal; empty if no PT_NOTE has one. Throws Error{target} if
/// the notes are not in the file.
[[nodiscard]] std::string read_build_id(const ElfFile& file, const std::vector<GElf_Phdr>& headers);

}  // namespace hashprof::elf
