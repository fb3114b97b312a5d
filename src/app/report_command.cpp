// SPDX-License-Identifier: MIT
// `hashprof report`: renders a run again from its evidence.
#include "app/output.h"
#include "app/verbs.h"
#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "record/assemble.h"
#include "report/markdown.h"

namespace hashprof::app {

int report_again(const cli::Options& options) {
  const std::filesystem::path root = std::filesystem::absolute(options.target).lexically_normal();
  if (!record::is_run_directory(root)) {
    throw Error(Fault::usage, text::printable(options.target), "is not a run directory")
        .hint("'hashprof run' makes one; name the folder that holds its campaign.json");
  }
  const record::RunView run = record::load_run({root});
  print(options.is_json ? json::write_pretty(record::to_json(run)) : report::markdown(run));
  return 0;
}

}  // namespace hashprof::app
