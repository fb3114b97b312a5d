// SPDX-License-Identifier: MIT
// The verbs. Each returns its exit code; results go to standard output, the rest to standard error.
#pragma once

#include <string>
#include <vector>

#include "cli/options.h"

namespace hashprof::app {

/// The version of the program, as CMake has it.
[[nodiscard]] const char* version();

/// Parses the words after the program's name and carries the verb out. Throws Error and
/// Interrupted.
[[nodiscard]] int execute(const std::vector<std::string>& arguments);

[[nodiscard]] int run_campaign(const cli::Options& options);
[[nodiscard]] int print_plan(const cli::Options& options);
/// `build` and `kat`: the first phases of `run` only.
[[nodiscard]] int prepare(const cli::Options& options);
/// `memory`: the phases of `run` without the timed ones.
[[nodiscard]] int measure_memory(const cli::Options& options);
[[nodiscard]] int report_again(const cli::Options& options);
/// `doctor`: always 0; what it finds is its result.
[[nodiscard]] int examine(const cli::Options& options);
[[nodiscard]] int list(const cli::Options& options);
/// `init`: writes a hash.yaml or a campaign file.
[[nodiscard]] int initialize(const cli::Options& options);

}  // namespace hashprof::app
