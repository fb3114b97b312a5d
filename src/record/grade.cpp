// SPDX-License-Identifier: MIT
// See record/grade.h.
#include "record/grade.h"

#include <algorithm>

namespace hashprof::record {

namespace {

constexpr std::uint32_t kFewestProcesses = 6;  // no distribution-free 95 % interval exists below

template <typename Predicate>
bool any_cell(const RunView& run, Predicate predicate) {
  return std::any_of(run.builds.begin(), run.builds.end(), [&](const BuildView& build) {
    return std::any_of(build.cells.begin(), build.cells.end(), predicate);
  });
}

template <typename Predicate>
bool any_build(const RunView& run, Predicate predicate) {
  return std::any_of(run.builds.begin(), run.builds.end(), predicate);
}

}  // namespace

std::vector<std::string> orientation_reasons(const RunView& run, const GradeFacts& facts) {
  std::vector<std::string> reasons;
  if (run.is_simulated) {
    reasons.push_back("simulated: the figures are invented (" + run.simulation + ")");
  }
  if (!run.is_complete) {
    reasons.emplace_back("the run is not complete");
  }
  reasons.insert(reasons.end(), facts.host_reasons.begin(), facts.host_reasons.end());
  if (any_cell(run,
               [](const CellView& cell) { return !cell.cycles.summary && cell.time_ns.summary; })) {
    reasons.emplace_back("no cycle counts");
  }
  if (!facts.is_sandboxed) {
    reasons.emplace_back("no sandbox: the measured code kept the privileges of hashprof");
  }
  if (facts.is_core_shared) {
    reasons.emplace_back("one core only: hashprof shared it with what it measured");
  }
  if (run.processes < kFewestProcesses) {
    reasons.push_back("only " + std::to_string(run.processes) +
                      " processes a cell: no 95 % interval exists below " +
                      std::to_string(kFewestProcesses));
  }
  if (any_build(run, [](const BuildView& build) { return !build.is_built; })) {
    reasons.emplace_back("a build failed");
  }
  if (any_build(run, [](const BuildView& build) {
        return build.is_built && build.kat_status != "PASS";
      })) {
    reasons.emplace_back("not every build passed its known answers");
  }
  if (any_cell(run, [](const CellView& cell) { return !cell.failure.empty(); })) {
    reasons.emplace_back("cells without figures");
  }
  if (any_cell(run, [](const CellView& cell) { return !cell.shortfall.empty(); })) {
    reasons.emplace_back("the machine disturbed too many processes: cells with fewer than planned");
  }
  if (any_cell(run, [](const CellView& cell) { return !cell.findings.empty(); })) {
    reasons.emplace_back("odd clock: an addition does not take one counted cycle");
  }
  reasons.emplace_back("known answers are vectors only; the KAT procedure is not in this version");
  reasons.emplace_back("agreement between processes is not judged in this version");
  return reasons;
}

}  // namespace hashprof::record
