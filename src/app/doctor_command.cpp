// SPDX-License-Identifier: MIT
// `hashprof doctor`: whether this machine is ready to measure on. Reads only.
#include "app/output.h"
#include "app/readiness.h"
#include "app/verbs.h"
#include "host/host_facts.h"
#include "probes/capability.h"

namespace hashprof::app {

namespace {

/// "memory witness: bpf, btf, uprobe; no tracepoint: Permission denied (EACCES)".
std::string witness_text(const std::vector<probes::Capability>& capabilities) {
  std::string there;
  std::string missing;
  for (const probes::Capability& capability : capabilities) {
    if (capability.is_there) {
      there += (there.empty() ? "" : ", ") + capability.name;
    } else if (missing.find(capability.reason) == std::string::npos) {
      missing += "; no " + capability.name + ": " + capability.reason;
    }
  }
  return "memory witness: " + (there.empty() ? "none" : there) + missing + "\n";
}

json::Array witness_json(const std::vector<probes::Capability>& capabilities) {
  json::Array rows;
  for (const probes::Capability& capability : capabilities) {
    rows.push_back(json::Object{
        {"name", capability.name},
        {"is_there", capability.is_there},
        {"reason", capability.is_there ? json::Value() : json::Value(capability.reason)}});
  }
  return rows;
}

}  // namespace

int examine(const cli::Options& options) {
  const std::uint32_t core = options.target.empty()
                                 ? host::choose_core(std::nullopt, host::allowed_cpus())
                                 : load_setup(options).plan.core;
  const std::vector<host::Finding> findings = find_findings(core, {true, true, true});
  const std::vector<probes::Capability> capabilities = probes::probe_capabilities();
  if (options.is_json) {
    json::Object answer = host::findings_json(findings, core).as_object();
    answer.emplace_back("witness", witness_json(capabilities));
    print(json::write_pretty(answer));
  } else {
    print(host::findings_text(findings, core) + witness_text(capabilities));
  }
  return 0;
}

}  // namespace hashprof::app
