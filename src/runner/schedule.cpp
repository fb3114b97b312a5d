// SPDX-License-Identifier: MIT
// See runner/schedule.h.
#include "runner/schedule.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/text.h"
#include "record/agreement.h"
#include "runner/taint.h"

namespace hashprof::runner {

namespace {

constexpr double kCalibrationTolerance = 0.10;  // design section 5
constexpr double kPercent = 100.0;
constexpr double kSlowClock = 0.95;       // design section 7
constexpr std::size_t kFewestClocks = 3;  // of two, neither is the odd one

/// Cycles a nanosecond; 0 without cycles.
double clock_of(const record::Observation& trial) {
  return trial.cycles && trial.elapsed_ns > 0
             ? static_cast<double>(*trial.cycles) / static_cast<double>(trial.elapsed_ns)
             : 0.0;
}

double median_of(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace

Schedule::Schedule(const campaign::Campaign& campaign, const plan::Plan& plan,
                   std::vector<bool> is_timed)
    : campaign_(campaign),
      plan_(plan),
      is_timed_(std::move(is_timed)),
      processes_of_cell_(plan.cells.size()),
      trials_(plan.cells.size()),
      clocks_(plan.cells.size()),
      is_failed_(plan.cells.size()),
      is_replanned_(plan.cells.size()),
      calibration_attempts_(plan.cells.size()),
      is_done_(plan.processes.size()),
      attempts_(plan.processes.size()),
      disturbed_attempts_(plan.processes.size()) {
  for (std::size_t cell = 0; cell < plan.cells.size(); ++cell) {
    cells_by_name_.emplace(plan.cell_name(cell), cell);
  }
  for (std::size_t i = 0; i < plan.processes.size(); ++i) {
    if (plan.processes[i].kind == plan::ProcessKind::percall) {
      percall_of_cell_.emplace(plan.processes[i].cell, i);
    } else {
      processes_of_cell_[plan.processes[i].cell].push_back(i);
    }
  }
}

std::size_t Schedule::cell_index(const std::string& name) const {
  const auto found = cells_by_name_.find(name);
  if (found == cells_by_name_.end()) {
    throw Error(Fault::configuration, name, "the journal holds a cell that the plan does not have")
        .hint("--fresh starts anew");
  }
  return found->second;
}

bool Schedule::is_open(std::size_t cell) const {
  return is_timed_[plan_.cells[cell].build] && !is_failed_[cell];
}

void Schedule::add(const record::Observation& observation) {
  const std::size_t cell = cell_index(observation.cell);
  if (observation.outcome != record::Outcome::complete) {
    is_failed_[cell] = true;
    return;
  }
  if (observation.phase == "calibrate") {
    add_calibration(cell, observation);
  } else {
    add_trial(cell, observation);
  }
}

void Schedule::add_calibration(std::size_t cell, const record::Observation& observation) {
  calibration_attempts_[cell] = std::max(calibration_attempts_[cell], observation.attempt);
  if (observation.taints.empty() || observation.attempt >= record::kMostDisturbedAttempts) {
    counts_[cell] = plan::derive_counts(campaign_, calibrated_call_ns(observation));
  }
}

void Schedule::add_trial(std::size_t cell, const record::Observation& observation) {
  const bool is_percall = observation.phase == "percall";
  const auto percall = percall_of_cell_.find(cell);
  if (is_percall ? percall == percall_of_cell_.end()
                 : observation.process >= processes_of_cell_[cell].size()) {
    throw Error(Fault::configuration, observation.cell,
                "the journal holds process " + std::to_string(observation.process) +
                    ", which the plan does not have")
        .hint("--fresh starts anew");
  }
  const std::size_t process =
      is_percall ? percall->second : processes_of_cell_[cell][observation.process];
  attempts_[process] = std::max(attempts_[process], observation.attempt);
  if (observation.is_disturbed()) {
    ++disturbed_attempts_[process];
  } else if (!observation.taints.empty()) {
    is_replanned_[cell] = true;
    counts_[cell] = plan::derive_counts(campaign_, observation.call_ns());
  }
  if (!is_percall) {
    was_clock_slow_ = has_slow_clock(cell, observation);
  }
  if (!is_percall && observation.is_used()) {
    if (observation.cycles) {
      clocks_[cell].push_back(clock_of(observation));
    }
    if (plan_.processes[process].kind == plan::ProcessKind::trial) {
      trials_[cell].push_back(observation);
    }
  }
  const bool is_done =
      observation.is_used() || disturbed_attempts_[process] >= record::kMostDisturbedAttempts;
  if (is_done && !is_done_[process]) {
    is_done_[process] = true;
    ++finished_;
  }
}

void Schedule::judge(record::Observation& observation) const {
  observation.taints = find_disturbances(observation);
  if (!observation.taints.empty() || observation.phase != "trial" ||
      observation.outcome != record::Outcome::complete) {
    return;
  }
  judge_clock(observation);
  if (observation.taints.empty() && observation.process == 0) {
    judge_calibration(observation);
  }
}

bool Schedule::has_slow_clock(std::size_t cell, const record::Observation& trial) const {
  return trial.cycles && clocks_[cell].size() >= kFewestClocks &&
         clock_of(trial) < kSlowClock * median_of(clocks_[cell]);
}

void Schedule::judge_clock(record::Observation& trial) const {
  const std::size_t cell = cell_index(trial.cell);
  if (!was_clock_slow_ && has_slow_clock(cell, trial)) {
    trial.taints.push_back("slow clock: " + text::fixed(clock_of(trial), 3) +
                           " GHz, the processes before it " +
                           text::fixed(median_of(clocks_[cell]), 3) + " GHz");
  }
}

void Schedule::judge_calibration(record::Observation& trial) const {
  const std::size_t cell = cell_index(trial.cell);
  const auto known = counts_.find(cell);
  if (is_replanned_[cell] || known == counts_.end()) {
    return;
  }
  const double off = trial.call_ns() / known->second.call_ns - 1.0;
  const bool changes_counts =
      plan::derive_counts(campaign_, trial.call_ns()).calls != known->second.calls;
  if (std::abs(off) > kCalibrationTolerance && changes_counts) {
    trial.taints.push_back(std::string(record::kReplanned) + "a call took " +
                           text::significant(trial.call_ns(), 4) + " ns, " +
                           text::fixed(std::abs(off) * kPercent, 0) + " % " +
                           (off > 0 ? "more" : "less") + " than its calibration");
  }
}

std::optional<Step> Schedule::next() {
  for (; next_calibration_ < plan_.cells.size(); ++next_calibration_) {
    if (is_open(next_calibration_) && counts_.find(next_calibration_) == counts_.end()) {
      return Step{true, next_calibration_, 0, calibration_attempts_[next_calibration_] + 1, {}};
    }
  }
  for (; next_process_ < plan_.processes.size(); ++next_process_) {
    const std::size_t cell = plan_.processes[next_process_].cell;
    if (is_open(cell) && !is_done_[next_process_] && is_wanted(next_process_)) {
      return Step{false, cell, next_process_, attempts_[next_process_] + 1, counts_.at(cell)};
    }
  }
  return std::nullopt;
}

/// Asked in the plan's order, so that every sure process is done before the first other one.
bool Schedule::is_wanted(std::size_t process) {
  if (plan_.processes[process].kind != plan::ProcessKind::more) {
    return true;
  }
  if (!is_disagreeing_) {
    find_disagreeing();
  }
  return is_disagreeing_.value()[plan_.processes[process].cell];
}

void Schedule::find_disagreeing() {
  is_disagreeing_.emplace(plan_.cells.size());
  std::map<std::pair<std::size_t, campaign::Mode>, std::vector<std::size_t>> groups;
  for (std::size_t cell = 0; cell < plan_.cells.size(); ++cell) {
    groups[{plan_.cells[cell].build, plan_.cells[cell].mode}].push_back(cell);
  }
  for (const auto& [group, cells] : groups) {
    std::vector<record::Trials> trials;
    for (const std::size_t cell : cells) {
      record::Trials& of_cell = trials.emplace_back();
      for (const record::Observation& trial : trials_[cell]) {
        of_cell.push_back(&trial);
      }
    }
    const auto agreements = record::judge_cells(trials);
    for (std::size_t i = 0; i < cells.size(); ++i) {
      (*is_disagreeing_)[cells[i]] = agreements[i].has_outliers();
    }
  }
}

bool Schedule::has_failures() const {
  return std::find(is_failed_.begin(), is_failed_.end(), true) != is_failed_.end();
}

std::size_t Schedule::planned_processes() const {
  return static_cast<std::size_t>(
      std::count_if(plan_.processes.begin(), plan_.processes.end(), [&](const auto& process) {
        const bool is_sure = process.kind != plan::ProcessKind::more ||
                             (is_disagreeing_ && (*is_disagreeing_)[process.cell]);
        return is_sure && is_timed_[plan_.cells[process.cell].build];
      }));
}

double Schedule::remaining_ns() const {
  double total = 0;
  for (std::size_t i = 0; i < plan_.processes.size(); ++i) {
    const std::size_t cell = plan_.processes[i].cell;
    const bool is_sure = plan_.processes[i].kind != plan::ProcessKind::more ||
                         (is_disagreeing_ && (*is_disagreeing_)[cell]);
    if (!is_open(cell) || is_done_[i] || !is_sure) {
      continue;
    }
    const auto known = counts_.find(cell);
    total += known == counts_.end()
                 ? static_cast<double>(campaign_.measure.trial.value)
                 : static_cast<double>(known->second.calls) * known->second.call_ns;
  }
  return total;
}

double calibrated_call_ns(const record::Observation& calibration) {
  std::vector<double> values;
  for (const auto& slice : calibration.slices) {
    if (slice.calls != 0) {
      values.push_back(static_cast<double>(slice.elapsed_ns) / static_cast<double>(slice.calls));
    }
  }
  if (values.empty()) {
    return calibration.call_ns();
  }
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace hashprof::runner
