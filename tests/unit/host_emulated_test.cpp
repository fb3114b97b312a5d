// SPDX-License-Identifier: MIT
// Catches figures of an emulator that pass for those of hardware.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "host/findings.h"
#include "host/host_facts.h"
#include "temporary_folder.h"

namespace hashprof::host {
namespace {

namespace fs = std::filesystem;

void write(const fs::path& file, const std::string& text) {
  fs::create_directories(file.parent_path());
  std::ofstream(file) << text;
}

TEST(Emulated, machine_of_qemu_is_named_with_its_evidence) {
  const TemporaryFolder folder;
  const fs::path tree = folder.path() / "proc" / "device-tree";
  write(folder.path() / "architecture", "aarch64\n");
  write(tree / "model", std::string("linux,dummy-virt", 17));
  write(tree / "fw-cfg@9020000" / "compatible", std::string("qemu,fw-cfg-mmio", 17));
  const HostFacts facts = read_host(folder.path(), 0);
  EXPECT_EQ(facts.virtualization.value,
            "device tree model linux,dummy-virt, QEMU's fw-cfg in the device tree: emulated unless "
            "KVM runs it");
  EXPECT_THAT(orientation_reasons(make_findings(facts, read_surroundings(folder.path(), 0), {})),
              testing::Contains("virtual machine (device tree model linux,dummy-virt, QEMU's "
                                "fw-cfg in the device tree: emulated unless KVM runs it)"));
}

TEST(Emulated, virtual_machine_without_qemu_is_not_called_emulated) {
  const TemporaryFolder folder;
  write(folder.path() / "architecture", "aarch64\n");
  write(folder.path() / "proc" / "device-tree" / "model", std::string("linux,dummy-virt", 17));
  EXPECT_EQ(read_host(folder.path(), 0).virtualization.value, "device tree model linux,dummy-virt");
}

}  // namespace
}  // namespace hashprof::host
