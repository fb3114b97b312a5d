// SPDX-License-Identifier: MIT
// Reads a manual page of section 5 as the tests need it: the keys it describes and its examples.
#pragma once

#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "yaml/reader.h"

namespace hashprof {

/// roff escapes as the characters they print.
inline std::string without_escapes(std::string_view line) {
  std::string out;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] != '\\' || i + 1 >= line.size()) {
      out += line[i];
    } else if (line[i + 1] == 'e') {
      out += '\\';
      ++i;
    } else {
      out += line[++i];
    }
  }
  return out;
}

struct ManualPage {
  std::vector<std::string> keys;      ///< of section KEYS, in order
  std::vector<std::string> reserved;  ///< of section RESERVED KEYS, in order
  std::vector<std::string> examples;  ///< between .EX and .EE of section EXAMPLES
};

inline ManualPage read_manual_page(const std::string& name) {
  std::ifstream file(std::string(HASHPROF_SOURCE_DIR) + "/man/" + name);
  ManualPage page;
  std::string section;
  std::string before;
  bool is_example = false;
  for (std::string line; std::getline(file, line); before = line) {
    if (line.rfind(".SH ", 0) == 0) {
      section = line.substr(4);
    } else if (line == ".EX") {
      is_example = section == "EXAMPLES";
      if (is_example) {
        page.examples.emplace_back();
      }
    } else if (line == ".EE") {
      is_example = false;
    } else if (is_example) {
      page.examples.back() += without_escapes(line) + "\n";
    } else if (before == ".TP" && line.rfind(".B ", 0) == 0) {
      if (section == "KEYS") {
        page.keys.push_back(line.substr(3));
      } else if (section == "RESERVED KEYS") {
        page.reserved.push_back(line.substr(3));
      }
    }
  }
  return page;
}

/// Paths of the keys of a table, either those that are read or the reserved ones.
inline std::vector<std::string> paths_of(const std::vector<yaml::Key>& keys, bool is_reserved) {
  std::vector<std::string> paths;
  for (const yaml::Key& key : keys) {
    if (key.is_reserved == is_reserved) {
      paths.push_back(key.path);
    }
  }
  return paths;
}

}  // namespace hashprof
