// SPDX-License-Identifier: MIT
// See toolchain/includes.h. Format: GCC manual, cpp, "Preprocessor Output".
#include "toolchain/includes.h"

#include <algorithm>

#include "base/text.h"

namespace hashprof::toolchain {

namespace {

bool is_octal(char c) { return c >= '0' && c <= '7'; }

/// Undoes the escapes of a C string from `line[*position]` to its closing quote, which is passed.
std::optional<std::string> unescape(std::string_view line, std::size_t& position) {
  std::string name;
  while (position < line.size() && line[position] != '"') {
    if (line[position] != '\\') {
      name += line[position++];
      continue;
    }
    ++position;
    unsigned value = 0;
    std::size_t digits = 0;
    while (digits < 3 && position < line.size() && is_octal(line[position])) {
      value = value * 8 + static_cast<unsigned>(line[position++] - '0');
      ++digits;
    }
    if (digits != 0) {
      name += static_cast<char>(value & 0xffU);
    } else if (position < line.size()) {
      name += line[position] == 'n' ? '\n' : line[position];
      ++position;
    }
  }
  if (position >= line.size()) {
    return std::nullopt;
  }
  ++position;
  return name;
}

}  // namespace

std::optional<std::string> entered_file(std::string_view line) {
  std::size_t position = 2;
  if (line.substr(0, position) != "# ") {
    return std::nullopt;
  }
  while (position < line.size() && line[position] >= '0' && line[position] <= '9') {
    ++position;
  }
  if (position == 2 || line.substr(position, 2) != " \"") {
    return std::nullopt;
  }
  position += 2;
  std::optional<std::string> name = unescape(line, position);
  if (!name.has_value() || name->empty()) {
    return std::nullopt;
  }
  const std::vector<std::string> flags = text::split(line.substr(position), ' ');
  const auto has_flag = [&flags](const char* flag) {
    return std::find(flags.begin(), flags.end(), flag) != flags.end();
  };
  if (!has_flag("1") || (has_flag("3") && name->front() == '/')) {
    return std::nullopt;
  }
  return name;
}

std::vector<std::string> entered_files(std::istream& preprocessed) {
  std::vector<std::string> files;
  std::string line;
  while (std::getline(preprocessed, line)) {
    std::optional<std::string> file = entered_file(line);
    if (file.has_value() && std::find(files.begin(), files.end(), *file) == files.end()) {
      files.push_back(std::move(*file));
    }
  }
  return files;
}

}  // namespace hashprof::toolchain
