// SPDX-License-Identifier: MIT
// Writing a scalar so that it reads back unchanged.
#include <array>
#include <cstdint>

#include "base/text.h"
#include "yaml/document.h"

namespace hashprof::yaml {

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<std::uint8_t>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte < 0x20 || byte == 0x7F) {
      out += "\\x" + text::hex(std::array<std::uint8_t, 1>{byte});
    } else {
      out += c;
    }
  }
  return out + "\"";
}

}  // namespace hashprof::yaml
