// SPDX-License-Identifier: MIT
// See report/symbols.h.
#include "report/symbols.h"

#include <fmt/format.h>

#include "report/markdown_text.h"
#include "report/table.h"

namespace hashprof::report {

std::string symbols_page(const std::vector<LibrarySymbols>& libraries) {
  std::string page;
  for (const LibrarySymbols& library : libraries) {
    page += "\n### Symbols of " + escape(library.name) + "\n\n";
    Table table({{"symbol"}, {"kind"}, {"class"}, {"section"}, {"bytes", true}});
    std::uint64_t sum = 0;
    for (const SymbolRow& row : library.rows) {
      table.add({escape(row.name), escape(row.kind), escape(row.part), escape(row.section),
                 fmt::format("{}", row.bytes)});
      sum += row.bytes;
    }
    if (!table.is_empty()) {
      page += table.render() + fmt::format("\n{} symbols, {} B", library.rows.size(), sum) +
              "; literals, padding and start-up code have no symbol.\n";
    }
    if (!library.reason.empty()) {
      page += (table.is_empty() ? "None: " : "\nNot all: ") + escape(library.reason) + ".\n";
    }
  }
  return page;
}

}  // namespace hashprof::report
