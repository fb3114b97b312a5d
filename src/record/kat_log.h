// SPDX-License-Identifier: MIT
// RUN/kat/<family>/<label>.log: what the known answers said of one build, for people and for
// resume.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace hashprof::record {

/// One build's known-answer result with what it was computed from.
struct KatEntry {
  std::string family_id;
  std::string instance;
  std::string library;  ///< relative path
  std::string library_sha256;
  std::vector<std::pair<std::string, std::string>> vector_files;  ///< name and SHA-256
  std::uint64_t checked = 0;
  std::uint64_t total = 0;
  std::string status;          ///< "PASS", "MISMATCH", ...
  std::string detail;          ///< one line, may be empty
  std::string library_output;  ///< what the library wrote, escaped lines
};

/// The log's text; its last line is `RESULT <family> <instance> <STATUS>[ <detail>]`.
[[nodiscard]] std::string kat_log_text(const KatEntry& entry);
/// Reads a log; nothing if there is none or it is not a complete one.
[[nodiscard]] std::optional<KatEntry> find_kat_log(const std::filesystem::path& file);

}  // namespace hashprof::record
