// SPDX-License-Identifier: MIT
// Whether a hypervisor lies below this system. Absence of evidence is evidence on x86 only, where
// a flag of CPUID is set by every hypervisor that does not hide.
#include <algorithm>
#include <array>

#include "base/text.h"
#include "host/root_files.h"

namespace hashprof::host {

namespace {

/// Hypervisors name themselves in sys_vendor or product_name; each starts with one of these.
constexpr std::array<std::string_view, 14> kVirtualNames = {"QEMU",
                                                            "KVM",
                                                            "VMware",
                                                            "VirtualBox",
                                                            "innotek GmbH",
                                                            "Xen",
                                                            "Parallels",
                                                            "BHYVE",
                                                            "Bochs",
                                                            "Virtual Machine",
                                                            "OpenStack",
                                                            "Google Compute Engine",
                                                            "Apple Virtualization",
                                                            "Red Hat KVM"};

/// Makers whose firmware writes their name on hardware only.
constexpr std::array<std::string_view, 8> kHardwareVendors = {
    "Ampere", "Dell Inc.", "FUJITSU", "GIGABYTE", "Giga Computing", "HPE", "Lenovo", "Supermicro"};

template <std::size_t kCount>
bool starts_with_any(const std::string& name, const std::array<std::string_view, kCount>& list) {
  return std::any_of(list.begin(), list.end(),
                     [&name](std::string_view prefix) { return name.starts_with(prefix); });
}

bool is_metal_instance(const std::string& vendor, const std::string& product) {
  return vendor == "Amazon EC2" && product.find(".metal") != std::string::npos;
}

/// The flags line of x86; AArch64 has "Features", which knows no hypervisor.
std::optional<bool> find_hypervisor_flag(const std::vector<CpuinfoBlock>& cpuinfo) {
  for (const CpuinfoBlock& block : cpuinfo) {
    if (const auto flags = find_key(block, "flags")) {
      const std::vector<std::string> words = text::split(*flags, ' ');
      return std::find(words.begin(), words.end(), "hypervisor") != words.end();
    }
  }
  return std::nullopt;
}

void add_dmi_evidence(const std::string& vendor, const std::string& product,
                      std::vector<std::string>& evidence) {
  if (starts_with_any(vendor, kVirtualNames) ||
      (vendor == "Amazon EC2" && !product.empty() && !is_metal_instance(vendor, product))) {
    evidence.push_back("DMI vendor " + vendor);
  } else if (starts_with_any(product, kVirtualNames)) {
    evidence.push_back("DMI product " + product);
  }
}

void add_device_tree_evidence(const RootFiles& files, std::vector<std::string>& evidence) {
  if (const Fact node = files.device_tree("/hypervisor/compatible"); node.value.has_value()) {
    evidence.push_back("device tree hypervisor " + *node.value);
  }
  if (const Fact model = files.device_tree("/model"); model.value == "linux,dummy-virt") {
    evidence.emplace_back("device tree model linux,dummy-virt");
  }
  // Nothing in user space tells its emulation from KVM, so that the worse is assumed. The address
  // is that of its machine "virt".
  if (const Fact config = files.device_tree("/fw-cfg@9020000/compatible");
      config.value == "qemu,fw-cfg-mmio") {
    evidence.emplace_back("QEMU's fw-cfg in the device tree: emulated unless KVM runs it");
  }
}

}  // namespace

Fact read_virtualization(const RootFiles& files, const std::vector<CpuinfoBlock>& cpuinfo) {
  const std::optional<bool> flag = find_hypervisor_flag(cpuinfo);
  const std::string vendor = files.line("/sys/class/dmi/id/sys_vendor").value.value_or("");
  const std::string product = files.line("/sys/class/dmi/id/product_name").value.value_or("");

  std::vector<std::string> evidence;
  if (flag.value_or(false)) {
    evidence.emplace_back("hypervisor flag");
  }
  if (const Fact type = files.line("/sys/hypervisor/type"); type.value.has_value()) {
    evidence.push_back("/sys/hypervisor/type " + *type.value);
  }
  add_dmi_evidence(vendor, product, evidence);
  add_device_tree_evidence(files, evidence);

  if (!evidence.empty()) {
    return Fact::known(text::join(evidence, ", "));
  }
  if (flag.has_value() || is_metal_instance(vendor, product) ||
      starts_with_any(vendor, kHardwareVendors)) {
    return Fact::known("none");
  }
  return Fact::unknown("nothing here tells a virtual machine from bare metal");
}

}  // namespace hashprof::host
