// SPDX-License-Identifier: MIT
// The library a worker is given: opened by the parent, and refused where the loader would mislead.
#pragma once

#include <filesystem>
#include <string>

#include "base/unique_fd.h"

namespace hashprof::runner {

/// Opens the library read-only; a FIFO does not block. Throws Error{environment} if it cannot be
/// opened or is no regular file.
[[nodiscard]] UniqueFd open_library(const std::filesystem::path& library);
/// Why no worker is to load it: "good.so: built for AArch64, this machine is x86-64", for which the
/// loader's text is "No such file or directory". Empty if one may try.
[[nodiscard]] std::string find_refusal(const UniqueFd& fd, const std::filesystem::path& library);

}  // namespace hashprof::runner
