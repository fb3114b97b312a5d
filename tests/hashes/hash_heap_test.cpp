// SPDX-License-Identifier: MIT
// usage: hash_heap_test HASHES_FOLDER [gtest options]
// Catches a heap meter that is wrong about a real hash, and a hash whose memory is not what its
// text says: every variant of every instance of the families below, against formulas in the bytes m
// of the message.
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <iostream>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "../unit/temporary_folder.h"
#include "catalog/family.h"
#include "runner/affinity.h"
#include "runner/memory_process.h"
#include "toolchain/process.h"

namespace hashprof {
namespace {

struct Heap {
  std::uint64_t allocations = 0;
  std::uint64_t peak_bytes = 0;
};

using Formula = std::function<Heap(std::uint64_t m)>;

/// pseudohash holds the message with its tag, m + 2, and behind the key of a MAC, 64 + m + 2; a
/// wider one later both tagged messages and a MAC of 32 bytes, 96. pseudoXOF holds the message with
/// its counter, m + 4, and its output in whole blocks.
Formula of_helper(const std::string& instance, std::uint64_t n) {
  if (instance == "pseudohash-512") {
    return [](std::uint64_t m) { return Heap{3, 2 * m + 68}; };
  }
  if (instance == "pseudohash-768") {
    return [](std::uint64_t m) { return Heap{4, 2 * m + 100}; };
  }
  if (instance == "pseudohash-1024") {
    return [](std::uint64_t m) { return Heap{6, 2 * m + 100}; };
  }
  if (instance.starts_with("pseudoXOF-")) {
    return [n](std::uint64_t m) { return Heap{2, m + 4 + (n + 255) / 8}; };
  }
  return [](std::uint64_t) { return Heap{}; };
}

/// A padded copy of the message in slots of 64 bytes, one a block; the last is never full.
Formula of_chime(std::uint64_t block_bytes) {
  return [=](std::uint64_t m) { return Heap{1, (m / block_bytes + 1) * 64}; };
}

Formula formula_of(const catalog::Family& family, const catalog::Instance& instance,
                   const std::string& variant) {
  if (family.id == "iccs") {
    return of_helper(instance.name, instance.digest_bits);
  }
  if (family.id == "hash-26" && variant == "reference") {
    return of_chime(instance.block_bytes.value_or(1));
  }
  return [](std::uint64_t) { return Heap{}; };
}

void compile(const catalog::BuildSettings& settings, const std::filesystem::path& folder) {
  toolchain::Command command;
  command.arguments = {"/usr/bin/gcc", "-std=" + settings.language, "-O2", "-fPIC", "-shared"};
  for (const auto& [name, value] : settings.define) {
    command.arguments.push_back("-D");
    command.arguments.back().append(name).append("=").append(value);
  }
  for (const auto& path : settings.include) {
    command.arguments.push_back("-I" + path.native());
  }
  for (const auto& path : settings.sources) {
    command.arguments.push_back(path.native());
  }
  command.arguments.insert(command.arguments.end(), {"-o", "hash.so"});
  command.environment = {"PATH=/usr/bin:/bin", "LC_ALL=C"};
  command.folder = folder;
  command.deadline = std::chrono::steady_clock::now() + std::chrono::minutes(5);
  const toolchain::Outcome outcome = toolchain::run(command);
  if (!outcome.is_success()) {
    throw std::runtime_error(outcome.output);
  }
}

std::uint32_t first_core() {
  const runner::CpuSet allowed = runner::CpuSet::read_own();
  std::uint32_t core = 0;
  while (!allowed.has(core)) {
    ++core;
  }
  return core;
}

class HeapOfVariant : public testing::Test {
 public:
  HeapOfVariant(catalog::InstanceVariant variant, std::uint32_t digest_bits, Formula formula)
      : variant_(std::move(variant)), digest_bits_(digest_bits), formula_(std::move(formula)) {}

  void TestBody() override {
    const TemporaryFolder folder;
    std::filesystem::permissions(folder.path(), std::filesystem::perms(0755));
    compile(variant_.settings, folder.path());
    runner::MemoryJob job;
    job.worker = HASHPROF_HEAP_WORKER;
    job.library = folder.path() / "hash.so";
    job.entry = variant_.settings.entry;
    job.core = first_core();
    for (const std::uint64_t bytes : {0U, 1U, 55U, 56U, 63U, 64U, 65U, 4096U, 65536U}) {
      job.items.push_back({bytes, digest_bits_});
    }
    const runner::MemoryRun run = runner::run_memory_process(job);
    ASSERT_EQ(run.outcome, record::Outcome::complete) << run.detail;
    EXPECT_EQ(run.load.heap, record::Seen<record::HeapUse>::of({}));
    for (std::size_t i = 0; i < job.items.size(); ++i) {
      const Heap expected = formula_(job.items[i].message_bytes);
      for (const runner::StretchUse& call : run.calls[i]) {
        ASSERT_TRUE(call.heap.value) << call.heap.reason;
        SCOPED_TRACE(std::to_string(job.items[i].message_bytes) + " bytes");
        EXPECT_EQ(call.heap.value->allocations, expected.allocations);
        EXPECT_EQ(call.heap.value->frees, expected.allocations);
        EXPECT_EQ(call.heap.value->peak_bytes, expected.peak_bytes);
        EXPECT_EQ(call.heap.value->left_bytes, 0U);
        EXPECT_EQ(call.heap.value->left_blocks, 0U);
        EXPECT_EQ(call.heap.value->foreign_frees, 0U);
        EXPECT_EQ(call.heap.value->failures, 0U);
      }
    }
  }

 private:
  catalog::InstanceVariant variant_;
  std::uint32_t digest_bits_;
  Formula formula_;
};

TEST(HeapOfChime, is_what_was_worked_out_by_hand_for_64_kib) {
  EXPECT_EQ(of_chime(64)(65536).peak_bytes, 65600U);
  EXPECT_EQ(of_chime(56)(65536).peak_bytes, 74944U);
}

}  // namespace
}  // namespace hashprof

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (argc != 2) {
    std::cerr << "usage: hash_heap_test HASHES_FOLDER [gtest options]\n";
    return 2;
  }
  for (const char* id : {"hash-14", "hash-16", "hash-26", "hash-33", "iccs", "sha2", "sm3"}) {
    const auto family =
        hashprof::catalog::load_family(std::filesystem::path(argv[1]) / id / "hash.yaml");
    for (const auto& instance : family.instances) {
      for (const auto& variant : instance.variants) {
        testing::RegisterTest(
            instance.name.c_str(), variant.name.c_str(), nullptr, nullptr, __FILE__, __LINE__,
            [=,
             formula = hashprof::formula_of(family, instance, variant.name)]() -> testing::Test* {
              return new hashprof::HeapOfVariant(variant, instance.digest_bits, formula);
            });
      }
    }
  }
  return RUN_ALL_TESTS();
}
