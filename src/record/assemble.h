// SPDX-License-Identifier: MIT
// From the raw files of a run to what reports see, and to one record file a cell.
#pragma once

#include <string>
#include <vector>

#include "json/value.h"
#include "record/run_directory.h"
#include "record/run_files.h"
#include "record/run_view.h"

namespace hashprof::record {

/// Reads campaign.json, build.json, the known-answer logs and the journal, and derives every
/// figure. Changes nothing. Throws Error{configuration} if the folder is no run or its evidence is
/// damaged.
[[nodiscard]] RunView load_run(const RunPaths& paths);

/// Writes records/<family>/<label>__<operation>.json for every cell that has a process in the
/// journal. Throws Error{output}.
void write_records(const RunPaths& paths);

/// The view as JSON for --json: what the report shows, as numbers; null with a reason where there
/// is no figure.
[[nodiscard]] json::Value to_json(const RunView& run);

}  // namespace hashprof::record
