// SPDX-License-Identifier: MIT
// See submission/macros.h. Chains end after kLongestChain steps: a macro may name itself.
#include "submission/macros.h"

#include <algorithm>
#include <charconv>
#include <functional>
#include <string_view>

#include "base/text.h"

namespace hashprof::submission {

namespace {

constexpr unsigned kLongestChain = 16;

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

using Lookup = std::function<std::optional<std::uint64_t>(const std::string&)>;

/// Nothing where an operand is missing or the result is no number of 64 bits without sign.
std::optional<std::uint64_t> combined(char sign, std::optional<std::uint64_t> left,
                                      std::optional<std::uint64_t> right) {
  if (!left || !right) {
    return std::nullopt;
  }
  std::uint64_t result = 0;
  constexpr std::uint64_t kBits = 64;
  const bool is_possible = sign == '+'   ? !__builtin_add_overflow(*left, *right, &result)
                           : sign == '-' ? !__builtin_sub_overflow(*left, *right, &result)
                           : sign == '*' ? !__builtin_mul_overflow(*left, *right, &result)
                           : sign == '/' ? *right != 0
                                         : *right < kBits;
  if (!is_possible) {
    return std::nullopt;
  }
  return sign == '/' ? *left / *right : sign == '<' ? *left << *right : result;
}

/// Recursive descent over << below + - below * /. Nothing where the text is anything else.
class Expression {
 public:
  Expression(std::string_view text, const Lookup& lookup) : rest_(text), lookup_(lookup) {}

  std::optional<std::uint64_t> value() {
    const auto result = shift();
    skip_blanks();
    return rest_.empty() ? result : std::nullopt;
  }

 private:
  void skip_blanks() { rest_ = text::trim(rest_); }

  bool is_next(std::string_view sign) {
    skip_blanks();
    return rest_.substr(0, sign.size()) == sign;
  }

  bool take(std::string_view sign) {
    if (!is_next(sign)) {
      return false;
    }
    rest_.remove_prefix(sign.size());
    return true;
  }

  std::optional<std::uint64_t> shift() {
    auto left = sum();
    while (left && take("<<")) {
      left = combined('<', left, sum());
    }
    return left;
  }

  std::optional<std::uint64_t> sum() { return from_left(&Expression::product, "+", "-"); }

  std::optional<std::uint64_t> product() { return from_left(&Expression::primary, "*", "/"); }

  /// Operands with two operators of one rank between them, taken from the left.
  std::optional<std::uint64_t> from_left(std::optional<std::uint64_t> (Expression::*operand)(),
                                         const char* first, const char* second) {
    auto left = (this->*operand)();
    while (left && (is_next(first) || is_next(second))) {
      const char* const sign = take(first) ? first : second;
      if (sign == second) {
        (void)take(second);
      }
      left = combined(*sign, left, (this->*operand)());
    }
    return left;
  }

  std::optional<std::uint64_t> primary() {
    if (take("(")) {
      if (++depth_ > kLongestChain) {
        return std::nullopt;
      }
      const auto inner = shift();
      --depth_;
      return take(")") ? inner : std::nullopt;
    }
    skip_blanks();
    std::size_t end = 0;
    while (end < rest_.size() && is_word(rest_[end])) {
      ++end;
    }
    const std::string word(rest_.substr(0, end));
    rest_.remove_prefix(end);
    if (word.empty()) {
      return std::nullopt;
    }
    return word.front() >= '0' && word.front() <= '9' ? literal(word) : lookup_(word);
  }

  static std::optional<std::uint64_t> literal(std::string word) {
    word.erase(word.find_last_not_of("uUlL") + 1);
    const bool is_hex = word.size() > 2 && (word[1] == 'x' || word[1] == 'X');
    const bool is_octal = !is_hex && word.size() > 1 && word[0] == '0';
    const char* begin = word.data() + (is_hex ? 2 : 0);
    const char* end = word.data() + word.size();
    std::uint64_t value = 0;
    const auto result = std::from_chars(begin, end, value, is_hex ? 16 : is_octal ? 8 : 10);
    return result.ec == std::errc() && result.ptr == end ? std::optional(value) : std::nullopt;
  }

  std::string_view rest_;
  const Lookup& lookup_;
  unsigned depth_ = 0;
};

/// `"a" "b"` is ab; nothing where the text is anything else. Escapes stay as they are.
std::optional<std::string> joined_literals(std::string_view value) {
  std::string out;
  value = text::trim(value);
  if (value.size() >= 2 && value.front() == '(' && value.back() == ')') {
    value = text::trim(value.substr(1, value.size() - 2));
  }
  if (value.empty()) {
    return std::nullopt;
  }
  while (!value.empty()) {
    const std::size_t end = value.find('"', 1);
    if (value.front() != '"' || end == std::string_view::npos) {
      return std::nullopt;
    }
    out += value.substr(1, end - 1);
    value = text::trim(value.substr(end + 1));
  }
  return out;
}

bool is_name(std::string_view value) {
  return !value.empty() && std::all_of(value.begin(), value.end(), is_word) &&
         (value.front() < '0' || value.front() > '9');
}

template <typename T>
void add_once(const T& value, std::vector<T>& values) {
  if (std::find(values.begin(), values.end(), value) == values.end()) {
    values.push_back(value);
  }
}

}  // namespace

void Macros::add(const std::vector<Macro>& macros) {
  macros_.insert(macros_.end(), macros.begin(), macros.end());
}

std::vector<std::string> Macros::definitions(const std::string& name) const {
  std::vector<std::string> values;
  for (const Macro& macro : macros_) {
    if (macro.name == name) {
      add_once(macro.value, values);
    }
  }
  return values;
}

std::vector<std::uint64_t> Macros::numbers(const std::string& name) const {
  unsigned steps = 0;
  const Lookup lookup = [&](const std::string& word) -> std::optional<std::uint64_t> {
    const auto values = definitions(word);
    if (values.size() != 1 || ++steps > kLongestChain) {
      return std::nullopt;
    }
    return Expression(values.front(), lookup).value();
  };
  std::vector<std::uint64_t> found;
  for (const std::string& value : definitions(name)) {
    steps = 0;
    if (const auto number = Expression(value, lookup).value()) {
      add_once(*number, found);
    }
  }
  return found;
}

std::vector<std::string> Macros::strings(const std::string& name) const {
  std::vector<std::string> found;
  for (std::string value : definitions(name)) {
    for (unsigned steps = 0; steps < kLongestChain; ++steps) {
      if (const auto literal = joined_literals(value)) {
        add_once(*literal, found);
        break;
      }
      const auto next = is_name(value) ? definitions(value) : std::vector<std::string>();
      if (next.size() != 1) {
        break;
      }
      value = next.front();
    }
  }
  return found;
}

}  // namespace hashprof::submission
