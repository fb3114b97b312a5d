// SPDX-License-Identifier: MIT
// What `hashprof init` found in a folder, for people and as JSON.
#pragma once

#include <filesystem>
#include <string>

#include "json/value.h"
#include "submission/submission.h"

namespace hashprof::app {

/// Instances, then what was left out and why, then what init is unsure of.
[[nodiscard]] std::string init_text(const submission::Submission& submission,
                                    const std::filesystem::path& file);
[[nodiscard]] json::Value init_to_json(const submission::Submission& submission,
                                       const std::filesystem::path& file);

}  // namespace hashprof::app
