// SPDX-License-Identifier: MIT
// See report/markdown_text.h. CommonMark 0.30, section 2.4: a backslash before ASCII punctuation
// makes it literal; tables and strikethrough are GFM's.
#include "report/markdown_text.h"

#include <algorithm>

#include "base/text.h"

namespace hashprof::report {

namespace {

bool is_word(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || byte >= 0x80;
}

/// Length of the UTF-8 sequence at the start of `raw`, 0 if it is malformed.
std::size_t sequence_length(std::string_view raw) {
  for (std::size_t length = 1; length <= 4 && length <= raw.size(); ++length) {
    if (text::is_utf8(raw.substr(0, length))) {
      return length;
    }
  }
  return 0;
}

/// Characters that end or turn a line though no reader sees them: C1 controls, line and paragraph
/// separators, and the directional overrides, which make a name read as another one.
bool is_invisible(std::string_view sequence) {
  const auto at = [sequence](std::size_t i) { return static_cast<unsigned char>(sequence[i]); };
  if (sequence.size() == 2) {
    return at(0) == 0xC2 && at(1) < 0xA0;
  }
  if (sequence.size() != 3 || at(0) != 0xE2) {
    return false;
  }
  return (at(1) == 0x80 &&
          ((at(2) >= 0x8B && at(2) <= 0x8F) || (at(2) >= 0xA8 && at(2) <= 0xAE))) ||
         (at(1) == 0x81 && at(2) >= 0xA0 && at(2) <= 0xAF);
}

std::string hexadecimal(std::string_view bytes) {
  std::string out;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    out += "\\\\x" + text::hex({&byte, 1});
  }
  return out;
}

/// Whether the character at `at` means something to Markdown where it stands. A run of underscores
/// inside a word does not (section 6.2), so that SM3__hash_32 stays readable.
bool is_active(std::string_view raw, std::size_t at) {
  const char c = raw[at];
  if (c == '_') {
    const std::size_t before = raw.find_last_not_of('_', at);
    const std::size_t after = raw.find_first_not_of('_', at);
    return before == std::string_view::npos || after == std::string_view::npos ||
           !is_word(raw[before]) || !is_word(raw[after]);
  }
  return std::string_view("\\`*[]<>|&~$#").find(c) != std::string_view::npos;
}

}  // namespace

std::string escape(std::string_view raw) {
  std::string out;
  for (std::size_t at = 0; at < raw.size();) {
    const std::size_t length = sequence_length(raw.substr(at));
    const std::string_view sequence = raw.substr(at, std::max<std::size_t>(length, 1));
    const auto first = static_cast<unsigned char>(sequence[0]);
    if (first == '\n' || first == '\t' || first == '\r') {
      out += ' ';
    } else if (length == 0 || first < 0x20 || first == 0x7F || is_invisible(sequence)) {
      out += hexadecimal(sequence);
    } else {
      out += is_active(raw, at) ? "\\" : "";
      out += sequence;
    }
    at += sequence.size();
  }
  return std::string(text::trim(out));
}

std::string link(std::string_view label, std::string_view address) {
  const bool is_web = address.starts_with("https://") || address.starts_with("http://");
  const bool is_plain = std::all_of(address.begin(), address.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte > 0x20 && byte < 0x7F &&
           std::string_view("<>\\|`").find(c) == std::string_view::npos;
  });
  return is_web && is_plain ? "[" + escape(label) + "](<" + std::string(address) + ">)"
                            : escape(label) + ": " + escape(address);
}

}  // namespace hashprof::report
