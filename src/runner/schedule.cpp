// SPDX-License-Identifier: MIT
// See runner/schedule.h.
#include "runner/schedule.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/text.h"
#include "runner/taint.h"

namespace hashprof::runner {

namespace {

constexpr double kCalibrationTolerance = 0.10;  // design section 5
constexpr double kPercent = 100.0;

}  // namespace

Schedule::Schedule(const campaign::Campaign& campaign, const plan::Plan& plan,
                   std::vector<bool> is_timed)
    : campaign_(campaign),
      plan_(plan),
      is_timed_(std::move(is_timed)),
      processes_of_cell_(plan.cells.size()),
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
    processes_of_cell_[plan.processes[i].cell].push_back(i);
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
  if (observation.process >= processes_of_cell_[cell].size()) {
    throw Error(Fault::configuration, observation.cell,
                "the journal holds process " + std::to_string(observation.process) +
                    ", which the plan does not have")
        .hint("--fresh starts anew");
  }
  const std::size_t process = processes_of_cell_[cell][observation.process];
  attempts_[process] = std::max(attempts_[process], observation.attempt);
  if (observation.is_disturbed()) {
    ++disturbed_attempts_[process];
  } else if (!observation.taints.empty()) {
    is_replanned_[cell] = true;
    counts_[cell] = plan::derive_counts(campaign_, observation.call_ns());
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
  if (observation.taints.empty() && observation.phase == "trial" && observation.process == 0 &&
      observation.outcome == record::Outcome::complete) {
    judge_calibration(observation);
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
    if (is_open(cell) && !is_done_[next_process_]) {
      return Step{false, cell, next_process_, attempts_[next_process_] + 1, counts_.at(cell)};
    }
  }
  return std::nullopt;
}

bool Schedule::has_failures() const {
  return std::find(is_failed_.begin(), is_failed_.end(), true) != is_failed_.end();
}

std::size_t Schedule::planned_processes() const {
  return static_cast<std::size_t>(std::count_if(
      plan_.processes.begin(), plan_.processes.end(),
      [&](const auto& process) { return is_timed_[plan_.cells[process.cell].build]; }));
}

double Schedule::remaining_ns() const {
  double total = 0;
  for (std::size_t i = 0; i < plan_.processes.size(); ++i) {
    const std::size_t cell = plan_.processes[i].cell;
    if (!is_open(cell) || is_done_[i]) {
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
