// SPDX-License-Identifier: MIT
// Catches a worker whose own memory weighs in the figures of the library that it measures.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>

#include "runner_support.h"

namespace hashprof::runner {
namespace {

/// The kernel maps files around a fault in windows of 64 KiB, so single runs of one program differ
/// by up to 17 % with the addresses of ASLR, and a median of 9 of the plain program by 12 %.
constexpr std::size_t kRuns = 101;

std::uint64_t median(std::array<std::uint64_t, kRuns> values) {
  std::sort(values.begin(), values.end());
  return values[kRuns / 2];
}

std::uint64_t worker_kib() {
  std::array<std::uint64_t, kRuns> values{};
  for (std::uint64_t& value : values) {
    const record::Observation seen = measure(trial_of("good"));
    EXPECT_TRUE(seen.baseline_rss_kib && seen.baseline_file_pmd_kib) << seen.detail;
    value = seen.baseline_rss_kib.value_or(0) - seen.baseline_file_pmd_kib.value_or(0);
  }
  return median(values);
}

std::uint64_t plain_kib() {
  std::array<std::uint64_t, kRuns> values{};
  const std::string command =
      "'" + fixture("plain_loader").native() + "' '" + fixture("good.so").native() + "'";
  for (std::uint64_t& value : values) {
    std::FILE* pipe = ::popen(command.c_str(), "r");
    unsigned long kib = 0;
    EXPECT_EQ(std::fscanf(pipe, "%lu", &kib), 1);
    EXPECT_EQ(::pclose(pipe), 0);
    value = kib;
  }
  return median(values);
}

TEST(WorkerMemory, is_within_10_percent_of_a_plain_program_that_loads_the_library) {
  const auto worker = static_cast<double>(worker_kib());
  const auto plain = static_cast<double>(plain_kib());
  std::printf("worker %.0f KiB, plain program %.0f KiB\n", worker, plain);
  EXPECT_NEAR(worker / plain, 1.0, 0.1);
}

TEST(WorkerMemory, does_not_depend_on_what_its_parent_holds) {
  constexpr std::size_t kHeld = 256U << 20U;
  const auto before = static_cast<double>(worker_kib());
  const std::unique_ptr<unsigned char[]> held(new unsigned char[kHeld]);
  for (std::size_t at = 0; at < kHeld; at += 4096) {
    static_cast<volatile unsigned char*>(held.get())[at] = 1;
  }
  const auto after = static_cast<double>(worker_kib());
  std::printf("worker %.0f KiB, below a parent of 256 MiB %.0f KiB\n", before, after);
  EXPECT_NEAR(after / before, 1.0, 0.1);
}

}  // namespace
}  // namespace hashprof::runner
