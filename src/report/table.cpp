// SPDX-License-Identifier: MIT
// See report/table.h.
#include "report/table.h"

#include <algorithm>

#include "base/error.h"

namespace hashprof::report {

namespace {

/// Characters, not bytes: every byte that does not continue a UTF-8 sequence.
std::size_t width(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80;
  }));
}

}  // namespace

void Table::add(std::vector<std::string> cells) {
  if (cells.size() != columns_.size()) {
    throw Error(Fault::internal, "report",
                "a row of " + std::to_string(cells.size()) + " cells in a table of " +
                    std::to_string(columns_.size()) + " columns");
  }
  rows_.push_back(std::move(cells));
}

std::string Table::render() const {
  constexpr std::size_t kNarrowest = 3;  // a rule of "---" or "--:"
  std::vector<std::size_t> widths;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    std::size_t widest = std::max(kNarrowest, width(columns_[i].head));
    for (const auto& row : rows_) {
      widest = std::max(widest, width(row[i]));
    }
    widths.push_back(widest);
  }
  std::string out;
  const auto add_line = [&](const auto& cell_of) {
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const std::string cell = cell_of(i);
      const std::string padding(widths[i] - width(cell), ' ');
      out += "| " + (columns_[i].is_number ? padding + cell : cell + padding) + " ";
    }
    out += "|\n";
  };
  add_line([this](std::size_t i) { return columns_[i].head; });
  add_line([&](std::size_t i) {
    return std::string(widths[i] - 1, '-') + (columns_[i].is_number ? ":" : "-");
  });
  for (const auto& row : rows_) {
    add_line([&row](std::size_t i) { return row[i]; });
  }
  return out;
}

}  // namespace hashprof::report
