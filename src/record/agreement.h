// SPDX-License-Identifier: MIT
// The values of the processes of a cell, and whether they agree: one rule for the schedule, which
// adds processes, and for the reports, which say so. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "record/observation.h"
#include "stats/agreement.h"

namespace hashprof::record {

/// The used trials of one cell, by process number, which is the order they ran in.
using Trials = std::vector<const Observation*>;

/// What the headline is made of: cycles a call where every trial has them, else nanoseconds.
[[nodiscard]] std::vector<double> headline_values(const Trials& trials);

/// The agreement of each cell of `cells`: those of one build and one mode, whose sizes share a
/// scale. A cell with a value that is not above 0 is not judged.
[[nodiscard]] std::vector<stats::Agreement> judge_cells(const std::vector<Trials>& cells);

/// Median over the trials of (last third / first third of their slices) - 1, where that is beyond
/// 3 % either way; empty else, and below 9 slices: the calls get slower, or faster, as they go on.
[[nodiscard]] std::optional<double> find_slice_drift(const Trials& trials);

/// What sets the slow (or fast) processes of a cell apart from all the others, in words: its speed
/// over its slices first, then what was recorded of it alone ("the only one with ..."). Empty
/// clauses are left out; a fact that differs is no proof of a cause.
/// `odd` holds indices into `trials`, ascending, not empty and not all of them.
[[nodiscard]] std::vector<std::string> explain(const Trials& trials,
                                               const std::vector<std::size_t>& odd);

}  // namespace hashprof::record
