// SPDX-License-Identifier: MIT
// Which files of a folder are the sources of a hash: what `sources: auto` means. The files are
// read, never run or compiled.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace hashprof::catalog {

/// A source that is not compiled on its own.
struct LeftOut {
  std::filesystem::path file;
  std::string reason;  ///< "defines main", "is named like a driver", "is included by wrapper.c"
};

struct SourceFolder {
  std::vector<std::filesystem::path> sources;  ///< to compile, by name
  std::vector<LeftOut> left_out;               ///< by name
};

/// Sorts the regular files *.c, *.cc, *.cpp, *.cxx and *.S of a folder, not of those below it.
/// Left out are drivers (they define main, or have a usual name: KAT_x, test_x, bench.c, main.cpp,
/// ...) and files that another source of the folder includes; a source that is no regular file, or
/// a link to none, is passed over, and so is a hidden one. Throws Error{configuration} if the
/// folder or a source of it cannot be read, or is larger than 16 MiB.
[[nodiscard]] SourceFolder scan_source_folder(const std::filesystem::path& folder);

/// Whether a file of this name is compiled as C++, whatever the language of the family says.
[[nodiscard]] bool is_cxx_source(const std::filesystem::path& file);
/// Whether a value of -std= is one of C++.
[[nodiscard]] bool is_cxx_language(const std::string& language);

}  // namespace hashprof::catalog
