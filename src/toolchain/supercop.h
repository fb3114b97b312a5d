// SPDX-License-Identifier: MIT
// What SUPERCOP generates for an implementation of crypto_hash, as far as a hash needs it, and the
// function that gives it the lengths of Api::ngcc. Private to unit toolchain.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace hashprof::toolchain {

/// Folder of the build folder that holds them.
inline constexpr const char* kGeneratedFolder = "gen";
/// The source of the function, in that folder.
inline constexpr const char* kShimName = "shim.c";

/// Name and text of each file: crypto_hash.h, crypto_uint32.h and its like, and the shim. They are
/// the same for every hash; HASHPROF_DIGEST_BITS and HASHPROF_ENTRY are defined by the commands.
[[nodiscard]] const std::vector<std::pair<std::string, std::string>>& supercop_files();

}  // namespace hashprof::toolchain
