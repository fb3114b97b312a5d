// SPDX-License-Identifier: MIT
// Whole files: read with a cap, written so that a reader sees the old or the new content.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/units.h"

namespace hashprof {

/// The content of a regular file. Throws Error{fault} if it is missing, unreadable, not a regular
/// file (a FIFO does not block), or larger than `cap`.
[[nodiscard]] std::string read_file(const std::filesystem::path& path, Bytes cap,
                                    Fault fault = Fault::environment);
/// The content of a file of /proc or /sys (whose size is said to be 0), or nothing if it cannot be
/// read.
[[nodiscard]] std::optional<std::string> find_file_text(const std::filesystem::path& path);
/// Writes a temporary file beside `path` with mode `mode` whatever the umask, syncs it and renames
/// it over `path`. On failure throws Error{output}; the old content stays and the temporary is
/// removed.
void write_file_atomically(const std::filesystem::path& path, std::string_view content,
                           unsigned mode = 0644);
/// mkdir -p; throws Error{output}.
void make_directories(const std::filesystem::path& path);

/// This moment as 2026-11-30T20:17:01Z.
[[nodiscard]] std::string utc_now();

}  // namespace hashprof
