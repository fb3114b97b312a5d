// SPDX-License-Identifier: MIT
// `hashprof memory`: builds, proves, and measures the memory of the calls, in the run directory.
#include "app/readiness.h"
#include "app/session.h"
#include "app/verbs.h"
#include "base/error.h"
#include "record/assemble.h"
#include "record/memory_view.h"
#include "report/markdown.h"

namespace hashprof::app {

namespace {

json::Array memory_to_json(const record::RunView& run) {
  json::Array builds;
  for (const record::BuildView& build : run.builds) {
    json::Object object{{"family", build.family_id}, {"label", build.label}};
    if (build.memory.reason.empty()) {
      object.emplace_back("file", build.memory.file);
      for (auto& [key, value] : record::to_json(build.memory).as_object()) {
        object.emplace_back(key, value);
      }
    } else {
      object.emplace_back("reason", build.memory.reason);
    }
    builds.emplace_back(std::move(object));
  }
  return builds;
}

bool is_in_doubt(const record::RunView& run) {
  for (const record::BuildView& build : run.builds) {
    if (build.memory.has_disagreement()) {
      return true;
    }
  }
  return false;
}

}  // namespace

int measure_memory(const cli::Options& options) {
  const Setup setup = load_setup(options);
  Session session(setup, options, find_findings(setup.plan.core, {}));
  session.carry_out([&] {
    session.build_libraries();
    session.check_known_answers();
    session.measure_memory();
  });
  session.finish(record::RunStatus::stopped);
  const record::RunView run = record::load_run(session.paths());
  print(options.is_json ? json::write_pretty(memory_to_json(run)) : report::memory_page(run));
  note("hashprof: the run is in " + session.paths().root.native());
  if (session.has_failures()) {
    return exit_code(Fault::target);
  }
  return options.is_strict && is_in_doubt(run) ? exit_code(Fault::requirement) : 0;
}

}  // namespace hashprof::app
