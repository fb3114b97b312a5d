// SPDX-License-Identifier: MIT
// `hashprof memory`: builds, proves, and measures the memory of the calls, in the run directory.
#include "app/readiness.h"
#include "app/session.h"
#include "app/verbs.h"
#include "base/error.h"
#include "base/text.h"
#include "elf/symbols.h"
#include "record/assemble.h"
#include "record/memory_view.h"
#include "report/markdown.h"
#include "report/symbols.h"

namespace hashprof::app {

namespace {

json::Array memory_to_json(const record::RunPaths& paths, const record::RunView& run,
                           bool has_symbols) {
  json::Array builds;
  for (const record::BuildView& build : run.builds) {
    json::Object object{{"family", build.family_id}, {"label", build.label}};
    if (build.memory.reason.empty()) {
      object.emplace_back("file", build.memory.file);
      const json::Value derived = record::to_json(build.memory);
      for (const auto& [key, value] : derived.as_object()) {
        object.emplace_back(key, value);
      }
    } else {
      object.emplace_back("reason", build.memory.reason);
    }
    if (has_symbols && build.is_built) {
      object.emplace_back("symbols", elf::to_json(elf::read_symbols(paths.root / build.library)));
    }
    builds.emplace_back(std::move(object));
  }
  return builds;
}

report::LibrarySymbols symbols_of(const record::RunPaths& paths, const record::BuildView& build) {
  report::LibrarySymbols library;
  library.name = build.family_id + "/" + build.label;
  if (!build.is_built) {
    library.reason = build.build_failure;
    return library;
  }
  const elf::Symbols symbols = elf::read_symbols(paths.root / build.library);
  library.reason = symbols.reason;
  for (const elf::Symbol& symbol : symbols.symbols) {
    std::vector<std::string> names = {symbol.demangled};
    names.insert(names.end(), symbol.aliases.begin(), symbol.aliases.end());
    library.rows.push_back({text::printable(text::join(names, ", ")),
                            elf::symbol_kind_name(symbol.kind), symbol.part, symbol.section,
                            symbol.bytes});
  }
  return library;
}

std::string symbols_page(const record::RunPaths& paths, const record::RunView& run) {
  std::vector<report::LibrarySymbols> libraries;
  libraries.reserve(run.builds.size());
  for (const record::BuildView& build : run.builds) {
    libraries.push_back(symbols_of(paths, build));
  }
  return report::symbols_page(libraries);
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
  if (options.is_json) {
    print(json::write_pretty(memory_to_json(session.paths(), run, options.has_symbols)));
  } else {
    print(report::memory_page(run) +
          (options.has_symbols ? symbols_page(session.paths(), run) : ""));
  }
  note("hashprof: the run is in " + session.paths().root.native());
  if (session.has_failures()) {
    return exit_code(Fault::target);
  }
  return options.is_strict && is_in_doubt(run) ? exit_code(Fault::requirement) : 0;
}

}  // namespace hashprof::app
