// SPDX-License-Identifier: MIT
// The folder of one run: its files by name, its lock, and the digests over them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/unique_fd.h"
#include "json/value.h"

namespace hashprof::record {

/// Schema of campaign.json; it marks a folder as a run.
inline constexpr const char* kRunSchema = "hashprof-run/1";

/// Names below a run directory (design section 5).
struct RunPaths {
  std::filesystem::path root;

  [[nodiscard]] std::filesystem::path campaign_yaml() const { return root / "campaign.yaml"; }
  [[nodiscard]] std::filesystem::path campaign_json() const { return root / "campaign.json"; }
  [[nodiscard]] std::filesystem::path build_json() const { return root / "build.json"; }
  [[nodiscard]] std::filesystem::path calibration_json() const { return root / "calibration.json"; }
  [[nodiscard]] std::filesystem::path journal() const { return root / "journal.jsonl"; }
  [[nodiscard]] std::filesystem::path sums() const { return root / "SHA256SUMS"; }
  [[nodiscard]] std::filesystem::path lock() const { return root / "lock"; }
  [[nodiscard]] std::filesystem::path report() const { return root / "report" / "report.md"; }
  [[nodiscard]] std::filesystem::path library(const std::string& family,
                                              const std::string& label) const {
    return root / "lib" / family / (label + ".so");
  }
  [[nodiscard]] std::filesystem::path build_log(const std::string& family,
                                                const std::string& label) const {
    return root / "build" / (family + "__" + label + ".log");
  }
  [[nodiscard]] std::filesystem::path call_graph(const std::string& family,
                                                 const std::string& label) const {
    return root / "build" / (family + "__" + label + ".callgraph.json");
  }
  [[nodiscard]] std::filesystem::path kat_log(const std::string& family,
                                              const std::string& label) const {
    return root / "kat" / family / (label + ".log");
  }
  [[nodiscard]] std::filesystem::path memory_file(const std::string& family,
                                                  const std::string& label) const {
    return root / "memory" / family / (label + ".json");
  }
  [[nodiscard]] std::filesystem::path record_file(const std::string& family,
                                                  const std::string& label,
                                                  const std::string& operation) const {
    return root / "records" / family / (label + "__" + operation + ".json");
  }
  /// Path relative to the run directory, as evidence names it.
  [[nodiscard]] std::string relative(const std::filesystem::path& path) const;
};

/// A run directory that this process holds the lock of.
class RunDirectory {
 public:
  /// Creates the folder or takes an existing run over, and locks it; leftovers of interrupted
  /// writes are removed. With `is_fresh` everything an earlier run left is deleted first. Throws
  /// Error{configuration} if the folder holds something that is not a run, Error{environment}
  /// naming pid, host and start of a running hashprof, Error{output} if it cannot be written.
  [[nodiscard]] static RunDirectory open(const std::filesystem::path& root, bool is_fresh,
                                         const std::string& start_utc);

  [[nodiscard]] const RunPaths& paths() const { return paths_; }
  /// Whether an earlier run left a campaign.json here.
  [[nodiscard]] bool has_campaign() const;

  /// Removes SHA256SUMS: while files change it would be wrong.
  void drop_sums();
  /// Writes SHA256SUMS over every file but the lock and itself, in order of their names.
  void write_sums();

 private:
  RunDirectory(RunPaths paths, UniqueFd lock);

  RunPaths paths_;
  UniqueFd lock_;
};

/// Whether `path` is a folder with a campaign.json written by hashprof.
[[nodiscard]] bool is_run_directory(const std::filesystem::path& path);

/// Key paths whose values differ between two resolved campaigns, "measure.sizes" for example; a key
/// that only one has counts. Empty for equal values.
[[nodiscard]] std::vector<std::string> changed_keys(const json::Value& before,
                                                    const json::Value& after);

}  // namespace hashprof::record
