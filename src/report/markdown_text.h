// SPDX-License-Identifier: MIT
// Text of others (titles, names, notes, links) made harmless for Markdown. Private to the unit.
#pragma once

#include <string>
#include <string_view>

namespace hashprof::report {

/// The text as one line that Markdown shows as it stands: active characters get a backslash, line
/// ends and tabs become blanks, what cannot be shown becomes \xNN. Plain names stay as they are.
[[nodiscard]] std::string escape(std::string_view raw);
/// [label](<address>) for a http or https address, else label and address as text.
[[nodiscard]] std::string link(std::string_view label, std::string_view address);

}  // namespace hashprof::report
