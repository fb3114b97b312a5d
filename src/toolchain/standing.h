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

/// Whether both were, or would be, made by the same commands of the same compiler; never so of an
/// earlier one (`left`) whose inputs are not all known.
[[nodiscard]] bool is_same_making(const BuildResult& left, const BuildResult& right);
/// Whether an earlier build is what `wanted` would make, without looking into the sources: the same
/// making, no input changed, and no file came or went where headers are searched.
[[nodiscard]] bool stands_unseen(const BuildResult& earlier, const BuildResult& wanted);
/// SHA-256 of the sorted names below the folders. Empty if there are more than 20,000, if one is a
/// link to a folder, or if they cannot be read.
[[nodiscard]] std::string digest_of_names(const std::vector<std::filesystem::path>& folders);

}  // namespace hashprof::toolchain
