// SPDX-License-Identifier: MIT
// The value of a macro by its chain of definitions, as far as a reader without a preprocessor sees.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "submission/source_facts.h"

namespace hashprof::submission {

/// Definitions of several files, in the order in which they were added.
class Macros {
 public:
  void add(const std::vector<Macro>& macros);

  /// The different numbers that definitions of `name` come to: literals of C, other macros, + - *
  /// / << and parentheses. Empty if there is none.
  [[nodiscard]] std::vector<std::uint64_t> numbers(const std::string& name) const;
  /// The same of string literals, also several in a row.
  [[nodiscard]] std::vector<std::string> strings(const std::string& name) const;

 private:
  [[nodiscard]] std::vector<std::string> definitions(const std::string& name) const;

  std::vector<Macro> macros_;
};

}  // namespace hashprof::submission
