// SPDX-License-Identifier: MIT
// `hashprof run`: the pipeline from a campaign to its report.
#include "app/readiness.h"
#include "app/session.h"
#include "app/verbs.h"
#include "base/error.h"
#include "base/file.h"
#include "record/assemble.h"

namespace hashprof::app {

namespace {

constexpr Bytes kLargestReport{std::uint64_t{1} << 30U};

}  // namespace

int run_campaign(const cli::Options& options) {
  const Setup setup = load_setup(options);
  Session session(setup, options, require_machine(setup, options.simulate.has_value()));
  session.carry_out([&] {
    session.build_libraries();
    session.check_known_answers();
    if (lacks_known_answers(setup, session.known_answers())) {
      session.finish(record::RunStatus::stopped);
      refuse_known_answers(setup, session.known_answers());
    }
    session.measure();
    session.measure_memory();
  });
  session.finish(record::RunStatus::complete);
  if (options.is_json) {
    print(json::write_pretty(record::to_json(record::load_run(session.paths()))));
  } else {
    print(read_file(session.paths().report(), kLargestReport));
  }
  note("hashprof: the run is in " + session.paths().root.native());
  return session.has_failures() ? exit_code(Fault::target) : 0;
}

}  // namespace hashprof::app
