// SPDX-License-Identifier: MIT
// See toolchain/exports.h.
#include "toolchain/exports.h"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "base/text.h"

namespace hashprof::toolchain {

namespace {

constexpr std::size_t kShown = 5;

/// The name as it stands in a source; itself if it is none of C++.
std::string demangled(const std::string& symbol) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> name(
      abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 && name != nullptr ? name.get() : symbol;
}

}  // namespace

std::string describe_exports(const std::vector<std::string>& exports, const std::string& entry) {
  std::vector<std::string> names;
  for (const std::string& symbol : exports) {
    const std::string name = demangled(symbol);
    if (name != symbol && name.rfind(entry + "(", 0) == 0) {
      return "it is there with C++ linkage, as " + text::printable(name) +
             ": declare it extern \"C\"";
    }
    names.push_back(text::printable(name));
  }
  if (const auto near = text::closest(entry, names)) {
    return "did you mean '" + *near + "'?";
  }
  if (names.empty()) {
    return "no function is visible outside of its file";
  }
  const std::size_t shown = std::min(names.size(), kShown);
  const std::string list =
      text::join({names.begin(), names.begin() + static_cast<std::ptrdiff_t>(shown)}, ", ");
  return "there are " + list +
         (names.size() > shown ? " and " + std::to_string(names.size() - shown) + " others" : "");
}

}  // namespace hashprof::toolchain
