// SPDX-License-Identifier: MIT
// From the observations of a cell to its figures. Pure.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "record/observation.h"
#include "record/run_view.h"

namespace hashprof::record {

/// Observations in the order of the journal, by "<family>/<label>/<operation>".
using ObservationsByCell = std::map<std::string, std::vector<Observation>>;

/// Fills the figures of a planned cell that the gate let pass, and why one is absent: cycles and
/// time of a call from the used trials, the first calls of the same processes, the samples of
/// single calls, and what was not used and why. `observations` are those of the cell.
void fill_cell(CellView& cell, const std::vector<Observation>& observations);

/// Judges how the processes of the cells of `build` agree, those of one mode, and explains what
/// stands apart. A cell whose sure processes disagree was to have up to run.max_processes; that
/// becomes its planned number.
void judge_agreement(const ObservationsByCell& journal, const RunView& run, bool is_latency,
                     BuildView& build);

}  // namespace hashprof::record
