// SPDX-License-Identifier: MIT
// Section 4.3: instances of one output length side by side, each with its ratio to the baseline.
#include <algorithm>
#include <set>

#include "report/markdown_text.h"
#include "report/numbers.h"
#include "report/page.h"
#include "report/words.h"

namespace hashprof::report {

namespace {

/// A build at one of its output lengths.
struct Row {
  const BuildView* build = nullptr;
  std::optional<std::uint64_t> output_bytes;
  bool is_latency = false;  ///< the mode that is compared: latency only where nothing else is there

  [[nodiscard]] std::uint64_t bits() const {
    return output_bytes ? *output_bytes * 8 : build->digest_bits;
  }
};

bool has_cycles(const RunView& run) {
  return std::any_of(run.builds.begin(), run.builds.end(), [](const BuildView& build) {
    return std::any_of(build.cells.begin(), build.cells.end(),
                       [](const CellView& cell) { return cell.cycles.summary.has_value(); });
  });
}

std::string class_text(const BuildView& build) { return escape(build.variant_class); }

/// "20.2 k (0.60×)", or the figure alone for a baseline.
std::string comparison_cell(Page& page, const Row& row, std::uint64_t size, bool is_cycles) {
  const BuildView& build = *row.build;
  const auto cell = std::find_if(build.cells.begin(), build.cells.end(), [&](const CellView& at) {
    return at.message_bytes == size && at.output_bytes == row.output_bytes &&
           at.is_latency == row.is_latency;
  });
  if (cell == build.cells.end()) {
    return page.notes.absent("this size was not planned for this instance");
  }
  const record::Figure& figure = is_cycles ? cell->cycles : cell->time_ns;
  if (!figure.summary) {
    return page.notes.absent(is_cycles ? why_no_cycles(page.run, build, *cell)
                                       : why_no_time(page.run, build, *cell));
  }
  const std::string value =
      is_cycles ? cycles_text(figure.summary->median) : time_text(figure.summary->median);
  // Without a baseline the row's own column says why.
  if (cell->is_baseline || cell->baseline.empty()) {
    return value;
  }
  const record::Ratio& ratio = is_cycles ? cell->cycles_ratio : cell->time_ratio;
  return ratio.value ? value + " (" + ratio_text(*ratio.value) + ")"
                     : value + " " + page.notes.absent(ratio.reason);
}

std::string baseline_text(Page& page, const Row& row) {
  const BuildView& build = *row.build;
  if (build.cells.empty()) {
    return page.notes.absent(why_no_cells(page.run, build));
  }
  const CellView& cell =
      *std::find_if(build.cells.begin(), build.cells.end(), [&](const CellView& at) {
        return at.output_bytes == row.output_bytes && at.is_latency == row.is_latency;
      });
  if (cell.is_baseline) {
    return "is one";
  }
  return cell.baseline.empty() ? page.notes.absent(cell.time_ratio.reason) : escape(cell.baseline);
}

}  // namespace

void add_comparison(Page& page) {
  const RunView& run = page.run;
  if (!run.has_baselines) {
    return;
  }
  std::set<std::uint64_t> sizes;
  std::vector<Row> rows;
  for (const BuildView& build : run.builds) {
    for (const auto& output : outputs_of(build)) {
      rows.push_back({&build, output, !has_mode(run, false)});
    }
    for (const CellView& cell : build.cells) {
      sizes.insert(cell.message_bytes);
    }
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const Row& a, const Row& b) { return a.bits() < b.bits(); });
  const bool is_cycles = has_cycles(run);
  std::vector<Column> columns = {{"instance"}, {"class"}, {"output, bits", true}, {"baseline"}};
  for (const std::uint64_t size : sizes) {
    columns.push_back({size_text(size), true});
  }
  Table table = page.make_table(columns);
  for (const Row& row : rows) {
    std::vector<std::string> cells = {
        row_name(*row.build, row.output_bytes), class_text(*row.build),
        output_text(*row.build, row.output_bytes), baseline_text(page, row)};
    for (const std::uint64_t size : sizes) {
      cells.push_back(comparison_cell(page, row, size, is_cycles));
    }
    page.add_row(table, *row.build, std::move(cells));
  }
  page.add("### 4.3 Against the baseline of the same output length");
  page.add(std::string("Median ") + (is_cycles ? "cycles" : "time") +
           " of a call; in brackets its ratio to the median of the baseline at the same message "
           "length (1.00× = as fast, less = faster).");
  page.add_table(table, "Nothing was measured.");
}

}  // namespace hashprof::report
