// SPDX-License-Identifier: MIT
// From the command line to the verb.
#include <filesystem>

#include "app/output.h"
#include "app/verbs.h"
#include "base/error.h"
#include "base/text.h"

namespace hashprof::app {

const char* version() { return HASHPROF_VERSION; }

namespace {

int carry_out(const std::vector<std::string>& arguments);

}  // namespace

int execute(const std::vector<std::string>& arguments) {
  try {
    return carry_out(arguments);
  } catch (const std::filesystem::filesystem_error& fault) {
    // Where a file or folder of the user's cannot be looked at, whatever looked at it.
    throw Error(Fault::usage, text::printable(fault.path1().native()), "cannot be looked at")
        .os_error(fault.code().value())
        .hint("check that the folder exists and may be read");
  }
}

namespace {

int carry_out(const std::vector<std::string>& arguments) {
  const auto parsed = cli::parse(arguments, version());
  if (const auto* information = std::get_if<cli::Information>(&parsed)) {
    print(information->text);
    return 0;
  }
  const auto& options = std::get<cli::Options>(parsed);
  switch (options.verb) {
    case cli::Verb::run:
      return run_campaign(options);
    case cli::Verb::plan:
      return print_plan(options);
    case cli::Verb::build:
    case cli::Verb::kat:
      return prepare(options);
    case cli::Verb::memory:
      return measure_memory(options);
    case cli::Verb::report:
      return report_again(options);
    case cli::Verb::doctor:
      return examine(options);
    case cli::Verb::init:
      return initialize(options);
    case cli::Verb::list:
      break;
  }
  return list(options);
}

}  // namespace

}  // namespace hashprof::app
