// SPDX-License-Identifier: MIT
// See submission/source_facts.h.
#include "submission/source_facts.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/text.h"
#include "catalog/c_text.h"

namespace hashprof::submission {

namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// The text behind `#keyword` on a line of code, or nothing.
std::optional<std::string_view> directive(std::string_view line, std::string_view keyword) {
  line = text::trim(line);
  if (line.empty() || line.front() != '#') {
    return std::nullopt;
  }
  line = text::trim(line.substr(1));
  if (line.substr(0, keyword.size()) != keyword) {
    return std::nullopt;
  }
  line.remove_prefix(keyword.size());
  if (!line.empty() && (is_letter(line.front()) || is_digit(line.front()))) {
    return std::nullopt;
  }
  return text::trim(line);
}

std::optional<Macro> macro_of(std::string_view definition) {
  std::size_t end = 0;
  while (end < definition.size() && (is_letter(definition[end]) || is_digit(definition[end]))) {
    ++end;
  }
  const bool has_parameters = end < definition.size() && definition[end] == '(';
  if (end == 0 || has_parameters) {
    return std::nullopt;
  }
  return Macro{std::string(definition.substr(0, end)),
               std::string(text::trim(definition.substr(end)))};
}

void read_directives(const std::string& code, SourceFacts& facts) {
  for (const std::string& line : text::split(code, '\n')) {
    if (const auto include = directive(line, "include"); include && !include->empty()) {
      const std::size_t end = include->find('>');
      if (include->front() == '<' && end != std::string_view::npos) {
        facts.system_includes.emplace_back(text::trim(include->substr(1, end - 1)));
      }
    } else if (const auto definition = directive(line, "define")) {
      if (auto macro = macro_of(*definition)) {
        facts.macros.push_back(std::move(*macro));
      }
    }
  }
}

/// The code without its directives, in which words are words of the program.
std::string without_directives(const std::string& code) {
  std::string out;
  out.reserve(code.size());
  for (const std::string& line : text::split(code, '\n')) {
    const std::string_view trimmed = text::trim(line);
    if (trimmed.empty() || trimmed.front() != '#') {
      out += line + '\n';
    }
  }
  return out;
}

bool is_stdint_name(std::string_view word) {
  static constexpr std::array<std::string_view, 8> kNames = {
      "int8_t", "int16_t", "int32_t", "int64_t", "uint8_t", "uint16_t", "uint32_t", "uint64_t"};
  return std::find(kNames.begin(), kNames.end(), word) != kNames.end();
}

/// Collects words, and the names of <stdint.h> that end a typedef.
void read_words(const std::string& code, SourceFacts& facts) {
  bool is_typedef = false;
  std::string_view last;
  for (std::size_t i = 0; i < code.size();) {
    if (is_letter(code[i]) || is_digit(code[i])) {
      const std::size_t begin = i;
      while (i < code.size() && (is_letter(code[i]) || is_digit(code[i]))) {
        ++i;
      }
      last = std::string_view(code).substr(begin, i - begin);
      if (is_letter(last.front())) {
        is_typedef = is_typedef || last == "typedef";
        facts.words.emplace_back(last);
      }
      continue;
    }
    if (code[i] == ';' || code[i] == ',') {
      if (is_typedef && is_stdint_name(last)) {
        facts.stdint_types.emplace_back(last);
      }
      is_typedef = is_typedef && code[i] == ',';
    }
    ++i;
  }
  std::sort(facts.words.begin(), facts.words.end());
  facts.words.erase(std::unique(facts.words.begin(), facts.words.end()), facts.words.end());
}

template <std::size_t N>
bool holds(const std::array<std::string_view, N>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

bool SourceFacts::has_word(std::string_view word) const {
  return std::binary_search(words.begin(), words.end(), word);
}

bool SourceFacts::has_word_prefix(std::string_view prefix) const {
  const auto first = std::lower_bound(words.begin(), words.end(), prefix);
  return first != words.end() && first->compare(0, prefix.size(), prefix) == 0;
}

SourceFacts facts_of(std::string_view bytes) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  SourceFacts facts;
  if (bytes.find('\0') != std::string_view::npos) {
    facts.is_binary = true;
    return facts;
  }
  if (bytes.substr(0, kByteOrderMark.size()) == kByteOrderMark) {
    bytes.remove_prefix(kByteOrderMark.size());
  }
  const std::string code = catalog::code_of(bytes);
  facts.quoted_includes = catalog::quoted_includes(code);
  facts.defines_ngcc = catalog::defines_function(code, "CryptHash");
  facts.defines_supercop = catalog::defines_function(code, "crypto_hash");
  read_directives(code, facts);
  read_words(without_directives(code), facts);
  return facts;
}

bool is_system_header(std::string_view name) {
  static constexpr std::array<std::string_view, 34> kNames = {
      "assert.h",    "complex.h",   "ctype.h",     "errno.h",     "fenv.h",      "float.h",
      "inttypes.h",  "iso646.h",    "limits.h",    "locale.h",    "math.h",      "memory.h",
      "setjmp.h",    "signal.h",    "stdalign.h",  "stdarg.h",    "stdatomic.h", "stdbool.h",
      "stddef.h",    "stdint.h",    "stdio.h",     "stdlib.h",    "string.h",    "strings.h",
      "time.h",      "unistd.h",    "immintrin.h", "emmintrin.h", "x86intrin.h", "smmintrin.h",
      "tmmintrin.h", "wmmintrin.h", "arm_neon.h",  "nmmintrin.h"};
  return holds(kNames, name) || name.substr(0, 8) == "openssl/" || name.substr(0, 4) == "sys/";
}

bool is_cxx_header(std::string_view name) {
  static constexpr std::array<std::string_view, 26> kNames = {
      "algorithm", "array",    "bit",     "bitset",  "cassert",    "climits",    "cmath",
      "cstddef",   "cstdint",  "cstdio",  "cstdlib", "cstring",    "functional", "iomanip",
      "iostream",  "iterator", "limits",  "map",     "memory",     "new",        "span",
      "sstream",   "string",   "utility", "vector",  "type_traits"};
  const std::size_t dot = name.rfind('.');
  const std::string_view extension = dot == std::string_view::npos ? "" : name.substr(dot);
  return holds(kNames, name) || extension == ".hpp" || extension == ".hh" || extension == ".hxx";
}

}  // namespace hashprof::submission
