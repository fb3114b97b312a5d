// SPDX-License-Identifier: MIT
// See runner/worker_process.h. One thread: ppoll over the processes, their sockets and pipes, the
// stop descriptor and the time limits.
#include "runner/worker_process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <utility>

#include "base/sys.h"
#include "base/text.h"
#include "runner/child_setup.h"
#include "runner/signals.h"
#include "runner/worker_line.h"

namespace hashprof::runner {

namespace {

using Clock = std::chrono::steady_clock;

/// A child in a process group of its own; killed and reaped on destruction.
class Child {
 public:
  Child(pid_t pid, UniqueFd pidfd) : pid_(pid), pidfd_(std::move(pidfd)) {}
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  Child(Child&&) = delete;
  Child& operator=(Child&&) = delete;
  ~Child() {
    if (pid_ > 0) {
      kill_group();
      static_cast<void>(reap());
    }
  }

  [[nodiscard]] int pidfd() const { return pidfd_.get(); }
  [[nodiscard]] pid_t pid() const { return pid_; }

  void kill_group() const {
    ::kill(-pid_, SIGKILL);
    // The group exists only once setpgid has run in the child or here.
    ::kill(pid_, SIGKILL);
  }

  /// Waits for the child's end. The group is killed before the zombie is reaped, while its number
  /// cannot belong to anybody else.
  [[nodiscard]] siginfo_t reap() {
    siginfo_t info{};
    while (::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOWAIT) != 0 &&
           errno == EINTR) {
    }
    ::kill(-pid_, SIGKILL);
    while (::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED) != 0 && errno == EINTR) {
    }
    pid_ = 0;
    return info;
  }

 private:
  pid_t pid_;
  UniqueFd pidfd_;
};

/// Blocks every signal while a fork is made: the child must not run a handler of its parent.
class AllSignalsBlocked {
 public:
  AllSignalsBlocked() {
    sigset_t all;
    ::sigfillset(&all);
    ::sigprocmask(SIG_SETMASK, &all, &old_);
  }
  AllSignalsBlocked(const AllSignalsBlocked&) = delete;
  AllSignalsBlocked& operator=(const AllSignalsBlocked&) = delete;
  AllSignalsBlocked(AllSignalsBlocked&&) = delete;
  AllSignalsBlocked& operator=(AllSignalsBlocked&&) = delete;
  ~AllSignalsBlocked() { ::sigprocmask(SIG_SETMASK, &old_, nullptr); }

 private:
  sigset_t old_{};
};

/// An inherited "ignore" would reap children behind our back.
void keep_children_waitable() {
  struct sigaction action {};
  ::sigaction(SIGCHLD, nullptr, &action);
  if (action.sa_handler == SIG_IGN) {
    action.sa_handler = SIG_DFL;
    ::sigaction(SIGCHLD, &action, nullptr);
  }
}

struct Socket {
  UniqueFd parent_end;
  UniqueFd worker_end;
};

Socket make_socket() {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    sys::throw_errno(Fault::environment, "socketpair", "worker");
  }
  return {UniqueFd(ends[0]), UniqueFd(ends[1])};
}

void store_end(const siginfo_t& info, bool is_in_time, WorkerEnd& end) {
  end.code = info.si_status;
  if (!is_in_time) {
    end.kind = WorkerEnd::Kind::timed_out;
  } else {
    end.kind = info.si_code == CLD_EXITED ? WorkerEnd::Kind::exited : WorkerEnd::Kind::signalled;
  }
}

/// A worker that said nothing did not come as far as its own main.
void throw_if_not_started(const std::string& where, std::uint32_t core, bool has_started,
                          const WorkerEnd& end) {
  if (has_started || end.kind == WorkerEnd::Kind::timed_out) {
    return;
  }
  if (!end.error) {
    throw Error(Fault::environment, where,
                "the worker ended before its first word (" + describe_end(end) + ")" +
                    (end.errors.tail.empty() ? "" : ": " + text::printable(end.errors.tail)))
        .hint("limits.memory may be too small, or the program does not fit this system's libc");
  }
  Error error(Fault::environment, where,
              "the worker could not be started: " + std::string(end.error->text));
  error.os_error(static_cast<int>(end.error->number));
  if (std::strcmp(end.error->text, "sched_setaffinity") == 0) {
    error.hint("core " + std::to_string(core) +
               " is offline or not allowed here: choose another (measure.core)");
  }
  throw Error(error);
}

hashprof_request complete_request(const WorkerSpec& spec) {
  hashprof_request request = spec.request;
  request.magic = HASHPROF_PROTOCOL_MAGIC;
  request.version = HASHPROF_PROTOCOL_VERSION;
  request.size = sizeof request;
  request.parent_pid = static_cast<std::uint32_t>(::getpid());
  if (spec.window.is_open()) {
    request.flags |= HASHPROF_FLAG_HAS_WINDOW;
  }
  if (spec.digest.is_open()) {
    request.flags |= HASHPROF_FLAG_HAS_DIGEST;
  }
  if (spec.attach) {
    request.flags |= HASHPROF_FLAG_WAIT;
  }
  return request;
}

void send_request(int socket, const hashprof_request& request) {
  if (::send(socket, &request, sizeof request, MSG_NOSIGNAL) !=
      static_cast<ssize_t>(sizeof request)) {
    sys::throw_errno(Fault::environment, "send(request)", "worker");
  }
}

pid_t fork_worker(const ChildPlan& plan) {
  const AllSignalsBlocked blocked;
  const pid_t pid = ::fork();
  if (pid == 0) {
    exec_worker(plan);
  }
  if (pid < 0) {
    sys::throw_errno(Fault::environment, "fork", plan.program);
  }
  // Also here, so that the group exists before anybody could want to kill it.
  static_cast<void>(::setpgid(pid, pid));
  return pid;
}

}  // namespace

std::string describe_end(const WorkerEnd& end) {
  if (end.kind == WorkerEnd::Kind::exited) {
    return "exited with status " + std::to_string(end.code);
  }
  const char* name = ::sigabbrev_np(end.code);
  return name != nullptr ? "SIG" + std::string(name) : "signal " + std::to_string(end.code);
}

/// The worker's process and everything that is at the other end of its descriptors.
struct RunningWorker::State {
  State(const WorkerSpec& spec, Socket&& socket, sys::Pipe&& output, sys::Pipe&& errors, pid_t pid)
      : where(spec.worker.native()),
        core(spec.core),
        attach(spec.attach),
        deadline(Clock::now() + std::chrono::nanoseconds(spec.time_limit.value)),
        child(pid, UniqueFd(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)))),
        line(std::move(socket.parent_end), std::move(output.read_end), std::move(errors.read_end),
             end) {
    if (child.pidfd() < 0) {
      sys::throw_errno(Fault::environment, "pidfd_open", "worker");
    }
  }

  /// Once, when the worker waits for it. The time that it takes is not the worker's.
  void attach_if_ready() {
    if (attach && end.step == HASHPROF_STEP_READY) {
      const auto start = Clock::now();
      std::exchange(attach, nullptr)(child.pid());
      deadline += Clock::now() - start;
      line.send_go();
    }
  }

  std::string where;
  std::uint32_t core;
  std::function<void(pid_t)> attach;
  Clock::time_point deadline;
  bool is_in_time = true;
  WorkerEnd end;
  Child child;
  WorkerLine line;
};

RunningWorker::RunningWorker(const WorkerSpec& spec) {
  throw_if_stopped();
  keep_children_waitable();
  const UniqueFd null = sys::open("/dev/null", O_RDWR);
  sys::Pipe output = sys::make_pipe();
  sys::Pipe errors = sys::make_pipe();
  Socket socket = make_socket();
  send_request(socket.parent_end.get(), complete_request(spec));

  ChildPlan plan(spec.worker.native(), spec.env, spec.env_padding);
  plan.cpus = CpuSet::of_core(spec.core);
  plan.address_space = spec.address_space;
  plan.stack = spec.stack;
  plan.null_fd = null.get();
  plan.stdout_fd = output.write_end.get();
  plan.stderr_fd = errors.write_end.get();
  plan.protocol_fd = socket.worker_end.get();
  plan.library_fd = spec.library.get();
  plan.message_fd = spec.message.get();
  plan.window_fd = spec.window.get();
  plan.digest_fd = spec.digest.get();
  plan.parent_pid = ::getpid();

  const pid_t pid = fork_worker(plan);
  state_ =
      std::make_unique<State>(spec, std::move(socket), std::move(output), std::move(errors), pid);
}

RunningWorker::~RunningWorker() = default;

WorkerEnd RunningWorker::finish() {
  State& state = *state_;
  if (!state.is_in_time) {
    state.child.kill_group();
  }
  store_end(state.child.reap(), state.is_in_time, state.end);
  state.line.drain_rest();
  throw_if_not_started(state.where, state.core, state.line.has_started(), state.end);
  return std::move(state.end);
}

std::size_t wait_any(const std::vector<RunningWorker*>& workers) {
  constexpr std::size_t kFds = 4;
  std::vector<pollfd> polled;
  for (;;) {
    throw_if_stopped();
    auto deadline = Clock::time_point::max();
    polled.clear();
    for (std::size_t i = 0; i < workers.size(); ++i) {
      const RunningWorker::State& state = *workers[i]->state_;
      deadline = std::min(deadline, state.deadline);
      for (const int fd :
           {state.child.pidfd(), state.line.socket(), state.line.output(), state.line.errors()}) {
        polled.push_back({fd, POLLIN, 0});
      }
    }
    polled.push_back({stop_descriptor(), POLLIN, 0});
    const auto left = std::max(deadline - Clock::now(), Clock::duration::zero());
    const auto nanoseconds = std::chrono::duration_cast<std::chrono::nanoseconds>(left).count();
    const timespec timeout{nanoseconds / 1'000'000'000, nanoseconds % 1'000'000'000};
    if (::ppoll(polled.data(), polled.size(), &timeout, nullptr) < 0 && errno != EINTR) {
      sys::throw_errno(Fault::environment, "ppoll", "worker");
    }
    for (std::size_t i = 0; i < workers.size(); ++i) {
      if ((polled[i * kFds].revents & POLLIN) != 0) {
        return i;
      }
      // Only after the look at its end: hashprof may have been stopped itself for longer than that.
      if (Clock::now() >= workers[i]->state_->deadline) {
        workers[i]->state_->is_in_time = false;
        return i;
      }
      workers[i]->state_->line.drain();
      workers[i]->state_->attach_if_ready();
    }
  }
}

WorkerEnd run_worker(const WorkerSpec& spec) {
  RunningWorker worker(spec);
  static_cast<void>(wait_any({&worker}));
  return worker.finish();
}

}  // namespace hashprof::runner
