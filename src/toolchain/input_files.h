// SPDX-License-Identifier: MIT
// The files that a build is made of, found behind the names that preprocessor and linker use.
// Private to the unit.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "toolchain/toolchain.h"

namespace hashprof::toolchain {

/// The file behind a name that the preprocessor printed; nothing for `<built-in>` and for names
/// that #line invented. `folders` are the links of the build folder.
[[nodiscard]] std::optional<std::filesystem::path> real_file(
    const std::vector<std::filesystem::path>& folders, const std::string& name);

/// Each file once, in order, with its digest. Throws Error{target} for a path that is not UTF-8,
/// and Error if a file cannot be read.
[[nodiscard]] std::vector<InputFile> digest_files(const std::vector<std::filesystem::path>& files);

}  // namespace hashprof::toolchain
