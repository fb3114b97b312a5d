// SPDX-License-Identifier: MIT
// See catalog/c_text.h. One pass over the bytes; what is in a literal or a comment is never code.
#include "catalog/c_text.h"

#include <algorithm>
#include <cstddef>

#include "base/text.h"

namespace hashprof::catalog {

namespace {

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\v' || c == '\f'; }

/// Phases 1 and 2 of translation: line ends are LF, and a backslash before one joins two lines.
std::string joined_lines(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n') {
      continue;
    }
    if (text[i] == '\n' && !out.empty() && out.back() == '\\') {
      out.pop_back();
      continue;
    }
    out += text[i];
  }
  return out;
}

class Stripper {
 public:
  explicit Stripper(std::string_view text) : text_(text) {}

  std::string run() {
    while (at_ < text_.size()) {
      step();
    }
    return std::move(out_);
  }

 private:
  [[nodiscard]] bool is_next(std::string_view word) const {
    return text_.substr(at_, word.size()) == word;
  }

  void step() {
    const char c = text_[at_];
    if (is_next("//")) {
      at_ = std::min(text_.find('\n', at_), text_.size());
    } else if (is_next("/*")) {
      const std::size_t end = text_.find("*/", at_ + 2);
      at_ = end == std::string_view::npos ? text_.size() : end + 2;
      out_ += ' ';
    } else if (c == '"' || (c == '\'' && !is_digit_separator())) {
      literal(c);
    } else {
      is_directive_ = c == '#' && is_line_blank_ ? true : c == '\n' ? false : is_directive_;
      is_line_blank_ = c == '\n' || (is_line_blank_ && is_blank(c));
      out_ += c;
      ++at_;
    }
  }

  /// 1'000'000 of C++14.
  [[nodiscard]] bool is_digit_separator() const {
    return !out_.empty() && is_word(out_.back()) && at_ + 1 < text_.size() &&
           is_word(text_[at_ + 1]) && out_.back() != 'u' && out_.back() != 'U' &&
           out_.back() != 'L';
  }

  void literal(char quote) {
    is_line_blank_ = false;
    out_ += quote;
    ++at_;
    while (at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n') {
      const std::size_t length = text_[at_] == '\\' && !is_directive_ ? 2 : 1;
      if (is_directive_) {
        out_ += text_[at_];
      }
      at_ += length;
    }
    if (at_ < text_.size() && text_[at_] == quote) {
      out_ += quote;
      ++at_;
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string out_;
  bool is_line_blank_ = true;
  bool is_directive_ = false;
};

/// Calls `see` with the place of each word outside of braces and preprocessor lines.
template <typename See>
void for_each_outer_word(std::string_view code, const See& see) {
  std::size_t depth = 0;
  bool is_line_blank = true;
  for (std::size_t i = 0; i < code.size();) {
    const char c = code[i];
    if (c == '#' && is_line_blank) {
      i = std::min(code.find('\n', i), code.size());
      continue;
    }
    is_line_blank = c == '\n' || (is_line_blank && is_blank(c));
    // extern "C" { is no body.
    const bool is_linkage = c == '{' &&
                            code.substr(0, i).find_last_not_of(" \t\n") != std::string_view::npos &&
                            code[code.substr(0, i).find_last_not_of(" \t\n")] == '"';
    depth += c == '{' && !is_linkage ? 1 : 0;
    depth -= c == '}' && depth > 0 ? 1 : 0;
    if (!is_word(c)) {
      ++i;
      continue;
    }
    std::size_t end = i;
    while (end < code.size() && is_word(code[end])) {
      ++end;
    }
    if (depth == 0) {
      see(code.substr(i, end - i), end);
    }
    i = end;
  }
}

std::size_t skip_blanks(std::string_view code, std::size_t at) {
  while (at < code.size() && is_blank(code[at])) {
    ++at;
  }
  return at;
}

/// The place behind the parenthesis that closes the one at `at`.
std::size_t behind_parentheses(std::string_view code, std::size_t at) {
  std::size_t depth = 0;
  for (; at < code.size(); ++at) {
    depth += code[at] == '(' ? 1 : 0;
    depth -= code[at] == ')' && depth > 0 ? 1 : 0;
    if (depth == 0) {
      return at + 1;
    }
  }
  return at;
}

/// A body, or the declarations of parameters that C had before 1989.
bool has_body(std::string_view code, std::size_t at) {
  at = skip_blanks(code, behind_parentheses(code, at));
  return at < code.size() && (code[at] == '{' || is_word(code[at]));
}

}  // namespace

std::string code_of(std::string_view text) { return Stripper(joined_lines(text)).run(); }

std::vector<std::string> quoted_includes(std::string_view code) {
  std::vector<std::string> names;
  for (const std::string& line : text::split(std::string(code), '\n')) {
    std::string_view rest = text::trim(line);
    if (rest.empty() || rest.front() != '#') {
      continue;
    }
    rest = text::trim(rest.substr(1));
    if (rest.substr(0, 7) != "include") {
      continue;
    }
    rest = text::trim(rest.substr(7));
    const std::size_t end = rest.find('"', 1);
    if (!rest.empty() && rest.front() == '"' && end != std::string_view::npos) {
      names.emplace_back(rest.substr(1, end - 1));
    }
  }
  return names;
}

bool defines_function(std::string_view code, std::string_view name) {
  bool is_found = false;
  for_each_outer_word(code, [&](std::string_view word, std::size_t end) {
    const std::size_t next = skip_blanks(code, end);
    is_found = is_found ||
               (word == name && next < code.size() && code[next] == '(' && has_body(code, next));
  });
  return is_found;
}

}  // namespace hashprof::catalog
