// SPDX-License-Identifier: MIT
// A Markdown table whose source is aligned too, since `run` prints it on a terminal. Private.
#pragma once

#include <string>
#include <vector>

namespace hashprof::report {

struct Column {
  std::string head;
  bool is_number = false;  ///< aligned to the right
};

class Table {
 public:
  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  /// Cells are Markdown already. Throws Error{internal} unless there is one for each column.
  void add(std::vector<std::string> cells);
  [[nodiscard]] bool is_empty() const noexcept { return rows_.empty(); }
  [[nodiscard]] std::string render() const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace hashprof::report
