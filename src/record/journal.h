// SPDX-License-Identifier: MIT
// journal.jsonl: one line a finished process, synced before the next one starts. The evidence from
// which everything else is assembled.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/unique_fd.h"
#include "record/observation.h"

namespace hashprof::record {

/// An open journal. One writer at a time: the run directory's lock sees to it.
class Journal {
 public:
  /// Opens or creates the file, reads its complete lines and cuts a torn last line off. Throws
  /// Error{configuration} naming file and line if a complete line is not an observation, or if two
  /// lines hold the same (cell, phase, process, attempt).
  [[nodiscard]] static Journal open(const std::filesystem::path& file);

  /// Appends one line and syncs it to the disk. Throws Error{output}; the file then ends as before
  /// or with a torn line, which the next open removes.
  void append(const Observation& observation);

  /// What was read at the opening, then what was appended, in order.
  [[nodiscard]] const std::vector<Observation>& observations() const { return observations_; }

 private:
  Journal(UniqueFd fd, std::filesystem::path file, std::vector<Observation> observations);

  UniqueFd fd_;
  std::filesystem::path file_;
  std::vector<Observation> observations_;
};

/// Reads a journal without changing it; a torn last line is left out. Throws as Journal::open.
[[nodiscard]] std::vector<Observation> read_journal(const std::filesystem::path& file);

/// The same grouped by cell name, each cell's in the order of the file; empty if there is no
/// journal.
[[nodiscard]] std::map<std::string, std::vector<Observation>> read_journal_by_cell(
    const std::filesystem::path& file);

}  // namespace hashprof::record
