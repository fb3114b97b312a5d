// SPDX-License-Identifier: MIT
// Finds a compiler through PATH and asks it who it is; see toolchain/toolchain.h.
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>

#include "base/error.h"
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
  return std::string("apt-get install ") + (is_clang ? "clang" : "gcc") +
         ", or name another compiler";
}

/// First line of what the compiler says to one option.
std::string ask(const std::string& command, const path& program, const std::string& option) {
  constexpr std::chrono::seconds kLimit(20);
  Command question;
  question.arguments = {program.native(), option};
  question.environment = compiler_environment(program, "/");
  question.folder = "/";
  question.deadline = std::chrono::steady_clock::now() + kLimit;
  const Outcome outcome = run(question);
  const std::string line(text::trim(outcome.output.substr(0, outcome.output.find('\n'))));
  if (!outcome.is_success() || line.empty()) {
    throw Error(
        Fault::environment, "compiler '" + text::printable(command) + "'",
        "'" + text::printable(program.native()) + " " + option + "' " + describe(outcome, "20 s"))
        .hint(install_hint(command));
  }
  return text::printable(line);
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

CompilerIdentity identify_compiler(const std::string& command) {
  const std::optional<path> program = find_program(command);
  if (!program.has_value()) {
    const bool is_path = command.find('/') != std::string::npos;
    throw Error(
        Fault::environment, "compiler '" + text::printable(command) + "'",
        is_path ? "no such program" : "not found in PATH (" + text::printable(search_path()) + ")")
        .hint(install_hint(command));
  }
  CompilerIdentity identity;
  identity.command = command;
  identity.path = program->native();
  identity.version = ask(command, *program, "--version");
  identity.target = ask(command, *program, "-dumpmachine");
  return identity;
}

}  // namespace hashprof::toolchain
