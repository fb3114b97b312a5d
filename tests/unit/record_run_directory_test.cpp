// SPDX-License-Identifier: MIT
// Catches a run directory that is shared by two, that eats a user's folder, or whose sums are
// wrong.
#include "record/run_directory.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "temporary_folder.h"

namespace hashprof::record {
namespace {

constexpr const char* kStart = "2026-01-01T00:00:00Z";
constexpr const char* kHeader = "{\"schema\": \"hashprof-run/1\"}\n";

TEST(RunDirectory, refuses_a_folder_that_holds_something_else) {
  const TemporaryFolder folder;
  write_file_atomically(folder.path() / "thesis.tex", "x");
  for (const bool is_fresh : {false, true}) {
    try {
      (void)RunDirectory::open(folder.path(), is_fresh, kStart);
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(error.fault(), Fault::configuration);
      EXPECT_EQ(error.message(), "holds files, but no run of hashprof");
    }
  }
  write_file_atomically(folder.path() / "campaign.json", "{\"schema\": \"other/1\"}");
  EXPECT_THROW((void)RunDirectory::open(folder.path(), true, kStart), Error);
  EXPECT_EQ(read_file(folder.path() / "thesis.tex", Bytes{10}), "x");
}

TEST(RunDirectory, a_second_process_is_told_who_works_in_it) {
  const TemporaryFolder folder;
  const auto root = folder.path() / "run";
  const RunDirectory first = RunDirectory::open(root, false, kStart);
  try {
    (void)RunDirectory::open(root, false, kStart);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::environment);
    EXPECT_NE(error.message().find("another hashprof works in this run directory (pid " +
                                   std::to_string(::getpid()) + ", host "),
              std::string::npos)
        << error.message();
    EXPECT_NE(error.message().find(std::string("started ") + kStart), std::string::npos);
  }
}

TEST(RunDirectory, goes_on_after_a_kill_before_the_first_file) {
  const TemporaryFolder folder;
  { (void)RunDirectory::open(folder.path(), false, kStart); }
  write_file_atomically(folder.path() / "campaign.json.tmp", "half");
  write_file_atomically(folder.path() / "journal.jsonl", "");
  const RunDirectory again = RunDirectory::open(folder.path(), false, kStart);
  EXPECT_FALSE(again.has_campaign());
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "campaign.json.tmp"));
}

TEST(RunDirectory, does_not_take_a_journal_without_its_campaign_for_its_own) {
  const TemporaryFolder folder;
  { (void)RunDirectory::open(folder.path(), false, kStart); }
  write_file_atomically(folder.path() / "journal.jsonl", "{}\n");
  EXPECT_THROW((void)RunDirectory::open(folder.path(), false, kStart), Error);
}

TEST(RunDirectory, fresh_deletes_the_earlier_run_and_nothing_else) {
  const TemporaryFolder folder;
  const RunPaths paths{folder.path()};
  write_file_atomically(paths.campaign_json(), kHeader);
  write_file_atomically(paths.journal(), "x");
  make_directories(folder.path() / "lib" / "f");
  write_file_atomically(paths.library("f", "A"), "x");
  write_file_atomically(folder.path() / "my notes.txt", "x");
  const RunDirectory run = RunDirectory::open(folder.path(), true, kStart);
  EXPECT_FALSE(run.has_campaign());
  EXPECT_FALSE(std::filesystem::exists(paths.journal()));
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "lib"));
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "my notes.txt"));
}

TEST(RunDirectory, sums_cover_all_but_the_lock_and_themselves) {
  const TemporaryFolder folder;
  RunDirectory run = RunDirectory::open(folder.path(), false, kStart);
  write_file_atomically(folder.path() / "b", "abc");
  make_directories(folder.path() / "a");
  write_file_atomically(folder.path() / "a" / "c", "");
  run.write_sums();
  run.write_sums();
  EXPECT_EQ(read_file(run.paths().sums(), Bytes{4096}),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  a/c\n"
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  b\n");
  run.drop_sums();
  EXPECT_FALSE(std::filesystem::exists(run.paths().sums()));
}

TEST(ChangedKeys, are_named_by_their_path) {
  const auto before = json::parse(R"({"a": {"b": 1, "c": [1]}, "d": 2, "e": null})", "t");
  const auto after = json::parse(R"({"a": {"b": 2, "c": [1]}, "f": 2, "e": null})", "t");
  EXPECT_EQ(changed_keys(before, after), (std::vector<std::string>{"a.b", "d", "f"}));
  EXPECT_TRUE(changed_keys(before, before).empty());
}

}  // namespace
}  // namespace hashprof::record
