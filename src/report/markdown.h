// SPDX-License-Identifier: MIT
// The Markdown report: first screen, then the guide's headings. Formats; computes nothing.
#pragma once

#include <string>

#include "record/run_view.h"

namespace hashprof::report {

/// The whole page: UTF-8, LF. A value that was not measured is `n/a` with a footnote.
/// Equal views give equal bytes.
[[nodiscard]] std::string markdown(const record::RunView& run);

}  // namespace hashprof::report
