// SPDX-License-Identifier: MIT
// Catches a build without BPF that does not link, or that does not say why it sees nothing.
#include <gtest/gtest.h>

#include "probes/capability.h"
#include "probes/heap_probe.h"
#include "probes/window_probe.h"

namespace hashprof::probes {
namespace {

constexpr const char* kReason = "this hashprof was built without BPF (HASHPROF_WITH_BPF=OFF)";

TEST(WithoutBpf, nothing_opens_and_the_reason_is_said) {
  EXPECT_EQ(HeapProbe::open().probe, nullptr);
  EXPECT_EQ(HeapProbe::open().reason, kReason);
  EXPECT_EQ(WindowProbe::open().probe, nullptr);
  EXPECT_EQ(WindowProbe::open().reason, kReason);
}

TEST(WithoutBpf, the_one_capability_is_absent) {
  const std::vector<Capability> capabilities = probe_capabilities();
  ASSERT_EQ(capabilities.size(), 1U);
  EXPECT_EQ(capabilities[0].name, "bpf");
  EXPECT_FALSE(capabilities[0].is_there);
  EXPECT_EQ(capabilities[0].reason, kReason);
}

}  // namespace
}  // namespace hashprof::probes
