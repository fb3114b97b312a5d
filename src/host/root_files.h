// SPDX-License-Identifier: MIT
// The small text files of /proc, /sys and /etc below a given root, as facts: a file that is
// missing, empty, binary or absurd gives a reason, never an empty value. Private to the unit.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "host/host_facts.h"

namespace hashprof::host {

/// One line of readable text as a fact; `name` is what the reason talks about.
[[nodiscard]] Fact text_fact(std::string_view text, const std::string& name);
/// A decimal number from `low` to `high` as a fact, without sign, blanks or leading zeros.
[[nodiscard]] Fact number_fact(std::string_view text, const std::string& name, std::uint64_t low,
                               std::uint64_t high);

class RootFiles {
 public:
  explicit RootFiles(std::filesystem::path root) : root_(std::move(root)) {}

  /// Whether the root is the machine's own.
  [[nodiscard]] bool is_this_machine() const;
  /// `path` is absolute as the machine would see it: "/proc/meminfo".
  [[nodiscard]] bool has_directory(const std::string& path) const;
  /// Names in a folder, ascending; none if it cannot be read.
  [[nodiscard]] std::vector<std::string> names(const std::string& path) const;
  [[nodiscard]] std::optional<std::string> find_text(const std::string& path) const;
  /// The only line of a file.
  [[nodiscard]] Fact line(const std::string& path) const;
  /// The first string of a device-tree property, which ends with a NUL; `node` starts with '/'.
  [[nodiscard]] Fact device_tree(const std::string& node) const;

 private:
  std::filesystem::path root_;
};

/// The text of a number behind a label of /proc/meminfo ("MemTotal:"), in KiB.
[[nodiscard]] std::optional<std::string> find_meminfo(const RootFiles& files,
                                                      std::string_view label);

/// "key : value" lines of one CPU in /proc/cpuinfo.
using CpuinfoBlock = std::vector<std::pair<std::string, std::string>>;
/// The blocks of /proc/cpuinfo; empty if it cannot be read as text.
[[nodiscard]] std::vector<CpuinfoBlock> read_cpuinfo(const RootFiles& files);
[[nodiscard]] std::optional<std::string> find_key(const CpuinfoBlock& block, std::string_view key);

[[nodiscard]] Fact read_processor(const RootFiles& files, const std::vector<CpuinfoBlock>& cpuinfo,
                                  std::uint32_t core);
[[nodiscard]] Fact read_machine(const RootFiles& files);
[[nodiscard]] Fact read_virtualization(const RootFiles& files,
                                       const std::vector<CpuinfoBlock>& cpuinfo);
/// Fills governor, driver, min_khz, max_khz, boost and smt.
void read_clock(const RootFiles& files, std::uint32_t core, HostFacts& facts);

}  // namespace hashprof::host
