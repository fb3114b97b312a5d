// SPDX-License-Identifier: MIT
// See catalog/source_folder.h.
#include "catalog/source_folder.h"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <system_error>

#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "catalog/c_text.h"

namespace hashprof::catalog {

namespace {

namespace fs = std::filesystem;

constexpr Bytes kLargestSource{16U << 20U};

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return text;
}

bool is_source(const fs::path& file) {
  const std::string extension = file.extension().native();
  return extension == ".c" || extension == ".S" || is_cxx_source(file);
}

/// A usual name of a program beside a hash, alone or before what is no letter: test_hash.c,
/// bench.c, KAT_CryptHash.c, but not testimony.c.
bool is_driver_name(const fs::path& file) {
  static constexpr std::array<std::string_view, 22> kNames = {
      "kat",        "genkat",      "pqcgenkat", "main",      "test",    "tests",
      "selftest",   "testvectors", "bench",     "benchmark", "speed",   "speedtest",
      "throughput", "perf",        "timing",    "cpucycles", "example", "examples",
      "demo",       "sample",      "driver",    "kat_gen"};
  const std::string stem = lower(file.stem().native());
  return std::any_of(kNames.begin(), kNames.end(), [&](std::string_view name) {
    if (stem.rfind(name, 0) != 0) {
      return false;
    }
    const char next = stem.size() == name.size() ? '_' : stem[name.size()];
    return next < 'a' || next > 'z';
  });
}

/// An assembler file defines main as a label.
bool is_driver(const fs::path& file, const std::string& code) {
  if (file.extension() != ".S") {
    return defines_function(code, "main");
  }
  const auto lines = text::split(code, '\n');
  return std::any_of(lines.begin(), lines.end(), [](const std::string& line) {
    return text::trim(line).substr(0, 5) == "main:";
  });
}

/// Why a file is a driver; empty if it is none.
std::string driver_reason(const fs::path& file, const std::string& code) {
  if (is_driver(file, code)) {
    return "defines main";
  }
  return is_driver_name(file) ? "is named like a driver" : "";
}

std::vector<fs::path> sources_in(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code code;
  fs::directory_iterator entries(folder, code);
  for (; !code && entries != fs::directory_iterator(); entries.increment(code)) {
    std::error_code ignored;
    const bool is_hidden = entries->path().filename().native().front() == '.';
    if (!is_hidden && is_source(entries->path()) && entries->is_regular_file(ignored)) {
      files.push_back(entries->path());
    }
  }
  if (code) {
    throw Error(Fault::configuration, text::printable(folder.native()),
                "sources: auto cannot read this folder (" + code.message() + ")")
        .hint("name the folder of the sources, or list the files");
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

bool is_cxx_source(const fs::path& file) {
  const std::string extension = file.extension().native();
  return extension == ".cc" || extension == ".cpp" || extension == ".cxx";
}

bool is_cxx_language(const std::string& language) {
  return language.rfind("c++", 0) == 0 || language.rfind("gnu++", 0) == 0;
}

SourceFolder scan_source_folder(const fs::path& folder) {
  const std::vector<fs::path> files = sources_in(folder);
  std::vector<std::string> reasons;
  std::map<fs::path, fs::path> includers;
  reasons.reserve(files.size());
  for (const fs::path& file : files) {
    const std::string code = code_of(read_file(file, kLargestSource, Fault::configuration));
    reasons.push_back(driver_reason(file, code));
    if (!reasons.back().empty()) {
      continue;
    }
    for (const std::string& name : quoted_includes(code)) {
      const fs::path included = (folder / name).lexically_normal();
      if (included != file.lexically_normal()) {
        includers.emplace(included, file);
      }
    }
  }
  const auto reason_of = [&](std::size_t index) -> std::string {
    const auto includer = includers.find(files[index].lexically_normal());
    return !reasons[index].empty() || includer == includers.end()
               ? reasons[index]
               : "is included by " + text::printable(includer->second.filename().native());
  };
  SourceFolder result;
  for (std::size_t i = 0; i < files.size(); ++i) {
    std::string reason = reason_of(i);
    if (reason.empty()) {
      result.sources.push_back(files[i]);
    } else {
      result.left_out.push_back({files[i], std::move(reason)});
    }
  }
  return result;
}

}  // namespace hashprof::catalog
