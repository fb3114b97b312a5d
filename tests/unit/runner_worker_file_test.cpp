// SPDX-License-Identifier: MIT
// Catches a worker program that is looked for in the wrong place or used although its counters
// would be taken away.
#include "runner/worker_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "base/file.h"
#include "runner_support.h"

namespace hashprof::runner {
namespace {

constexpr uid_t kOrdinaryUser = 12345;

std::string refusal_of(const std::filesystem::path& worker) {
  try {
    static_cast<void>(make_hardware_meter(worker));
  } catch (const Error& error) {
    return error.render();
  }
  return "no refusal";
}

TEST(WorkerFile, is_found_beside_hashprof_first) {
  const TemporaryFolder folder;
  const auto beside = folder.add(HASHPROF_WORKER, 0755);
  EXPECT_EQ(find_worker(folder.path() / "hashprof"), beside);
  EXPECT_EQ(require_worker(folder.path() / "hashprof"), beside);
}

TEST(WorkerFile, is_found_in_libexec_next) {
  const TemporaryFolder folder;
  make_directories(folder.path() / "bin");
  const auto libexec = folder.path() / "libexec" / "hashprof";
  make_directories(libexec);
  std::filesystem::copy_file(HASHPROF_WORKER, libexec / "hashprof-worker");
  EXPECT_EQ(find_worker(folder.path() / "bin" / "hashprof"), libexec / "hashprof-worker");
}

TEST(WorkerFile, that_is_in_neither_place_is_an_error_naming_both) {
  const TemporaryFolder folder;
  const std::string bin = (folder.path() / "bin").native();
  EXPECT_EQ(find_worker(bin + "/hashprof"), std::nullopt);
  try {
    static_cast<void>(require_worker(bin + "/hashprof"));
    FAIL() << "found a worker";
  } catch (const Error& error) {
    EXPECT_EQ(error.render(),
              "hashprof: error: " + bin + "/hashprof: there is no worker program at " + bin +
                  "/hashprof-worker or " + folder.path().native() +
                  "/libexec/hashprof/hashprof-worker\n"
                  "  hint: install hashprof again, or build the target hashprof_worker\n");
  }
}

TEST(WorkerFile, that_is_missing_is_refused) {
  EXPECT_EQ(refusal_of("/nonexistent/hashprof-worker"),
            "hashprof: error: /nonexistent/hashprof-worker: there is no worker program: No such "
            "file or directory (ENOENT)\n"
            "  hint: install hashprof again, or build the target hashprof_worker\n");
}

TEST(WorkerFile, that_may_not_be_run_is_refused) {
  const TemporaryFolder folder;
  const auto worker = folder.add(HASHPROF_WORKER, 0644);
  EXPECT_EQ(refusal_of(worker), "hashprof: error: " + worker.native() +
                                    ": the worker program may not be run: Permission denied "
                                    "(EACCES)\n  hint: chmod 0755 " +
                                    worker.native() + "\n");
}

TEST(WorkerFile, that_an_ordinary_user_may_run_but_not_read_is_refused_before_the_first_process) {
  if (::geteuid() != 0) {
    GTEST_SKIP() << "needs root: a file of another owner";
  }
  const TemporaryFolder folder;
  const auto worker = folder.add(HASHPROF_WORKER, 0711);
  EXPECT_EQ(answer_as_user(kOrdinaryUser, [&] { return refusal_of(worker); }),
            "hashprof: error: " + worker.native() +
                ": the worker program may be run but not read by this user, and the kernel takes "
                "the performance counters away from such a process without a word\n"
                "  hint: chmod 0755 " +
                worker.native() + "\n");
  EXPECT_EQ(refusal_of(worker), "no refusal");
}

TEST(WorkerFile, serves_an_ordinary_user_too) {
  if (::geteuid() != 0) {
    GTEST_SKIP() << "needs root: to become another user";
  }
  const TemporaryFolder folder;
  const auto worker = folder.add(HASHPROF_WORKER, 0755);
  Job job = trial_of("reporter");
  job.library = folder.add(job.library, 0644);
  const std::string report =
      answer_as_user(kOrdinaryUser, [&] { return run_job(job, worker).output.tail; });
  EXPECT_EQ(value_of(report, "Uid:"), "12345\t12345\t12345\t12345") << report;
  EXPECT_EQ(value_of(report, "NoNewPrivs:"), "1");
  EXPECT_EQ(value_of(report, "dumpable "), "1");
}

}  // namespace
}  // namespace hashprof::runner
