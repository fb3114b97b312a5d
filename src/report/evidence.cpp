// SPDX-License-Identifier: MIT
// Section 7: which file proves which figure; and the footnotes of the whole page.
#include <algorithm>

#include "report/markdown_text.h"
#include "report/page.h"
#include "report/words.h"

namespace hashprof::report {

namespace {

constexpr std::size_t kDigestStart = 16;

/// The file with the start of its digest, as the published page shows it.
std::string file_text(Page& page, const std::string& path, const std::string& digest,
                      const std::string& reason) {
  if (path.empty()) {
    return page.notes.absent(reason);
  }
  return escape(path) +
         (digest.empty() ? "" : " (" + escape(digest.substr(0, kDigestStart)) + "…)");
}

void add_build(Page& page, Table& table, const BuildView& build) {
  const std::string name = escape(build.label);
  const std::string no_library = why_no_library(page.run, build);
  page.add_row(table, build,
               {name, "KAT log",
                file_text(page, build.kat_log, build.kat_log_sha256,
                          build.is_built ? "known answers were not run" : no_library)});
  page.add_row(table, build, {name, "build log", file_text(page, build.build_log, {}, no_library)});
  page.add_row(
      table, build,
      {name, "library",
       file_text(page, build.is_built ? build.library : "", build.library_sha256, no_library)});
  if (!build.memory.file.empty()) {
    page.add_row(table, build, {name, "memory", escape(build.memory.file)});
  }
  std::vector<const CellView*> cells;
  for (const CellView& cell : build.cells) {
    if (!cell.record_file.empty()) {
      cells.push_back(&cell);
    }
  }
  // As text, not by size: the published index sorts so.
  std::sort(cells.begin(), cells.end(), [](const CellView* left, const CellView* right) {
    return left->operation < right->operation;
  });
  for (const CellView* cell : cells) {
    page.add_row(table, build, {name, escape(cell->operation), escape(cell->record_file)});
  }
}

}  // namespace

void add_evidence(Page& page) {
  const RunView& run = page.run;
  page.add("## 7. Raw evidence index");
  Table table = page.make_table({{"instance"}, {"item"}, {"file"}});
  for (const BuildView& build : run.builds) {
    add_build(page, table, build);
  }
  page.add_table(table, "There is no evidence of a build yet.");
  const std::string footnotes = page.notes.render();
  if (!footnotes.empty()) {
    page.add("**Footnotes**");
    page.add(footnotes);
  }
  page.add("Raw results of every process: journal.jsonl; digests of every file: SHA256SUMS." +
           (run.command.empty() ? "" : " Command: " + escape(run.command) + "."));
  const std::string version = "hashprof " + escape(run.tool_version);
  page.add("Programs: " + version +
           (run.is_simulated ? " with its simulated meter (plan, figures, statistics, this page)."
                             : " (plan, statistics, this page) and its hashprof-worker (loads, "
                               "calls and times each library)."));
}

}  // namespace hashprof::report
