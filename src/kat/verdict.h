// SPDX-License-Identifier: MIT
// The verdict on a known-answer file that a build would write, and on the build as a whole.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "kat/manifest.h"
#include "kat/message_set.h"
#include "kat/vectors.h"

namespace hashprof::kat {

/// What one known-answer file of a build came to.
struct KindVerdict {
  Kind kind = Kind::k2_12;
  Status status = Status::not_run;
  std::string file;    ///< its name
  std::string detail;  ///< one line; empty if there is nothing to say
  std::string sha256;  ///< of the canonical text that was computed; empty if none was
  std::string mode;    ///< of the manifest's line; empty without one
  /// What it was compared with: "the manifest", "the submitted file", "LLH-256"; empty if nothing.
  std::string against;
  std::uint64_t bytes = 0;  ///< of the text that was computed
};

/// NOKAT of a file that is not computed: the family has no manifest, or it has no line for it.
[[nodiscard]] KindVerdict without_line(Kind kind, const std::string& file, bool has_manifest);

/// The text over `digests`, which are in the order of the messages, compared with the line of the
/// manifest; NOKAT with its digest where `line` is null.
[[nodiscard]] KindVerdict judge(const MessageSet& set, const std::string& file,
                                const ManifestLine* line, bool has_manifest,
                                const std::vector<std::vector<std::uint8_t>>& digests);

/// A verdict that `judge` left without an answer, or found wrong, held against the submitted file:
/// NOKAT becomes PASS or MISMATCH, and the detail of a mismatch names the first record that
/// differs, its length, and what was expected and computed. Throws Error{configuration} if the
/// file cannot be read or is none of this kind.
[[nodiscard]] KindVerdict compare_with_submitted(
    KindVerdict verdict, const std::filesystem::path& submitted, const MessageSet& set,
    const std::vector<std::vector<std::uint8_t>>& digests);

/// A file that has no known answer, held against the same one of another variant, which is called
/// `other`: the texts are the same, or it is a MISMATCH.
[[nodiscard]] KindVerdict compare_with_variant(KindVerdict verdict, const std::string& other,
                                               const std::string& other_sha256);

/// The gate. PASS if the vectors (where there are any) and every file with a manifest line agree;
/// NOVECTORS if there is neither. A crash, time-out, failed call or failed load of a file comes
/// before a mismatch. Files that were computed without a known answer are named. For a mismatch the
/// detail names the shortest wrong message among the vectors, or says that they cannot.
[[nodiscard]] Verdict combine(const Verdict& vectors, const std::vector<KindVerdict>& kinds);

}  // namespace hashprof::kat
