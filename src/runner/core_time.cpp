// SPDX-License-Identifier: MIT
// See runner/core_time.h.
#include "runner/core_time.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <string>

#include "base/text.h"

namespace hashprof::runner {

namespace {

// The columns that make up all time; those of guests behind them are part of user and nice.
constexpr std::size_t kColumns = 8;
constexpr std::size_t kIdle = 3;
constexpr std::size_t kIowait = 4;
constexpr std::size_t kSteal = 7;

std::optional<CoreTime> parse_core_time(std::string_view line) {
  const std::vector<std::string> fields = text::split(line, ' ');
  if (fields.size() <= kColumns) {
    return std::nullopt;
  }
  std::array<std::uint64_t, kColumns> ticks{};
  for (std::size_t i = 0; i < kColumns; ++i) {
    const auto number = text::parse_unsigned(fields[i + 1]);
    if (!number) {
      return std::nullopt;
    }
    ticks.at(i) = *number;
  }
  const std::uint64_t total = std::accumulate(ticks.begin(), ticks.end(), std::uint64_t{0});
  return CoreTime{total - ticks[kIdle] - ticks[kIowait], total, ticks[kSteal]};
}

}  // namespace

std::optional<CoreTime> find_core_time(std::string_view stat, std::uint32_t core) {
  const std::string label = "cpu" + std::to_string(core) + " ";
  std::size_t at = 0;
  while (at < stat.size()) {
    const std::size_t end = std::min(stat.find('\n', at), stat.size());
    const std::string_view line = stat.substr(at, end - at);
    if (line.substr(0, label.size()) == label) {
      return parse_core_time(line);
    }
    at = end + 1;
  }
  return std::nullopt;
}

std::optional<std::uint64_t> find_steal_between(std::string_view before, std::string_view after,
                                                std::uint32_t core) {
  const auto first = find_core_time(before, core);
  const auto last = find_core_time(after, core);
  return first && last && last->steal >= first->steal ? std::optional(last->steal - first->steal)
                                                      : std::nullopt;
}

std::vector<record::Neighbour> neighbours_between(
    const std::vector<host::CacheNeighbour>& neighbours, std::string_view before,
    std::string_view after) {
  std::vector<record::Neighbour> out;
  for (const host::CacheNeighbour& neighbour : neighbours) {
    const auto first = find_core_time(before, neighbour.cpu);
    const auto last = find_core_time(after, neighbour.cpu);
    if (first && last && last->busy >= first->busy && last->total >= first->total) {
      out.push_back(
          {neighbour.cpu, neighbour.shares, last->busy - first->busy, last->total - first->total});
    }
  }
  return out;
}

}  // namespace hashprof::runner
