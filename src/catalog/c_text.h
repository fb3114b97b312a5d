// SPDX-License-Identifier: MIT
// C and C++ sources seen as text: enough to find drivers and inclusions without a compiler.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hashprof::catalog {

/// The text without comments and with continued lines joined; the contents of string and character
/// literals are left out outside of preprocessor lines. Any bytes are text; CR LF reads as LF. Raw
/// string literals of C++ are taken for plain ones.
[[nodiscard]] std::string code_of(std::string_view text);

/// Names in double quotes of the #include lines of code_of's result, in order.
[[nodiscard]] std::vector<std::string> quoted_includes(std::string_view code);

/// Whether a function called `name` is defined outside of every brace in code_of's result: its
/// name, parentheses, and a body behind them. Macros are not expanded, and both sides of an #if are
/// read.
[[nodiscard]] bool defines_function(std::string_view code, std::string_view name);

}  // namespace hashprof::catalog
