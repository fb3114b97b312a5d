// SPDX-License-Identifier: MIT
// The Markdown report: first screen, then the guide's headings. Formats; computes nothing.
#pragma once

#include <string>

#include "record/run_view.h"

namespace hashprof::report {

/// The whole page: UTF-8, LF. A value that was not measured is `n/a` with a footnote.
/// One family: the title names it and section 1 is an item | value table, as published. Several:
/// the title is the campaign's, section 1 has a row a family, other tables a family column.
/// Equal views give equal bytes. A simulated or incomplete run is never PUBLISHABLE here.
[[nodiscard]] std::string markdown(const record::RunView& run);

/// Section 5.1 alone, with its footnotes: what `hashprof memory` prints.
[[nodiscard]] std::string memory_page(const record::RunView& run);

}  // namespace hashprof::report
