// SPDX-License-Identifier: MIT
// The files of a submission with what each says, and where a file of some name lies. Private to the
// unit.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "submission/file_tree.h"
#include "submission/source_facts.h"

namespace hashprof::submission {

/// Facts of files, each read once, and files by their name. Must not outlive the tree.
class Library {
 public:
  explicit Library(const FileTree& tree);

  /// Empty facts for a file that cannot be read or is too large; notes() says so.
  [[nodiscard]] const SourceFacts& facts(const std::filesystem::path& file);
  /// Whether it is a regular file: inside the tree one that was listed, outside no link.
  [[nodiscard]] bool is_file(const std::filesystem::path& file) const;
  /// Files below `folder` whose path ends in the components of `name`; a folder above the tree is
  /// listed when it is first asked for.
  [[nodiscard]] std::vector<std::filesystem::path> find_below(const std::filesystem::path& folder,
                                                              const std::string& name);
  [[nodiscard]] const FileTree& tree() const { return tree_; }
  [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }

 private:
  using ByName = std::multimap<std::string, std::filesystem::path>;
  [[nodiscard]] static ByName by_name(const FileTree& tree);

  const FileTree& tree_;
  std::set<std::filesystem::path> files_;
  ByName names_;
  std::map<std::filesystem::path, ByName> above_;
  std::map<std::filesystem::path, SourceFacts> facts_;
  std::vector<std::string> notes_;
};

}  // namespace hashprof::submission
