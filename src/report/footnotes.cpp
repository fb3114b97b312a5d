// SPDX-License-Identifier: MIT
// See report/footnotes.h.
#include "report/footnotes.h"

#include <algorithm>
#include <array>

#include "report/markdown_text.h"

namespace hashprof::report {

namespace {

std::string superscript(std::size_t number) {
  constexpr std::array<const char*, 10> kDigits = {"⁰", "¹", "²", "³", "⁴",
                                                   "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string out;
  for (const char digit : std::to_string(number)) {
    out += kDigits[static_cast<std::size_t>(digit - '0')];
  }
  return out;
}

}  // namespace

std::string Footnotes::mark(const std::string& reason) {
  const std::string known = reason.empty() ? "no reason was recorded" : reason;
  auto at = std::find(reasons_.begin(), reasons_.end(), known);
  if (at == reasons_.end()) {
    at = reasons_.insert(at, known);
  }
  return superscript(static_cast<std::size_t>(at - reasons_.begin()) + 1);
}

std::string Footnotes::absent(const std::string& reason) { return "n/a" + mark(reason); }

std::string Footnotes::render() const {
  std::string out;
  for (std::size_t i = 0; i < reasons_.size(); ++i) {
    out += "- " + superscript(i + 1) + " " + escape(reasons_[i]) + "\n";
  }
  return out;
}

}  // namespace hashprof::report
