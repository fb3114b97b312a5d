// SPDX-License-Identifier: MIT
// What is to be measured next: a plan and the observations so far decide it, so that a resumed run
// goes on exactly where a killed one ended. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "campaign/campaign.h"
#include "plan/plan.h"
#include "record/observation.h"

namespace hashprof::runner {

/// The next process: a calibration of `cell`, or plan.processes[process].
struct Step {
  bool is_calibration = false;
  std::size_t cell = 0;
  std::size_t process = 0;  ///< index into Plan::processes; 0 for a calibration
  std::uint32_t attempt = 1;
  plan::Counts counts;  ///< of a trial
};

/// Follows one run. Every timed cell is calibrated, in the plan's order of cells; then the
/// processes come in the plan's order; those of kind more only where the trials before them show a
/// slow or fast process (record/agreement.h). A cell with a failed process is not measured further.
/// What is disturbed is repeated at once, up to twice; then a calibration is used as it is, and a
/// process stays without a used attempt.
class Schedule {
 public:
  /// `is_timed[b]` tells whether build b is timed at all (the gate's word). The plan and the
  /// campaign must outlive the schedule.
  Schedule(const campaign::Campaign& campaign, const plan::Plan& plan, std::vector<bool> is_timed);

  /// Takes an observation into account: one of the journal, or a new one after `judge`.
  /// One whose cell or process the plan does not have throws Error{configuration}.
  void add(const record::Observation& observation);

  /// Taints an observation that the machine disturbed (runner/taint.h), and a trial whose clock
  /// (cycles by time) is below 95 % of the median of three or more used ones of its cell, unless
  /// the process before it showed the same: a clock that stays low is the machine's clock now, and
  /// cycles do not depend on it. Else the re-planning rule
  /// of design section 5: where the first process of a cell shows its calibration off by more than
  /// 10 % and other counts follow, it is tainted too ("replanned: ..."); `add` then plans the cell
  /// anew from it, once.
  void judge(record::Observation& observation) const;

  [[nodiscard]] std::optional<Step> next();

  /// Counts of the cells that are calibrated.
  [[nodiscard]] const std::map<std::size_t, plan::Counts>& counts() const { return counts_; }
  [[nodiscard]] bool has_failures() const;
  /// Processes that are not tried again: used, or disturbed in every attempt.
  [[nodiscard]] std::size_t finished_processes() const { return finished_; }
  [[nodiscard]] std::size_t planned_processes() const;
  /// Planned time of what is left, in nanoseconds, without the start-up of processes.
  [[nodiscard]] double remaining_ns() const;

 private:
  [[nodiscard]] std::size_t cell_index(const std::string& name) const;
  [[nodiscard]] bool is_open(std::size_t cell) const;
  void add_calibration(std::size_t cell, const record::Observation& observation);
  void add_trial(std::size_t cell, const record::Observation& observation);
  void judge_calibration(record::Observation& trial) const;
  void judge_clock(record::Observation& trial) const;
  [[nodiscard]] bool has_slow_clock(std::size_t cell, const record::Observation& trial) const;
  [[nodiscard]] bool is_wanted(std::size_t process);
  void find_disagreeing();

  const campaign::Campaign& campaign_;
  const plan::Plan& plan_;
  std::vector<bool> is_timed_;
  std::map<std::string, std::size_t> cells_by_name_;
  std::vector<std::vector<std::size_t>> processes_of_cell_;  ///< [cell][block] → index
  std::map<std::size_t, std::size_t> percall_of_cell_;       ///< cell → index
  std::vector<std::vector<record::Observation>> trials_;  ///< [cell]: used, of the sure processes
  std::vector<std::vector<double>> clocks_;               ///< [cell]: cycles a ns of used trials
  bool was_clock_slow_ = false;                           ///< of the trial before
  /// By cell, once every sure process is done: whether its trials disagree.
  std::optional<std::vector<bool>> is_disagreeing_;
  std::map<std::size_t, plan::Counts> counts_;
  std::vector<bool> is_failed_;                      ///< by cell
  std::vector<bool> is_replanned_;                   ///< by cell
  std::vector<std::uint32_t> calibration_attempts_;  ///< by cell
  std::vector<bool> is_done_;                        ///< by process
  std::vector<std::uint32_t> attempts_;              ///< finished attempts by process
  std::vector<std::uint32_t> disturbed_attempts_;    ///< of them the disturbed ones
  std::size_t next_calibration_ = 0;
  std::size_t next_process_ = 0;
  std::size_t finished_ = 0;
};

/// Nanoseconds a call that a calibration found: the median over its slices.
[[nodiscard]] double calibrated_call_ns(const record::Observation& calibration);

}  // namespace hashprof::runner
