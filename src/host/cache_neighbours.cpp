// SPDX-License-Identifier: MIT
// See host/cache_neighbours.h.
#include "host/cache_neighbours.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>

#include "base/text.h"
#include "host/host_facts.h"
#include "host/root_files.h"

namespace hashprof::host {

namespace {

constexpr const char* kCpus = "/sys/devices/system/cpu";
constexpr std::uint64_t kFarthestLevel = 3;
constexpr std::array<const char*, kFarthestLevel + 1> kShares = {"core", "L1", "L2", "L3"};

/// The nearest level at which each CPU meets the core, an index into kShares: 0 is the core itself.
using Levels = std::map<std::uint32_t, std::size_t>;

std::vector<std::uint32_t> read_cpus(const RootFiles& files, const std::string& path) {
  return parse_cpu_list(files.find_text(path).value_or("")).value_or(std::vector<std::uint32_t>{});
}

void meet(const std::vector<std::uint32_t>& cpus, std::size_t level, Levels& levels) {
  for (const std::uint32_t cpu : cpus) {
    const auto [at, is_new] = levels.emplace(cpu, level);
    at->second = std::min(at->second, level);
  }
}

/// The level of one cache; nothing if that or its type is none that the kernel writes. Instructions
/// count too: two cores that decode through one cache wait for each other.
std::optional<std::size_t> find_level(const RootFiles& files, const std::string& cache) {
  const Fact type = files.line(cache + "/type");
  if (type.value != "Data" && type.value != "Instruction" && type.value != "Unified") {
    return std::nullopt;
  }
  const auto level = text::parse_unsigned(files.line(cache + "/level").value.value_or(""));
  return level && *level >= 1 && *level <= kFarthestLevel ? std::optional<std::size_t>(*level)
                                                          : std::nullopt;
}

Levels read_levels(const RootFiles& files, std::uint32_t core) {
  const std::string cpu = std::string(kCpus) + "/cpu" + std::to_string(core);
  Levels levels;
  meet(read_cpus(files, cpu + "/topology/thread_siblings_list"), 0, levels);
  for (const std::string& name : files.names(cpu + "/cache")) {
    const std::string cache = std::string(cpu).append("/cache/").append(name);
    const auto level = name.starts_with("index") ? find_level(files, cache) : std::nullopt;
    if (level) {
      meet(read_cpus(files, cache + "/shared_cpu_list"), *level, levels);
    }
  }
  return levels;
}

/// What `core` shares something nearer than L3 with.
std::vector<std::uint32_t> near_cpus(const std::filesystem::path& root, std::uint32_t core) {
  std::vector<std::uint32_t> cpus;
  for (const CacheNeighbour& neighbour : find_cache_neighbours(root, core)) {
    if (neighbour.shares != kShares[kFarthestLevel]) {
      cpus.push_back(neighbour.cpu);
    }
  }
  return cpus;
}

}  // namespace

std::vector<CacheNeighbour> find_cache_neighbours(const std::filesystem::path& root,
                                                  std::uint32_t core) {
  const RootFiles files(root);
  const auto online = files.find_text(std::string(kCpus) + "/online");
  const auto cpus = online ? parse_cpu_list(*online) : std::nullopt;
  std::vector<CacheNeighbour> neighbours;
  for (const auto& [cpu, level] : read_levels(files, core)) {
    // The kernel lists CPUs that are online only; without its list of those there is no other.
    const bool is_online = !cpus || std::binary_search(cpus->begin(), cpus->end(), cpu);
    if (cpu != core && is_online) {
      neighbours.push_back({cpu, kShares.at(level)});
    }
  }
  return neighbours;
}

std::vector<std::uint32_t> choose_separate_cores(const std::filesystem::path& root,
                                                 const std::vector<std::uint32_t>& allowed) {
  std::set<std::uint32_t> chosen;
  std::set<std::uint32_t> blocked;  // by what the files of a chosen one say, if not by their own
  for (const std::uint32_t core : allowed) {
    const std::vector<std::uint32_t> near = near_cpus(root, core);
    if (!blocked.contains(core) && std::none_of(near.begin(), near.end(), [&](std::uint32_t cpu) {
          return chosen.contains(cpu);
        })) {
      chosen.insert(core);
      blocked.insert(near.begin(), near.end());
    }
  }
  return {chosen.begin(), chosen.end()};
}

}  // namespace hashprof::host
