// SPDX-License-Identifier: MIT
// See submission/yaml_words.h.
#include "submission/yaml_words.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include "base/text.h"
#include "yaml/document.h"

namespace hashprof::submission {

namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

bool is_word_of_yaml(std::string_view name) {
  static constexpr std::array<std::string_view, 9> kWords = {"true", "false", "yes", "no", "on",
                                                             "off",  "null",  "y",   "n"};
  return std::any_of(kWords.begin(), kWords.end(), [&](std::string_view word) {
    return name.size() == word.size() && std::equal(name.begin(), name.end(), word.begin(),
                                                    [](char a, char b) { return (a | ' ') == b; });
  });
}

/// Invisible characters beyond ASCII that a YAML reader takes for line ends or refuses: U+0080 to
/// U+009F, U+2028, U+2029, U+FEFF, U+FFFE, U+FFFF.
std::size_t odd_length(std::string_view rest) {
  constexpr std::array<std::string_view, 5> kOdd = {"\xE2\x80\xA8", "\xE2\x80\xA9", "\xEF\xBB\xBF",
                                                    "\xEF\xBF\xBE", "\xEF\xBF\xBF"};
  for (const std::string_view odd : kOdd) {
    if (rest.substr(0, odd.size()) == odd) {
      return odd.size();
    }
  }
  const bool is_control = rest.size() >= 2 && rest[0] == '\xC2' &&
                          static_cast<unsigned char>(rest[1]) >= 0x80 &&
                          static_cast<unsigned char>(rest[1]) <= 0x9F;
  return is_control ? 2 : 0;
}

}  // namespace

std::string name_word(const std::string& name) {
  const bool is_plain = !name.empty() && is_letter(name.front()) && !is_word_of_yaml(name);
  return is_plain ? name : yaml::quoted(name);
}

std::string path_word(const std::filesystem::path& path, const std::filesystem::path& base) {
  const std::filesystem::path relative = path.lexically_relative(base);
  return yaml::quoted(relative.empty() ? path.native() : relative.native());
}

std::string comment_line(const std::string& text) {
  constexpr std::size_t kLongest = 400;
  const std::string clean = text::printable(text, kLongest);
  std::string out = "# ";
  for (std::size_t i = 0; i < clean.size();) {
    const std::size_t odd = odd_length(std::string_view(clean).substr(i));
    if (odd == 0) {
      out += clean[i++];
    } else {
      out += '?';
      i += odd;
    }
  }
  return out;
}

}  // namespace hashprof::submission
