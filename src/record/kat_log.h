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

/// What one known-answer file came to.
struct KatFileEntry {
  std::string kind;     ///< "2_12"
  std::string status;   ///< "PASS", "MISMATCH", "NOKAT", ...; empty as long as it was not tried
  std::string sha256;   ///< of the canonical text that was computed; empty if none was
  std::string mode;     ///< of the manifest's line; empty without one
  std::string file;     ///< "KAT_2_12_LLH-256.txt"
  std::string against;  ///< what it was compared with; empty if nothing
  std::string detail;   ///< one line, may be empty
  std::optional<std::uint64_t> bytes;       ///< of the text; none if none was computed
  std::optional<std::uint64_t> elapsed_ns;  ///< of its process; none where the run is simulated
  std::string submitted_sha256;  ///< of the submitted file that it was held against; empty if none
  /// To be computed again, and answered until then by what is here; no part of the log.
  bool is_pending = false;
};

/// What one check of the API's contract came to.
struct ContractEntry {
  std::string step;      ///< "message_end"
  std::string standing;  ///< "kept", "BROKEN", "reported" or "NOTRUN"
  std::string detail;    ///< one line; empty if kept
};

/// What the vectors came to.
struct VectorEntry {
  std::string status;  ///< "PASS", "MISMATCH", ...; empty as long as they were not tried
  std::string detail;
  std::optional<std::uint64_t> first_wrong_bits;
};

/// One build's known-answer result with what it was computed from.
struct KatEntry {
  std::string family_id;
  std::string label;    ///< of the build
  std::string library;  ///< relative path
  std::string library_sha256;
  /// SHA-256 of what else the answers depend on: how the function is called, and in what process.
  std::string question_sha256;
  std::vector<std::pair<std::string, std::string>> vector_files;  ///< name and SHA-256
  std::string manifest;  ///< name; empty if the family has none
  std::string manifest_sha256;
  VectorEntry vectors;
  std::vector<VectorEntry> layouts;     ///< the same of each further layout of the build
  std::vector<KatFileEntry> files;      ///< that were wanted, in order
  std::vector<ContractEntry> contract;  ///< every check, in order; empty if none was reached
  std::uint64_t checked = 0;            ///< vectors
  std::uint64_t total = 0;
  std::string status;          ///< "PASS", "MISMATCH", ...
  std::string detail;          ///< one line, may be empty
  std::string library_output;  ///< what the library wrote, escaped lines
};

/// Whether two results are about one library, question, vectors and manifest, so that what the
/// earlier one answered stands.
[[nodiscard]] bool is_same_question(const KatEntry& left, const KatEntry& right);

/// The log's text; its last line is `RESULT <family> <label> <STATUS>[ <detail>]`.
[[nodiscard]] std::string kat_log_text(const KatEntry& entry);
/// Reads a log; nothing if there is none or it is not a complete one.
[[nodiscard]] std::optional<KatEntry> find_kat_log(const std::filesystem::path& file);

}  // namespace hashprof::record
