// SPDX-License-Identifier: MIT
// See catalog/source_folder.h.
#include "catalog/source_folder.h"

#include <algorithm>
#include <array>
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

std::vector<fs::path> sources_in(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code code;
  fs::directory_iterator entries(folder, code);
  for (; !code && entries != fs::directory_iterator(); entries.increment(code)) {
    std::error_code ignored;
    if (is_source(entries->path()) && entries->is_regular_file(ignored)) {
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
  std::vector<std::string> codes;
  codes.reserve(files.size());
  for (const fs::path& file : files) {
    codes.push_back(code_of(read_file(file, kLargestSource, Fault::configuration)));
  }
  const auto reason_of = [&](std::size_t index) -> std::string {
    if (is_driver(files[index], codes[index])) {
      return "defines main";
    }
    if (is_driver_name(files[index])) {
      return "is named like a driver";
    }
    for (std::size_t other = 0; other < files.size(); ++other) {
      const auto names = quoted_includes(codes[other]);
      const bool is_included = std::any_of(names.begin(), names.end(), [&](const auto& name) {
        return (folder / name).lexically_normal() == files[index].lexically_normal();
      });
      if (other != index && is_included && !is_driver(files[other], codes[other]) &&
          !is_driver_name(files[other])) {
        return "is included by " + text::printable(files[other].filename().native());
      }
    }
    return "";
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
