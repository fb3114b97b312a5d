// SPDX-License-Identifier: MIT
// `hashprof doctor`: whether this machine is ready to measure on. Reads only.
#include "app/output.h"
#include "app/readiness.h"
#include "app/verbs.h"
#include "host/host_facts.h"

namespace hashprof::app {

int examine(const cli::Options& options) {
  const std::uint32_t core = options.target.empty()
                                 ? host::choose_core(std::nullopt, host::allowed_cpus())
                                 : load_setup(options).plan.core;
  const std::vector<host::Finding> findings = find_findings(core, {true, true, true});
  print(options.is_json ? json::write_pretty(host::findings_json(findings, core))
                        : host::findings_text(findings, core));
  return 0;
}

}  // namespace hashprof::app
