// SPDX-License-Identifier: MIT
// Section 4.4: the first call of each process, and samples of single calls.
#include <fmt/format.h>

#include "report/markdown_text.h"
#include "report/numbers.h"
#include "report/page.h"
#include "report/words.h"

namespace hashprof::report {

namespace {

/// What has no digits: the figure would be mostly the reading's.
const std::string kBelowResolution = "below resolution";

std::string unit_text(double value, bool is_cycles) {
  return is_cycles ? cycles_text(value) : time_text(value);
}

std::string first_call_text(Page& page, const CellView& cell) {
  if (cell.first_call_cycles.summary) {
    return cycles_text(cell.first_call_cycles.summary->median) + " cycles";
  }
  return cell.first_call_ns.summary ? time_text(cell.first_call_ns.summary->median)
                                    : page.notes.absent(cell.time_ns.reason);
}

std::string quartiles_text(const stats::SingleCall& figures, bool is_cycles) {
  const stats::Quartiles& stq = figures.quartiles;
  return figures.is_below_resolution
             ? kBelowResolution
             : fmt::format("{} / {} / {}", unit_text(stq.first, is_cycles),
                           unit_text(stq.second, is_cycles), unit_text(stq.third, is_cycles));
}

std::vector<std::string> row_of(Page& page, const BuildView& build, const CellView& cell) {
  std::vector<std::string> row = {row_name(build, cell), fmt::format("{} B", cell.message_bytes),
                                  first_call_text(page, cell)};
  if (!cell.single_call.figures) {
    row.insert(row.end(), 6, page.notes.absent(cell.single_call.reason));
    return row;
  }
  const stats::SingleCall& figures = *cell.single_call.figures;
  const bool is_cycles = cell.single_call.unit == "cycles";
  row.push_back(figures.is_below_resolution
                    ? kBelowResolution
                    : unit_text(figures.net, is_cycles) + (is_cycles ? " cycles" : ""));
  row.push_back(quartiles_text(figures, is_cycles));
  row.push_back(figures.by_doubling
                    ? unit_text(*figures.by_doubling, is_cycles)
                    : page.notes.absent("one call is long enough to be sampled alone"));
  row.push_back(unit_text(figures.empty, is_cycles));
  row.push_back(std::to_string(figures.batch));
  row.push_back(std::to_string(figures.samples));
  return row;
}

}  // namespace

void add_single_calls(Page& page) {
  bool has_any = false;
  for (const BuildView& build : page.run.builds) {
    for (const CellView& cell : build.cells) {
      has_any = has_any || cell.single_call.figures;
    }
  }
  if (!has_any) {
    return;
  }
  page.add("### 4.4 Single calls");
  page.add(
      "First call: median over the processes, code and data cold. A single call is the median "
      "sample less the median empty sample (a call of a function that does nothing, read the same "
      "way), by the calls of a sample; quartiles are stabilised (StQ). By doubling: the difference "
      "between samples of twice the calls and samples, which needs no empty call.");
  Table table = page.make_table({{"instance"},
                                 {"message", true},
                                 {"first call", true},
                                 {"single call", true},
                                 {"StQ1 / StQ2 / StQ3", true},
                                 {"by doubling", true},
                                 {"empty", true},
                                 {"calls a sample", true},
                                 {"samples", true}});
  for (const BuildView& build : page.run.builds) {
    for (const CellView& cell : build.cells) {
      if (cell.time_ns.summary || cell.single_call.figures) {
        page.add_row(table, build, row_of(page, build, cell));
      }
    }
  }
  page.add_table(table, "Nothing was sampled.");
}

}  // namespace hashprof::report
