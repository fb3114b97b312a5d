// SPDX-License-Identifier: MIT
// Sources and a profile become one shared library that exports its entry and nothing else.
// No shell is involved; each command is an argument list.
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

struct CompilerIdentity {
  std::string command;  ///< as asked for: "gcc"
  std::string path;     ///< resolved through PATH
  std::string version;  ///< first line of --version
  std::string target;   ///< -dumpmachine
};
/// Finds and questions a compiler. Throws Error{environment} with the package to install.
[[nodiscard]] CompilerIdentity identify_compiler(const std::string& command);

struct BuildRequest {
  std::string label;  ///< for messages
  catalog::BuildSettings settings;
  Profile profile;
  CompilerIdentity compiler;
  std::filesystem::path library;  ///< the .so to make, mode 0644 whatever the umask
  std::filesystem::path log;      ///< commands and compiler output
  Nanoseconds time_limit{300'000'000'000};
};

struct InputFile {
  std::string path;  ///< as compiled
  std::string sha256;
  [[nodiscard]] bool operator==(const InputFile&) const = default;
};

struct BuildResult {
  std::string label;
  bool is_built = false;
  std::string reason;      ///< why not; empty if built
  bool is_reused = false;  ///< the library of an earlier build with equal inputs stood
  std::vector<std::vector<std::string>> commands;  ///< argument lists, in order
  std::vector<InputFile> inputs;  ///< sources and the headers they include, system headers apart
  CompilerIdentity compiler;
  std::string profile;
  std::string library_sha256;  ///< empty if not built
};

/// Builds, or reuses what `earlier` describes if command, compiler and every input are unchanged
/// and the library still has its digest. A failing, missing or endless compiler is a result with a
/// reason, not an exception; throws Error{output} if library or log cannot be written.
[[nodiscard]] BuildResult build(const BuildRequest& request,
                                const std::optional<BuildResult>& earlier);

/// Inputs of `result` whose content is no longer what was built, as they are named in it.
[[nodiscard]] std::vector<std::string> changed_inputs(const BuildResult& result);

[[nodiscard]] json::Value to_json(const BuildResult& result);
[[nodiscard]] BuildResult build_from_json(const json::Value& value);

}  // namespace hashprof::toolchain
