// SPDX-License-Identifier: MIT
// Finds a compiler through PATH and asks it who it is; see toolchain/toolchain.h.
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "base/error.h"
#include "base/sha256.h"
#include "base/text.h"
#include "toolchain/command_lines.h"
#include "toolchain/process.h"
#include "toolchain/standing.h"

namespace hashprof::toolchain {

namespace {

using std::filesystem::path;

bool is_program(const path& file) {
  struct stat status {};
  return ::stat(file.c_str(), &status) == 0 && S_ISREG(status.st_mode) &&
         ::access(file.c_str(), X_OK) == 0;
}

std::string search_path() {
  const char* const value = std::getenv("PATH");
  return value != nullptr && *value != '\0' ? value : "/usr/local/bin:/usr/bin:/bin";
}

std::string install_hint(const std::string& command) {
  const std::string name = path(command).filename().native();
  const bool is_clang = name.find("clang") != std::string::npos;
  const bool is_cxx = name.find("++") != std::string::npos;
  const std::size_t cross = name.find("-linux-gnu");
  if (is_clang && cross != std::string::npos) {
    return "clang has no cross compilers by name; name a gcc for that machine under builds";
  }
  const std::string target =
      cross == std::string::npos || is_clang ? "" : "-" + name.substr(0, cross) + "-linux-gnu";
  return std::string("apt-get install ") +
         (is_clang ? "clang"
          : is_cxx ? "g++"
                   : "gcc") +
         target + ", or name another compiler";
}

/// The last `from` in a file name replaced.
std::string with_last(const std::string& command, const std::string& from, const std::string& to) {
  const std::size_t at = command.rfind(from);
  return at == std::string::npos || command.find('/', at) != std::string::npos
             ? command
             : command.substr(0, at) + to + command.substr(at + from.size());
}

/// "g++-12" and "gcc-12" are one pair.
std::string c_command(const std::string& command) {
  return command.find("clang++") != std::string::npos ? with_last(command, "clang++", "clang")
         : command.find("g++") != std::string::npos   ? with_last(command, "g++", "gcc")
                                                      : with_last(command, "c++", "cc");
}

std::string cxx_command(const std::string& command) {
  const std::string c = c_command(command);
  return c.find("clang") != std::string::npos ? with_last(c, "clang", "clang++")
         : c.find("gcc") != std::string::npos ? with_last(c, "gcc", "g++")
                                              : with_last(c, "cc", "c++");
}

/// What a compiler, or its linker, says to some options.
Outcome question(const path& program, std::vector<std::string> arguments) {
  constexpr std::chrono::seconds kLimit(20);
  Command command;
  command.arguments = {program.native()};
  command.arguments.insert(command.arguments.end(), arguments.begin(), arguments.end());
  command.environment = compiler_environment(program, "/");
  command.folder = "/";
  command.deadline = std::chrono::steady_clock::now() + kLimit;
  return run(command);
}

std::string first_line(const std::string& text) {
  return text::printable(text::trim(text.substr(0, text.find('\n'))));
}

/// First line of what the compiler says to one option.
std::string ask(const std::string& command, const path& program, const std::string& option) {
  const Outcome outcome = question(program, {option});
  std::string line = first_line(outcome.output);
  if (!outcome.is_success() || line.empty()) {
    throw Error(
        Fault::environment, "compiler '" + text::printable(command) + "'",
        "'" + text::printable(program.native()) + " " + option + "' " + describe(outcome, "20 s"))
        .hint(install_hint(command));
  }
  return line;
}

path program_of(const std::string& command) {
  const std::optional<path> program = find_program(command);
  if (!program.has_value()) {
    const bool is_path = command.find('/') != std::string::npos;
    throw Error(
        Fault::environment, "compiler '" + text::printable(command) + "'",
        is_path ? "no such program" : "not found in PATH (" + text::printable(search_path()) + ")")
        .hint(install_hint(command));
  }
  return *program;
}

std::string linker_of(const path& compiler, const std::string& program) {
  const Outcome name = question(compiler, {"-print-prog-name=" + program});
  const std::optional<path> linker = find_program(std::string(text::trim(name.output)));
  if (!name.is_success() || !linker) {
    return "";
  }
  const Outcome version = question(*linker, {"--version"});
  return version.is_success() ? first_line(version.output) : "";
}

/// From the macros of the headers that sources are compiled with.
std::string libc_of(const path& compiler) {
  const Outcome macros =
      question(compiler, {"-E", "-dM", "-include", "features.h", "-x", "c", "/dev/null"});
  std::string major;
  std::string minor;
  for (const std::string& line : text::split(macros.output, '\n')) {
    const auto words = text::split(line, ' ');
    if (words.size() == 3 && words[1] == "__GLIBC__") {
      major = words[2];
    } else if (words.size() == 3 && words[1] == "__GLIBC_MINOR__") {
      minor = words[2];
    }
  }
  return major.empty() || minor.empty() ? "" : text::printable("glibc " + major + "." + minor);
}

std::string without_quotes(std::string word) {
  std::erase(word, '"');
  return word;
}

/// Options of one command of -### that choose the CPU, and their values.
std::string cpu_options(const std::string& line) {
  std::vector<std::string> kept;
  const auto words = text::split(line, ' ');
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string word = without_quotes(words[i]);
    const bool has_value = word == "--param" || word == "-target-cpu" || word == "-tune-cpu" ||
                           word == "-target-feature";
    if (has_value && i + 1 < words.size()) {
      kept.push_back(word + (word == "--param" ? "=" : " ") + without_quotes(words[i + 1]));
      ++i;
    } else if (word.rfind("-m", 0) == 0 && word.rfind("-mrelocation", 0) != 0 &&
               word.rfind("-mframe", 0) != 0 && word.rfind("-mllvm", 0) != 0 &&
               word != "-main-file-name" && word.rfind("-mconstructor", 0) != 0) {
      kept.push_back(word);
    }
  }
  constexpr std::size_t kLongest = 4096;
  return text::printable(text::join(kept, " "), kLongest);
}

}  // namespace

std::optional<path> find_program(const std::string& command) {
  if (command.find('/') != std::string::npos) {
    const path file = std::filesystem::absolute(command);
    return is_program(file) ? std::optional(file) : std::nullopt;
  }
  for (const std::string& folder : text::split(search_path(), ':')) {
    if (!command.empty() && folder.starts_with("/") && is_program(path(folder) / command)) {
      return path(folder) / command;
    }
  }
  return std::nullopt;
}

CompilerIdentity identify_compiler(const std::string& command, bool with_cxx) {
  const std::string c = c_command(command);
  const path program = program_of(c);
  CompilerIdentity identity;
  identity.command = command;
  identity.path = program.native();
  identity.version = ask(c, program, "--version");
  identity.target = ask(c, program, "-dumpmachine");
  if (with_cxx) {
    identity.cxx_path = program_of(cxx_command(command)).native();
  }
  identity.sha256 = sha256_of_file(program);
  if (with_cxx) {
    identity.sha256 = sha256_of(identity.sha256 + sha256_of_file(identity.cxx_path));
  }
  identity.linker = linker_of(program, "ld");
  identity.libc = libc_of(program);
  return identity;
}

std::string linker_for(const BuildRequest& request) {
  if (!uses_lld(request)) {
    return request.compiler.linker;
  }
  return linker_of(request.compiler.path, "ld.lld");
}

std::string resolve_native(const CompilerIdentity& compiler,
                           const std::vector<std::string>& flags) {
  std::vector<std::string> arguments;
  for (const std::string& flag : flags) {
    if (flag.rfind("-m", 0) == 0) {
      arguments.push_back(flag);
    }
  }
  const bool has_native = std::any_of(
      arguments.begin(), arguments.end(),
      [](const std::string& flag) { return flag.find("=native") != std::string::npos; });
  if (!has_native) {
    return "";
  }
  arguments.insert(arguments.end(), {"-###", "-E", "-x", "c", "/dev/null"});
  const Outcome outcome = question(compiler.path, std::move(arguments));
  for (const std::string& line : text::split(outcome.output, '\n')) {
    if (outcome.is_success() && line.find("cc1") != std::string::npos &&
        line.find("/dev/null") != std::string::npos) {
      return cpu_options(line);
    }
  }
  return "";
}

}  // namespace hashprof::toolchain
