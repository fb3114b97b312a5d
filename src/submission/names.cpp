// SPDX-License-Identifier: MIT
// See submission/names.h.
#include "submission/names.h"

#include <algorithm>
#include <array>

namespace hashprof::submission {

namespace {

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-';
}

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return out;
}

}  // namespace

std::string clean_name(std::string_view raw, bool with_dots) {
  std::string out;
  bool is_gap = false;
  for (const char c : raw) {
    if (!is_word(c) && !(with_dots && c == '.' && !out.empty())) {
      is_gap = true;
      continue;
    }
    if (is_gap && !out.empty() && out.back() != '_' && c != '_') {
      out += '_';
    }
    is_gap = false;
    out += c;
  }
  return out.substr(0, kLongestName);
}

bool is_clean_name(std::string_view raw) { return !raw.empty() && clean_name(raw) == raw; }

std::string bare_name(std::string_view name) {
  std::string out = lower(name);
  out.erase(std::remove_if(out.begin(), out.end(),
                           [](char c) { return !is_word(c) || c == '_' || c == '-'; }),
            out.end());
  return out;
}

std::string free_name(const std::string& name, const std::vector<std::string>& taken) {
  std::string candidate = name;
  for (unsigned number = 2; std::find(taken.begin(), taken.end(), candidate) != taken.end();
       ++number) {
    const std::string suffix = "_" + std::to_string(number);
    candidate = name.substr(0, kLongestName - suffix.size()) + suffix;
  }
  return candidate;
}

bool is_common_folder_name(std::string_view name) {
  static constexpr std::array<std::string_view, 16> kNames = {
      "ref",  "reference", "opt",   "optimized", "optimised",      "src",  "source", "sources",
      "code", "c",         "plain", "avx2",      "implementation", "impl", "x86",    "arm"};
  const std::string small = lower(name);
  return std::find(kNames.begin(), kNames.end(), small) != kNames.end() ||
         small.find("implementation") != std::string::npos;
}

std::string name_of_folder(const std::filesystem::path& folder) {
  for (std::filesystem::path path = folder; path.has_filename(); path = path.parent_path()) {
    std::string name = clean_name(path.filename().native());
    if (!name.empty() && !is_common_folder_name(path.filename().native())) {
      return name;
    }
  }
  return "submission";
}

bool is_optimized(const std::filesystem::path& relative) {
  return lower(relative.native()).find("optimi") != std::string::npos;
}

}  // namespace hashprof::submission
