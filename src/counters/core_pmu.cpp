// SPDX-License-Identifier: MIT
// See counters/core_pmu.h.
#include "counters/core_pmu.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>
#include <vector>

#include "base/file.h"
#include "base/text.h"

namespace hashprof::counters {

namespace {

constexpr const char* kDevices = "sys/bus/event_source/devices";

/// Devices of other units (interconnect, tracing) may have a list of CPUs as well.
bool is_core_pmu_name(const std::string& name) {
  constexpr std::array<std::string_view, 4> kPrefixes{"cpu_", "armv8_", "armv9_", "apple_"};
  return name == "cpu" || std::any_of(kPrefixes.begin(), kPrefixes.end(), [&](const auto& prefix) {
           return name.rfind(prefix, 0) == 0;
         });
}

struct Device {
  std::string name;
  std::uint32_t type = 0;
  bool is_of_core = false;
};

std::optional<Device> find_device(const std::filesystem::path& folder, std::uint32_t core) {
  const auto type = find_file_text(folder / "type");
  const auto number = type ? text::parse_unsigned(text::trim(*type)) : std::nullopt;
  const auto cpus = find_file_text(folder / "cpus");
  const std::string name = folder.filename().native();
  if (!number || *number > UINT32_MAX) {
    return std::nullopt;
  }
  return Device{name, static_cast<std::uint32_t>(*number), !cpus || is_listed(*cpus, core)};
}

std::vector<Device> core_devices(const std::filesystem::path& root, std::uint32_t core) {
  std::vector<Device> devices;
  std::error_code error;
  for (std::filesystem::directory_iterator at(root / kDevices, error), end; !error && at != end;
       at.increment(error)) {
    if (is_core_pmu_name(at->path().filename().native())) {
      if (const auto device = find_device(at->path(), core)) {
        devices.push_back(*device);
      }
    }
  }
  std::sort(devices.begin(), devices.end(),
            [](const Device& a, const Device& b) { return a.name < b.name; });
  return devices;
}

std::string names_of(const std::vector<Device>& devices) {
  std::vector<std::string> names;
  names.reserve(devices.size());
  for (const Device& device : devices) {
    names.push_back(device.name);
  }
  return text::join(names, ", ");
}

}  // namespace

bool is_listed(const std::string& list, std::uint32_t core) {
  bool is_found = false;
  for (const std::string& part : text::split(text::trim(list), ',')) {
    const std::size_t dash = part.find('-');
    const auto first = text::parse_unsigned(std::string_view(part).substr(0, dash));
    const auto last = dash == std::string::npos
                          ? first
                          : text::parse_unsigned(std::string_view(part).substr(dash + 1));
    if (!first || !last) {
      return false;
    }
    is_found = is_found || (core >= *first && core <= *last);
  }
  return is_found;
}

CorePmu find_core_pmu(const std::filesystem::path& root, std::uint32_t core) {
  const std::vector<Device> devices = core_devices(root, core);
  CorePmu pmu;
  pmu.has_siblings = devices.size() > 1;
  if (devices.empty()) {
    pmu.reason = "no PMU of a core below /sys/bus/event_source/devices";
    return pmu;
  }
  std::vector<Device> own;
  std::copy_if(devices.begin(), devices.end(), std::back_inserter(own),
               [](const Device& device) { return device.is_of_core; });
  if (own.size() != 1) {
    pmu.reason = "core " + std::to_string(core) +
                 (own.empty() ? " belongs to none of the PMUs " + names_of(devices)
                              : " belongs to several PMUs: " + names_of(own));
    return pmu;
  }
  pmu.name = own.front().name;
  pmu.type = own.front().type;
  return pmu;
}

std::optional<std::uint64_t> find_event_config(const std::filesystem::path& root,
                                               const std::string& name, const std::string& event) {
  const auto file = find_file_text(root / kDevices / name / "events" / event);
  constexpr std::string_view kField = "event=0x";
  if (!file) {
    return std::nullopt;
  }
  const std::string_view text = text::trim(*file);
  if (text.substr(0, kField.size()) != kField) {
    return std::nullopt;
  }
  const std::string_view digits = text.substr(kField.size());
  std::uint64_t config = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), config, 16);
  if (error != std::errc() || end != digits.data() + digits.size()) {
    return std::nullopt;
  }
  return config;
}

}  // namespace hashprof::counters
