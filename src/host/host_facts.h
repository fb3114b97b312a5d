// SPDX-License-Identifier: MIT
// What this machine is, read below a root directory so that tests can bring machines of their own.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "json/value.h"

namespace hashprof::host {

/// A fact that was read, or the reason why it is not known. Never an empty value.
struct Fact {
  std::optional<std::string> value;
  std::string reason;  ///< why there is no value; empty if there is one

  [[nodiscard]] static Fact known(std::string value);
  [[nodiscard]] static Fact unknown(std::string reason);
  [[nodiscard]] bool operator==(const Fact&) const = default;
};

/// The environment items of the guide (section 2.1 and 3.5) and what the report's grade needs.
/// Plain data: tests fill it in.
struct HostFacts {
  /// "x86_64" or "aarch64": of uname for the root "/"; for another root the line of its file
  /// "architecture", since this kernel says nothing about that machine; else "unknown".
  std::string architecture;
  Fact hostname;
  Fact processor;       ///< model name
  Fact machine;         ///< maker and product of the firmware tables, or device-tree model
  Fact virtualization;  ///< value "none" on bare metal, else what betrays the hypervisor
  Fact memory_kib;      ///< MemTotal
  Fact os;              ///< PRETTY_NAME
  Fact kernel;          ///< release
  Fact governor;        ///< of the measured core
  Fact driver;          ///< cpufreq driver
  Fact min_khz;         ///< scaling_min_freq: the limit that is set
  Fact max_khz;         ///< scaling_max_freq
  Fact boost;           ///< "on" or "off": no_turbo or cpufreq/boost
  Fact smt;             ///< of the measured core: "on" = a second thread is online, "off", "none"
  Fact perf_event_paranoid;
  std::vector<std::uint32_t> online_cpus;  ///< empty if unknown
};

/// Reads the facts for measuring on `core` from `root`/proc, `root`/sys, `root`/etc.
/// A file that is missing or senseless makes its fact unknown; never throws for that.
[[nodiscard]] HostFacts read_host(const std::filesystem::path& root, std::uint32_t core);

/// Features of a core's CPU as /proc/cpuinfo names them: "avx2", "sve". Nothing if it does not say.
[[nodiscard]] std::optional<std::vector<std::string>> find_cpu_features(
    const std::filesystem::path& root, std::uint32_t core);

/// Bytes that a process may still take: MemAvailable, or less where a cgroup (version 2) of this
/// process leaves less. Nothing if it cannot be read.
[[nodiscard]] std::optional<std::uint64_t> find_available_memory(const std::filesystem::path& root);

/// Parses "0-3,7" of the kernel's CPU lists; empty optional on anything else.
[[nodiscard]] std::optional<std::vector<std::uint32_t>> parse_cpu_list(const std::string& text);

/// "0-3,7" of ascending CPUs.
[[nodiscard]] std::string cpu_list_text(const std::vector<std::uint32_t>& cpus);

/// CPUs this process may run on (sched_getaffinity with a mask as large as the kernel's),
/// ascending. Throws Error{environment}.
[[nodiscard]] std::vector<std::uint32_t> allowed_cpus();
/// The core to measure on: `wanted`, or the last allowed one for auto. Throws Error{configuration}
/// that names the CPU and lists the allowed ones.
[[nodiscard]] std::uint32_t choose_core(std::optional<std::uint32_t> wanted,
                                        const std::vector<std::uint32_t>& allowed);

/// Each fact by name, numbers as text too: {"processor": "..."} or
/// {"processor": null, "processor_reason": "..."}.
[[nodiscard]] json::Value to_json(const HostFacts& facts);
/// Throws Error{configuration} naming the member that is missing or of the wrong type.
[[nodiscard]] HostFacts host_from_json(const json::Value& value);

}  // namespace hashprof::host
