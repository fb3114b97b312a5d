// SPDX-License-Identifier: MIT
// Runs as a report sees them, built from a few numbers, for the golden pages.
#pragma once

#include "record/run_view.h"

namespace hashprof::report::views {

/// SM3 at six sizes with cycles on a fixed clock, 9 processes each: PUBLISHABLE.
[[nodiscard]] record::RunView quiet();
/// SM3 and SHA-256, two families, in a virtual machine without a cycle counter.
[[nodiscard]] record::RunView no_pmu();
/// A failed build, a mismatch that is not timed, one that is, a crashed cell, a cell from 7 of 9
/// processes, and a mean off its median.
[[nodiscard]] record::RunView failing();
/// 1 and 5 processes, a message of 0 bytes, fewer than 100 calls; simulated.
[[nodiscard]] record::RunView small();
/// Four instances of two output lengths, one of them the baseline of its length.
[[nodiscard]] record::RunView compared();
/// One slow process, two speeds, a drift, single calls and latency.
[[nodiscard]] record::RunView disagreeing();
/// Memory of calls: one hash that copies its message and leaks, with witnesses that disagree and a
/// bound; one without stack, witness and bound, each with its reason; one not measured.
[[nodiscard]] record::RunView remembering();
/// Every text from outside is hostile.
[[nodiscard]] record::RunView hostile();
/// Stopped before anything was built.
[[nodiscard]] record::RunView stopped();

}  // namespace hashprof::report::views
