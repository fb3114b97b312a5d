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

bool is_same_making(const BuildResult& earlier, const BuildResult& wanted) {
  return !earlier.has_unseen_inputs && !wanted.has_unseen_inputs &&
         earlier.commands == wanted.commands && earlier.profile == wanted.profile &&
         earlier.native == wanted.native && earlier.compiler == wanted.compiler &&
         earlier.inputs == wanted.inputs && earlier.shared_libraries == wanted.shared_libraries &&
         earlier.preprocessed_sha256 == wanted.preprocessed_sha256;
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

fs::path layout_library(const fs::path& library, std::uint32_t layout) {
  return layout == 0 ? library
                     : fs::path(library).replace_extension(".layout" + std::to_string(layout) +
                                                           library.extension().native());
}

}  // namespace hashprof::toolchain
