// SPDX-License-Identifier: MIT
// Which files the sources of one implementation take in, and which folders, sources and headers
// that makes necessary. Private to the unit.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "submission/library.h"

namespace hashprof::submission {

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
