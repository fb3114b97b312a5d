// SPDX-License-Identifier: MIT
// What the unit's own files ask about programs and libraries that are there already.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "toolchain/toolchain.h"

namespace hashprof::toolchain {

/// The program behind a command: through PATH, or the path itself if it has a slash.
[[nodiscard]] std::optional<std::filesystem::path> find_program(const std::string& command);

/// Whether a library is a plain file of mode 0644 with this digest.
[[nodiscard]] bool is_intact(const std::filesystem::path& library, const std::string& sha256);

/// Whether an earlier build was made by the commands, the compiler and from the inputs of `wanted`;
/// never so where the inputs are not all known.
[[nodiscard]] bool is_same_making(const BuildResult& earlier, const BuildResult& wanted);

}  // namespace hashprof::toolchain
