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
/// Kept of one set of commands: going back and forth between two versions of a source costs
/// nothing.
constexpr std::size_t kMostVersions = 4;

std::string key_of(const BuildResult& result, const std::vector<fs::path>& searched) {
  json::Array folders;
  for (const fs::path& folder : searched) {
    folders.emplace_back(folder.native());
  }
  BuildResult made;
  made.commands = result.commands;
  made.compiler = result.compiler;
  made.profile = result.profile;
  made.native = result.native;
  return sha256_of(json::write_compact(
      json::Object{{"version", 1}, {"searched", std::move(folders)}, {"made", to_json(made)}}));
}

std::string version_of(const BuildResult& result) {
  std::string text = result.names_sha256;
  for (const InputFile& input : result.inputs) {
    text += input.path + '\0' + input.sha256;
  }
  return sha256_of(text);
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

/// Removes all but the newest versions beside `kept`.
void prune(const fs::path& folder, const fs::path& kept) {
  std::vector<std::pair<fs::file_time_type, fs::path>> versions;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path() != kept) {
      versions.emplace_back(entry.last_write_time(), entry.path());
    }
  }
  std::sort(versions.rbegin(), versions.rend());
  for (std::size_t i = kMostVersions - 1; i < versions.size(); ++i) {
    fs::remove_all(versions[i].second);
  }
}

void store_or_throw(const fs::path& cache, const BuildRequest& request, const BuildResult& result,
                    const std::vector<fs::path>& searched) {
  const fs::path folder = cache / key_of(result, searched);
  const fs::path version = folder / version_of(result);
  if (fs::exists(version)) {
    return;
  }
  make_directories(folder);
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
    fs::rename(fresh, version);
  } catch (const std::exception&) {
    std::error_code ignored;
    fs::remove_all(fresh, ignored);
    throw;
  }
  prune(folder, version);
}

}  // namespace

std::optional<BuildResult> Cache::take(const BuildRequest& request, const BuildResult& wanted,
                                       const std::vector<fs::path>& searched) {
  std::error_code code;
  for (fs::directory_iterator entries(folder_ / key_of(wanted, searched), code);
       !code && entries != fs::directory_iterator(); entries.increment(code)) {
    auto stored = find_result(entries->path());
    if (!stored || !stands_unseen(*stored, wanted) ||
        layouts_of(*stored) != std::max(1U, request.layouts)) {
      continue;
    }
    for (std::uint32_t layout = 0; layout < layouts_of(*stored); ++layout) {
      copy_library(stored_library(entries->path(), layout),
                   layout_library(request.library, layout));
    }
    if (stands(*stored, request)) {
      return stored;
    }
  }
  return std::nullopt;
}

void Cache::store(const BuildRequest& request, const BuildResult& result,
                  const std::vector<fs::path>& searched) noexcept {
  try {
    store_or_throw(folder_, request, result, searched);
  } catch (const std::exception&) {
    // The build stands without it.
  }
}

}  // namespace hashprof::toolchain
