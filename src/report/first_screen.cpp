// SPDX-License-Identifier: MIT
// What a person sees first: whether the figures count, whether the hashes are right, the headline
// of every instance, and what is wrong with which cell.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "report/markdown_text.h"
#include "report/numbers.h"
#include "report/page.h"
#include "report/words.h"

namespace hashprof::report {

namespace {

using record::Figure;

constexpr std::uint64_t kFewCalls = 100;  // the guide recommends at least 100 measurements

std::string title(const Page& page) {
  const RunView& run = page.run;
  const bool is_one_family = !run.builds.empty() && !page.has_families;
  const std::string subject =
      is_one_family       ? run.builds.front().family_id + " " + run.builds.front().family_name
      : run.title.empty() ? run.name
                          : run.title;
  return "# " + escape(subject) + " — performance" +
         (run.architecture.empty() ? "" : " on " + escape(run.architecture)) +
         (run.system_id.empty() ? "" : " (system " + escape(run.system_id) + ")");
}

std::string run_line(const RunView& run) {
  std::vector<std::string> parts = {"Run " + escape(run.name)};
  if (!run.title.empty()) {
    parts.back() += ": " + escape(run.title);
  }
  if (!run.preset.empty()) {
    parts.push_back("preset " + escape(run.preset));
  }
  parts.push_back("hashprof " + escape(run.tool_version));
  return text::join(parts, "; ") + ".";
}

void add_grade(Page& page) {
  const RunView& run = page.run;
  std::vector<std::string> reasons = run.orientation_reasons;
  // A page must not call itself publishable because its maker forgot to say why it is not.
  if (reasons.empty() && run.is_simulated) {
    reasons.emplace_back("simulated: nothing was measured");
  }
  if (reasons.empty() && !run.is_complete) {
    reasons.emplace_back("the run is not complete");
  }
  if (reasons.empty()) {
    page.add("**Grade: PUBLISHABLE**");
    return;
  }
  page.add("**Grade: FOR ORIENTATION ONLY**");
  std::string list;
  for (const std::string& reason : reasons) {
    list += "- " + escape(reason) + "\n";
  }
  page.add(list);
}

void add_known_answers(Page& page) {
  const std::string list = list_by_text(page.run, known_answers);
  if (!list.empty()) {
    page.add("**Known answers**");
    page.add(list);
  }
}

std::vector<std::uint64_t> all_sizes(const RunView& run, bool is_latency) {
  std::vector<std::uint64_t> sizes;
  for (const BuildView& build : run.builds) {
    for (const CellView& cell : build.cells) {
      if (cell.is_latency == is_latency) {
        sizes.push_back(cell.message_bytes);
      }
    }
  }
  std::sort(sizes.begin(), sizes.end());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  return sizes;
}

/// What the matrix shows: cycles where any cell has them, else nanoseconds.
struct Unit {
  bool is_cycles = false;
  bool is_latency = false;

  [[nodiscard]] const Figure& figure(const CellView& cell) const {
    return is_cycles ? cell.cycles : cell.time_ns;
  }
  [[nodiscard]] std::optional<stats::Line> line(const BuildView& build,
                                                const std::optional<std::uint64_t>& output) const {
    if (!output) {
      return is_cycles ? build.cycles_line : build.time_line;
    }
    for (const record::OutputLines& lines : build.output_lines) {
      if (lines.output_bytes == *output) {
        return is_cycles ? lines.cycles_line : lines.time_line;
      }
    }
    return std::nullopt;
  }
  [[nodiscard]] const char* name() const { return is_cycles ? "cycles/byte" : "ns/byte"; }
  [[nodiscard]] std::string per_byte(double value) const {
    return is_cycles ? per_byte_text(value) : three_digits_text(value);
  }
  [[nodiscard]] std::string fixed(double value) const {
    return is_cycles ? cycles_text(value) : time_text(value);
  }
};

Unit headline_unit(const RunView& run) {
  for (const BuildView& build : run.builds) {
    for (const CellView& cell : build.cells) {
      if (cell.cycles.summary.has_value()) {
        return Unit{true};
      }
    }
  }
  return Unit{false};
}

std::string matrix_cell(Page& page, const BuildView& build,
                        const std::optional<std::uint64_t>& output, std::uint64_t size, Unit unit) {
  const auto at = std::find_if(build.cells.begin(), build.cells.end(), [&](const CellView& cell) {
    return cell.message_bytes == size && cell.output_bytes == output &&
           cell.is_latency == unit.is_latency;
  });
  if (at == build.cells.end()) {
    return page.notes.absent(build.cells.empty() ? why_no_cells(page.run, build)
                                                 : "this size was not planned for this instance");
  }
  const Figure& figure = unit.figure(*at);
  if (!figure.summary.has_value()) {
    return page.notes.absent(unit.is_cycles ? why_no_cycles(page.run, build, *at)
                                            : why_no_time(page.run, build, *at));
  }
  if (size == 0) {
    return page.notes.absent("a message of 0 bytes has no figure per byte");
  }
  const std::string value = unit.per_byte(figure.summary->median / static_cast<double>(size));
  return at->calls_total < kFewCalls ? fmt::format("{} (n={})", value, at->calls_total) : value;
}

std::vector<std::string> matrix_row(Page& page, const BuildView& build,
                                    const std::optional<std::uint64_t>& output,
                                    const std::vector<std::uint64_t>& sizes, Unit unit) {
  std::vector<std::string> cells = {row_name(build, output)};
  for (const std::uint64_t size : sizes) {
    cells.push_back(matrix_cell(page, build, output, size, unit));
  }
  if (unit.is_latency) {
    cells.push_back(output_text(build, output));
    return cells;
  }
  const auto line = unit.line(build, output);
  const std::string why = "a line needs three measured sizes of 4 KiB or more";
  cells.push_back(line.has_value() ? unit.per_byte(line->slope) : page.notes.absent(why));
  cells.push_back(line.has_value() ? unit.fixed(line->fixed) : page.notes.absent(why));
  cells.push_back(output_text(build, output));
  return cells;
}

void add_matrix(Page& page, Unit unit) {
  const std::vector<std::uint64_t> sizes = all_sizes(page.run, unit.is_latency);
  std::vector<Column> columns = {
      {std::string(unit.name()) + (unit.is_latency ? ", latency" : ", back-to-back")}};
  for (const std::uint64_t size : sizes) {
    columns.push_back({size_text(size), true});
  }
  if (!unit.is_latency) {
    columns.push_back({std::string("slope, ") + unit.name(), true});
    columns.push_back({unit.is_cycles ? "fixed cost, cycles" : "fixed cost", true});
  }
  columns.push_back({"output, bits", true});
  Table table = page.make_table(columns);
  for (const BuildView& build : page.run.builds) {
    for (const auto& output : outputs_of(build)) {
      page.add_row(table, build, matrix_row(page, build, output, sizes, unit));
    }
  }
  page.add_table(table, "No instance is part of this run.");
}

/// One line a distinct reason why timed cells have no cycles.
void add_missing_cycles(Page& page) {
  std::vector<std::string> reasons;
  std::size_t timed = 0;
  std::size_t missing = 0;
  for (const BuildView& build : page.run.builds) {
    for (const CellView& cell : build.cells) {
      timed += cell.time_ns.summary.has_value() ? 1U : 0U;
      if (cell.time_ns.summary.has_value() && !cell.cycles.summary.has_value()) {
        ++missing;
        const std::string reason = escape(why_no_cycles(page.run, build, cell));
        if (std::find(reasons.begin(), reasons.end(), reason) == reasons.end()) {
          reasons.push_back(reason);
        }
      }
    }
  }
  if (missing > 0) {
    const std::string where =
        missing == timed ? "" : fmt::format(" in {} of {} cells", missing, timed);
    page.add("No cycles" + where + ": " + text::join(reasons, "; ") + ".");
  }
}

void add_flags(Page& page) {
  std::string list;
  for (const BuildView& build : page.run.builds) {
    for (const std::string& flag : flags_of(page.run, build)) {
      list += "- " + flag + "\n";
    }
  }
  if (list.empty()) {
    page.add("**Flagged**: nothing.");
    return;
  }
  page.add("**Flagged**");
  page.add(list);
}

}  // namespace

void add_first_screen(Page& page) {
  const RunView& run = page.run;
  if (run.is_simulated) {
    page.add("**SIMULATED" + (run.simulation.empty() ? "" : " (" + escape(run.simulation) + ")") +
             ": no figure on this page was measured.**");
  }
  page.add(title(page));
  page.add(run_line(run));
  if (!run.is_complete) {
    page.add(
        "**NOT COMPLETE: the run was stopped. What is here is what was done until then; "
        "the same command resumes it.**");
  }
  add_grade(page);
  add_known_answers(page);
  Unit unit = headline_unit(run);
  unit.is_latency = !has_mode(run, false) && has_mode(run, true);
  page.add(std::string("**Headline**: median over processes of ") + unit.name() +
           (unit.is_latency
                ? "; each call waits for the digest of the one before it."
                : ", calls back-to-back; slope and fixed cost of a call from the line over the "
                  "sizes from 4 KiB."));
  add_matrix(page, unit);
  if (!unit.is_latency && has_mode(run, true)) {
    page.add("**Latency**: the same where each call waits for the digest of the one before it.");
    add_matrix(page, {unit.is_cycles, true});
  }
  add_missing_cycles(page);
  add_memory_summary(page);
  add_flags(page);
}

}  // namespace hashprof::report
