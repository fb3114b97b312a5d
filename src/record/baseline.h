// SPDX-License-Identifier: MIT
// Compares every cell with the campaign's baseline of its output length. Private to the unit.
#pragma once

#include "json/value.h"
#include "record/run_view.h"

namespace hashprof::record {

/// Fills in baseline and ratios of every cell of `run`, whose figures are complete. `baselines` is
/// the value in campaign.json: "pseudoXOF" or an object from output bits to instance. The baseline
/// build of an instance is one of the class of what is compared, else its reference variant, and of
/// the same profile and compiler where there is one; a ratio is absent,
/// with the reason, where either figure is.
void compare_with_baselines(const json::Value& baselines, RunView& run);

}  // namespace hashprof::record
