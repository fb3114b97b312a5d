// SPDX-License-Identifier: MIT
// `hashprof plan`: every process in order; starts nothing and writes nothing.
#include <map>

#include "app/output.h"
#include "app/setup.h"
#include "app/verbs.h"
#include "record/journal.h"
#include "record/run_directory.h"
#include "runner/schedule.h"

namespace hashprof::app {

namespace {

using Counts = std::map<std::size_t, plan::Counts>;

/// Counts that a run has found so far; none for a campaign.
Counts known_counts(const Setup& setup, bool is_run) {
  const record::RunPaths paths{setup.run_root};
  if (!is_run || !std::filesystem::exists(paths.journal())) {
    return {};
  }
  runner::Schedule schedule(setup.campaign, setup.plan,
                            std::vector<bool>(setup.plan.builds.size(), true));
  for (const auto& observation : record::read_journal(paths.journal())) {
    schedule.add(observation);
  }
  return schedule.counts();
}

json::Value to_json(const Setup& setup, const Counts& counts) {
  json::Array processes;
  for (const plan::Process& process : setup.plan.processes) {
    const auto known = counts.find(process.cell);
    const bool is_known = known != counts.end();
    processes.push_back(
        json::Object{{"cell", setup.plan.cell_name(process.cell)},
                     {"block", process.block},
                     {"calls", is_known ? json::Value(known->second.calls) : json::Value()},
                     {"warmups", is_known ? json::Value(known->second.warmups) : json::Value()},
                     {"message_offset", process.message_offset},
                     {"digest_offset", process.digest_offset},
                     {"env_padding", process.env_padding},
                     {"layout", process.layout}});
  }
  return json::Object{{"schema", "hashprof-plan/1"},
                      {"campaign", campaign::to_json(setup.campaign)},
                      {"core", setup.plan.core},
                      {"builds", builds_to_json(setup)},
                      {"processes", std::move(processes)}};
}

}  // namespace

int print_plan(const cli::Options& options) {
  const Setup setup = load_setup(options);
  const Counts counts = known_counts(setup, record::is_run_directory(options.target));
  print(options.is_json ? json::write_pretty(to_json(setup, counts))
                        : plan::print(setup.campaign, setup.plan, counts));
  return 0;
}

}  // namespace hashprof::app
