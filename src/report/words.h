// SPDX-License-Identifier: MIT
// What the report says about a build or cell in words: its name, its known answers, and why it has
// no figure. Private to the unit.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "record/run_view.h"

namespace hashprof::report {

using record::BuildView;
using record::CellView;
using record::RunView;

/// Whether the rows belong to more than one family.
[[nodiscard]] bool has_several_families(const RunView& run);
/// The label, with the family before it where two families use one label; escaped.
[[nodiscard]] std::string name_of(const RunView& run, const BuildView& build);
/// The label of a row with figures, which says so where they belong to a failing build; escaped.
[[nodiscard]] std::string row_name(const BuildView& build);
/// The same of a cell of a listed output: "Thunder-XOF-256, 64 B out".
[[nodiscard]] std::string row_name(const BuildView& build,
                                   const std::optional<std::uint64_t>& output_bytes);
/// The same of a cell: "LLH-512, latency".
[[nodiscard]] std::string row_name(const BuildView& build, const CellView& cell);
/// Whether a cell of the run is measured back-to-back, or with latency.
[[nodiscard]] bool has_mode(const RunView& run, bool is_latency);
/// Each output length that the cells of a build have, in their order; one empty where none is
/// listed.
[[nodiscard]] std::vector<std::optional<std::uint64_t>> outputs_of(const BuildView& build);
/// Bits of a row's output.
[[nodiscard]] std::string output_text(const BuildView& build,
                                      const std::optional<std::uint64_t>& output_bytes);

/// Whether known answers were tried and are not right.
[[nodiscard]] bool is_failing(const BuildView& build);
/// "PASS 2_12 2_23 vectors (12); not run: 2_33 Loop (not asked for)", "**MISMATCH** 2_12
/// (MISMATCH) vectors (12): ...; not run: ...", "not run: ..."; escaped.
[[nodiscard]] std::string known_answers(const RunView& run, const BuildView& build);
/// One list item for each build with what `text_of` says of it; neighbours of a family with the
/// same text share one. Empty without builds.
[[nodiscard]] std::string list_by_text(
    const RunView& run,
    const std::function<std::string(const RunView& run, const BuildView& build)>& text_of);
/// "8 of 8 promises kept", "7 of 8 promises kept; **BROKEN** returns (at 9 bits: ...)"; then what
/// was not run and why, and what is reported; escaped.
[[nodiscard]] std::string contract_text(const RunView& run, const BuildView& build);

/// Reasons, not escaped. The cause that lies furthest back is the one that is named.
[[nodiscard]] std::string why_no_library(const RunView& run, const BuildView& build);
[[nodiscard]] std::string why_no_time(const RunView& run, const BuildView& build,
                                      const CellView& cell);
[[nodiscard]] std::string why_no_cycles(const RunView& run, const BuildView& build,
                                        const CellView& cell);
[[nodiscard]] std::string why_no_image(const RunView& run, const BuildView& build);
[[nodiscard]] std::string why_no_parts(const RunView& run, const BuildView& build);
/// Why a build without cells has none.
[[nodiscard]] std::string why_no_cells(const RunView& run, const BuildView& build);

/// What a reader must know before trusting a row, one line each; escaped.
[[nodiscard]] std::vector<std::string> flags_of(const RunView& run, const BuildView& build);

}  // namespace hashprof::report
