// SPDX-License-Identifier: MIT
// Reads what surrounds the measured core (proc(5), Documentation/ABI/testing of Linux).
#include <algorithm>
#include <limits>

#include "base/text.h"
#include "host/findings.h"
#include "host/root_files.h"

namespace hashprof::host {

namespace {

constexpr const char* kCpus = "/sys/devices/system/cpu";
constexpr const char* kPmus = "/sys/bus/event_source/devices";

template <typename Number>
Reading<Number> missing(std::string reason) {
  return {std::nullopt, std::move(reason)};
}

Reading<std::uint64_t> number(const RootFiles& files, const std::string& path, std::uint64_t most) {
  const Fact line = files.line(path);
  const Fact fact = line.value.has_value() ? number_fact(*line.value, path, 0, most) : line;
  if (!fact.value.has_value()) {
    return missing<std::uint64_t>(fact.reason);
  }
  return {text::parse_unsigned(*fact.value), ""};
}

/// "Cpus_allowed_list:" of proc(5): what this process may run on.
Fact read_allowed(const RootFiles& files) {
  constexpr std::string_view kKey = "Cpus_allowed_list:";
  const std::string path = "/proc/self/status";
  for (const std::string& line : text::split(files.find_text(path).value_or(""), '\n')) {
    if (line.starts_with(kKey)) {
      const std::string list(text::trim(std::string_view(line).substr(kKey.size())));
      return parse_cpu_list(list).has_value() ? text_fact(list, path)
                                              : Fact::unknown(path + " holds no list of CPUs");
    }
  }
  return Fact::unknown("no Cpus_allowed_list in " + path);
}

/// "0.52" of /proc/loadavg: two digits behind the point.
Reading<double> read_load(const RootFiles& files) {
  constexpr std::uint64_t kMostLoad = 1'000'000;
  constexpr double kHundredth = 0.01;
  const Fact line = files.line("/proc/loadavg");
  if (!line.value.has_value()) {
    return missing<double>(line.reason);
  }
  const std::string first = text::split(*line.value, ' ').front();
  const std::vector<std::string> parts = text::split(first, '.');
  const auto whole = text::parse_unsigned(parts.front());
  const auto hundredths =
      parts.size() == 2 && parts[1].size() == 2 ? text::parse_unsigned(parts[1]) : std::nullopt;
  if (!whole.has_value() || !hundredths.has_value() || *whole > kMostLoad) {
    return missing<double>("/proc/loadavg holds '" + text::printable(first) + "', no load");
  }
  return {static_cast<double>(*whole) + kHundredth * static_cast<double>(*hundredths), ""};
}

Reading<bool> read_isolation(const RootFiles& files, std::uint32_t core) {
  const std::string path = std::string(kCpus) + "/isolated";
  const auto list = files.find_text(path);
  if (!list.has_value()) {
    return missing<bool>("no " + path);
  }
  if (text::trim(*list).empty()) {
    return {false, ""};
  }
  const auto cpus = parse_cpu_list(*list);
  if (!cpus.has_value()) {
    return missing<bool>(path + " holds no list of CPUs");
  }
  return {std::find(cpus->begin(), cpus->end(), core) != cpus->end(), ""};
}

/// The list of CPUs an interrupt goes to; older kernels know only where it may go. Empty where
/// the kernel has none for it.
std::string find_affinity(const RootFiles& files, const std::string& folder) {
  for (const char* name : {"/effective_affinity_list", "/smp_affinity_list"}) {
    std::string list(text::trim(files.find_text(folder + name).value_or("")));
    if (!list.empty()) {
      return list;
    }
  }
  return "";
}

Reading<std::uint64_t> read_interrupt_lines(const RootFiles& files, std::uint32_t core) {
  const std::string base = "/proc/irq";
  if (!files.has_directory(base)) {
    return missing<std::uint64_t>("no " + base);
  }
  std::uint64_t count = 0;
  const std::string folder = base + "/";
  for (const std::string& name : files.names(base)) {
    const bool is_line = text::parse_unsigned(name).has_value();
    const std::string list = is_line ? find_affinity(files, std::string(folder).append(name)) : "";
    if (list.empty()) {
      continue;
    }
    const auto cpus = parse_cpu_list(list);
    if (!cpus.has_value()) {
      return missing<std::uint64_t>("the affinity of interrupt " + name + " is no list of CPUs");
    }
    count += std::find(cpus->begin(), cpus->end(), core) != cpus->end() ? 1 : 0;
  }
  return {count, ""};
}

/// The hottest zone; a zone that answers nothing sensible is none.
Reading<double> read_temperature(const RootFiles& files) {
  constexpr std::uint64_t kMostMilli = 150'000;
  constexpr double kMilli = 1000;
  const std::string base = "/sys/class/thermal";
  std::uint64_t hottest = 0;
  for (const std::string& name : files.names(base)) {
    if (name.starts_with("thermal_zone")) {
      const std::string path = std::string(base).append("/").append(name).append("/temp");
      hottest = std::max(hottest, number(files, path, kMostMilli).value.value_or(0));
    }
  }
  if (hottest == 0) {
    return missing<double>("no thermal zone in " + base);
  }
  return {static_cast<double>(hottest) / kMilli, ""};
}

Reading<std::uint64_t> read_throttles(const RootFiles& files, const std::string& cpu) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();
  const std::string base = cpu + "/thermal_throttle";
  auto core = number(files, base + "/core_throttle_count", kMost);
  auto package = number(files, base + "/package_throttle_count", kMost);
  if (!core.value.has_value()) {
    return core;
  }
  if (!package.value.has_value()) {
    return package;
  }
  return {*core.value + *package.value, ""};
}

/// Field 8 of the line "cpuN" of /proc/stat over the first eight, which make up all time.
Reading<double> read_steal(const RootFiles& files, std::uint32_t core) {
  constexpr std::size_t kFields = 8;
  const std::string name = "cpu" + std::to_string(core);
  for (const std::string& line : text::split(files.find_text("/proc/stat").value_or(""), '\n')) {
    const std::vector<std::string> words = text::split(line, ' ');
    if (words.front() != name || words.size() <= kFields) {
      continue;
    }
    double total = 0;
    double last = 0;
    for (std::size_t i = 1; i <= kFields; ++i) {
      const auto ticks = text::parse_unsigned(words[i]);
      if (!ticks.has_value()) {
        return missing<double>("the line " + name + " of /proc/stat holds no numbers");
      }
      last = static_cast<double>(*ticks);
      total += last;
    }
    return total > 0 ? Reading<double>{100 * last / total, ""}
                     : missing<double>("/proc/stat counts no time of " + name);
  }
  return missing<double>("no line " + name + " in /proc/stat");
}

std::optional<std::vector<std::uint32_t>> cpus_of_pmu(const RootFiles& files,
                                                      const std::string& name) {
  const auto list = files.find_text(std::string(kPmus) + "/" + name + "/cpus");
  return list.has_value() ? parse_cpu_list(*list) : std::nullopt;
}

/// A PMU that counts the instructions of cores of one kind.
bool is_core_pmu(const std::string& name) {
  return name == "cpu_core" || name == "cpu_atom" || name.starts_with("armv8") ||
         name.starts_with("armv9") || name.starts_with("apple_");
}

/// CPUs with the highest cpu_capacity (sysfs-devices-system-cpu), if `core` is not among them.
std::string larger_cpus_by_capacity(const RootFiles& files,
                                    const std::vector<std::uint32_t>& online, std::uint32_t core) {
  constexpr std::uint64_t kMostCapacity = 1 << 20;
  const auto capacity = [&files](std::uint32_t cpu) {
    const std::string path = std::string(kCpus) + "/cpu" + std::to_string(cpu) + "/cpu_capacity";
    return number(files, path, kMostCapacity).value.value_or(0);
  };
  std::uint64_t most = 0;
  std::vector<std::uint32_t> largest;
  for (const std::uint32_t cpu : online) {
    const std::uint64_t value = capacity(cpu);
    if (value > most) {
      most = value;
      largest.clear();
    }
    if (value == most && value > 0) {
      largest.push_back(cpu);
    }
  }
  const std::uint64_t own = capacity(core);
  return own > 0 && own < most ? cpu_list_text(largest) : "";
}

void read_core_kind(const RootFiles& files, Surroundings& out) {
  if (!files.has_directory(kPmus)) {
    out.core_kind = Fact::unknown(std::string("no ") + kPmus);
    return;
  }
  std::size_t kinds = 0;
  std::string own;
  for (const std::string& name : files.names(kPmus)) {
    const auto cpus = is_core_pmu(name) ? cpus_of_pmu(files, name) : std::nullopt;
    if (cpus.has_value()) {
      ++kinds;
      own = std::find(cpus->begin(), cpus->end(), out.core) != cpus->end() ? name : own;
    }
  }
  if (kinds < 2) {
    out.core_kind = Fact::known("one kind of core");
    return;
  }
  out.core_kind = own.empty() ? Fact::unknown("no PMU names CPU " + std::to_string(out.core))
                              : Fact::known(own);
  if (own == "cpu_atom") {
    out.larger_cpus =
        cpu_list_text(cpus_of_pmu(files, "cpu_core").value_or(std::vector<std::uint32_t>{}));
    return;
  }
  const auto online = files.find_text(std::string(kCpus) + "/online");
  out.larger_cpus = larger_cpus_by_capacity(
      files, parse_cpu_list(online.value_or("")).value_or(std::vector<std::uint32_t>{}), out.core);
}

}  // namespace

Surroundings read_surroundings(const std::filesystem::path& root, std::uint32_t core) {
  constexpr std::uint64_t kMostRandomization = 2;
  const RootFiles files(root);
  const std::string cpu = std::string(kCpus) + "/cpu" + std::to_string(core);
  Surroundings out;
  out.core = core;
  out.has_cpufreq = files.has_directory(cpu + "/cpufreq");
  out.allowed = read_allowed(files);
  out.load = read_load(files);
  out.is_isolated = read_isolation(files, core);
  out.interrupt_lines = read_interrupt_lines(files, core);
  out.nmi_watchdog = number(files, "/proc/sys/kernel/nmi_watchdog", 1);
  out.randomization = number(files, "/proc/sys/kernel/randomize_va_space", kMostRandomization);
  out.celsius = read_temperature(files);
  out.throttles = read_throttles(files, cpu);
  out.steal_percent = read_steal(files, core);
  read_core_kind(files, out);
  return out;
}

}  // namespace hashprof::host
