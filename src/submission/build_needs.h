// SPDX-License-Identifier: MIT
// Language, libraries, flags and headers that sources need, by what they include and call. Private
// to the unit.
#pragma once

#include "submission/implementation.h"
#include "submission/include_search.h"
#include "submission/library.h"

namespace hashprof::submission {

/// Whether a file is one to be included: .h, .hpp, .hh, .inc.
[[nodiscard]] bool is_header(const std::filesystem::path& file);

/// Fills language, libraries, cflags, needs_cpu and suggested_header of an implementation that
/// reaches those files, and says in `unsure` what is a guess.
void find_needs(Library& library, const Reach& reach, Implementation& implementation);

}  // namespace hashprof::submission
