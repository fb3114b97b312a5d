// SPDX-License-Identifier: MIT
// Pure: a build request as argument lists, links and a version script; and what is refused.
// Private to unit toolchain.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "toolchain/toolchain.h"

namespace hashprof::toolchain {

using Arguments = std::vector<std::string>;

struct CommandLines {
  std::vector<std::filesystem::path>
      folders;  ///< link d<i> of the build folder leads to folders[i]
  std::string version_script;
  std::vector<Arguments> preprocess;  ///< one a source: d0/x.c -> <i>.i
  std::vector<Arguments> compile;     ///< one a source, and the shim: d0/x.c -> <i>.o
  std::vector<Arguments> paddings;    ///< one a layout but the first: gen/padding.S -> padding<i>.o
  std::vector<Arguments> links;       ///< one a layout: all objects -> kBuiltLibrary
  /// A source without content by the flags of the others -> kEmptyLibrary; none where nothing is
  /// linked. No part of making().
  std::vector<Arguments> empty;

  /// All that make something, in order.
  [[nodiscard]] std::vector<Arguments> making() const;
};

inline constexpr const char* kVersionScript = "exports.map";
inline constexpr const char* kBuiltLibrary = "library.so";
inline constexpr const char* kEmptyLibrary = "empty.so";
/// The source of kEmptyLibrary in kGeneratedFolder, and its text: a declaration, because ISO C
/// knows no empty source.
inline constexpr const char* kEmptyName = "empty.c";
inline constexpr const char* kEmptyCxxName = "empty.cpp";
inline constexpr const char* kEmptyText = "typedef int hashprof_nothing;\n";

/// Whether a function is put before the entry (toolchain/supercop.h).
[[nodiscard]] bool has_shim(const catalog::BuildSettings& settings);

/// Whether its libraries are linked by lld and not by the compiler's own linker.
[[nodiscard]] bool uses_lld(const BuildRequest& request);

/// The commands of a request that `find_refusal` found nothing against.
[[nodiscard]] CommandLines make_command_lines(const BuildRequest& request);

/// Why a request is not built at all: what this version cannot compile, and settings that would let
/// the compiler write elsewhere, load code, or export more than the entry.
[[nodiscard]] std::optional<std::string> find_refusal(const BuildRequest& request);

/// The environment of every compiler; `home` is where it may write.
[[nodiscard]] std::vector<std::string> compiler_environment(const std::filesystem::path& compiler,
                                                            const std::filesystem::path& home);

/// `d3/sub/x.h` as the path it stands for; nothing if `name` lies below no link.
[[nodiscard]] std::optional<std::filesystem::path> behind_link(
    const std::vector<std::filesystem::path>& links, const std::string& name);

}  // namespace hashprof::toolchain
