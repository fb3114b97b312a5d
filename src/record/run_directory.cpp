// SPDX-License-Identifier: MIT
// See record/run_directory.h.
#include "record/run_directory.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "base/error.h"
#include "base/file.h"
#include "base/sha256.h"
#include "base/sys.h"

namespace hashprof::record {

namespace {

namespace fs = std::filesystem;

constexpr std::array<const char*, 10> kRunEntries{
    "campaign.yaml", "campaign.json", "build.json", "build",         "calibration.json",
    "lib",           "kat",           "records",    "journal.jsonl", "memory"};

[[noreturn]] void throw_output(const fs::path& path, const char* call,
                               const std::error_code& code) {
  throw Error(Fault::output, path.native(), call).os_error(code.value());
}

std::string host_name() {
  std::array<char, 256> buffer{};
  return ::gethostname(buffer.data(), buffer.size() - 1) == 0 ? std::string(buffer.data())
                                                              : std::string("unknown host");
}

std::vector<fs::path> regular_files(const fs::path& root) {
  std::vector<fs::path> files;
  std::error_code code;
  fs::recursive_directory_iterator walk(root, code);
  for (const auto end = fs::recursive_directory_iterator(); !code && walk != end;
       walk.increment(code)) {
    if (walk->is_regular_file(code)) {
      files.push_back(walk->path());
    }
  }
  if (code) {
    throw_output(root, "reading the folder", code);
  }
  return files;
}

/// What a run leaves that ended before its campaign.json, killed or over a fault of what it reads:
/// the lock, an empty journal, and whole or half written copies of the campaign.
bool has_only_lock(const fs::path& root) {
  bool has_lock = false;
  for (const auto& entry : fs::directory_iterator(root)) {
    const std::string name = entry.path().filename().native();
    has_lock = has_lock || name == "lock";
    const bool is_empty_journal = name == "journal.jsonl" && fs::is_empty(entry.path());
    if (name != "lock" && name != "campaign.yaml" && !is_empty_journal &&
        entry.path().extension() != ".tmp") {
      return false;
    }
  }
  return has_lock;
}

/// Refuses to touch a folder whose content is not ours.
void check_is_ours(const fs::path& root) {
  std::error_code code;
  if (!fs::exists(root, code)) {
    return;
  }
  if (!fs::is_directory(root, code)) {
    throw Error(Fault::configuration, root.native(), "is not a folder")
        .hint("name another run directory with --out");
  }
  const bool is_empty = fs::is_empty(root, code);
  if (code) {
    throw_output(root, "reading the folder", code);
  }
  if (!is_empty && !is_run_directory(root) && !has_only_lock(root)) {
    throw Error(Fault::configuration, root.native(), "holds files, but no run of hashprof")
        .hint("name an empty or new folder with --out");
  }
}

UniqueFd take_lock(const RunPaths& paths, const std::string& start_utc) {
  UniqueFd lock = sys::open(paths.lock(), O_RDWR | O_CREAT, 0644, Fault::output);
  if (::flock(lock.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK) {
      sys::throw_errno(Fault::output, "flock", paths.lock().native());
    }
    const std::string holder = find_file_text(paths.lock()).value_or("");
    throw Error(Fault::environment, paths.root.native(),
                "another hashprof works in this run directory (" +
                    holder.substr(0, holder.find('\n')) + ")")
        .hint("wait for it, or name another directory with --out");
  }
  sys::ftruncate(lock.get(), 0, paths.lock().native());
  sys::write_all(lock.get(),
                 "pid " + std::to_string(::getpid()) + ", host " + host_name() + ", started " +
                     start_utc + "\n",
                 paths.lock().native());
  return lock;
}

void delete_tree(const fs::path& path) {
  std::error_code code;
  fs::remove_all(path, code);
  if (code) {
    throw_output(path, "remove", code);
  }
}

void compare(const json::Value& before, const json::Value& after, const std::string& path,
             std::vector<std::string>& changed) {
  if (before == after) {
    return;
  }
  if (!before.is_object() || !after.is_object()) {
    changed.push_back(path);
    return;
  }
  const std::string prefix = path.empty() ? "" : path + ".";
  for (const auto& [key, value] : before.as_object()) {
    const json::Value* other = after.find(key);
    compare(value, other == nullptr ? json::Value() : *other, prefix + key, changed);
  }
  for (const auto& [key, value] : after.as_object()) {
    if (before.find(key) == nullptr && !value.is_null()) {
      const std::string name = prefix + key;
      if (std::find(changed.begin(), changed.end(), name) == changed.end()) {
        changed.push_back(name);
      }
    }
  }
}

}  // namespace

std::string RunPaths::relative(const fs::path& path) const {
  return path.lexically_relative(root).native();
}

RunDirectory::RunDirectory(RunPaths paths, UniqueFd lock)
    : paths_(std::move(paths)), lock_(std::move(lock)) {}

RunDirectory RunDirectory::open(const fs::path& root, bool is_fresh, const std::string& start_utc) {
  check_is_ours(root);
  make_directories(root);
  const RunPaths paths{root};
  UniqueFd lock = take_lock(paths, start_utc);
  if (is_fresh) {
    for (const char* entry : kRunEntries) {
      delete_tree(root / entry);
    }
    delete_tree(root / "report");
    delete_tree(paths.sums());
  }
  for (const fs::path& file : regular_files(root)) {
    if (file.extension() == ".tmp") {
      delete_tree(file);
    }
  }
  return {paths, std::move(lock)};
}

bool RunDirectory::has_campaign() const { return fs::exists(paths_.campaign_json()); }

void RunDirectory::drop_sums() { delete_tree(paths_.sums()); }

void RunDirectory::write_sums() {
  std::vector<std::string> names;
  for (const fs::path& file : regular_files(paths_.root)) {
    if (file != paths_.lock() && file != paths_.sums()) {
      names.push_back(paths_.relative(file));
    }
  }
  std::sort(names.begin(), names.end());
  std::string text;
  for (const std::string& name : names) {
    text += sha256_of_file(paths_.root / name) + "  " + name + "\n";
  }
  write_file_atomically(paths_.sums(), text);
}

bool is_run_directory(const fs::path& path) {
  constexpr Bytes kLargest{16U << 20U};
  try {
    const json::Value header =
        json::parse(read_file(path / "campaign.json", kLargest), "campaign.json");
    return header.at("schema").as_string() == kRunSchema;
  } catch (const Error&) {
    return false;
  }
}

std::vector<std::string> changed_keys(const json::Value& before, const json::Value& after) {
  std::vector<std::string> changed;
  compare(before, after, "", changed);
  return changed;
}

}  // namespace hashprof::record
