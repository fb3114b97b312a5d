// SPDX-License-Identifier: MIT
// See toolchain/cache.h.
#include "toolchain/cache.h"

#include <stdlib.h>

#include <algorithm>
#include <exception>
#include <string>
#include <utility>

#include "base/error.h"
#include "base/file.h"
#include "base/sha256.h"
#include "toolchain/process.h"
#include "toolchain/standing.h"

namespace hashprof::toolchain {

namespace {

namespace fs = std::filesystem;

constexpr const char* kResult = "result.json";
constexpr Bytes kLargestResult{16U << 20U};
constexpr std::size_t kMostBuilds = 1000;

std::string key_of(const BuildResult& result, std::uint32_t layouts) {
  BuildResult made;
  made.commands = result.commands;
  made.compiler = result.compiler;
  made.profile = result.profile;
  made.native = result.native;
  made.inputs = result.inputs;
  made.shared_libraries = result.shared_libraries;
  made.preprocessed_sha256 = result.preprocessed_sha256;
  return sha256_of(json::write_compact(
      json::Object{{"version", 2}, {"layouts", layouts}, {"made", to_json(made)}}));
}

fs::path stored_library(const fs::path& folder, std::uint32_t layout) {
  return layout_library(folder / "library.so", layout);
}

const std::string& sha256_of_layout(const BuildResult& result, std::uint32_t layout) {
  return layout == 0 ? result.library_sha256 : result.layout_sha256.at(layout - 1);
}

std::uint32_t layouts_of(const BuildResult& result) {
  return static_cast<std::uint32_t>(result.layout_sha256.size() + 1);
}

void copy_library(const fs::path& from, const fs::path& to) {
  write_file_atomically(to, read_file(from, Bytes{kFileSizeCap}));
}

std::optional<BuildResult> find_result(const fs::path& folder) {
  try {
    BuildResult result =
        build_from_json(json::parse(read_file(folder / kResult, kLargestResult), kResult));
    for (std::uint32_t layout = 0; layout < layouts_of(result); ++layout) {
      if (!is_intact(stored_library(folder, layout), sha256_of_layout(result, layout))) {
        return std::nullopt;
      }
    }
    return result;
  } catch (const Error&) {
    return std::nullopt;
  }
}

/// Removes the oldest builds beyond the number that is kept.
void prune(const fs::path& cache) {
  std::vector<std::pair<fs::file_time_type, fs::path>> builds;
  for (const auto& entry : fs::directory_iterator(cache)) {
    builds.emplace_back(entry.last_write_time(), entry.path());
  }
  std::sort(builds.rbegin(), builds.rend());
  for (std::size_t i = kMostBuilds; i < builds.size(); ++i) {
    fs::remove_all(builds[i].second);
  }
}

void store_or_throw(const fs::path& cache, const BuildRequest& request, const BuildResult& result) {
  const fs::path place = cache / key_of(result, layouts_of(result));
  if (find_result(place)) {
    return;
  }
  fs::remove_all(place);  // damaged, or nothing
  make_directories(cache);
  std::string name = (cache / "new-XXXXXX").native();
  if (::mkdtemp(name.data()) == nullptr) {
    return;
  }
  const fs::path fresh = name;
  try {
    for (std::uint32_t layout = 0; layout < layouts_of(result); ++layout) {
      copy_library(layout_library(request.library, layout), stored_library(fresh, layout));
    }
    write_file_atomically(fresh / kResult, json::write_pretty(to_json(result)));
    fs::rename(fresh, place);
  } catch (const std::exception&) {
    std::error_code ignored;
    fs::remove_all(fresh, ignored);
    throw;
  }
  prune(cache);
}

}  // namespace

std::optional<BuildResult> Cache::take(const BuildRequest& request, const BuildResult& wanted) {
  const std::uint32_t layouts = std::max(1U, request.layouts);
  const fs::path place = folder_ / key_of(wanted, layouts);
  auto stored = find_result(place);
  if (!stored || !is_same_making(*stored, wanted) || layouts_of(*stored) != layouts) {
    return std::nullopt;
  }
  make_directories(request.library.parent_path());
  try {
    for (std::uint32_t layout = 0; layout < layouts; ++layout) {
      copy_library(stored_library(place, layout), layout_library(request.library, layout));
    }
  } catch (const Error& error) {
    if (error.fault() == Fault::output) {
      throw;
    }
    return std::nullopt;  // somebody removed it meanwhile
  }
  return stands(*stored, request) ? stored : std::nullopt;
}

void Cache::store(const BuildRequest& request, const BuildResult& result) noexcept {
  try {
    store_or_throw(folder_, request, result);
  } catch (const std::exception&) {
    // The build stands without it.
  }
}

}  // namespace hashprof::toolchain
