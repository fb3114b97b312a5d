// SPDX-License-Identifier: MIT
// A submission as the text of a hash.yaml, with a comment wherever a choice was made.
#pragma once

#include <filesystem>
#include <string>

#include "submission/submission.h"

namespace hashprof::submission {

/// The text of a hash.yaml that is to stand at `file` (absolute); paths in it are relative to its
/// folder. Names `manifest_name` where the submission has known-answer files.
[[nodiscard]] std::string hash_yaml(const Submission& submission,
                                    const std::filesystem::path& file);

/// "<id>.kat.sha256": the manifest stands beside the hash.yaml.
[[nodiscard]] std::string manifest_name(const Submission& submission);
/// Its text: a line for each known-answer file. Empty if there is none.
[[nodiscard]] std::string manifest_text(const Submission& submission);

}  // namespace hashprof::submission
