// SPDX-License-Identifier: MIT
// Which files a source includes, read from line markers of its preprocessed text. Dependency files
// for make cannot name every path (a newline has no escape); line markers can.
// Private to unit toolchain.
#pragma once

#include <istream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hashprof::toolchain {

/// The file that a line marker enters (`# 1 "name" 1`), escapes undone; empty for any other line
/// and for an absolute name that the marker calls a system header.
[[nodiscard]] std::optional<std::string> entered_file(std::string_view line);

/// All of them, in order of first appearance.
[[nodiscard]] std::vector<std::string> entered_files(std::istream& preprocessed);

}  // namespace hashprof::toolchain
