// SPDX-License-Identifier: MIT
// What a section or a program header stands for, for all readers of the unit. Private to the unit.
#pragma once

#include <cstdint>
#include <vector>

#include "elf/elf_file.h"
#include "elf/elf_image.h"

namespace hashprof::elf {

/// The class of an allocated section, relro left aside: that is one of addresses.
[[nodiscard]] std::uint64_t Parts::*class_of(const GElf_Shdr& section);

/// The last header of a type, as the loader takes it; nullptr if there is none.
[[nodiscard]] const GElf_Phdr* find_header(const std::vector<GElf_Phdr>& headers,
                                           std::uint32_t type);

}  // namespace hashprof::elf
