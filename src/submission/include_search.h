// SPDX-License-Identifier: MIT
// Which files the sources of one implementation take in, and which folders, sources and headers
// that makes necessary. Private to the unit.
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

/// An #include "name" that leads nowhere as things are.
struct MissingInclude {
  std::string name;
  std::filesystem::path from;
  std::vector<std::filesystem::path> nearby;  ///< files of that name up to three folders above
};

struct Reach {
  std::vector<std::filesystem::path> files;              ///< sources and what they include
  std::set<std::filesystem::path> included;              ///< those that an #include names
  std::vector<std::filesystem::path> include;            ///< folders that have to be searched
  std::vector<std::filesystem::path> more_sources;       ///< that belong to headers elsewhere
  std::vector<std::filesystem::path> suggested_include;  ///< the same where it is a guess
  std::vector<std::filesystem::path> suggested_sources;
  std::vector<MissingInclude> missing;
};

/// Follows the includes of `sources`, which lie in `folder`. A header in a folder below brings the
/// sources of that folder, one elsewhere the source of its name beside it. One that is found only
/// by its name above is suggested, if it is the only one, and followed.
[[nodiscard]] Reach follow_includes(Library& library, const std::filesystem::path& folder,
                                    const std::vector<std::filesystem::path>& sources);

}  // namespace hashprof::submission
