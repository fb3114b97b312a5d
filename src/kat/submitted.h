// SPDX-License-Identifier: MIT
// A submitted known-answer file against what a build computed, record by record.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "kat/message_set.h"

namespace hashprof::kat {

/// Whether the file can be one of the kind: its size, the keys of its lines, the number of its
/// records. Cheap, so that a wrong file is found before anything is computed. Throws
/// Error{configuration} as find_difference; that the messages are others only that one can tell.
void check_submitted(const std::filesystem::path& submitted, Kind kind);

/// Compares the canonical lines of both: "differs first at record 18, 17 bits: expected Dst 0A…,
/// got 0B…". Empty if they are equal. Throws Error{configuration} if the file cannot be read, is
/// larger than any known-answer file, or has other messages than the procedure.
[[nodiscard]] std::string find_difference(const std::filesystem::path& submitted,
                                          const MessageSet& set,
                                          const std::vector<std::vector<std::uint8_t>>& digests);

}  // namespace hashprof::kat
