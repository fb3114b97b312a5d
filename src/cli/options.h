// SPDX-License-Identifier: MIT
// The command line as data. One table of options serves the parser, --help and the test that holds
// the manual page to them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace hashprof::cli {

enum class Verb { run, plan, build, kat, memory, report, list, doctor, init };

struct VerbInfo {
  Verb verb;
  const char* name;
  const char* target;  ///< how the operand is called in usage lines
  const char* help;
};
[[nodiscard]] const std::vector<VerbInfo>& verb_table();

struct OptionInfo {
  const char* name;      ///< "--sizes"
  const char* argument;  ///< "LIST"; empty for a switch; "[=X]" where it may be left out
  const char* help;
  std::vector<Verb> verbs;
};
[[nodiscard]] const std::vector<OptionInfo>& option_table();

/// What the command line asks for. Values are checked for their form only.
struct Options {
  Verb verb = Verb::run;
  std::string target;                ///< the operand; of init the first
  std::vector<std::string> targets;  ///< of init: every operand
  std::vector<std::string> only;
  std::optional<std::string> sizes;
  std::optional<std::uint32_t> processes;
  std::optional<std::string> preset;
  std::optional<std::filesystem::path> out;
  bool is_fresh = false;
  bool is_json = false;
  std::optional<std::string> simulate;             ///< SCENARIO[,SEED]
  std::optional<std::string> kinds;                ///< of known-answer files
  std::optional<std::filesystem::path> write_kat;  ///< folder for the known-answer files
  bool has_symbols = false;                        ///< memory: the parts of each library by name
  bool is_strict = false;                          ///< memory: witnesses that disagree are a fault
  bool is_checked = false;                         ///< init: prove what was written
  std::uint32_t jobs = 1;     ///< builds, and processes that compute known answers, at a time
  bool has_no_cache = false;  ///< neither take builds from the cache nor keep them
  std::optional<std::string> cross_target;  ///< machine to build for: "aarch64-linux-gnu"
};

/// Text that --help or --version asked for.
struct Information {
  std::string text;
};

/// Parses the words after the program's name. Throws Error{usage} with a hint.
[[nodiscard]] std::variant<Options, Information> parse(const std::vector<std::string>& arguments,
                                                       const std::string& version);

}  // namespace hashprof::cli
