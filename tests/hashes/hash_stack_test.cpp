// SPDX-License-Identifier: MIT
// usage: hash_stack_test [gtest options]
// Catches a stack figure of a real hash that another process does not repeat: each reference of
// hashes/hash-*, built by the guide's flags, in two processes, over several lengths.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <stdexcept>

#include "../unit/temporary_folder.h"
#include "catalog/family.h"
#include "runner/affinity.h"
#include "runner/memory_process.h"
#include "toolchain/toolchain.h"

namespace hashprof {
namespace {

constexpr Bytes kCallStack{8U << 20U};
constexpr std::size_t kInstances = 16;

std::uint32_t first_core() {
  const runner::CpuSet allowed = runner::CpuSet::read_own();
  std::uint32_t core = 0;
  while (!allowed.has(core)) {
    ++core;
  }
  return core;
}

std::vector<catalog::Family> load_families() {
  std::vector<catalog::Family> families;
  for (const auto& entry : std::filesystem::directory_iterator(HASHPROF_SOURCE_DIR "/hashes")) {
    if (entry.path().filename().native().rfind("hash-", 0) == 0) {
      families.push_back(catalog::load_family(entry.path() / "hash.yaml"));
    }
  }
  std::sort(families.begin(), families.end(),
            [](const auto& left, const auto& right) { return left.id < right.id; });
  return families;
}

struct Library {
  std::filesystem::path file;
  std::string entry;
};

class References : public ::testing::Test {
 protected:
  [[nodiscard]] Library build(const catalog::Instance& instance) const {
    const auto variant = std::find_if(instance.variants.begin(), instance.variants.end(),
                                      [](const auto& v) { return v.name == "reference"; });
    toolchain::BuildRequest request;
    request.label = instance.name;
    request.settings = variant->settings;
    request.digest_bits = instance.digest_bits;
    request.compiler = toolchain::identify_compiler("gcc");
    const auto profile = toolchain::find_profile("guide", request.compiler.target);
    if (!profile) {
      throw std::runtime_error("no guide profile for " + request.compiler.target);
    }
    request.profile = *profile;
    request.library = folder_.path() / (instance.name + ".so");
    request.log = folder_.path() / (instance.name + ".log");
    const toolchain::BuildResult built = toolchain::build(request, std::nullopt);
    EXPECT_TRUE(built.is_built) << instance.name << ": " << built.reason;
    return {request.library, request.settings.exported()};
  }

  [[nodiscard]] static std::vector<std::uint64_t> measure(const Library& library,
                                                          std::uint32_t digest_bits) {
    runner::MemoryJob job;
    job.worker = HASHPROF_WORKER;
    job.library = library.file;
    job.entry = library.entry;
    job.core = first_core();
    for (const std::uint64_t bytes : {0U, 1U, 64U, 1000U, 10000U}) {
      job.items.push_back({bytes, digest_bits});
    }
    const runner::StackRun run = runner::run_stack_process(job, kCallStack);
    EXPECT_STREQ(record::outcome_name(run.outcome), "complete")
        << library.file << ": " << run.detail;
    EXPECT_EQ(run.bytes.size(), job.items.size());
    return run.bytes;
  }

 private:
  TemporaryFolder folder_;
};

TEST_F(References, take_the_same_stack_in_two_processes) {
  std::size_t instances = 0;
  for (const catalog::Family& family : load_families()) {
    for (const catalog::Instance& instance : family.instances) {
      const Library library = build(instance);
      const std::vector<std::uint64_t> first = measure(library, instance.digest_bits);
      EXPECT_EQ(measure(library, instance.digest_bits), first) << instance.name;
      std::cout << family.id << " " << instance.name << ":";
      for (const std::uint64_t bytes : first) {
        std::cout << " " << bytes;
        EXPECT_GT(bytes, 64U) << instance.name;
        EXPECT_LT(bytes, 65536U) << instance.name;
      }
      std::cout << "\n";
      ++instances;
    }
  }
  EXPECT_EQ(instances, kInstances);
}

}  // namespace
}  // namespace hashprof
