// SPDX-License-Identifier: MIT
// The first phases of a run as a value, for verbs that build and prove on the way.
#pragma once

#include <string>
#include <vector>

#include "app/setup.h"
#include "cli/options.h"
#include "json/value.h"
#include "record/kat_log.h"

namespace hashprof::app {

struct Proof {
  std::vector<record::KatEntry> answers;  ///< by build
  bool has_failures = false;              ///< of a build or of an answer
};

/// Builds every library and checks its known answers, in the run directory of `setup`. Throws as
/// `hashprof kat` does.
[[nodiscard]] Proof prove(const Setup& setup, const cli::Options& options);

/// A line "RESULT family instance STATUS detail" for each.
[[nodiscard]] std::string answer_lines(const std::vector<record::KatEntry>& answers);
[[nodiscard]] json::Array answers_to_json(const std::vector<record::KatEntry>& answers);

}  // namespace hashprof::app
