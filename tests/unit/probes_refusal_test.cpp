// SPDX-License-Identifier: MIT
// Catches a machine that refuses and is told so as an exception, as silence, or with advice for
// another errno.
#include "probes/refusal.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "probes/capability.h"
#include "probes/heap_probe.h"
#include "probes/window_probe.h"
#include "probes_support.h"

namespace hashprof::probes {
namespace {

constexpr const char* kRefused =
    "bpf(): Operation not permitted (EPERM): needs root, or CAP_BPF and CAP_PERFMON; a container's "
    "seccomp profile, a security module or kernel lockdown may refuse it to root too";

TEST(Refusal, names_errno_and_remedy) {
  EXPECT_EQ(explain_refusal("bpf()", EPERM, "libbpf says this"), kRefused);
  EXPECT_EQ(explain_refusal("bpf()", ENOSYS, ""),
            std::string("bpf(): ") + ::strerrordesc_np(ENOSYS) +
                " (ENOSYS): the kernel was built without CONFIG_BPF_SYSCALL, or a container's "
                "seccomp profile hides the call");
  EXPECT_EQ(explain_refusal("probe at offset 1 of libc.so.6", ESRCH, ""),
            "probe at offset 1 of libc.so.6: No such process (ESRCH): the process is gone");
  EXPECT_EQ(explain_load_refusal(ESRCH, ""),
            "bpf(): this kernel has no types of its own in /sys/kernel/btf/vmlinux: needs "
            "CONFIG_DEBUG_INFO_BTF, and /sys");
}

TEST(Refusal, quotes_libbpf_where_the_errno_does_not_tell) {
  EXPECT_EQ(explain_refusal("bpf()", EINVAL, "line 1 / line 2"),
            "bpf(): Invalid argument (EINVAL); libbpf: line 1 / line 2");
  EXPECT_EQ(explain_refusal("bpf()", EINVAL, ""), "bpf(): Invalid argument (EINVAL)");
}

class RefusalToNobody : public ::testing::Test {
 protected:
  void SetUp() override {
    if (::geteuid() != 0) {
      GTEST_SKIP() << "needs root, to become somebody else";
    }
  }
};

TEST_F(RefusalToNobody, of_the_heap_probe_is_a_reason) {
  EXPECT_EQ(answer_as_nobody([] { return HeapProbe::open().reason; }), kRefused);
}

TEST_F(RefusalToNobody, of_the_window_probe_is_a_reason) {
  EXPECT_EQ(answer_as_nobody([] { return WindowProbe::open().reason; }), kRefused);
}

TEST_F(RefusalToNobody, of_each_capability_is_its_answer) {
  EXPECT_EQ(answer_as_nobody([] {
              std::string all;
              for (const Capability& capability : probe_capabilities()) {
                all += capability.name + (capability.is_there ? " yes; " : " no; ");
                all += capability.reason == kRefused ? "" : "but " + capability.reason;
              }
              return all;
            }),
            "bpf no; btf no; raw tracepoint no; kmem:rss_stat no; uprobe no; ");
}

TEST(Capability, are_there_where_the_probes_open) {
  const HeapProbe::Opened heap = HeapProbe::open();
  const WindowProbe::Opened window = WindowProbe::open();
  if (!heap.probe || !window.probe) {
    GTEST_SKIP() << heap.reason << window.reason;
  }
  const std::vector<Capability> capabilities = probe_capabilities();
  ASSERT_EQ(capabilities.size(), 5U);
  for (const Capability& capability : capabilities) {
    EXPECT_EQ(capability.is_there, capability.reason.empty()) << capability.name;
  }
  EXPECT_TRUE(capabilities[0].is_there) << capabilities[0].reason;
  EXPECT_TRUE(capabilities[1].is_there) << capabilities[1].reason;
  EXPECT_TRUE(capabilities[2].is_there) << capabilities[2].reason;
  EXPECT_EQ(capabilities[3].is_there, window.probe->read(kFirst).use.anon_growth_bytes.has_value())
      << capabilities[3].reason;
  EXPECT_TRUE(capabilities[4].is_there) << capabilities[4].reason;
}

}  // namespace
}  // namespace hashprof::probes
