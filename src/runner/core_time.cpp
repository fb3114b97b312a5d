// SPDX-License-Identifier: MIT
// See runner/core_time.h.
#include "runner/core_time.h"

#include <string>
#include <vector>

#include "base/text.h"

namespace hashprof::runner {

std::optional<std::uint64_t> find_steal_ticks(std::string_view stat, std::uint32_t core) {
  constexpr std::size_t kStealColumn = 8;
  const std::string label = "cpu" + std::to_string(core) + " ";
  std::size_t at = 0;
  while (at < stat.size()) {
    const std::size_t end = std::min(stat.find('\n', at), stat.size());
    const std::string_view line = stat.substr(at, end - at);
    if (line.substr(0, label.size()) == label) {
      const std::vector<std::string> fields = text::split(line, ' ');
      return fields.size() > kStealColumn ? text::parse_unsigned(fields[kStealColumn])
                                          : std::nullopt;
    }
    at = end + 1;
  }
  return std::nullopt;
}

}  // namespace hashprof::runner
