// SPDX-License-Identifier: MIT
// The files below a folder that somebody else filled: bounded, and never beyond it.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace hashprof::submission {

constexpr std::size_t kDeepestFolder = 8;
constexpr std::size_t kMostFiles = 20'000;

struct FileTree {
  std::filesystem::path root;                ///< canonical
  std::vector<std::filesystem::path> files;  ///< absolute, in byte order of their paths
  std::vector<std::string> notes;            ///< what was passed over and why, for people

  /// The regular files directly in `folder`, in order.
  [[nodiscard]] std::vector<std::filesystem::path> files_in(
      const std::filesystem::path& folder) const;
  /// Every folder that holds a file, in order.
  [[nodiscard]] std::vector<std::filesystem::path> folders() const;
  /// A path as messages name it: relative to the root, control characters and bad UTF-8 as \xNN.
  [[nodiscard]] std::string shown(const std::filesystem::path& path) const;
};

/// Lists the regular files of a folder and of those below it, kDeepestFolder levels deep, at most
/// kMostFiles. Hidden folders and what CMake and archivers leave (CMakeFiles, __MACOSX) are passed
/// over. A symbolic link to a file of the tree counts, one to a folder or out of the tree does not.
/// What cannot be read is noted. Throws Error{usage} if `folder` is none or cannot be read.
[[nodiscard]] FileTree read_file_tree(const std::filesystem::path& folder);

/// Whether `path` is `folder` or lies below it; both absolute and normal.
[[nodiscard]] bool is_below(const std::filesystem::path& path, const std::filesystem::path& folder);

}  // namespace hashprof::submission
