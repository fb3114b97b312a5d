// SPDX-License-Identifier: MIT
// See simulation_support.h.
#include "simulation_support.h"

#include <sys/mman.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>

#include "base/sys.h"
#include "base/unique_fd.h"
#include "record/agreement.h"
#include "record/journal.h"
#include "runner/carry_out.h"
#include "runner/simulated_scenarios.h"

namespace hashprof::runner {

namespace {

std::string spec_of(Scenario scenario, std::uint64_t seed) {
  const auto* const row =
      std::find_if(kScenarios.begin(), kScenarios.end(),
                   [&](const ScenarioText& text) { return text.scenario == scenario; });
  return std::string(row->name) + "," + std::to_string(seed);
}

plan::Build build_of(const std::string& label) {
  plan::Build build;
  build.family_id = "f";
  build.label = label;
  build.digest_bits = 256;
  return build;
}

/// Journals a run in memory: a disk would take its time to sync each of a hundred thousand lines.
std::vector<record::Observation> carry_out_in_memory(const SimulatedRun& run) {
  const UniqueFd memory(::memfd_create("journal", MFD_CLOEXEC));
  record::Journal journal = record::Journal::open("/proc/self/fd/" + std::to_string(memory.get()));
  const std::vector<std::vector<std::filesystem::path>> libraries(run.plan.builds.size(),
                                                                  {"simulated.so"});
  Schedule schedule(run.campaign, run.plan, std::vector<bool>(run.plan.builds.size(), true));
  const auto meter = make_simulated_meter(spec_of(run.scenario, run.seed));
  carry_out(run.campaign, run.plan, libraries, schedule, *meter, journal, [](const Step&) {});
  return journal.observations();
}

}  // namespace

double SimulatedRun::plain_cycles(std::size_t cell) const {
  Job job;
  job.cell = plan.cell_name(cell);
  job.message_bytes = plan.cells[cell].message_bytes;
  return static_cast<double>(simulated_call_cycles(seed, job));
}

std::vector<double> SimulatedRun::values(std::size_t cell) const {
  record::Trials pointers;
  for (const record::Observation& trial : trials[cell]) {
    pointers.push_back(&trial);
  }
  return record::headline_values(pointers);
}

std::vector<std::uint64_t> eight_sizes() { return {32, 128, 512, 1024, 4096, 8192, 16384, 65536}; }

SimulatedRun run_simulation(Scenario scenario, std::uint64_t seed,
                            const campaign::Campaign& campaign,
                            const std::vector<std::string>& builds) {
  SimulatedRun run;
  run.scenario = scenario;
  run.seed = seed;
  run.campaign = campaign;
  std::vector<plan::Build> planned;
  std::transform(builds.begin(), builds.end(), std::back_inserter(planned), build_of);
  run.plan = plan::make_plan(run.campaign, std::move(planned), 0);
  run.trials.resize(run.plan.cells.size());
  std::map<std::string, std::size_t> cells;
  for (std::size_t cell = 0; cell < run.plan.cells.size(); ++cell) {
    cells.emplace(run.plan.cell_name(cell), cell);
  }
  for (const record::Observation& observation : carry_out_in_memory(run)) {
    if (observation.phase == "trial" && observation.is_used()) {
      run.trials[cells.at(observation.cell)].push_back(observation);
    }
  }
  return run;
}

}  // namespace hashprof::runner
