// SPDX-License-Identifier: MIT
// Where functions that a shared library gives to others begin in its file: what a uprobe wants.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string>

namespace hashprof::elf {

/// File offset -> those of `names` that begin there, by the dynamic symbol table: aliases share an
/// offset, and a name that has versions may stand at several. A name that is not defined is in no
/// set; one chosen at load time (STT_GNU_IFUNC) counts as not defined. Faults as read_image's; a
/// library without symbols is one too, but a position-independent program is read as well.
[[nodiscard]] std::map<std::uint64_t, std::set<std::string>> find_function_offsets(
    const std::filesystem::path& file, const std::set<std::string>& names);

}  // namespace hashprof::elf
