// SPDX-License-Identifier: MIT
// See record/grade.h.
#include "record/grade.h"

#include <algorithm>
#include <utility>

#include "base/text.h"

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

/// Why known answers of a build that passed do not cover the files 2_12 and 2_23; empty if they do.
std::string missing_files(const BuildView& build) {
  std::string out;
  for (const char* kind : {"2_12", "2_23"}) {
    const auto file = std::find_if(build.kat_files.begin(), build.kat_files.end(),
                                   [&](const KatFileView& entry) { return entry.kind == kind; });
    const std::string why = file == build.kat_files.end() ? "not asked for"
                            : file->status == "PASS"      ? ""
                                                          : file->detail;
    if (why == "no manifest") {
      return "vectors only, no manifest";
    }
    if (!why.empty()) {
      out += (out.empty() ? "" : ", ") + std::string(kind) + " " + why;
    }
  }
  return out;
}

/// One reason for all builds that share it: "SM3, SHA-256: vectors only, no manifest".
std::vector<std::string> vectors_only_reasons(const RunView& run) {
  std::vector<std::pair<std::string, std::vector<std::string>>> names_by_reason;
  for (const BuildView& build : run.builds) {
    const std::string reason = build.kat_status == "PASS" ? missing_files(build) : "";
    if (reason.empty()) {
      continue;
    }
    auto known = std::find_if(names_by_reason.begin(), names_by_reason.end(),
                              [&](const auto& entry) { return entry.first == reason; });
    if (known == names_by_reason.end()) {
      known = names_by_reason.insert(known, {reason, {}});
    }
    known->second.push_back(build.label);
  }
  std::vector<std::string> reasons;
  reasons.reserve(names_by_reason.size());
  for (const auto& [reason, names] : names_by_reason) {
    reasons.push_back(text::join(names, ", ") + ": " + reason);
  }
  return reasons;
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
  if (any_cell(run, [](const CellView& cell) {
        const stats::Agreement& judgement = cell.agreement.judgement;
        return judgement.degree == stats::Degree::severe || judgement.drift;
      })) {
    reasons.emplace_back("processes of one cell differ by more than 10 %, or drift");
  }
  if (any_cell(run, [](const CellView& cell) { return !cell.findings.empty(); })) {
    reasons.emplace_back("odd clock: an addition does not take one counted cycle");
  }
  for (std::string& reason : vectors_only_reasons(run)) {
    reasons.push_back(std::move(reason));
  }
  return reasons;
}

}  // namespace hashprof::record
