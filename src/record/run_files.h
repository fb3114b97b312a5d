// SPDX-License-Identifier: MIT
// campaign.json and build.json as data: what a run is, and what was built for it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "json/value.h"
#include "record/run_directory.h"
#include "record/run_view.h"

namespace hashprof::record {

enum class RunStatus { running, stopped, complete };
[[nodiscard]] const char* status_name(RunStatus status);

/// campaign.json: the resolved campaign, the tool and the machine.
struct RunHeader {
  std::string tool_version;
  RunStatus status = RunStatus::running;
  std::string started_utc;
  std::string ended_utc;   ///< of the last stop; empty while it runs
  std::string simulation;  ///< empty for a real one
  std::uint32_t core = 0;
  std::string architecture;   ///< "x86-64", "AArch64"
  std::string campaign_file;  ///< where the campaign was read from; gives its paths their meaning
  json::Value overrides;      ///< what the command line said over the file
  json::Value campaign;       ///< campaign::to_json; equal values may share the run
  json::Value builds;         ///< id and settings of every build; the same
  json::Value host;           ///< host::to_json
  std::vector<std::string> host_reasons;  ///< of the machine, for the grade
  std::vector<RunView::EnvironmentItem> environment;
};
[[nodiscard]] json::Value to_json(const RunHeader& header);
/// Throws Error{configuration} naming `file`; a header of a newer schema names both.
[[nodiscard]] RunHeader header_from_json(const json::Value& value);
[[nodiscard]] RunHeader load_header(const RunPaths& paths);

/// One entry of build.json.
struct BuildEntry {
  std::string family_id;
  std::string family_name;
  std::string category;
  std::string instance;
  std::string label;
  std::string variant;
  std::string variant_class;
  std::string profile;
  std::uint32_t digest_bits = 0;
  std::string build_flags;                ///< one line
  std::vector<std::string> vector_files;  ///< names
  std::string library;                    ///< relative path
  std::string log;                        ///< relative path
  json::Value result;                     ///< toolchain::to_json
  json::Value image;                      ///< elf::to_json; null if there is no library

  [[nodiscard]] std::string id() const { return family_id + "/" + label; }
  [[nodiscard]] bool is_built() const { return result.at("built").as_bool(); }
  /// Why there is no library; empty if there is one.
  [[nodiscard]] std::string failure() const { return text_or_empty("reason"); }
  /// Empty if there is no library.
  [[nodiscard]] std::string library_sha256() const { return text_or_empty("library_sha256"); }
  /// First line of the compiler's --version; empty if none was found.
  [[nodiscard]] std::string compiler_version() const;

 private:
  [[nodiscard]] std::string text_or_empty(const char* key) const;
};
/// build.json: the libraries, and what was compiled for the sizes of targets, of which `library` is
/// empty and `image` null.
[[nodiscard]] json::Value to_json(const std::vector<BuildEntry>& builds,
                                  const std::vector<BuildEntry>& objects);
/// Empty if there is no build.json yet. Throws Error{configuration}.
[[nodiscard]] std::vector<BuildEntry> load_builds(const RunPaths& paths);
/// The same of targets; their profile is the target.
[[nodiscard]] std::vector<BuildEntry> load_objects(const RunPaths& paths);

}  // namespace hashprof::record
