// SPDX-License-Identifier: MIT
// Numbers, lists and names as text: exact, and the same in every locale.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hashprof::text {

/// Shortest decimal text that reads back as the same double ("0.1"); the value must be finite.
[[nodiscard]] std::string shortest(double value);
/// Exactly `decimals` digits after the point, rounded on the binary value, half to even at exact
/// ties.
[[nodiscard]] std::string fixed(double value, int decimals);
/// printf's %.<digits>g: `digits` significant digits, trailing zeros dropped.
[[nodiscard]] std::string significant(double value, int digits);
/// The whole of `digits` as an unsigned decimal number without sign or blanks; empty on anything
/// else.
[[nodiscard]] std::optional<std::uint64_t> parse_unsigned(std::string_view digits);

/// Lower-case hexadecimal, two digits a byte.
[[nodiscard]] std::string hex(std::span<const std::uint8_t> bytes);
/// Bytes of an even-length hexadecimal text of either case; empty optional on anything else.
[[nodiscard]] std::optional<std::vector<std::uint8_t>> parse_hex(std::string_view digits);

[[nodiscard]] std::vector<std::string> split(std::string_view line, char separator);
[[nodiscard]] std::string join(const std::vector<std::string>& parts, std::string_view separator);
[[nodiscard]] std::string_view trim(std::string_view text);

/// Whether a name fits a pattern in which `*` stands for any run and `?` for any one character.
[[nodiscard]] bool matches_pattern(std::string_view name, std::string_view pattern);
/// Whether `left` sorts before `right` with digit runs compared as numbers (LLH-256 < LLH-1024).
[[nodiscard]] bool natural_less(std::string_view left, std::string_view right);
/// The candidate nearest to `word` by edit distance, if near enough to be a slip of the keyboard.
[[nodiscard]] std::optional<std::string> closest(std::string_view word,
                                                 const std::vector<std::string>& candidates);
/// The text on one line for messages: control characters and invalid UTF-8 as \xNN, cut at
/// `longest` bytes with "..." behind.
[[nodiscard]] std::string printable(std::string_view raw, std::size_t longest = 200);
/// Whether every byte sequence in `raw` is well-formed UTF-8 (RFC 3629).
[[nodiscard]] bool is_utf8(std::string_view raw);

}  // namespace hashprof::text
