// SPDX-License-Identifier: MIT
// See record/cells.h.
#include "record/cells.h"

#include <algorithm>
#include <cstdint>

#include "base/text.h"
#include "record/agreement.h"
#include "stats/details.h"

namespace hashprof::record {

namespace {

std::string failure_of(const Observation& o) {
  const std::string text = o.phase == "calibrate" ? "calibration"
                           : o.phase == "percall" ? "process of single calls"
                                                  : "process " + std::to_string(o.process + 1);
  return text + " " + outcome_name(o.outcome) + ": " + o.detail;
}

Figure figure_of(const std::vector<double>& values) {
  return {stats::summarize(values), "", stats::describe(values)};
}

Figure absent_figure(const std::string& reason) { return {std::nullopt, reason}; }

/// Cycles a call over the used processes: all of them counted, or the figure is absent.
Figure cycles_figure(const std::vector<const Observation*>& used) {
  std::vector<double> values;
  for (const Observation* o : used) {
    if (!o->cycles) {
      return absent_figure(o->cycles_reason);
    }
    values.push_back(static_cast<double>(*o->cycles) / static_cast<double>(o->calls));
  }
  return figure_of(values);
}

void fill_first_calls(const std::vector<const Observation*>& used, CellView& cell) {
  std::vector<double> times;
  std::vector<double> cycles;
  for (const Observation* o : used) {
    times.push_back(static_cast<double>(o->first_call_ns));
    if (o->first_call_cycles) {
      cycles.push_back(static_cast<double>(*o->first_call_cycles));
    }
  }
  cell.first_call_ns = figure_of(times);
  cell.first_call_cycles =
      cycles.size() == used.size() ? figure_of(cycles) : absent_figure(cell.cycles.reason);
}

/// The samples of the used process of single calls.
void fill_single_call(const std::vector<Observation>& observations, CellView& cell) {
  SingleCallView& view = cell.single_call;
  for (const Observation& o : observations) {
    if (o.phase != "percall" || o.outcome != Outcome::complete) {
      continue;
    }
    if (!o.taints.empty()) {
      view.reason = "the machine disturbed the process: " + text::join(o.taints, "; ");
    } else if (!o.percall) {
      view.reason = o.cycles_reason;
    } else {
      view.unit = o.percall->unit;
      view.figures = stats::summarize_single_calls(o.percall->empty, o.percall->samples,
                                                   o.percall->doubled, o.percall->batch);
      view.reason.clear();
      return;
    }
  }
  if (view.reason.empty()) {
    view.reason = "not sampled";
  }
}

Figure time_figure(const std::vector<const Observation*>& used) {
  std::vector<double> values;
  values.reserve(used.size());
  for (const Observation* o : used) {
    values.push_back(o->call_ns());
  }
  return figure_of(values);
}

/// Counts the processes that were tried as often as allowed, and says why they are not used.
void fill_shortfall(const std::vector<Observation>& observations, CellView& cell) {
  std::map<std::uint32_t, std::uint32_t> disturbed;  // attempts by process
  std::string last;
  for (const Observation& o : observations) {
    if (o.phase == "trial" && o.is_disturbed() &&
        ++disturbed[o.process] == kMostDisturbedAttempts) {
      ++cell.disturbed_processes;
      last = text::join(o.taints, "; ");
    }
  }
  if (cell.disturbed_processes > 0) {
    cell.shortfall =
        std::to_string(cell.disturbed_processes) + " of " + std::to_string(cell.planned_processes) +
        " processes are not used: the machine disturbed all " +
        std::to_string(kMostDisturbedAttempts) + " attempts of each (the last: " + last + ")";
  }
}

/// The first finding of each kind (its word before the colon), with the number of processes.
std::vector<std::string> list_findings(const std::vector<const Observation*>& used) {
  std::map<std::string, std::pair<std::string, std::size_t>> by_kind;
  for (const Observation* o : used) {
    for (const std::string& finding : o->findings) {
      auto& [text, count] = by_kind[finding.substr(0, finding.find(':'))];
      text = text.empty() ? finding : text;
      ++count;
    }
  }
  std::vector<std::string> findings;
  findings.reserve(by_kind.size());
  for (const auto& [kind, found] : by_kind) {
    findings.push_back(found.first + ", in " + std::to_string(found.second) + " of " +
                       std::to_string(used.size()) + " processes");
  }
  return findings;
}

/// The used trials of a cell with figures, those of the sure processes or all; empty else.
Trials trials_of(const CellView& cell, const std::vector<Observation>& observations,
                 std::uint32_t processes) {
  Trials trials;
  for (const Observation& o : observations) {
    if (cell.time_ns.summary && o.phase == "trial" && o.is_used() && o.process < processes) {
      trials.push_back(&o);
    }
  }
  return trials;
}

std::vector<std::size_t> odd_indices(const stats::Agreement& agreement) {
  std::vector<std::size_t> indices;
  for (const auto* side : {&agreement.slow, &agreement.fast}) {
    for (const stats::Outlier& outlier : *side) {
      indices.push_back(outlier.index);
    }
  }
  std::sort(indices.begin(), indices.end());
  return indices;
}

const std::vector<Observation>& observations_of(const ObservationsByCell& journal,
                                                const BuildView& build, const CellView& cell) {
  static const std::vector<Observation> none;
  const auto found = journal.find(build.family_id + "/" + build.label + "/" + cell.operation);
  return found == journal.end() ? none : found->second;
}

}  // namespace

void fill_cell(CellView& cell, const std::vector<Observation>& observations) {
  std::vector<const Observation*> used;
  for (const Observation& o : observations) {
    if (o.phase == "trial") {
      ++cell.attempts;
    }
    if (o.outcome != Outcome::complete && cell.failure.empty()) {
      cell.failure = failure_of(o);
    } else if (o.phase == "trial" && o.is_used()) {
      used.push_back(&o);
    }
  }
  cell.used_processes = static_cast<std::uint32_t>(used.size());
  if (!cell.failure.empty()) {
    cell.leave_without_figures(cell.failure);
    return;
  }
  for (const Observation* o : used) {
    cell.calls_total += o->calls;
    cell.calls_each = o->calls;
    if (o->baseline_rss_kib) {
      cell.baseline_rss_kib.push_back(*o->baseline_rss_kib);
    }
    if (o->peak_rss_kib) {
      if (cell.peak_rss_kib.empty() ||
          *o->peak_rss_kib >
              *std::max_element(cell.peak_rss_kib.begin(), cell.peak_rss_kib.end())) {
        cell.last_anon_kib = o->last_anon_kib;
        cell.last_file_kib = o->last_file_kib;
        cell.last_file_pmd_kib = o->last_file_pmd_kib;
      }
      cell.peak_rss_kib.push_back(*o->peak_rss_kib);
    }
  }
  fill_shortfall(observations, cell);
  cell.findings = list_findings(used);
  if (used.empty()) {
    cell.leave_without_figures(cell.shortfall.empty() ? "not measured: the run stopped before"
                                                      : cell.shortfall);
    return;
  }
  cell.time_ns = time_figure(used);
  cell.cycles = cycles_figure(used);
  fill_first_calls(used, cell);
  fill_single_call(observations, cell);
}

void judge_agreement(const ObservationsByCell& journal, const RunView& run, bool is_latency,
                     BuildView& build) {
  std::vector<CellView*> cells;
  std::vector<Trials> sure;
  std::vector<Trials> all;
  for (CellView& cell : build.cells) {
    if (cell.is_latency == is_latency) {
      const auto& observations = observations_of(journal, build, cell);
      cells.push_back(&cell);
      sure.push_back(trials_of(cell, observations, run.processes));
      all.push_back(trials_of(cell, observations, UINT32_MAX));
    }
  }
  const auto first = judge_cells(sure);
  const auto judgements = judge_cells(all);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    CellView& cell = *cells[i];
    if (first[i].has_outliers()) {
      cell.planned_processes = std::max(cell.planned_processes, run.max_processes);
    }
    AgreementView& view = cell.agreement;
    view.judgement = judgements[i];
    view.count = all[i].size();
    view.slice_drift = find_slice_drift(all[i]);
    const std::vector<std::size_t> odd = odd_indices(judgements[i]);
    if (!odd.empty()) {
      view.explanation = explain(all[i], odd);
    }
  }
}

}  // namespace hashprof::record
