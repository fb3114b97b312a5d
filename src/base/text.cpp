// SPDX-License-Identifier: MIT
// Text helpers on std::to_chars and std::from_chars, which no locale changes.
#include "base/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <numeric>

namespace hashprof::text {

namespace {

constexpr std::size_t kMaxNumberText = 512;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

int nibble(char c) {
  if (is_digit(c)) {
    return c - '0';
  }
  if (c >= 'a' && c <= 'f') {
    return c - 'a' + 10;
  }
  if (c >= 'A' && c <= 'F') {
    return c - 'A' + 10;
  }
  return -1;
}

template <typename... Format>
std::string number_text(double value, Format... format) {
  std::array<char, kMaxNumberText> buffer{};
  const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, format...);
  return {buffer.data(), result.ptr};
}

/// Length of the well-formed UTF-8 sequence at the start of `raw`, or 0.
std::size_t utf8_length(std::string_view raw) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(raw[i]); };
  const unsigned first = byte(0);
  if (first < 0x80) {
    return 1;
  }
  const std::size_t length = first >= 0xC2 && first <= 0xDF   ? 2
                             : first >= 0xE0 && first <= 0xEF ? 3
                             : first >= 0xF0 && first <= 0xF4 ? 4
                                                              : 0;
  if (length == 0 || raw.size() < length) {
    return 0;
  }
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80) {
      return 0;
    }
  }
  const unsigned second = byte(1);
  const bool overlong = (first == 0xE0 && second < 0xA0) || (first == 0xF0 && second < 0x90);
  const bool surrogate = first == 0xED && second > 0x9F;
  const bool beyond = first == 0xF4 && second > 0x8F;
  return overlong || surrogate || beyond ? 0 : length;
}

std::size_t edit_distance(std::string_view left, std::string_view right) {
  std::vector<std::size_t> row(right.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= left.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= right.size(); ++j) {
      const std::size_t above = row[j];
      const std::size_t change = diagonal + (left[i - 1] == right[j - 1] ? 0 : 1);
      row[j] = std::min({above + 1, row[j - 1] + 1, change});
      diagonal = above;
    }
  }
  return row[right.size()];
}

}  // namespace

std::string shortest(double value) { return number_text(value); }

std::string fixed(double value, int decimals) {
  return number_text(value, std::chars_format::fixed, decimals);
}

std::string significant(double value, int digits) {
  return number_text(value, std::chars_format::general, digits);
}

std::optional<std::uint64_t> parse_unsigned(std::string_view digits) {
  std::uint64_t value = 0;
  const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (digits.empty() || result.ec != std::errc{} || result.ptr != digits.data() + digits.size()) {
    return std::nullopt;
  }
  return value;
}

std::string hex(std::span<const std::uint8_t> bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out;
  out.reserve(bytes.size() * 2);
  for (const std::uint8_t byte : bytes) {
    out += kDigits[byte >> 4U];
    out += kDigits[byte & 15U];
  }
  return out;
}

std::optional<std::vector<std::uint8_t>> parse_hex(std::string_view digits) {
  if (digits.size() % 2 != 0) {
    return std::nullopt;
  }
  std::vector<std::uint8_t> out;
  out.reserve(digits.size() / 2);
  for (std::size_t i = 0; i < digits.size(); i += 2) {
    const int high = nibble(digits[i]);
    const int low = nibble(digits[i + 1]);
    if (high < 0 || low < 0) {
      return std::nullopt;
    }
    out.push_back(static_cast<std::uint8_t>(high * 16 + low));
  }
  return out;
}

std::vector<std::string> split(std::string_view line, char separator) {
  std::vector<std::string> parts;
  for (;;) {
    const std::size_t at = line.find(separator);
    parts.emplace_back(line.substr(0, at));
    if (at == std::string_view::npos) {
      return parts;
    }
    line.remove_prefix(at + 1);
  }
}

std::string join(const std::vector<std::string>& parts, std::string_view separator) {
  std::string out;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    out += i == 0 ? "" : separator;
    out += parts[i];
  }
  return out;
}

std::string_view trim(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n\v\f";
  const std::size_t first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) {
    return {};
  }
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

bool matches_pattern(std::string_view name, std::string_view pattern) {
  // Linear scan that remembers the last star; no recursion, so no pattern is slow.
  std::size_t n = 0;
  std::size_t p = 0;
  std::size_t star = std::string_view::npos;
  std::size_t resume = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = n;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == name[n])) {
      ++p;
      ++n;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      n = ++resume;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

bool natural_less(std::string_view left, std::string_view right) {
  const auto digits = [](std::string_view text) {
    return std::min(text.find_first_not_of("0123456789"), text.size());
  };
  const std::string_view whole_left = left;
  const std::string_view whole_right = right;
  while (!left.empty() && !right.empty()) {
    if (is_digit(left[0]) && is_digit(right[0])) {
      std::string_view a = left.substr(0, digits(left));
      std::string_view b = right.substr(0, digits(right));
      left.remove_prefix(a.size());
      right.remove_prefix(b.size());
      a.remove_prefix(std::min(a.find_first_not_of('0'), a.size()));
      b.remove_prefix(std::min(b.find_first_not_of('0'), b.size()));
      if (a.size() != b.size()) {
        return a.size() < b.size();
      }
      if (a != b) {
        return a < b;
      }
    } else if (left[0] != right[0]) {
      return left[0] < right[0];
    } else {
      left.remove_prefix(1);
      right.remove_prefix(1);
    }
  }
  if (left.empty() != right.empty()) {
    return left.empty();
  }
  return whole_left < whole_right;  // equal as numbers ("01", "1"): a fixed order all the same
}

std::optional<std::string> closest(std::string_view word,
                                   const std::vector<std::string>& candidates) {
  std::optional<std::string> best;
  std::size_t best_distance = std::max<std::size_t>(1, word.size() / 3) + 1;
  for (const auto& candidate : candidates) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

std::string printable(std::string_view raw, std::size_t longest) {
  std::string out;
  while (!raw.empty()) {
    if (out.size() >= longest) {
      return out + "...";
    }
    const std::size_t length = utf8_length(raw);
    const auto first = static_cast<unsigned char>(raw[0]);
    if (length == 0 || first < 0x20 || first == 0x7F) {
      const std::array<std::uint8_t, 1> byte{first};
      out += "\\x" + hex(byte);
      raw.remove_prefix(1);
    } else {
      out += raw.substr(0, length);
      raw.remove_prefix(length);
    }
  }
  return out;
}

bool is_utf8(std::string_view raw) {
  while (!raw.empty()) {
    const std::size_t length = utf8_length(raw);
    if (length == 0) {
      return false;
    }
    raw.remove_prefix(length);
  }
  return true;
}

}  // namespace hashprof::text
