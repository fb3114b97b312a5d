// SPDX-License-Identifier: MIT
// Sources and a profile become one shared library that exports its entry and nothing else.
// No shell is involved; each command is an argument list.
//
// A build runs in a folder of its own beside the library, which is removed afterwards. Sources and
// include folders are reached through links d0, d1, ... in it, so that no command, and no byte of
// the library, depends on how the folders are called or where the run directory lies.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/units.h"
#include "catalog/family.h"
#include "json/value.h"

namespace hashprof::toolchain {

struct Profile {
  std::string name;                ///< "guide"
  std::vector<std::string> flags;  ///< without -std=, which is the source's language
  std::string source;              ///< where the flags come from
};
/// Profiles this version knows; the guide's reference flags (guide 3.2).
[[nodiscard]] const std::vector<Profile>& profiles();
/// What hashprof adds to every profile when it compiles: position independence, the declarations
/// that a strict -std= hides, warnings that stay warnings, paths that stay out of the library.
[[nodiscard]] const std::vector<std::string>& added_compile_flags();
/// The same when it links: only the entry is exported, nothing stays undefined.
[[nodiscard]] const std::vector<std::string>& added_link_flags();

struct CompilerIdentity {
  std::string command;  ///< as asked for: "gcc"
  std::string path;     ///< resolved through PATH
  std::string version;  ///< first line of --version
  std::string target;   ///< -dumpmachine
};
/// Finds and questions a compiler; a command with a slash is a path. Relative elements of PATH are
/// passed over. Throws Error{environment} with the package to install.
[[nodiscard]] CompilerIdentity identify_compiler(const std::string& command);

struct BuildRequest {
  std::string label;  ///< for messages
  catalog::BuildSettings settings;
  Profile profile;
  CompilerIdentity compiler;
  std::filesystem::path library;  ///< the .so to make, mode 0644 whatever the umask; absolute
  std::filesystem::path log;      ///< commands and compiler output
  Nanoseconds time_limit{300'000'000'000};  ///< of the whole build
  int stop_fd = -1;  ///< readable when a stop was asked for; -1 = there is none
};

struct InputFile {
  std::string path;  ///< absolute, UTF-8
  std::string sha256;
  [[nodiscard]] bool operator==(const InputFile&) const = default;
};

struct BuildResult {
  std::string label;
  bool is_built = false;
  std::string reason;           ///< why not; empty if built
  bool is_reused = false;       ///< the library of an earlier build with equal inputs stood
  bool is_interrupted = false;  ///< stop_fd ended it; an earlier library was left as it was
  /// Argument lists, in order, in the build folder: one a source, then the link. The log has the
  /// links of the folder and the environment too.
  std::vector<std::vector<std::string>> commands;
  std::vector<InputFile> inputs;  ///< sources and the headers they include, system headers apart
  CompilerIdentity compiler;
  std::string profile;
  std::string library_sha256;  ///< empty if not built
};

/// Builds, or reuses what `earlier` describes if commands, compiler and every input are unchanged
/// and the library still has its digest and mode; each source is preprocessed to see which headers
/// it includes now. A failing, missing or endless compiler is a result with a reason, not an
/// exception, and then no library stands at `library`. Throws Error{output} if library, log or
/// build folder cannot be written.
[[nodiscard]] BuildResult build(const BuildRequest& request,
                                const std::optional<BuildResult>& earlier);

/// An earlier build that this machine cannot repeat, because its compiler or a source is not here,
/// and whose library stands all the same: `earlier`, marked as reused. It stands if it is what the
/// request asks for (commands, profile, command of the compiler; the rest of request.compiler is
/// not looked at), no input that is here differs, the library has its digest and mode, and its
/// compiler makes code for this machine. Nothing if any of this is not so: then `build` decides.
[[nodiscard]] std::optional<BuildResult> find_carried(const BuildRequest& request,
                                                      const BuildResult& earlier);

/// Inputs of `result` whose content is no longer what was built, as they are named in it.
[[nodiscard]] std::vector<std::string> changed_inputs(const BuildResult& result);

[[nodiscard]] json::Value to_json(const BuildResult& result);
[[nodiscard]] BuildResult build_from_json(const json::Value& value);

}  // namespace hashprof::toolchain
