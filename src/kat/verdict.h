// SPDX-License-Identifier: MIT
// The verdict on a known-answer file that a build would write, and on the build as a whole.
#pragma once

#include <cstdint>
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
  std::string file;         ///< its name
  std::string detail;       ///< one line; empty if there is nothing to say
  std::string sha256;       ///< of the canonical text that was computed; empty if none was
  std::string mode;         ///< of the manifest's line; empty without one
  std::uint64_t bytes = 0;  ///< of the text that was computed
};

/// NOKAT: the family has no manifest, or it has no line for the file.
[[nodiscard]] KindVerdict without_line(Kind kind, const std::string& file, bool has_manifest);

/// Compares the text over `digests`, which are in the order of the messages, with the line.
[[nodiscard]] KindVerdict judge(const MessageSet& set, const std::string& file,
                                const ManifestLine& line,
                                const std::vector<std::vector<std::uint8_t>>& digests);

/// The gate. PASS if the vectors (where there are any) and every file with a manifest line agree;
/// NOVECTORS if there is neither. A crash, time-out, failed call or failed load of a file comes
/// before a mismatch. For a mismatch the detail names the shortest wrong message among the vectors,
/// or says that they cannot.
[[nodiscard]] Verdict combine(const Verdict& vectors, const std::vector<KindVerdict>& kinds);

}  // namespace hashprof::kat
