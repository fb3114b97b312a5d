// SPDX-License-Identifier: MIT
// The libraries of a run: which are there, which have to be built, with what profile and compiler.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/setup.h"
#include "record/run_directory.h"
#include "toolchain/toolchain.h"

namespace hashprof::app {

/// What one build of the plan came to.
struct MadeLibrary {
  toolchain::BuildResult result;
  std::string flags;          ///< of the compilation, on one line
  std::filesystem::path log;  ///< of the build; empty if there was none
  bool is_carried = false;    ///< the run directory brought it from another machine
  /// That `result` came from or stands for; none where nothing was asked of a compiler.
  std::optional<toolchain::BuildRequest> request = {};
};

/// How libraries are made.
struct MakeOptions {
  std::uint32_t jobs = 1;        ///< builds at a time
  std::filesystem::path cache;   ///< empty = none
  bool has_measured = false;     ///< figures were taken already: every library must be what it was
  bool is_objects_only = false;  ///< they are compiled for their sizes
};

/// The folder that keeps builds: $XDG_CACHE_HOME/hashprof, else ~/.cache/hashprof; empty if neither
/// variable is an absolute path.
[[nodiscard]] std::filesystem::path default_cache();

/// Makes, or finds, the library of every build, in their order; `earlier` has the results
/// of an earlier command by Build::id(). Calls `show` before each. A failing build is a result.
/// Throws Interrupted, Error{output} if a library cannot be written, and Error{configuration} if
/// something has been measured already from what is not there any more.
[[nodiscard]] std::vector<MadeLibrary> make_libraries(
    const Setup& setup, const std::vector<plan::Build>& builds, const record::RunPaths& paths,
    const MakeOptions& options, const std::map<std::string, toolchain::BuildResult>& earlier,
    const std::function<void(const std::string&)>& show);

}  // namespace hashprof::app
