// SPDX-License-Identifier: MIT
// What --symbols of `hashprof memory` prints: the named parts of each library, the largest first.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace hashprof::report {

struct SymbolRow {
  std::string name;     ///< as in the source, with aliases behind it
  std::string kind;     ///< "function", "object", ...
  std::string part;     ///< class of the image: "text", "rodata", ...
  std::string section;  ///< empty if the file does not say
  std::uint64_t bytes = 0;
};

struct LibrarySymbols {
  std::string name;    ///< of the build
  std::string reason;  ///< why there are none, or not all; empty if all are there
  std::vector<SymbolRow> rows;
};

/// Markdown: a heading, a table and what is missing, a library.
[[nodiscard]] std::string symbols_page(const std::vector<LibrarySymbols>& libraries);

}  // namespace hashprof::report
