// SPDX-License-Identifier: MIT
// Catches a witness of the heap that misses a call of malloc's family, counts one twice, counts
// what is no stretch's, or leaves a mark in a process that is not watched.
#include "probes/heap_probe.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <span>

#include "base/sys.h"
#include "base/text.h"
#include "elf/function_offsets.h"
#include "probes_support.h"

namespace hashprof::probes {
namespace {

class HeapProbeTest : public ::testing::Test {
 protected:
  void SetUp() override {
    HeapProbe::Opened opened = HeapProbe::open();
    if (!opened.probe) {
      GTEST_SKIP() << opened.reason;
    }
    probe_ = std::move(opened.probe);
  }

  /// Lets a puppet act under the probe.
  void watch(const std::string& act) {
    Puppet puppet(act, probe_->window_fd());
    ASSERT_EQ(probe_->attach(puppet.pid()), "");
    puppet.act();
  }

  [[nodiscard]] record::HeapUse use_of(std::uint32_t stretch) const {
    record::HeapUse use = probe_->read(stretch);
    EXPECT_EQ(use.lost, 0U) << probe_->why_lost(stretch);
    return use;
  }

  std::unique_ptr<HeapProbe> probe_;
};

TEST_F(HeapProbeTest, counts_known_allocations_to_the_byte) {
  watch("heap");
  EXPECT_EQ(use_of(kFirst), (record::HeapUse{.allocations = 6,
                                             .resizes = 1,
                                             .frees = 5,
                                             .total_bytes = 21100,
                                             .peak_bytes = 15100,
                                             .left_bytes = 64,
                                             .left_blocks = 1}));
  EXPECT_EQ(use_of(kSecond), record::HeapUse{});
}

TEST_F(HeapProbeTest, keeps_stretches_apart) {
  watch("twice");
  EXPECT_EQ(use_of(kFirst),
            (record::HeapUse{.allocations = 1, .frees = 1, .total_bytes = 100, .peak_bytes = 100}));
  EXPECT_EQ(use_of(kSecond),
            (record::HeapUse{.allocations = 1, .frees = 1, .total_bytes = 200, .peak_bytes = 200}));
}

TEST_F(HeapProbeTest, knows_failures_resizes_to_nothing_and_blocks_of_others) {
  watch("edges");
  // Live: 10, 100, 0, 0 of malloc(0), then 700 and on top of it 30, 40 and 50 one after another.
  EXPECT_EQ(use_of(kFirst), (record::HeapUse{.allocations = 5,
                                             .resizes = 2,
                                             .frees = 6,
                                             .failures = 5,
                                             .total_bytes = 10 + 100 + 0 + 700 + 30 + 40 + 50,
                                             .peak_bytes = 750,
                                             .left_bytes = 700,
                                             .left_blocks = 1,
                                             .foreign_frees = 2}));
}

TEST_F(HeapProbeTest, counts_nothing_outside_a_stretch) {
  watch("outside");
  for (std::uint32_t stretch = 1; stretch < HASHPROF_STRETCHES; ++stretch) {
    ASSERT_EQ(use_of(stretch), record::HeapUse{}) << stretch;
  }
}

TEST_F(HeapProbeTest, of_a_load_counts_the_constructors_and_not_the_loader) {
  watch("load");
  EXPECT_EQ(use_of(HASHPROF_STRETCH_LOAD), (record::HeapUse{.allocations = 2,
                                                            .frees = 1,
                                                            .total_bytes = 888,
                                                            .peak_bytes = 777,
                                                            .left_bytes = 777,
                                                            .left_blocks = 1}));
}

TEST_F(HeapProbeTest, counts_every_thread) {
  watch("threads");
  record::HeapUse use = use_of(kFirst);
  EXPECT_GE(use.peak_bytes, 48U);
  EXPECT_LE(use.peak_bytes, 4U * 48U);
  use.peak_bytes = 0;  // how many were in it at once is chance
  EXPECT_EQ(use, (record::HeapUse{
                     .allocations = 400, .frees = 400, .total_bytes = std::uint64_t{400} * 48}));
}

TEST_F(HeapProbeTest, says_that_its_table_was_full) {
  watch("many");
  const record::HeapUse use = probe_->read(kFirst);
  EXPECT_EQ(use.allocations, 4U * HASHPROF_MAX_LIVE_BLOCKS + 3U);
  EXPECT_EQ(use.lost, 3U);
  EXPECT_EQ(probe_->why_lost(kFirst), "3 times: the table of blocks was full");
}

/// Where a file offset of libc lies in a process; 0 if it is not mapped.
std::uint64_t address_of(pid_t pid, std::uint64_t offset) {
  std::ifstream maps("/proc/" + std::to_string(pid) + "/maps");
  std::string line;
  while (std::getline(maps, line)) {
    unsigned long begin = 0;
    unsigned long end = 0;
    unsigned long from = 0;
    if (line.ends_with("/libc.so.6") &&
        std::sscanf(line.c_str(), "%lx-%lx %*s %lx", &begin, &end, &from) == 3 && offset >= from &&
        offset - from < end - begin) {
      return begin + (offset - from);
    }
  }
  return 0;
}

/// The first bytes of malloc in the memory of a process.
std::string malloc_of(pid_t pid) {
  const Dl_info libc = [] {
    Dl_info found{};
    EXPECT_NE(::dladdr(::dlsym(::dlopen("libc.so.6", RTLD_NOW | RTLD_NOLOAD), "malloc"), &found),
              0);
    return found;
  }();
  const auto offsets = elf::find_function_offsets(libc.dli_fname, {"malloc"});
  EXPECT_EQ(offsets.size(), 1U);
  std::array<std::byte, 16> bytes{};
  const UniqueFd memory = sys::open("/proc/" + std::to_string(pid) + "/mem", O_RDONLY);
  sys::read_at(memory.get(), address_of(pid, offsets.begin()->first), bytes, "memory");
  return text::hex(std::span(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()));
}

TEST_F(HeapProbeTest, puts_breakpoints_into_the_watched_process_only) {
  const Puppet other("outside", probe_->window_fd());
  const Puppet watched("outside", probe_->window_fd());
  const std::string clean = malloc_of(other.pid());
  ASSERT_EQ(malloc_of(watched.pid()), clean);
  ASSERT_EQ(probe_->attach(watched.pid()), "");
  EXPECT_NE(malloc_of(watched.pid()), clean);
  EXPECT_EQ(malloc_of(other.pid()), clean);
  const Puppet later("outside", probe_->window_fd());
  EXPECT_EQ(malloc_of(later.pid()), clean);
}

TEST_F(HeapProbeTest, does_not_count_another_process_that_writes_the_same_flag) {
  Puppet other("heap", probe_->window_fd());
  const Puppet watched("outside", probe_->window_fd());
  ASSERT_EQ(probe_->attach(watched.pid()), "");
  other.act();
  EXPECT_EQ(use_of(kFirst), record::HeapUse{});
}

TEST_F(HeapProbeTest, says_why_a_process_that_is_gone_cannot_be_watched) {
  pid_t gone = 0;
  {
    const Puppet puppet("outside", probe_->window_fd());
    gone = puppet.pid();
  }
  EXPECT_EQ(probe_->attach(gone), "/proc/" + std::to_string(gone) + "/maps: cannot be read");
}

}  // namespace
}  // namespace hashprof::probes
