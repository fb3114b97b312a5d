// SPDX-License-Identifier: MIT
// What a library offers where the entry is not among it. Private to unit toolchain.
#pragma once

#include <string>
#include <vector>

namespace hashprof::toolchain {

/// "it is there with C++ linkage, as CryptHash(int, unsigned char const*): declare it extern "C"",
/// "did you mean 'Crypt_Hash'?" or "there are a, b and 12 others"; names of C++ as in sources.
[[nodiscard]] std::string describe_exports(const std::vector<std::string>& exports,
                                           const std::string& entry);

}  // namespace hashprof::toolchain
