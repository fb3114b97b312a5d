// SPDX-License-Identifier: MIT
// Names of the processor and of the machine around it. AArch64 cpuinfo has no model name: there
// the implementer and part numbers of MIDR_EL1 name the core.
#include <algorithm>
#include <array>

#include "base/text.h"
#include "host/host_facts.h"
#include "host/root_files.h"

namespace hashprof::host {

namespace {

struct Part {
  std::string_view implementer;
  std::string_view part;
  std::string_view name;
};

// Arm Architecture Reference Manual, MIDR_EL1, and the technical reference manual of each core.
constexpr std::array<Part, 24> kParts = {{
    {"0x41", "0xd03", "Arm Cortex-A53"},   {"0x41", "0xd04", "Arm Cortex-A35"},
    {"0x41", "0xd05", "Arm Cortex-A55"},   {"0x41", "0xd07", "Arm Cortex-A57"},
    {"0x41", "0xd08", "Arm Cortex-A72"},   {"0x41", "0xd09", "Arm Cortex-A73"},
    {"0x41", "0xd0a", "Arm Cortex-A75"},   {"0x41", "0xd0b", "Arm Cortex-A76"},
    {"0x41", "0xd0c", "Arm Neoverse N1"},  {"0x41", "0xd0d", "Arm Cortex-A77"},
    {"0x41", "0xd40", "Arm Neoverse V1"},  {"0x41", "0xd41", "Arm Cortex-A78"},
    {"0x41", "0xd44", "Arm Cortex-X1"},    {"0x41", "0xd46", "Arm Cortex-A510"},
    {"0x41", "0xd47", "Arm Cortex-A710"},  {"0x41", "0xd48", "Arm Cortex-X2"},
    {"0x41", "0xd49", "Arm Neoverse N2"},  {"0x41", "0xd4f", "Arm Neoverse V2"},
    {"0x46", "0x001", "Fujitsu A64FX"},    {"0x48", "0xd01", "HiSilicon TSV110"},
    {"0x48", "0xd02", "HiSilicon TSV200"}, {"0x43", "0x0af", "Cavium ThunderX2"},
    {"0xc0", "0xac3", "Ampere Ampere-1"},  {"0xc0", "0xac4", "Ampere Ampere-1A"},
}};

Fact part_name(const std::string& implementer, const std::string& part) {
  const std::string numbers = "implementer " + implementer + ", part " + part;
  for (const Part& known : kParts) {
    if (implementer == known.implementer && part == known.part) {
      return Fact::known(std::string(known.name) + " (" + numbers + ")");
    }
  }
  return text_fact(numbers, "CPU implementer and part of /proc/cpuinfo");
}

const CpuinfoBlock* find_block(const std::vector<CpuinfoBlock>& cpuinfo, std::uint32_t core) {
  const auto at = std::find_if(cpuinfo.begin(), cpuinfo.end(), [core](const CpuinfoBlock& block) {
    return find_key(block, "processor") == std::to_string(core);
  });
  return at == cpuinfo.end() ? nullptr : &*at;
}

/// What firmware ships where nobody filled in a name.
bool is_placeholder(const std::string& name) {
  constexpr std::array<std::string_view, 7> kPlaceholders = {"To Be Filled By O.E.M.",
                                                             "To be filled by O.E.M.",
                                                             "System Product Name",
                                                             "Default string",
                                                             "System manufacturer",
                                                             "Not Specified",
                                                             "None"};
  return std::find(kPlaceholders.begin(), kPlaceholders.end(), name) != kPlaceholders.end();
}

}  // namespace

std::optional<std::vector<std::string>> find_cpu_features(const std::filesystem::path& root,
                                                          std::uint32_t core) {
  const auto cpuinfo = read_cpuinfo(RootFiles(root));
  const CpuinfoBlock* block = find_block(cpuinfo, core);
  if (block == nullptr) {
    return std::nullopt;
  }
  const auto x86 = find_key(*block, "flags");
  const auto arm = find_key(*block, "Features");
  if (!x86 && !arm) {
    return std::nullopt;
  }
  std::vector<std::string> features = text::split(x86 ? *x86 : *arm, ' ');
  std::erase(features, "");
  return features;
}

Fact read_processor(const RootFiles& files, const std::vector<CpuinfoBlock>& cpuinfo,
                    std::uint32_t core) {
  const CpuinfoBlock* block = find_block(cpuinfo, core);
  if (block != nullptr) {
    if (const auto name = find_key(*block, "model name")) {
      return text_fact(*name, "model name of /proc/cpuinfo");
    }
    const auto implementer = find_key(*block, "CPU implementer");
    const auto part = find_key(*block, "CPU part");
    if (implementer.has_value() && part.has_value()) {
      return part_name(*implementer, *part);
    }
  }
  Fact compatible = files.device_tree("/cpus/cpu@" + std::to_string(core) + "/compatible");
  if (compatible.value.has_value()) {
    return compatible;
  }
  if (!files.find_text("/proc/cpuinfo").has_value()) {
    return Fact::unknown("no /proc/cpuinfo");
  }
  return block == nullptr
             ? Fact::unknown("no processor " + std::to_string(core) + " in /proc/cpuinfo")
             : Fact::unknown("no model name in /proc/cpuinfo");
}

Fact read_machine(const RootFiles& files) {
  const Fact vendor = files.line("/sys/class/dmi/id/sys_vendor");
  const Fact product = files.line("/sys/class/dmi/id/product_name");
  if (product.value.has_value() && !is_placeholder(*product.value)) {
    const bool has_vendor = vendor.value.has_value() && !is_placeholder(*vendor.value) &&
                            !product.value->starts_with(*vendor.value);
    return Fact::known(has_vendor ? *vendor.value + " " + *product.value : *product.value);
  }
  Fact model = files.device_tree("/model");
  if (model.value.has_value()) {
    return model;
  }
  if (product.value.has_value()) {
    return Fact::unknown("/sys/class/dmi/id/product_name holds the placeholder '" + *product.value +
                         "'");
  }
  return Fact::unknown(product.reason == "no /sys/class/dmi/id/product_name"
                           ? "no firmware tables and no device tree"
                           : product.reason);
}

}  // namespace hashprof::host
