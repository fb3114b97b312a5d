// SPDX-License-Identifier: MIT
// Memory that is left: of the machine, and of the control groups that this process is in.
#include <algorithm>
#include <limits>
#include <string_view>

#include "base/text.h"
#include "host/host_facts.h"
#include "host/root_files.h"

namespace hashprof::host {

namespace {

constexpr std::uint64_t kKibibyte = 1024;

/// "/user.slice/x" of the line "0::/user.slice/x"; empty without version 2.
std::string own_group(const RootFiles& files) {
  for (const std::string& line :
       text::split(files.find_text("/proc/self/cgroup").value_or(""), '\n')) {
    if (line.starts_with("0::/")) {
      return line.substr(3);
    }
  }
  return "";
}

/// What one group leaves; nothing if it has no limit ("max") or no such files.
std::optional<std::uint64_t> find_left(const RootFiles& files, const std::string& group) {
  const auto limit =
      text::parse_unsigned(files.line("/sys/fs/cgroup" + group + "/memory.max").value.value_or(""));
  const auto current = text::parse_unsigned(
      files.line("/sys/fs/cgroup" + group + "/memory.current").value.value_or(""));
  if (!limit || !current) {
    return std::nullopt;
  }
  return *limit - std::min(*limit, *current);
}

}  // namespace

std::optional<std::string> find_meminfo(const RootFiles& files, std::string_view label) {
  const auto content = files.find_text("/proc/meminfo");
  for (const std::string& line : text::split(content.value_or(""), '\n')) {
    if (line.starts_with(label)) {
      std::string_view value = text::trim(std::string_view(line).substr(label.size()));
      if (value.ends_with(" kB")) {
        value.remove_suffix(3);
      }
      return std::string(text::trim(value));
    }
  }
  return std::nullopt;
}

std::optional<std::uint64_t> find_available_memory(const std::filesystem::path& root) {
  const RootFiles files(root);
  const auto kib = text::parse_unsigned(find_meminfo(files, "MemAvailable:").value_or(""));
  if (!kib) {
    return std::nullopt;
  }
  std::uint64_t available = *kib * kKibibyte;
  std::string group = own_group(files);
  while (!group.empty()) {
    const bool is_root = group == "/";
    const auto left = find_left(files, is_root ? "" : group);
    available = std::min(available, left.value_or(std::numeric_limits<std::uint64_t>::max()));
    const std::size_t parent = group.rfind('/');
    group = is_root ? "" : parent == 0 ? "/" : group.substr(0, parent);
  }
  return available;
}

}  // namespace hashprof::host
