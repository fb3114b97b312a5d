// SPDX-License-Identifier: MIT
// What the text of one C or C++ file says of how it wants to be built. No compiler, no
// preprocessor: both sides of every #if are read.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hashprof::submission {

/// `#define name value`, without parameters.
struct Macro {
  std::string name;
  std::string value;  ///< trimmed; may be empty
};

struct SourceFacts {
  std::vector<std::string> quoted_includes;
  std::vector<std::string> system_includes;  ///< of <...>
  std::vector<Macro> macros;                 ///< in order, each definition
  std::vector<std::string> words;         ///< identifiers outside of directives, each once, sorted
  std::vector<std::string> stdint_types;  ///< names of <stdint.h> that it defines by typedef
  bool defines_ngcc = false;              ///< CryptHash has a body here
  bool defines_supercop = false;          ///< crypto_hash has a body here
  bool is_binary = false;                 ///< holds a NUL: no text, whatever its name

  [[nodiscard]] bool has_word(std::string_view word) const;
  /// Whether a word begins so.
  [[nodiscard]] bool has_word_prefix(std::string_view prefix) const;
};

/// Reads the bytes of a file: any encoding whose ASCII is ASCII, any line ends, with or without
/// byte order mark. Comments and literals say nothing.
[[nodiscard]] SourceFacts facts_of(std::string_view bytes);

/// Whether a header of that name comes with a compiler or the system, even where it is asked for
/// in double quotes.
[[nodiscard]] bool is_system_header(std::string_view name);
/// Whether only C++ knows a header of that name: <vector>, <cstdint>, anything.hpp.
[[nodiscard]] bool is_cxx_header(std::string_view name);

}  // namespace hashprof::submission
