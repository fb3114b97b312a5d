// SPDX-License-Identifier: MIT
// A manifest: the SHA-256 of the canonical form of each submitted known-answer file of a family.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "kat/canonical.h"

namespace hashprof::kat {

/// `<64 hex> <mode> <label>/<file>`, or `<file>` alone.
struct ManifestLine {
  std::string sha256;  ///< lower-case
  Mode mode;
  std::string name;  ///< "LLH-256/KAT_2_12_LLH-256.txt"
  std::uint32_t line = 0;
};

/// Reads a manifest; LF or CRLF; empty lines count for nothing. Throws Error{configuration} naming
/// file:line, also for a name that stands twice and for a manifest without a line.
[[nodiscard]] std::vector<ManifestLine> load_manifest(const std::filesystem::path& file);
[[nodiscard]] std::vector<ManifestLine> parse_manifest(const std::string& text,
                                                       const std::string& file);

/// The line of `<label>/<file>`, else that of the bare `<file>`; null if there is neither.
[[nodiscard]] const ManifestLine* find_line(const std::vector<ManifestLine>& manifest,
                                            const std::string& label, const std::string& file);

}  // namespace hashprof::kat
