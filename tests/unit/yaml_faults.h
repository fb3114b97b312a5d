// SPDX-License-Identifier: MIT
// What the tests of the YAML readers share: the full text of a fault, and random damage to a text.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <functional>
#include <random>
#include <string>
#include <string_view>

#include "base/error.h"

namespace hashprof {

/// The rendered error that `read` throws, without "hashprof: error: " and the last newline; a test
/// failure if it throws none, or one of another class than `fault`.
inline std::string fault_text(const std::function<void()>& read,
                              Fault fault = Fault::configuration) {
  try {
    read();
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), fault);
    constexpr std::string_view kStart = "hashprof: error: ";
    std::string text = error.render();
    EXPECT_EQ(text.compare(0, kStart.size(), kStart), 0) << text;
    text.erase(0, kStart.size());
    text.pop_back();
    return text;
  }
  ADD_FAILURE() << "nothing was refused";
  return {};
}

/// `text` with one to four small damages: a byte changed, removed, doubled or swapped, a piece
/// repeated, a piece of YAML put in. The same seed gives the same damage.
inline std::string damaged(std::string text, unsigned seed) {
  static constexpr std::string_view kPieces[] = {"\t",          "\n",
                                                 ": ",          "- ",
                                                 "[",           "]",
                                                 "{",           "}",
                                                 "\"",          "'",
                                                 "#",           "&a ",
                                                 "*a",          "!!int ",
                                                 "<<: *a\n",    "---\n",
                                                 "...\n",       "|\n",
                                                 ">",           "? ",
                                                 "%YAML 1.2\n", "\xEF\xBB\xBF",
                                                 "\xC3",        "\x04",
                                                 "\r",          "~",
                                                 "null",        ".inf",
                                                 "0x10",        "18446744073709551616",
                                                 "  ",          "\\x00"};
  std::mt19937 random(seed);
  const auto below = [&](std::size_t bound) { return bound == 0 ? 0 : random() % bound; };
  const std::size_t damages = 1 + below(4);
  for (std::size_t i = 0; i < damages; ++i) {
    const std::size_t at = below(text.size() + 1);
    const std::size_t length = below(12);
    switch (below(5)) {
      case 0:
        text.insert(at, kPieces[below(std::size(kPieces))]);
        break;
      case 1:
        text.erase(at, length);
        break;
      case 2:
        text.insert(below(text.size() + 1), text.substr(at, 3 * length));
        break;
      case 3:
        text.resize(at);
        break;
      default:
        if (at < text.size()) {
          text[at] = static_cast<char>(random() % 256);
        }
        break;
    }
  }
  return text;
}

}  // namespace hashprof
