// SPDX-License-Identifier: MIT
// Catches a library that cannot be loaded here and gets a worker, a wrong reason, or a hang.
#include "runner/library_file.h"

#include <elf.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/file.h"
#include "elf/elf_image.h"
#include "kat/vectors.h"
#include "runner/known_answers.h"
#include "runner_support.h"

namespace hashprof::runner {
namespace {

constexpr Bytes kLargest{16U << 20U};

class LibraryFile : public ::testing::Test {
 protected:
  /// A copy of good.so with other bytes at `offset`.
  [[nodiscard]] std::filesystem::path patched(std::size_t offset, const std::string& bytes) const {
    std::string content = read_file(fixture("good.so"), kLargest);
    content.replace(offset, bytes.size(), bytes);
    const auto file = folder_.path() / "patched.so";
    write_file_atomically(file, content);
    return file;
  }
  /// The machine this test was not built for, little-endian.
  [[nodiscard]] static std::string foreign_number() {
    const bool is_x86 = elf::own_target().machine == EM_X86_64;
    return {static_cast<char>(is_x86 ? EM_AARCH64 : EM_X86_64), '\0'};
  }
  [[nodiscard]] static std::string foreign_reason() {
    return elf::own_target().machine == EM_X86_64
               ? "patched.so: built for AArch64, this machine is x86-64"
               : "patched.so: built for x86-64, this machine is AArch64";
  }
  static Job trial_in(const std::filesystem::path& library) {
    Job job = trial_of("good");
    job.library = library;
    return job;
  }

  TemporaryFolder folder_;
};

TEST_F(LibraryFile, of_another_machine_is_no_trial_and_says_so) {
  Job job = trial_in(patched(offsetof(Elf64_Ehdr, e_machine), foreign_number()));
  job.process = 3;
  const record::Observation seen = measure(job);
  EXPECT_STREQ(record::outcome_name(seen.outcome), "load_failed");
  EXPECT_EQ(seen.detail, foreign_reason());
  EXPECT_EQ(seen.process, 3U);
  EXPECT_EQ(seen.cell, "fixture/good/hash_64");
  EXPECT_FALSE(seen.start_utc.empty());
  EXPECT_TRUE(seen.slices.empty());
  EXPECT_EQ(seen.cycles_reason, "the process did not complete");
}

TEST_F(LibraryFile, of_another_machine_has_no_known_answers_and_says_so) {
  KatJob job;
  job.worker = HASHPROF_WORKER;
  job.library = patched(offsetof(Elf64_Ehdr, e_machine), foreign_number());
  job.entry = "CryptHash";
  job.core = test_core();
  kat::Vector vector;
  vector.digest.resize(32);
  const kat::Verdict verdict = run_known_answers(job, {vector}, 256).verdict;
  EXPECT_STREQ(kat::status_name(verdict.status), "LOADFAIL");
  EXPECT_EQ(verdict.detail, foreign_reason());
  EXPECT_EQ(verdict.checked, 0U);
  EXPECT_EQ(verdict.total, 1U);
}

TEST_F(LibraryFile, of_another_class_is_refused) {
  const auto file = patched(EI_CLASS, {static_cast<char>(ELFCLASS32)});
  const std::string machine = elf::machine_name(elf::own_target().machine);
  EXPECT_EQ(find_refusal(open_library(file), file),
            "patched.so: built for " + machine + ", 32-bit addresses, this machine is " + machine);
}

TEST_F(LibraryFile, of_this_machine_is_not_refused) {
  EXPECT_EQ(find_refusal(open_library(fixture("good.so")), fixture("good.so")), "");
}

TEST_F(LibraryFile, that_needs_a_missing_one_fails_in_the_words_of_the_loader) {
  std::string content = read_file(fixture("chatty.so"), kLargest);
  const std::size_t at = content.find("libc.so.6");
  ASSERT_NE(at, std::string::npos);
  content[at + 3] = 'q';
  const auto file = folder_.path() / "needs.so";
  write_file_atomically(file, content);
  const record::Observation seen = measure(trial_in(file));
  EXPECT_STREQ(record::outcome_name(seen.outcome), "load_failed");
  EXPECT_EQ(seen.detail, "libq.so.6: cannot open shared object file: No such file or directory");
}

TEST_F(LibraryFile, that_is_a_fifo_or_a_folder_is_refused_without_waiting) {
  const auto fifo = folder_.path() / "fifo.so";
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  for (const auto& file : {fifo, folder_.path()}) {
    try {
      (void)measure(trial_in(file));
      FAIL() << "no error for " << file;
    } catch (const Error& error) {
      EXPECT_EQ(error.render(), "hashprof: error: " + file.native() + ": not a regular file\n");
    }
  }
}

}  // namespace
}  // namespace hashprof::runner
