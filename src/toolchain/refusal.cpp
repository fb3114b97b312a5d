// SPDX-License-Identifier: MIT
// What is not given to a compiler at all; see toolchain/command_lines.h.
#include <algorithm>
#include <string_view>

#include "base/text.h"
#include "catalog/source_folder.h"
#include "toolchain/command_lines.h"

namespace hashprof::toolchain {

namespace {

using std::filesystem::path;

bool starts_with_any(std::string_view text, const std::vector<std::string_view>& prefixes) {
  return std::any_of(prefixes.begin(), prefixes.end(),
                     [text](std::string_view prefix) { return text.starts_with(prefix); });
}

bool consists_of(std::string_view text, std::string_view extra) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [extra](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
           extra.find(c) != std::string_view::npos;
  });
}

bool is_identifier(std::string_view text) {
  return consists_of(text, "_") && !(text.front() >= '0' && text.front() <= '9');
}

std::string in_quotes(std::string_view raw) { return "'" + text::printable(raw) + "'"; }

std::optional<std::string> file_refusal(const path& file, const char* noun) {
  const std::string name = noun + (" " + in_quotes(file.native()));
  std::error_code code;
  const auto status = std::filesystem::status(file, code);
  if (!std::filesystem::exists(status)) {
    return name + ": no such file";
  }
  if (!std::filesystem::is_regular_file(status)) {
    return name + ": not a regular file";
  }
  return std::nullopt;
}

std::optional<std::string> source_refusal(const path& source) {
  const std::string extension = source.extension().native();
  if (extension != ".c" && extension != ".S" && extension != ".s" &&
      !catalog::is_cxx_source(source)) {
    return "source " + in_quotes(source.native()) +
           ": neither C (.c), C++ (.cc, .cpp, .cxx) nor assembler (.S, .s)";
  }
  return file_refusal(source, "source");
}

/// Allowed are families of flags that choose code generation, warnings and macros. Whatever names a
/// file, loads code or speaks to another program is not among them.
std::optional<std::string> flag_refusal(const std::string& flag) {
  static const std::vector<std::string_view> whole = {"-w", "-ansi", "-pedantic", "-pipe",
                                                      "-pthread"};
  static const std::vector<std::string_view> allowed = {"-O", "-f", "-m",    "-g",      "-W",
                                                        "-D", "-U", "-std=", "--param="};
  static const std::vector<std::string_view> refused = {"-fplugin",
                                                        "-fpass-plugin",
                                                        "-fdump",
                                                        "-fprofile",
                                                        "-fauto-profile",
                                                        "-fbranch-probabilities",
                                                        "-fcs-profile",
                                                        "-ftest-coverage",
                                                        "-fcallgraph-info",
                                                        "-fstack-usage",
                                                        "-fdiagnostics",
                                                        "-fsave-optimization-record",
                                                        "-fopt-info",
                                                        "-fmodule",
                                                        "-fprebuilt",
                                                        "-fcrash",
                                                        "-fuse-ld",
                                                        "-fcompare-debug",
                                                        "-ftime-trace",
                                                        "-fworking-directory",
                                                        "-foptimization-record",
                                                        "-fsyntax-only",
                                                        "-femit",
                                                        "-fproc-stat-report",
                                                        "-fthin-link-bitcode",
                                                        "-fbasic-block-sections=list",
                                                        "-fxray-attr-list",
                                                        "-fxray-always-instrument",
                                                        "-fxray-never-instrument",
                                                        "-fltrans",
                                                        "-fdeps-file",
                                                        "-gsplit-dwarf",
                                                        "-mllvm",
                                                        "-mrelax-all",
                                                        "-Wp,",
                                                        "-Wa,",
                                                        "-Wl,"};
  if (flag.starts_with("-fvisibility")) {
    return "flag " + in_quotes(flag) +
           ": it hides the entry; what is exported is the linker's choice";
  }
  if (flag.starts_with("-pedantic-errors")) {
    return "flag " + in_quotes(flag) + ": warnings of measured code never fail a build";
  }
  if (std::find(whole.begin(), whole.end(), flag) != whole.end()) {
    return std::nullopt;
  }
  const bool names_file = !flag.starts_with("-D") && flag.find('/') != std::string::npos;
  const bool lacks_value = flag == "-D" || flag == "-U" || names_file;
  if (lacks_value || !starts_with_any(flag, allowed) || starts_with_any(flag, refused)) {
    return "flag " + in_quotes(flag) +
           ": not a flag that only chooses code generation, warnings or macros in one word";
  }
  return std::nullopt;
}

std::optional<std::string> settings_refusal(const catalog::BuildSettings& settings) {
  if (settings.sources.empty() && settings.library.empty()) {
    return "no sources";
  }
  if (!is_identifier(settings.entry)) {
    return "entry " + in_quotes(settings.entry) + ": not a C identifier";
  }
  if (!consists_of(settings.language, "+:")) {
    return "language " + in_quotes(settings.language) + ": not a value of -std=";
  }
  for (const auto& [name, value] : settings.define) {
    if (!is_identifier(name) || value.find('\0') != std::string::npos) {
      return "define " + in_quotes(name) + ": not a macro name with a text as its value";
    }
  }
  for (const std::string& library : settings.libraries) {
    if (!consists_of(library, "_+-.")) {
      return "library " + in_quotes(library) + ": not a name for -l";
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> find_refusal(const BuildRequest& request) {
  const catalog::BuildSettings& settings = request.settings;
  if (std::optional<std::string> refusal = settings_refusal(settings); refusal.has_value()) {
    return refusal;
  }
  std::vector<path> paths = settings.sources;
  paths.insert(paths.end(), settings.include.begin(), settings.include.end());
  if (!settings.library.empty()) {
    paths.push_back(settings.library);
  }
  if (!settings.header.empty()) {
    paths.push_back(settings.header);
  }
  for (const path& name : paths) {
    if (!text::is_utf8(name.native()) || name.native().find('\0') != std::string::npos) {
      return "path " + in_quotes(name.native()) + ": not UTF-8, so that no record could name it";
    }
  }
  for (const path& source : settings.sources) {
    if (std::optional<std::string> refusal = source_refusal(source); refusal.has_value()) {
      return refusal;
    }
  }
  if (!settings.library.empty()) {
    return file_refusal(settings.library, "library");
  }
  if (!settings.header.empty()) {
    if (std::optional<std::string> refusal = file_refusal(settings.header, "header"); refusal) {
      return refusal;
    }
  }
  for (const auto* flags : {&request.profile.flags, &settings.cflags, &settings.cxxflags}) {
    for (const std::string& flag : *flags) {
      if (std::optional<std::string> refusal = flag_refusal(flag); refusal.has_value()) {
        return refusal;
      }
    }
  }
  return std::nullopt;
}

}  // namespace hashprof::toolchain
