// SPDX-License-Identifier: MIT
// See cli/options.h. CLI11 does the parsing.
#include "cli/options.h"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "base/error.h"
#include "base/scenarios.h"
#include "base/text.h"

namespace hashprof::cli {

namespace {

const std::vector<Verb> kMeasuring{Verb::run, Verb::plan, Verb::build, Verb::kat, Verb::memory};
const std::vector<Verb> kDirectory{Verb::run, Verb::build, Verb::kat, Verb::memory};
const std::vector<Verb> kAll{Verb::run,    Verb::plan, Verb::build,  Verb::kat, Verb::memory,
                             Verb::report, Verb::list, Verb::doctor, Verb::init};

/// Where each option's value goes.
struct Raw {
  Options options;
  std::vector<std::string> only;
  std::string sizes;
  std::string processes;
  std::string preset;
  std::string out;
  std::string simulate;
  std::string kinds;
  std::string jobs;
  std::string write_kat;
  std::string cross_target;
};

constexpr const char* kSimulate = "--simulate";
const std::string kSimulateHelp = "invent the figures: scenario " + list_scenarios(false) +
                                  "; the first by default; for tests and for a look";
constexpr std::uint32_t kMostProcesses = 1000;
constexpr std::uint32_t kMostJobs = 256;

constexpr const char* kAliasOfInit = "adopt";

/// A verb by its other name is the verb.
void resolve_alias(std::vector<std::string>& arguments) {
  if (!arguments.empty() && arguments.front() == kAliasOfInit) {
    arguments.front() = "init";
  }
}

/// "--simulate" alone means the default scenario, so that "--simulate TARGET" keeps its operand.
std::vector<std::string> with_default_scenario(std::vector<std::string> arguments) {
  for (std::string& word : arguments) {
    if (word == "--") {
      break;
    }
    if (word == kSimulate) {
      word += "=" + std::string(kScenarios.front().name);
    }
  }
  return arguments;
}

void add_option(CLI::App& app, const OptionInfo& info, Raw& raw) {
  const std::string name = info.name;
  CLI::Option* option = nullptr;
  if (name == "--only") {
    option = app.add_option(name, raw.only, info.help)->allow_extra_args(false);
  } else if (name == "--fresh") {
    option = app.add_flag(name, raw.options.is_fresh, info.help);
  } else if (name == "--json") {
    option = app.add_flag(name, raw.options.is_json, info.help);
  } else if (name == "--check") {
    option = app.add_flag(name, raw.options.is_checked, info.help);
  } else if (name == "--symbols") {
    option = app.add_flag(name, raw.options.has_symbols, info.help);
  } else if (name == "--strict") {
    option = app.add_flag(name, raw.options.is_strict, info.help);
  } else if (name == "--no-cache") {
    option = app.add_flag(name, raw.options.has_no_cache, info.help);
  } else {
    std::string& value = name == "--sizes"       ? raw.sizes
                         : name == "--processes" ? raw.processes
                         : name == "--preset"    ? raw.preset
                         : name == kSimulate     ? raw.simulate
                         : name == "--kinds"     ? raw.kinds
                         : name == "--jobs"      ? raw.jobs
                         : name == "--write-kat" ? raw.write_kat
                         : name == "--target"    ? raw.cross_target
                                                 : raw.out;
    option = app.add_option(name, value, info.help);
  }
  if (info.argument[0] != '\0') {
    option->type_name(info.argument);
  }
}

void add_verb(CLI::App& app, const VerbInfo& info, Raw& raw) {
  CLI::App* verb = app.add_subcommand(info.name, info.help)->group("Verbs");
  CLI::Option* target =
      info.verb == Verb::init
          ? verb->add_option(info.target, raw.options.targets, "a folder, or hash.yaml files")
          : verb->add_option(info.target, raw.options.target,
                             info.verb == Verb::list ? "what to list" : "what to work on");
  target->type_name("");
  if (info.verb != Verb::list && info.verb != Verb::doctor) {
    target->required();
  }
  for (const OptionInfo& option : option_table()) {
    if (std::find(option.verbs.begin(), option.verbs.end(), info.verb) != option.verbs.end()) {
      add_option(*verb, option, raw);
    }
  }
  verb->callback([&raw, verb_value = info.verb] { raw.options.verb = verb_value; });
}

std::vector<std::string> names_of_verbs() {
  std::vector<std::string> names;
  for (const VerbInfo& info : verb_table()) {
    names.emplace_back(info.name);
  }
  return names;
}

/// The word that CLI11 did not know, with what was probably meant.
[[noreturn]] void throw_usage(const CLI::ParseError& error,
                              const std::vector<std::string>& arguments) {
  std::vector<std::string> known = names_of_verbs();
  if (!arguments.empty() && arguments[0][0] != '-' &&
      std::find(known.begin(), known.end(), arguments[0]) == known.end()) {
    const auto near = text::closest(arguments[0], known);
    throw Error(Fault::usage, "", "unknown verb '" + text::printable(arguments[0]) + "'")
        .hint(near ? "did you mean '" + *near + "'?" : "the verbs are " + text::join(known, ", "));
  }
  known.clear();
  for (const OptionInfo& info : option_table()) {
    known.emplace_back(info.name);
  }
  std::string hint = "'hashprof --help' shows the usage";
  for (const std::string& word : arguments) {
    const std::string name = word.substr(0, word.find('='));
    if (name.rfind("--", 0) == 0 && std::find(known.begin(), known.end(), name) == known.end()) {
      if (const auto near = text::closest(name, known)) {
        hint = "did you mean '" + *near + "'?";
      }
    }
  }
  throw Error(Fault::usage, "", text::printable(error.what())).hint(hint);
}

std::optional<std::string> given(const CLI::App& app, const char* name, const std::string& value) {
  for (const CLI::App* verb : app.get_subcommands()) {
    const CLI::Option* option = verb->get_option_no_throw(name);
    if (option != nullptr && option->count() > 0) {
      return value;
    }
  }
  return std::nullopt;
}

std::uint32_t parse_count(const char* option, const std::string& word, std::uint32_t most) {
  const auto value = text::parse_unsigned(word);
  if (!value || *value < 1 || *value > most) {
    throw Error(Fault::usage, std::string(option) + " " + text::printable(word),
                "is not in 1.." + std::to_string(most));
  }
  return static_cast<std::uint32_t>(*value);
}

Options finish(const CLI::App& app, Raw raw) {
  Options options = std::move(raw.options);
  options.only = std::move(raw.only);
  for (const CLI::App* verb : app.get_subcommands()) {
    const CLI::Option* target =
        verb->get_options([](const CLI::Option* option) { return option->get_positional(); })
            .front();
    const bool is_empty = options.targets.empty()
                              ? options.target.empty()
                              : std::find(options.targets.begin(), options.targets.end(), "") !=
                                    options.targets.end();
    if (target->count() > 0 && is_empty) {
      throw Error(Fault::usage, target->get_name(), "is empty")
          .hint("name a campaign file, a hash.yaml, a folder with one, or a run directory");
    }
  }
  if (!options.targets.empty()) {
    options.target = options.targets.front();
  }
  options.sizes = given(app, "--sizes", raw.sizes);
  options.preset = given(app, "--preset", raw.preset);
  options.simulate = given(app, kSimulate, raw.simulate);
  if (const auto word = given(app, "--processes", raw.processes)) {
    options.processes = parse_count("--processes", *word, kMostProcesses);
  }
  options.kinds = given(app, "--kinds", raw.kinds);
  if (const auto word = given(app, "--jobs", raw.jobs)) {
    options.jobs = parse_count("--jobs", *word, kMostJobs);
  }
  options.cross_target = given(app, "--target", raw.cross_target);
  if (const auto word = given(app, "--write-kat", raw.write_kat)) {
    options.write_kat = *word;
  }
  if (const auto word = given(app, "--out", raw.out)) {
    options.out = *word;
  }
  return options;
}

}  // namespace

const std::vector<VerbInfo>& verb_table() {
  static const std::vector<VerbInfo> table{
      {Verb::run, "run", "TARGET", "build, prove right, measure and report"},
      {Verb::plan, "plan", "TARGET", "print every process that run would start, and start nothing"},
      {Verb::build, "build", "TARGET", "build the libraries only"},
      {Verb::kat, "kat", "TARGET", "build the libraries and check their known answers"},
      {Verb::memory, "memory", "TARGET", "measure the memory of each call: static, heap and stack"},
      {Verb::report, "report", "RUN", "make the report of a run again and print it"},
      {Verb::list, "list", "WHAT", "list hashes, presets or profiles, or what a TARGET holds"},
      {Verb::doctor, "doctor", "TARGET", "say whether this machine is ready to measure on"},
      {Verb::init, "init", "TARGET",
       "write the hash.yaml of a submitted folder, or a campaign of hash.yaml files (or: adopt)"},
  };
  return table;
}

const std::vector<OptionInfo>& option_table() {
  static const std::vector<OptionInfo> table{
      {"--only", "PATTERN",
       "measure only instances that fit, such as 'LLH-*' or 'hash-26/*'; may be repeated",
       kMeasuring},
      {"--sizes", "LIST", "message sizes in bytes joined by commas, or ngcc for S1 to S8",
       kMeasuring},
      {"--processes", "N", "processes a cell, 1 to 1000", kMeasuring},
      {"--preset", "NAME", "measure as a preset says, over what the file says", kMeasuring},
      {"--out", "DIR", "run directory; default runs/<campaign name>", kDirectory},
      {"--fresh", "", "delete what an earlier run left in the run directory", kDirectory},
      {"--out",
       "FILE",
       "file to write; default hash.yaml in the folder, or campaign.yaml here",
       {Verb::init}},
      {"--fresh", "", "write over a file that is there", {Verb::init}},
      {"--check", "", "build what was written and check its known answers", {Verb::init}},
      {"--symbols", "", "also list the functions and objects of each library", {Verb::memory}},
      {"--strict", "", "exit with 3 if two witnesses of the heap disagree", {Verb::memory}},
      {"--json", "", "print JSON on standard output", kAll},
      {kSimulate, "[=SCENARIO[,SEED]]", kSimulateHelp.c_str(), {Verb::run}},
      {"--kinds",
       "LIST",
       "known-answer files to compute: 2_12, 2_23, 2_33 and Loop joined by commas, all, or none",
       {Verb::kat}},
      {"--write-kat", "DIR", "keep the text of every file that is computed below DIR", {Verb::kat}},
      {"--jobs",
       "N",
       "builds at a time, and processes, each on a core of its own; default 1",
       {Verb::build, Verb::kat, Verb::memory}},
      {"--no-cache", "", "build everything here, and keep nothing for other runs", kDirectory},
      {"--target",
       "TRIPLET",
       "build for another machine, with TRIPLET-gcc, to be measured there",
       {Verb::build}},
  };
  return table;
}

std::variant<Options, Information> parse(const std::vector<std::string>& arguments,
                                         const std::string& version) {
  CLI::App app("Measures hash functions honestly.", "hashprof");
  Raw raw;
  app.set_version_flag("--version", "hashprof " + version, "print the version and exit");
  app.require_subcommand(1);
  app.get_formatter()->label("SUBCOMMAND", "VERB TARGET");
  app.footer("hashprof(1) explains every verb, option and figure.");
  for (const VerbInfo& info : verb_table()) {
    add_verb(app, info, raw);
  }
  if (arguments.empty()) {
    throw Error(Fault::usage, "", "no verb")
        .hint("the verbs are " + text::join(names_of_verbs(), ", ") +
              "; 'hashprof --help' shows the usage");
  }
  try {
    auto words = with_default_scenario(arguments);
    resolve_alias(words);
    app.parse(std::vector<std::string>(words.rbegin(), words.rend()));
  } catch (const CLI::CallForHelp&) {
    return Information{app.help()};
  } catch (const CLI::CallForVersion& call) {
    return Information{std::string(call.what()) + "\n"};
  } catch (const CLI::ParseError& error) {
    throw_usage(error, arguments);
  }
  return finish(app, std::move(raw));
}

}  // namespace hashprof::cli
