// SPDX-License-Identifier: MIT
// See runner/child_setup.h. No allocation, no exception, no lock from exec_worker on.
#include "runner/child_setup.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstring>

#include "worker/protocol.h"

namespace hashprof::runner {

namespace {

constexpr int kSlots = HASHPROF_FD_DIGEST + 1;
constexpr int kSetupFailed = 125;

[[noreturn]] void fail(int protocol_fd, const char* call) noexcept {
  hashprof_event event{};
  event.magic = HASHPROF_PROTOCOL_MAGIC;
  event.version = HASHPROF_PROTOCOL_VERSION;
  event.type = HASHPROF_EVENT_ERROR;
  event.step = HASHPROF_STEP_START;
  event.error = HASHPROF_ERROR_SYSTEM;
  event.number = errno;
  std::strncpy(event.text, call, sizeof event.text - 1);
  static_cast<void>(::send(protocol_fd, &event, sizeof event, MSG_NOSIGNAL));
  ::_exit(kSetupFailed);
}

/// Puts the plan's descriptors at their numbers and closes all others. Returns the socket's number
/// through `protocol_fd` as soon as it changes, so that a failure can still be told.
void place_descriptors(const ChildPlan& plan, int& protocol_fd) noexcept {
  const std::array<int, kSlots> sources{plan.null_fd,     plan.stdout_fd,  plan.stderr_fd,
                                        plan.protocol_fd, plan.library_fd, plan.message_fd,
                                        plan.window_fd,   plan.digest_fd};
  std::array<int, kSlots> parked{};
  // First above all slots, because a source may sit in the slot of another.
  for (std::size_t slot = 0; slot < sources.size(); ++slot) {
    parked[slot] = sources[slot] < 0 ? -1 : ::fcntl(sources[slot], F_DUPFD_CLOEXEC, kSlots);
    if (sources[slot] >= 0 && parked[slot] < 0) {
      fail(protocol_fd, "fcntl(F_DUPFD_CLOEXEC)");
    }
  }
  protocol_fd = parked[HASHPROF_FD_PROTOCOL];
  for (int slot = 0; slot < kSlots; ++slot) {
    const int source = parked[static_cast<std::size_t>(slot)];
    if (source < 0) {
      ::close(slot);
    } else if (::dup2(source, slot) < 0) {
      fail(protocol_fd, "dup2");
    }
  }
  protocol_fd = HASHPROF_FD_PROTOCOL;
  if (::syscall(SYS_close_range, kSlots, UINT_MAX, 0) != 0) {
    fail(protocol_fd, "close_range");
  }
}

/// Where this user is allowed less than `value`, that stays the limit.
void set_limit(int protocol_fd, __rlimit_resource_t resource, std::uint64_t value,
               const char* name) noexcept {
  rlimit limit{};
  if (::getrlimit(resource, &limit) != 0) {
    fail(protocol_fd, name);
  }
  limit.rlim_max = limit.rlim_max < value ? limit.rlim_max : value;
  limit.rlim_cur = limit.rlim_max;
  if (::setrlimit(resource, &limit) != 0) {
    fail(protocol_fd, name);
  }
}

/// exec resets handlers but keeps ignored and blocked signals.
void reset_signals() noexcept {
  struct sigaction action {};
  action.sa_handler = SIG_DFL;
  for (int number = 1; number < NSIG; ++number) {
    static_cast<void>(::sigaction(number, &action, nullptr));
  }
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

}  // namespace

ChildPlan::ChildPlan(std::string worker,
                     const std::vector<std::pair<std::string, std::string>>& env,
                     std::uint32_t padding)
    : program(std::move(worker)) {
  for (const auto& [name, value] : env) {
    std::string& line = environment.emplace_back(name);
    line += '=';
    line += value;
  }
  environment.push_back("HASHPROF_PADDING=" + std::string(padding, 'x'));
  for (std::string& line : environment) {
    envp.push_back(line.data());
  }
  envp.push_back(nullptr);
  argv = {program.data(), nullptr};
}

void exec_worker(const ChildPlan& plan) noexcept {
  int protocol_fd = plan.protocol_fd;
  if (::setpgid(0, 0) != 0) {
    fail(protocol_fd, "setpgid");
  }
  if (::prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) {
    fail(protocol_fd, "prctl(PR_SET_PDEATHSIG)");
  }
  if (::getppid() != plan.parent_pid) {
    ::_exit(kSetupFailed);
  }
  const auto& words = plan.cpus.words();
  if (::syscall(SYS_sched_setaffinity, 0, words.size() * sizeof(unsigned long), words.data()) < 0) {
    fail(protocol_fd, "sched_setaffinity");
  }
  place_descriptors(plan, protocol_fd);
  reset_signals();
  set_limit(protocol_fd, RLIMIT_CORE, 0, "setrlimit(RLIMIT_CORE)");
  set_limit(protocol_fd, RLIMIT_FSIZE, 0, "setrlimit(RLIMIT_FSIZE)");
  set_limit(protocol_fd, RLIMIT_NPROC, 0, "setrlimit(RLIMIT_NPROC)");
  set_limit(protocol_fd, RLIMIT_STACK, plan.stack.value, "setrlimit(RLIMIT_STACK)");
  set_limit(protocol_fd, RLIMIT_AS, plan.address_space.value, "setrlimit(RLIMIT_AS)");
  ::execve(plan.program.c_str(), plan.argv.data(), plan.envp.data());
  fail(protocol_fd, "execve");
}

}  // namespace hashprof::runner
