// SPDX-License-Identifier: MIT
// The page from top to bottom; each part is a file of its own.
#include "report/markdown.h"

#include "report/markdown_text.h"
#include "report/page.h"
#include "report/words.h"

namespace hashprof::report {

Page::Page(const record::RunView& view) : run(view), has_families(has_several_families(view)) {}

Table Page::make_table(std::vector<Column> columns) const {
  if (has_families) {
    columns.insert(columns.begin(), Column{"family"});
  }
  return Table(std::move(columns));
}

void Page::add_row(Table& table, const record::BuildView& build,
                   std::vector<std::string> cells) const {
  if (has_families) {
    cells.insert(cells.begin(), escape(build.family_id));
  }
  table.add(std::move(cells));
}

void Page::add(const std::string& block) {
  text += text.empty() ? "" : "\n";
  text += block;
  text += block.ends_with('\n') ? "" : "\n";
}

void Page::add_table(const Table& table, const std::string& otherwise) {
  add(table.is_empty() ? otherwise : table.render());
}

std::string markdown(const record::RunView& run) {
  Page page(run);
  add_first_screen(page);
  add_basic_information(page);
  add_environment(page);
  add_functional_testing(page);
  add_performance(page);
  add_resources(page);
  add_evidence(page);
  return std::move(page.text);
}

}  // namespace hashprof::report
