// SPDX-License-Identifier: MIT
// See submission/file_tree.h.
#include "submission/file_tree.h"

#include <algorithm>
#include <set>
#include <system_error>

#include "base/error.h"
#include "base/text.h"

namespace hashprof::submission {

namespace {

namespace fs = std::filesystem;

bool is_passed_over(const fs::path& folder) {
  const std::string name = folder.filename().native();
  return name.front() == '.' || name == "CMakeFiles" || name == "__MACOSX";
}

class Walk {
 public:
  explicit Walk(FileTree& tree) : tree_(tree) {}

  void folder(const fs::path& path, std::size_t depth) {
    if (depth > kDeepestFolder) {
      note(path, "is deeper than " + std::to_string(kDeepestFolder) + " folders: passed over");
      return;
    }
    std::error_code code;
    std::vector<fs::directory_entry> entries;
    fs::directory_iterator iterator(path, code);
    // Bounded here too: a folder may hold more entries than anybody wants to sort.
    for (; !code && iterator != fs::directory_iterator() && entries.size() <= kMostFiles;
         iterator.increment(code)) {
      entries.push_back(*iterator);
    }
    if (code) {
      note(path, "cannot be read: " + code.message());
    }
    std::sort(entries.begin(), entries.end(),
              [](const auto& a, const auto& b) { return a.path().native() < b.path().native(); });
    for (const fs::directory_entry& each : entries) {
      entry(each, depth);
    }
  }

 private:
  void note(const fs::path& path, const std::string& what) {
    constexpr std::size_t kMostNotes = 100;
    if (tree_.notes.size() < kMostNotes) {
      tree_.notes.push_back(tree_.shown(path) + ": " + what);
    }
  }

  void entry(const fs::directory_entry& entry, std::size_t depth) {
    std::error_code code;
    if (entry.is_symlink(code)) {
      link(entry);
    } else if (entry.is_directory(code)) {
      if (!is_passed_over(entry.path())) {
        folder(entry.path(), depth + 1);
      }
    } else if (entry.is_regular_file(code)) {
      add(entry.path());
    }
  }

  void link(const fs::directory_entry& entry) {
    std::error_code code;
    const fs::path target = fs::canonical(entry.path(), code);
    if (code || !is_below(target, tree_.root)) {
      note(entry.path(),
           code ? "is a link to nothing" : "is a link out of the folder: not followed");
    } else if (fs::is_regular_file(target, code)) {
      add(entry.path());
    } else {
      note(entry.path(), "is a link to a folder: not followed");
    }
  }

  void add(const fs::path& file) {
    if (tree_.files.size() < kMostFiles) {
      tree_.files.push_back(file);
    } else if (!is_full_) {
      is_full_ = true;
      note(file, "is beyond the first " + std::to_string(kMostFiles) +
                     " files; it and what follows is passed over");
    }
  }

  FileTree& tree_;
  bool is_full_ = false;
};

}  // namespace

std::vector<fs::path> FileTree::files_in(const fs::path& folder) const {
  std::vector<fs::path> found;
  std::copy_if(files.begin(), files.end(), std::back_inserter(found),
               [&](const fs::path& file) { return file.parent_path() == folder; });
  return found;
}

std::vector<fs::path> FileTree::folders() const {
  std::set<fs::path> found;
  for (const fs::path& file : files) {
    found.insert(file.parent_path());
  }
  return {found.begin(), found.end()};
}

std::string FileTree::shown(const fs::path& path) const {
  return text::printable(path.lexically_relative(root).native());
}

FileTree read_file_tree(const fs::path& folder) {
  const std::string where = text::printable(folder.native());
  std::error_code code;
  if (!fs::exists(folder, code)) {
    throw Error(Fault::usage, where, "no such folder").hint("name the folder that was submitted");
  }
  if (!fs::is_directory(folder, code)) {
    throw Error(Fault::usage, where, "is not a folder")
        .hint("name the folder that was submitted, or hash.yaml files");
  }
  FileTree tree;
  tree.root = fs::canonical(folder, code);
  if (!code) {
    (void)fs::directory_iterator(tree.root, code);
  }
  if (code) {
    throw Error(Fault::usage, where, "cannot be read")
        .os_error(code.value())
        .hint("make the folder readable for the user who runs hashprof");
  }
  Walk(tree).folder(tree.root, 0);
  return tree;
}

bool is_below(const fs::path& path, const fs::path& folder) {
  const fs::path relative = path.lexically_relative(folder);
  return !relative.empty() && *relative.begin() != "..";
}

}  // namespace hashprof::submission
