// SPDX-License-Identifier: MIT
// The page while it grows: what every section needs. Private to the unit.
#pragma once

#include <string>
#include <vector>

#include "record/run_view.h"
#include "report/footnotes.h"
#include "report/table.h"

namespace hashprof::report {

struct Page {
  explicit Page(const record::RunView& view);

  /// A table of builds: a family column comes first where there are several families.
  [[nodiscard]] Table make_table(std::vector<Column> columns) const;
  void add_row(Table& table, const record::BuildView& build, std::vector<std::string> cells) const;
  /// A paragraph, or a block that ends its last line: an empty line follows.
  void add(const std::string& block);
  /// The table, or `otherwise` as a paragraph if it has no row.
  void add_table(const Table& table, const std::string& otherwise);

  const record::RunView& run;
  const bool has_families;
  Footnotes notes;
  std::string text;
};

void add_first_screen(Page& page);
void add_basic_information(Page& page);
void add_environment(Page& page);
void add_functional_testing(Page& page);
void add_performance(Page& page);
/// 4.3, where the campaign names baselines.
void add_comparison(Page& page);
/// 4.4, where single calls were sampled.
void add_single_calls(Page& page);
/// One row a build, of the first screen; nothing where nothing was measured.
void add_memory_summary(Page& page);
/// 5.1
void add_memory(Page& page);
void add_resources(Page& page);
void add_evidence(Page& page);

}  // namespace hashprof::report
