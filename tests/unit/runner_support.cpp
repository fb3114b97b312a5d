// SPDX-License-Identifier: MIT
// See runner_support.h.
#include "runner_support.h"

#include <grp.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cctype>
#include <chrono>
#include <csignal>
#include <thread>

#include "base/file.h"
#include "base/sys.h"
#include "base/text.h"
#include "runner/affinity.h"

namespace hashprof::runner {

namespace {

using std::chrono::milliseconds;

/// The state letter and the parent in /proc/<pid>/stat, behind the name in parentheses.
struct Stat {
  char state = '?';
  pid_t parent = -1;
};

Stat stat_of(pid_t pid) {
  const auto text = find_file_text("/proc/" + std::to_string(pid) + "/stat");
  if (!text) {
    return {};
  }
  const auto at = text->rfind(')');
  const auto fields = text::split(text->substr(at + 2), ' ');
  return {fields[0][0], static_cast<pid_t>(std::stol(fields[1]))};
}

}  // namespace

std::uint32_t test_core() {
  static const std::uint32_t core = [] {
    const CpuSet allowed = CpuSet::read_own();
    std::uint32_t first = 0;
    while (!allowed.has(first)) {
      ++first;
    }
    return first;
  }();
  return core;
}

std::filesystem::path fixture(const std::string& name) {
  return std::filesystem::path(HASHPROF_FIXTURE_BINARIES) / name;
}

Job trial_of(const std::string& library) {
  Job job;
  job.cell = "fixture/" + library + "/hash_64";
  job.phase = "trial";
  job.library = fixture(library + ".so");
  job.entry = "CryptHash";
  job.digest_bits = 256;
  job.message_bytes = 64;
  job.calls = 200;
  job.warmups = 3;
  job.core = test_core();
  return job;
}

WorkerEnd run_job(const Job& job, const std::filesystem::path& worker) {
  return run_worker(make_worker_spec(job, worker, counters::plan_events("/", job.core, "x86_64")));
}

hashprof_result result_of(const WorkerEnd& end) {
  EXPECT_TRUE(end.result.has_value()) << describe_end(end);
  return end.result.value_or(hashprof_result{});
}

record::Observation measure(const Job& job) {
  return make_hardware_meter(HASHPROF_WORKER)->measure(job);
}

std::vector<std::string> lines_of(const std::string& text) { return text::split(text, '\n'); }

std::string value_of(const std::string& text, const std::string& label) {
  for (const std::string& line : lines_of(text)) {
    if (line.rfind(label, 0) == 0) {
      return std::string(text::trim(line.substr(label.size())));
    }
  }
  return "(none)";
}

TemporaryFolder::TemporaryFolder() {
  std::string pattern = ::testing::TempDir() + "/hashprof-runner-XXXXXX";
  if (::mkdtemp(pattern.data()) == nullptr) {
    sys::throw_errno(Fault::environment, "mkdtemp", pattern);
  }
  path_ = std::filesystem::canonical(pattern);
  std::filesystem::permissions(path_, std::filesystem::perms(0755));
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::filesystem::path TemporaryFolder::add(const std::filesystem::path& file, mode_t mode) const {
  auto copy = path_ / file.filename();
  std::filesystem::copy_file(file, copy);
  std::filesystem::permissions(copy, std::filesystem::perms(mode));
  return copy;
}

pid_t run_in_child(const std::function<int()>& body) {
  const pid_t pid = ::fork();
  if (pid == 0) {
    int status = 99;
    try {
      status = body();
    } catch (const std::exception& error) {
      static_cast<void>(std::fprintf(stderr, "child: %s\n", error.what()));
    }
    ::_exit(status);
  }
  return pid;
}

int wait_for(pid_t pid) {
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

std::string answer_as_user(uid_t user, const std::function<std::string()>& body) {
  const sys::Pipe pipe = sys::make_pipe();
  const pid_t pid = run_in_child([&] {
    if (::setgroups(0, nullptr) != 0 || ::setresgid(user, user, user) != 0 ||
        ::setresuid(user, user, user) != 0) {
      return 98;
    }
    sys::write_all(pipe.write_end.get(), body(), "answer");
    return 0;
  });
  EXPECT_EQ(wait_for(pid), 0);
  std::array<std::uint8_t, 4096> buffer{};
  const std::size_t size = sys::read(pipe.read_end.get(), buffer, "answer");
  return {buffer.begin(), buffer.begin() + static_cast<std::ptrdiff_t>(size)};
}

std::vector<pid_t> children_of(pid_t parent) {
  std::vector<pid_t> children;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const auto number = text::parse_unsigned(entry.path().filename().native());
    if (number && stat_of(static_cast<pid_t>(*number)).parent == parent) {
      children.push_back(static_cast<pid_t>(*number));
    }
  }
  return children;
}

pid_t find_loaded_worker(pid_t parent) {
  for (int i = 0; i < 500; ++i) {
    for (const pid_t child : children_of(parent)) {
      const auto status = find_file_text("/proc/" + std::to_string(child) + "/status");
      const auto maps = find_file_text("/proc/" + std::to_string(child) + "/maps");
      if (status && value_of(*status, "Name:") == "hashprof-worker" &&
          value_of(*status, "NoNewPrivs:") == "1" && maps &&
          maps->find("endless.so") != std::string::npos) {
        return child;
      }
    }
    std::this_thread::sleep_for(milliseconds(20));
  }
  return -1;
}

bool is_gone_within_a_second(pid_t pid) {
  for (int i = 0; i < 100; ++i) {
    const char state = stat_of(pid).state;
    if (state == '?' || state == 'Z' || state == 'X') {
      return true;
    }
    std::this_thread::sleep_for(milliseconds(10));
  }
  return false;
}

}  // namespace hashprof::runner
