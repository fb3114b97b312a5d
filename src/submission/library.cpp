// SPDX-License-Identifier: MIT
// See submission/library.h.
#include "submission/library.h"

#include <algorithm>
#include <system_error>

#include "base/error.h"
#include "base/file.h"

namespace hashprof::submission {

namespace {

namespace fs = std::filesystem;

constexpr Bytes kLargestSource{4U << 20U};

bool ends_in(const fs::path& path, const fs::path& end) {
  const std::string tail = "/" + end.lexically_normal().native();
  const std::string& whole = path.native();
  return whole.size() >= tail.size() &&
         whole.compare(whole.size() - tail.size(), tail.size(), tail) == 0;
}

}  // namespace

Library::Library(const FileTree& tree)
    : tree_(tree), files_(tree.files.begin(), tree.files.end()), names_(by_name(tree)) {}

Library::ByName Library::by_name(const FileTree& tree) {
  ByName names;
  for (const fs::path& file : tree.files) {
    names.emplace(file.filename().native(), file);
  }
  return names;
}

const SourceFacts& Library::facts(const fs::path& file) {
  const auto known = facts_.find(file);
  if (known != facts_.end()) {
    return known->second;
  }
  SourceFacts facts;
  try {
    facts = facts_of(read_file(file, kLargestSource, Fault::configuration));
  } catch (const Error& error) {
    notes_.push_back(tree_.shown(file) + ": is not looked into: " + error.message());
  }
  return facts_.emplace(file, std::move(facts)).first->second;
}

bool Library::is_file(const fs::path& file) const {
  if (is_below(file, tree_.root)) {
    return files_.count(file) != 0;
  }
  std::error_code code;
  return fs::symlink_status(file, code).type() == fs::file_type::regular;
}

std::vector<fs::path> Library::find_below(const fs::path& folder, const std::string& name) {
  const ByName* names = &names_;
  if (!is_below(folder, tree_.root)) {
    auto known = above_.find(folder);
    if (known == above_.end()) {
      ByName listed;
      try {
        listed = by_name(read_file_tree(folder));
      } catch (const Error&) {
        listed.clear();  // what may not be read above the submission has nothing to suggest
      }
      known = above_.emplace(folder, std::move(listed)).first;
    }
    names = &known->second;
  }
  std::vector<fs::path> found;
  const auto [first, last] = names->equal_range(fs::path(name).filename().native());
  for (auto each = first; each != last; ++each) {
    if (is_below(each->second, folder) && ends_in(each->second, name)) {
      found.push_back(each->second);
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace hashprof::submission
