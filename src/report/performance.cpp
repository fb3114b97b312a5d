// SPDX-License-Identifier: MIT
// Section 4: the headline with its intervals, then the means in the columns of the published page.
#include <fmt/format.h>

#include "report/agreement_words.h"
#include "report/markdown_text.h"
#include "report/numbers.h"
#include "report/page.h"
#include "report/words.h"

namespace hashprof::report {

namespace {

using stats::Summary;

constexpr const char* kNoBytes = "a message of 0 bytes has no figure per byte";
using NumberText = std::string (*)(double);

constexpr const char* kMeanOffMark = " †";

/// "96.1 %", or "range of 5" where no interval reaches 95 %.
std::string coverage_of(const Summary& summary) {
  return summary.interval.is_confidence ? coverage_text(summary.interval.coverage)
                                        : fmt::format("range of {}", summary.count);
}

std::string with_range(const Summary& summary, double divisor, NumberText median_text,
                       NumberText end_text) {
  return fmt::format("{} [{}, {}]", median_text(summary.median / divisor),
                     end_text(summary.interval.low / divisor),
                     end_text(summary.interval.high / divisor));
}

/// An end of the interval of cycles/byte: below 10 one decimal would hide the interval.
std::string per_byte_end_text(double value) {
  return value < 10 ? three_digits_text(value) : per_byte_text(value);
}

std::string message_text(const CellView& cell) { return fmt::format("{} B", cell.message_bytes); }

/// "9", "used 9 of 11", "7 of 9 planned¹, 11 attempts".
std::string processes_text(Page& page, const CellView& cell) {
  if (!cell.excluded.empty()) {
    return page.notes.absent(cell.excluded);
  }
  if (cell.used_processes >= cell.planned_processes) {
    return cell.attempts > cell.used_processes
               ? fmt::format("used {} of {}", cell.used_processes, cell.attempts)
               : std::to_string(cell.used_processes);
  }
  const std::string& why = cell.failure.empty() ? cell.shortfall : cell.failure;
  return fmt::format("{} of {} planned", cell.used_processes, cell.planned_processes) +
         (why.empty() ? "" : page.notes.mark(why)) +
         (cell.attempts > cell.used_processes ? fmt::format(", {} attempts", cell.attempts) : "");
}

/// The two cells of cycles. Their interval stands with cycles/byte; where there is no such figure,
/// with the cycles.
void add_headline_cycles(Page& page, const BuildView& build, const CellView& cell,
                         std::uint64_t time_count, std::vector<std::string>& row) {
  if (!cell.cycles.summary.has_value()) {
    const std::string absent = page.notes.absent(why_no_cycles(page.run, build, cell));
    row.insert(row.end(), {absent, absent});
    return;
  }
  const Summary& cycles = *cell.cycles.summary;
  const bool is_other_count = cycles.count != time_count;
  const std::string coverage = is_other_count ? ", " + coverage_of(cycles) : "";
  if (cell.message_bytes == 0) {
    row.push_back(with_range(cycles, 1, cycles_text, cycles_text) + coverage);
    row.push_back(page.notes.absent(kNoBytes));
    return;
  }
  row.push_back(cycles_text(cycles.median));
  row.push_back(with_range(cycles, static_cast<double>(cell.message_bytes), per_byte_text,
                           per_byte_end_text) +
                coverage);
}

std::vector<std::string> headline_row(Page& page, const BuildView& build, const CellView& cell) {
  std::vector<std::string> row = {row_name(build, cell), message_text(cell)};
  if (!cell.time_ns.summary.has_value()) {
    const std::string absent = page.notes.absent(why_no_time(page.run, build, cell));
    row.insert(row.end(), 5, absent);
    row.push_back(processes_text(page, cell));
    row.push_back(absent);
    return row;
  }
  const Summary& time = *cell.time_ns.summary;
  add_headline_cycles(page, build, cell, time.count, row);
  row.push_back(time_text(time.median));
  row.push_back(time_range_text(time.interval.low, time.interval.high, time.median) + ", " +
                coverage_of(time));
  row.push_back(cell.message_bytes == 0 ? page.notes.absent(kNoBytes)
                                        : with_range(time, static_cast<double>(cell.message_bytes),
                                                     three_digits_text, three_digits_text));
  row.push_back(processes_text(page, cell));
  const std::string agreement = agreement_text(cell);
  row.push_back(agreement.empty() ? page.notes.absent("agreement is judged from three processes on")
                                  : agreement);
  return row;
}

std::string marked(const std::string& text, const Summary& summary) {
  return summary.is_mean_off ? text + kMeanOffMark : text;
}

std::vector<std::string> means_row(Page& page, const BuildView& build, const CellView& cell) {
  std::vector<std::string> row = {row_name(build, cell), message_text(cell)};
  if (!cell.time_ns.summary.has_value()) {
    row.insert(row.end(), 5, page.notes.absent(why_no_time(page.run, build, cell)));
    return row;
  }
  const auto bytes = static_cast<double>(cell.message_bytes);
  const Summary& time = *cell.time_ns.summary;
  if (cell.cycles.summary.has_value()) {
    const Summary& cycles = *cell.cycles.summary;
    row.push_back(marked(cycles_text(cycles.mean), cycles));
    row.push_back(cell.message_bytes == 0 ? page.notes.absent(kNoBytes)
                                          : per_byte_text(cycles.mean / bytes));
  } else {
    row.insert(row.end(), 2, page.notes.absent(why_no_cycles(page.run, build, cell)));
  }
  row.push_back(marked(time_text(time.mean), time));
  row.push_back(cell.message_bytes == 0 || time.mean <= 0
                    ? page.notes.absent("a message of 0 bytes has no throughput")
                    : throughput_text(bytes, time.mean));
  row.push_back(count_text(cell.calls_total, cell.used_processes, cell.calls_each));
  return row;
}

using RowMaker = std::vector<std::string> (*)(Page&, const BuildView&, const CellView&);

/// Every cell of every build has a row; a build without cells has one that says why.
void fill(Page& page, Table& table, std::size_t columns, RowMaker make_row) {
  for (const BuildView& build : page.run.builds) {
    for (const CellView& cell : build.cells) {
      page.add_row(table, build, make_row(page, build, cell));
    }
    if (build.cells.empty()) {
      std::vector<std::string> row = {row_name(build)};
      row.resize(columns, page.notes.absent(why_no_cells(page.run, build)));
      page.add_row(table, build, std::move(row));
    }
  }
}

void add_headline(Page& page) {
  page.add("### 4.1 Headline: median over processes");
  page.add(
      "Brackets hold the interval of the median from order statistics, with its exact coverage "
      "whatever the distribution; for fewer than 6 processes no such interval reaches 95 %, and "
      "the range of their values stands there. Agreement: a process that deviates from the median "
      "by "
      "more than 10 % is severe, by more than 3 % and 6 times the scale of its build a notice; "
      "where "
      "none is seen, the rate of such processes that cannot be excluded (95 %) stands beside.");
  const std::vector<Column> columns = {
      {"instance"},          {"message", true},     {"median cycles", true},
      {"cycles/byte", true}, {"median time", true}, {"interval", true},
      {"ns/byte", true},     {"processes", true},   {"deviating"}};
  Table table = page.make_table(columns);
  fill(page, table, columns.size(), headline_row);
  page.add_table(table, "Nothing was measured.");
}

void add_means(Page& page) {
  page.add("### 4.2 Means, as the guide asks");
  page.add(
      "n is calls in all (processes × calls of each); † marks a mean more than 2 % off its "
      "median.");
  const std::vector<Column> columns = {{"instance"},
                                       {"message", true},
                                       {"mean cycles", true},
                                       {"cycles/byte", true},
                                       {"mean time", true},
                                       {"MB/s", true},
                                       {"n", true}};
  Table table = page.make_table(columns);
  fill(page, table, columns.size(), means_row);
  page.add_table(table, "Nothing was measured.");
}

}  // namespace

void add_performance(Page& page) {
  const RunView& run = page.run;
  page.add("## 4. Performance");
  const std::string most = run.max_processes > run.processes
                               ? fmt::format(" ({} where they disagree)", run.max_processes)
                               : "";
  const std::string modes = !has_mode(run, true) ? "back-to-back calls"
                            : has_mode(run, false)
                                ? "back-to-back calls, or of calls of which each waits for the "
                                  "digest before it (latency)"
                                : "calls of which each waits for the digest before it (latency)";
  page.add(fmt::format(
      "Planned: {} fresh processes a cell{}, each pinned to CPU {} for one trial of {} of {}, in "
      "randomised blocks (seed {}). Message: byte i = (131·i + length) mod 256.",
      run.processes, most, run.core, time_text(static_cast<double>(run.trial_ns)), modes,
      run.seed));
  if (run.layouts > 1) {
    page.add(fmt::format(
        "The processes take turns with {} libraries of each build: the same objects, linked in "
        "other orders and behind other numbers of bytes.",
        run.layouts));
  }
  add_headline(page);
  add_means(page);
  add_comparison(page);
  add_single_calls(page);
}

}  // namespace hashprof::report
