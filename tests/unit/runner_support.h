// SPDX-License-Identifier: MIT
// What the runner's tests share: fixture paths, jobs with small figures, a temporary folder, and a
// child that runs a piece of the test on its own.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "runner/hardware_meter.h"
#include "runner/meter.h"
#include "runner/worker_process.h"

namespace hashprof::runner {

/// The first core this process may use: what the tests pin to.
[[nodiscard]] std::uint32_t test_core();
[[nodiscard]] std::filesystem::path fixture(const std::string& name);
/// A trial of 200 calls over 64 bytes in the named fixture library.
[[nodiscard]] Job trial_of(const std::string& library);
/// Runs a job's worker without a meter.
[[nodiscard]] WorkerEnd run_job(const Job& job, const std::filesystem::path& worker);
/// The result that came, or one of zeros and a failed test.
[[nodiscard]] hashprof_result result_of(const WorkerEnd& end);
/// Measures with the real worker.
[[nodiscard]] record::Observation measure(const Job& job);

[[nodiscard]] std::vector<std::string> lines_of(const std::string& text);
/// What follows `label` on the first line that starts with it; "(none)" without such a line.
[[nodiscard]] std::string value_of(const std::string& text, const std::string& label);

/// A folder of mode 0755 below the tests' own temporary folder; removed with the object.
class TemporaryFolder {
 public:
  TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  TemporaryFolder(TemporaryFolder&&) = delete;
  TemporaryFolder& operator=(TemporaryFolder&&) = delete;
  ~TemporaryFolder();
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  /// Copies a file into the folder with exactly `mode`.
  [[nodiscard]] std::filesystem::path add(const std::filesystem::path& file, mode_t mode) const;

 private:
  std::filesystem::path path_;
};

/// Runs `body` in a forked child; its exit status is what `body` returns.
[[nodiscard]] pid_t run_in_child(const std::function<int()>& body);
/// Exit status of a child; 1000 + n if signal n ended it.
[[nodiscard]] int wait_for(pid_t pid);
/// What `body` returns in a child of uid and gid `user` without groups.
[[nodiscard]] std::string answer_as_user(uid_t user, const std::function<std::string()>& body);

/// A worker of `parent` that has left root and loaded its library, waited for up to 10 s; else -1.
[[nodiscard]] pid_t find_loaded_worker(pid_t parent);
/// Whether the process is gone (or a zombie that waits for its reaper) within one second.
[[nodiscard]] bool is_gone_within_a_second(pid_t pid);
/// Children of this process, zombies too.
[[nodiscard]] std::vector<pid_t> children_of(pid_t parent);

}  // namespace hashprof::runner
