// SPDX-License-Identifier: MIT
// See toolchain/command_lines.h.
#include "toolchain/command_lines.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "base/text.h"

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

std::optional<std::string> source_refusal(const path& source) {
  static const std::vector<std::string_view> cxx = {".cc", ".cpp", ".cxx", ".c++", ".C", ".cp"};
  const std::string extension = source.extension().native();
  const std::string name = "source " + in_quotes(source.native());
  if (std::find(cxx.begin(), cxx.end(), extension) != cxx.end()) {
    return name + ": C++ is not in this version";
  }
  if (extension != ".c" && extension != ".S" && extension != ".s") {
    return name + ": neither C (.c) nor assembler (.S, .s)";
  }
  std::error_code code;
  const auto status = std::filesystem::status(source, code);
  if (!std::filesystem::exists(status)) {
    return name + ": no such file";
  }
  if (!std::filesystem::is_regular_file(status)) {
    return name + ": not a regular file";
  }
  return std::nullopt;
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
  const bool lacks_value = flag == "-D" || flag == "-U";
  if (lacks_value || !starts_with_any(flag, allowed) || starts_with_any(flag, refused)) {
    return "flag " + in_quotes(flag) +
           ": not a flag that only chooses code generation, warnings or macros in one word";
  }
  return std::nullopt;
}

std::optional<std::string> settings_refusal(const catalog::BuildSettings& settings) {
  if (settings.sources.empty()) {
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

/// Folders behind links, each once.
class Links {
 public:
  std::string name_of(const path& folder) {
    auto found = std::find(folders_.begin(), folders_.end(), folder);
    if (found == folders_.end()) {
      found = folders_.insert(folders_.end(), folder);
    }
    return "d" + std::to_string(found - folders_.begin());
  }
  [[nodiscard]] const std::vector<path>& folders() const { return folders_; }

 private:
  std::vector<path> folders_;
};

void append(Arguments& list, const std::vector<std::string>& more) {
  list.insert(list.end(), more.begin(), more.end());
}

/// Everything between the compiler and the file names.
Arguments compile_flags(const BuildRequest& request, Links& links) {
  const catalog::BuildSettings& settings = request.settings;
  Arguments flags = {"-std=" + settings.language};
  append(flags, request.profile.flags);
  for (const auto& [name, value] : settings.define) {
    std::string flag = "-D";
    flag.append(name).append("=").append(value);
    flags.push_back(std::move(flag));
  }
  for (const path& folder : settings.include) {
    flags.push_back("-I" + links.name_of(folder));
  }
  append(flags, settings.cflags);
  append(flags, added_compile_flags());
  constexpr std::string_view kDemand = "-Werror=";
  for (const std::string& flag : settings.cflags) {
    if (flag.starts_with(kDemand)) {
      flags.push_back("-Wno-error=" + flag.substr(kDemand.size()));
    }
  }
  return flags;
}

Arguments link_command(const BuildRequest& request) {
  const catalog::BuildSettings& settings = request.settings;
  Arguments command = {request.compiler.path};
  // With -flto code is made here, so that the flags that choose it belong here too.
  append(command, request.profile.flags);
  append(command, settings.cflags);
  append(command, added_link_flags());
  command.push_back("-Wl,--require-defined=" + settings.entry);
  for (std::size_t i = 0; i < settings.sources.size(); ++i) {
    command.push_back(std::to_string(i) + ".o");
  }
  for (const std::string& library : settings.libraries) {
    command.push_back("-l" + library);
  }
  append(command, {"-o", kBuiltLibrary});
  return command;
}

}  // namespace

const std::vector<Profile>& profiles() {
  static const std::vector<Profile> all = {
      {"guide",
       {"-Wpedantic", "-Wall", "-Wextra", "-O2"},
       "guide for performance self-assessment, section 3.2, reference version"}};
  return all;
}

const std::vector<std::string>& added_compile_flags() {
  static const std::vector<std::string> flags = {"-fPIC",
                                                 "-D_GNU_SOURCE",
                                                 "-ffile-prefix-map=/proc/self/cwd=.",
                                                 "-Wno-error",
                                                 "-Wno-error=implicit-function-declaration",
                                                 "-Wno-error=incompatible-pointer-types",
                                                 "-Wno-error=int-conversion",
                                                 "-Wno-error=implicit-int"};
  return flags;
}

const std::vector<std::string>& added_link_flags() {
  static const std::vector<std::string> flags = {
      "-fPIC",
      "-shared",
      std::string("-Wl,--version-script=") + kVersionScript,
      "-Wl,-Bsymbolic",
      "-Wl,--no-undefined",
      "-Wl,-z,noexecstack",
      "-Wl,-z,relro",
      "-Wl,--build-id=sha1"};
  return flags;
}

CommandLines make_command_lines(const BuildRequest& request) {
  CommandLines lines;
  Links links;
  std::vector<std::string> names;
  names.reserve(request.settings.sources.size());
  for (const path& source : request.settings.sources) {
    names.push_back(links.name_of(source.parent_path()) + "/" + source.filename().native());
  }
  const Arguments flags = compile_flags(request, links);
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string number = std::to_string(i);
    Arguments preprocess = {request.compiler.path};
    append(preprocess, flags);
    Arguments compile = preprocess;
    append(preprocess, {"-E", names[i], "-o", number + ".i"});
    append(compile, {"-c", names[i], "-o", number + ".o"});
    lines.preprocess.push_back(std::move(preprocess));
    lines.compile.push_back(std::move(compile));
  }
  lines.link = link_command(request);
  lines.links = links.folders();
  lines.version_script = "{ global: " + request.settings.entry + "; local: *; };\n";
  return lines;
}

std::optional<std::string> find_refusal(const BuildRequest& request) {
  const catalog::BuildSettings& settings = request.settings;
  if (std::optional<std::string> refusal = settings_refusal(settings); refusal.has_value()) {
    return refusal;
  }
  std::vector<path> paths = settings.sources;
  paths.insert(paths.end(), settings.include.begin(), settings.include.end());
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
  for (const std::string& flag : settings.cflags) {
    if (std::optional<std::string> refusal = flag_refusal(flag); refusal.has_value()) {
      return refusal;
    }
  }
  return std::nullopt;
}

std::vector<std::string> compiler_environment(const path& compiler, const path& home) {
  // PWD: a fixed name for the folder, so that debugging information does not hold its real one.
  // SOURCE_DATE_EPOCH: a fixed __DATE__, so that equal sources give equal libraries.
  return {"PATH=" + compiler.parent_path().native() + ":/usr/local/bin:/usr/bin:/bin",
          "LC_ALL=C",
          "HOME=" + home.native(),
          "TMPDIR=.",
          "PWD=/proc/self/cwd",
          "SOURCE_DATE_EPOCH=0"};
}

std::optional<path> behind_link(const std::vector<path>& links, const std::string& name) {
  const std::size_t slash = name.find('/');
  if (slash == std::string::npos || !name.starts_with("d")) {
    return std::nullopt;
  }
  const std::optional<std::uint64_t> index = text::parse_unsigned(name.substr(1, slash - 1));
  if (!index.has_value() || *index >= links.size()) {
    return std::nullopt;
  }
  return links[*index] / name.substr(slash + 1);
}

}  // namespace hashprof::toolchain
