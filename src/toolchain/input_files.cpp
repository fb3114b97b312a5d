// SPDX-License-Identifier: MIT
// See toolchain/input_files.h.
#include "toolchain/input_files.h"

#include <algorithm>
#include <set>

#include "base/error.h"
#include "base/sha256.h"
#include "base/text.h"
#include "toolchain/command_lines.h"

namespace hashprof::toolchain {

using std::filesystem::path;

std::optional<path> real_file(const std::vector<path>& folders, const std::string& name) {
  std::optional<path> file = name.front() == '/' ? path(name) : behind_link(folders, name);
  std::error_code code;
  if (!file.has_value() || !std::filesystem::is_regular_file(*file, code)) {
    return std::nullopt;
  }
  if (std::find(file->begin(), file->end(), "..") != file->end()) {
    path resolved = std::filesystem::canonical(*file, code);
    if (!code) {
      return resolved;
    }
  }
  return file;
}

std::vector<InputFile> digest_files(const std::vector<path>& files) {
  std::vector<InputFile> inputs;
  std::set<std::string> seen;
  for (const path& file : files) {
    if (!seen.insert(file.native()).second) {
      continue;
    }
    if (!text::is_utf8(file.native())) {
      throw Error(Fault::target, "path '" + text::printable(file.native()) + "'",
                  "not UTF-8, so that no record could name it");
    }
    inputs.push_back({file.native(), sha256_of_file(file)});
  }
  return inputs;
}

}  // namespace hashprof::toolchain
