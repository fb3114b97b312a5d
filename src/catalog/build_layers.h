// SPDX-License-Identifier: MIT
// The layers of build settings in hash.yaml, read one by one and merged key by key. Private to the
// unit.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "catalog/family.h"
#include "yaml/reader.h"

namespace hashprof::catalog {

/// One `build` mapping; what it does not say is absent.
struct BuildLayer {
  std::optional<std::vector<std::filesystem::path>> sources;
  std::optional<std::vector<std::filesystem::path>> include;
  std::optional<std::string> language;
  std::vector<std::pair<std::string, std::string>> define;
  std::optional<std::vector<std::string>> cflags;
  std::optional<std::vector<std::string>> cxxflags;
  std::optional<std::vector<std::string>> libraries;
  std::optional<std::filesystem::path> header;  ///< empty path: "auto"
  std::optional<std::string> entry;
};

/// Reads a build mapping; relative paths are relative to `folder`, which is absolute.
[[nodiscard]] BuildLayer read_build_layer(const yaml::Value& value,
                                          const std::filesystem::path& folder);
/// The same of a mapping that has other keys too; its owner asks for those and finishes it.
[[nodiscard]] BuildLayer read_build_layer(yaml::Map& map, const std::filesystem::path& folder);
/// Settings with the defaults and no source.
[[nodiscard]] BuildSettings default_settings(Api api);
/// Replaces each folder among the sources by the sources in it (catalog/source_folder.h). Throws
/// Error{configuration} if a folder cannot be read or holds none.
void resolve_folders(BuildSettings& settings);
/// Lays `layer` over `settings`: what it names replaces, single macros of `define` by name.
void merge(const BuildLayer& layer, BuildSettings& settings);
/// A list of paths, each once; relative ones are relative to `folder`.
[[nodiscard]] std::vector<std::filesystem::path> read_paths(const yaml::Value& value,
                                                            const std::filesystem::path& folder);

}  // namespace hashprof::catalog
