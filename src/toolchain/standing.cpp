// SPDX-License-Identifier: MIT
// See toolchain/standing.h.
#include "toolchain/standing.h"

#include <sys/stat.h>

#include <algorithm>
#include <system_error>

#include "base/error.h"
#include "base/sha256.h"

namespace hashprof::toolchain {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMostNames = 20'000;

/// Adds the names below a folder; false if they are too many or cannot be read.
bool add_names(const fs::path& folder, std::vector<std::string>& names) {
  std::error_code code;
  fs::recursive_directory_iterator entries(folder, code);
  for (; !code && entries != fs::recursive_directory_iterator(); entries.increment(code)) {
    names.push_back(entries->path().native());
    std::error_code ignored;
    const bool leads_elsewhere = entries->is_symlink(ignored) && entries->is_directory(ignored);
    if (names.size() > kMostNames || leads_elsewhere) {
      return false;
    }
  }
  return !code;
}

}  // namespace

bool is_intact(const fs::path& library, const std::string& sha256) {
  struct stat status {};
  if (::lstat(library.c_str(), &status) != 0 || !S_ISREG(status.st_mode) ||
      (status.st_mode & 07777U) != 0644U) {
    return false;
  }
  try {
    return sha256_of_file(library) == sha256;
  } catch (const Error&) {
    return false;
  }
}

bool is_same_making(const BuildResult& left, const BuildResult& right) {
  return !left.has_unseen_inputs && left.commands == right.commands &&
         left.profile == right.profile && left.native == right.native &&
         left.compiler == right.compiler;
}

bool stands(const BuildResult& earlier, const BuildRequest& request) {
  if (request.is_objects_only || earlier.sizes) {
    return request.is_objects_only && earlier.is_built && earlier.sizes;
  }
  if (!earlier.is_built || earlier.layout_sha256.size() + 1 != std::max(1U, request.layouts)) {
    return false;
  }
  for (std::uint32_t layout = 0; layout <= earlier.layout_sha256.size(); ++layout) {
    if (!is_intact(layout_library(request.library, layout),
                   layout == 0 ? earlier.library_sha256 : earlier.layout_sha256[layout - 1])) {
      return false;
    }
  }
  return true;
}

bool stands_unseen(const BuildResult& earlier, const BuildResult& wanted) {
  return earlier.is_built && is_same_making(earlier, wanted) && !wanted.names_sha256.empty() &&
         earlier.names_sha256 == wanted.names_sha256 && changed_inputs(earlier).empty();
}

std::string digest_of_names(const std::vector<fs::path>& folders) {
  std::vector<std::string> names;
  for (const fs::path& folder : folders) {
    if (!add_names(folder, names)) {
      return "";
    }
  }
  std::sort(names.begin(), names.end());
  std::string text;
  for (const std::string& name : names) {
    text += name + '\0';
  }
  return sha256_of(text);
}

fs::path layout_library(const fs::path& library, std::uint32_t layout) {
  return layout == 0 ? library
                     : fs::path(library).replace_extension(".layout" + std::to_string(layout) +
                                                           library.extension().native());
}

}  // namespace hashprof::toolchain
