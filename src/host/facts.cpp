// SPDX-License-Identifier: MIT
// Collects the facts of a machine; what each file means is in processor, virtualization and clock.
#include <sys/utsname.h>

#include "base/text.h"
#include "host/host_facts.h"
#include "host/root_files.h"

namespace hashprof::host {

namespace {

std::string read_architecture(const RootFiles& files) {
  if (files.is_this_machine()) {
    struct utsname names {};
    return ::uname(&names) == 0 ? std::string(names.machine) : "unknown";
  }
  return files.line("/architecture").value.value_or("unknown");
}

Fact read_memory(const RootFiles& files) {
  if (!files.find_text("/proc/meminfo").has_value()) {
    return Fact::unknown("no /proc/meminfo");
  }
  constexpr std::uint64_t kMostKib = std::uint64_t{1} << 50U;
  const auto total = find_meminfo(files, "MemTotal:");
  return total ? number_fact(*total, "MemTotal of /proc/meminfo", 1, kMostKib)
               : Fact::unknown("no MemTotal in /proc/meminfo");
}

/// The value of an os-release assignment (os-release(5)): quotes and backslashes removed.
std::string unquoted(std::string_view value) {
  value = text::trim(value);
  if (value.size() >= 2 && (value.front() == '"' || value.front() == '\'') &&
      value.back() == value.front()) {
    value = value.substr(1, value.size() - 2);
  }
  std::string out;
  for (std::size_t i = 0; i < value.size(); ++i) {
    if (value[i] == '\\' && i + 1 < value.size()) {
      ++i;
    }
    out += value[i];
  }
  return out;
}

Fact read_os(const RootFiles& files) {
  constexpr std::string_view kKey = "PRETTY_NAME=";
  for (const char* path : {"/etc/os-release", "/usr/lib/os-release"}) {
    const auto text = files.find_text(path);
    if (!text.has_value()) {
      continue;
    }
    for (const std::string& line : text::split(*text, '\n')) {
      if (line.starts_with(kKey)) {
        return text_fact(unquoted(std::string_view(line).substr(kKey.size())),
                         std::string("PRETTY_NAME of ") + path);
      }
    }
    return Fact::unknown(std::string("no PRETTY_NAME in ") + path);
  }
  return Fact::unknown("no /etc/os-release");
}

Fact read_paranoid(const RootFiles& files) {
  const std::string path = "/proc/sys/kernel/perf_event_paranoid";
  Fact fact = files.line(path);
  if (!fact.value.has_value()) {
    return fact;
  }
  if (*fact.value == "-1") {
    return fact;
  }
  return number_fact(*fact.value, path, 0, 100);
}

}  // namespace

HostFacts read_host(const std::filesystem::path& root, std::uint32_t core) {
  const RootFiles files(root);
  const std::vector<CpuinfoBlock> cpuinfo = read_cpuinfo(files);
  HostFacts facts;
  facts.architecture = read_architecture(files);
  facts.hostname = files.line("/proc/sys/kernel/hostname");
  facts.processor = read_processor(files, cpuinfo, core);
  facts.machine = read_machine(files);
  facts.virtualization = read_virtualization(files, cpuinfo);
  facts.memory_kib = read_memory(files);
  facts.os = read_os(files);
  facts.kernel = files.line("/proc/sys/kernel/osrelease");
  read_clock(files, core, facts);
  facts.perf_event_paranoid = read_paranoid(files);
  const auto online = files.find_text("/sys/devices/system/cpu/online");
  if (online.has_value()) {
    facts.online_cpus = parse_cpu_list(*online).value_or(std::vector<std::uint32_t>{});
  }
  return facts;
}

}  // namespace hashprof::host
