// SPDX-License-Identifier: MIT
// How the processes of a cell agree, in words. Pure; the result is Markdown text.
#pragma once

#include <string>
#include <vector>

#include "record/run_view.h"

namespace hashprof::report {

/// For a column: "none seen in 9; below 29 %", "slow process, severe", "bimodal, notice; drift -18
/// %"; empty where nothing was judged.
[[nodiscard]] std::string agreement_text(const record::CellView& cell);

/// A flag for each disagreement, with its figures and what sets the processes apart; empty for a
/// clean cell.
[[nodiscard]] std::vector<std::string> agreement_flags(const record::CellView& cell);

}  // namespace hashprof::report
