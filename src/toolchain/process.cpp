// SPDX-License-Identifier: MIT
// See toolchain/process.h. A supervisor stands between hashprof and the compiler: the parent-death
// signal reaches only a direct child, but a driver's own children must die with it.
#include "toolchain/process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstring>
#include <system_error>

#include "base/sys.h"

namespace hashprof::toolchain {

namespace {

constexpr int kStatusFd = 3;

/// What the supervisor writes when the command ended.
struct Report {
  std::int32_t ending = 0;
  std::int32_t value = 0;
};

/// Everything the child needs, made before fork: after it only async-signal-safe calls are allowed.
struct Prepared {
  std::vector<char*> arguments;
  std::vector<char*> environment;
  const char* folder = nullptr;
  int null_fd = -1;
  int output_fd = -1;
  int status_fd = -1;
  pid_t parent = 0;
};

std::vector<char*> pointers_to(const std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  pointers.reserve(texts.size() + 1);
  for (const std::string& text : texts) {
    // execve takes char* for historical reasons and does not write through it (execve(3p)).
    pointers.push_back(const_cast<char*>(text.c_str()));
  }
  pointers.push_back(nullptr);
  return pointers;
}

extern "C" void kill_own_group(int /*signal*/) { (void)::kill(0, SIGKILL); }

void close_from(unsigned first) {
  if (::close_range(first, UINT_MAX, 0) == 0) {
    return;
  }
  // Kernels before 5.9 have no close_range(2).
  rlimit limit{};
  const bool is_known = ::getrlimit(RLIMIT_NOFILE, &limit) == 0;
  const rlim_t end = is_known ? std::min<rlim_t>(limit.rlim_cur, 1U << 20U) : 1024;
  for (auto fd = static_cast<rlim_t>(first); fd < end; ++fd) {
    (void)::close(static_cast<int>(fd));
  }
}

void send_report(Ending ending, int value) {
  const Report report{static_cast<std::int32_t>(ending), value};
  (void)!::write(kStatusFd, &report, sizeof report);
}

[[noreturn]] void exec_command(const Prepared& prepared) {
  for (const int signal : {SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGTERM, SIGCHLD, SIGUSR1, SIGUSR2}) {
    (void)::signal(signal, SIG_DFL);
  }
  const rlimit no_core{0, 0};
  (void)::setrlimit(RLIMIT_CORE, &no_core);
  rlimit file_size{};
  if (::getrlimit(RLIMIT_FSIZE, &file_size) == 0) {
    file_size.rlim_cur = std::min<rlim_t>(file_size.rlim_max, kFileSizeCap);
    (void)::setrlimit(RLIMIT_FSIZE, &file_size);
  }
  // The command's own files must be readable by the build whatever the caller's umask.
  (void)::umask(0022);
  if (::chdir(prepared.folder) == 0) {
    (void)::execve(prepared.arguments[0], prepared.arguments.data(), prepared.environment.data());
  }
  send_report(Ending::not_started, errno);
  ::_exit(127);
}

/// The child of hashprof: starts the command, waits for it, reports, and takes the whole group with
/// it when hashprof dies.
[[noreturn]] void supervise(const Prepared& prepared) {
  (void)::setpgid(0, 0);
  struct sigaction action {};
  action.sa_handler = kill_own_group;
  (void)::sigaction(SIGTERM, &action, nullptr);
  // Ignored by a caller, it would make the kernel reap the command before its status is read.
  (void)::signal(SIGCHLD, SIG_DFL);
  sigset_t none;
  (void)::sigemptyset(&none);
  (void)::sigprocmask(SIG_SETMASK, &none, nullptr);
  (void)::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != prepared.parent) {
    ::_exit(1);
  }
  // The descriptors come from a process that may run with 0, 1 or 2 closed; moving them up first
  // keeps dup2 from overwriting one that is still needed.
  const int null_fd = ::fcntl(prepared.null_fd, F_DUPFD, kStatusFd + 1);
  const int output_fd = ::fcntl(prepared.output_fd, F_DUPFD, kStatusFd + 1);
  const int status_fd = ::fcntl(prepared.status_fd, F_DUPFD, kStatusFd + 1);
  if (::dup2(null_fd, 0) < 0 || ::dup2(output_fd, 1) < 0 || ::dup2(output_fd, 2) < 0 ||
      ::dup2(status_fd, kStatusFd) < 0 || ::fcntl(kStatusFd, F_SETFD, FD_CLOEXEC) != 0) {
    ::_exit(1);
  }
  close_from(kStatusFd + 1);
  const pid_t child = ::fork();
  if (child == 0) {
    exec_command(prepared);
  }
  int status = 0;
  if (child < 0) {
    send_report(Ending::not_started, errno);
    ::_exit(1);
  }
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status)) {
    send_report(Ending::exited, WEXITSTATUS(status));
  } else {
    send_report(Ending::signalled, WTERMSIG(status));
  }
  ::_exit(0);
}

/// Owns the supervisor's process group: whatever way `run` is left, nothing of it stays.
class Group {
 public:
  explicit Group(pid_t leader) noexcept : leader_(leader) {}
  Group(const Group&) = delete;
  Group& operator=(const Group&) = delete;
  Group(Group&&) = delete;
  Group& operator=(Group&&) = delete;
  ~Group() { end(); }
  void end() noexcept {
    if (leader_ <= 0) {
      return;
    }
    (void)::kill(-leader_, SIGKILL);
    while (::waitpid(leader_, nullptr, 0) < 0 && errno == EINTR) {
    }
    leader_ = 0;
  }

 private:
  pid_t leader_;
};

/// Takes one block of what is there without waiting. False if there was nothing (any more).
bool drain_block(int fd, Outcome& outcome, ErrorLine& errors) {
  std::array<char, 65536> block{};
  ssize_t count = -1;
  do {
    count = ::read(fd, block.data(), block.size());
  } while (count < 0 && errno == EINTR);
  if (count <= 0) {
    return false;
  }
  const std::string_view piece(block.data(), static_cast<std::size_t>(count));
  errors.add(piece);
  const std::size_t room = kOutputCap - outcome.output.size();
  outcome.output.append(piece.substr(0, room));
  outcome.is_cut = outcome.is_cut || piece.size() > room;
  return true;
}

/// Takes what the ended command left in the pipe. Bounded, because a child that outlived it may go
/// on writing; no pipe holds more than this.
void drain_rest(int fd, Outcome& outcome, ErrorLine& errors) {
  constexpr int kBlocks = 32;
  for (int i = 0; i < kBlocks && drain_block(fd, outcome, errors); ++i) {
  }
}

int milliseconds_to(Deadline deadline) {
  constexpr std::chrono::milliseconds kLongest(3'600'000);
  const auto left =
      std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
  return static_cast<int>(std::clamp(left, std::chrono::milliseconds(0), kLongest).count());
}

void set_nonblocking(int fd) {
  if (::fcntl(fd, F_SETFL, O_NONBLOCK) != 0) {
    sys::throw_errno(Fault::environment, "fcntl(O_NONBLOCK)", "output pipe");
  }
}

/// Reads the supervisor's reports; the last counts. Without one the group was killed from outside.
void read_report(int fd, Outcome& outcome) {
  Report report;
  outcome.ending = Ending::signalled;
  outcome.value = SIGKILL;
  bool is_first = true;
  while (::read(fd, &report, sizeof report) == static_cast<ssize_t>(sizeof report)) {
    if (is_first) {  // a failed exec is reported before the exit that follows it
      outcome.ending = static_cast<Ending>(report.ending);
      outcome.value = report.value;
      is_first = false;
    }
  }
}

/// Waits for the status pipe to end (the supervisor is gone), the deadline, or a stop.
Outcome watch(const Command& command, int output_fd, int status_fd) {
  Outcome outcome;
  ErrorLine errors;
  std::array<pollfd, 3> events{
      {{output_fd, POLLIN, 0}, {status_fd, POLLIN, 0}, {command.stop_fd, POLLIN, 0}}};
  for (;;) {
    const int ready = ::poll(events.data(), events.size(), milliseconds_to(command.deadline));
    if (ready < 0 && errno != EINTR) {
      sys::throw_errno(Fault::environment, "poll", command.arguments.front());
    }
    if (ready > 0 && events[0].revents != 0 && !drain_block(output_fd, outcome, errors)) {
      events[0].fd = -1;  // its end; poll would report it for ever
    }
    if (ready > 0 && events[1].revents != 0) {
      drain_rest(output_fd, outcome, errors);
      read_report(status_fd, outcome);
      break;
    }
    if (ready > 0 && events[2].revents != 0) {
      outcome.ending = Ending::interrupted;
      break;
    }
    if (std::chrono::steady_clock::now() >= command.deadline) {
      outcome.ending = Ending::timed_out;
      break;
    }
  }
  outcome.first_error = errors.finish();
  return outcome;
}

bool is_error_line(std::string_view line) {
  const auto has = [line](std::string_view part) {
    return line.find(part) != std::string_view::npos;
  };
  // Quoted source is indented; the drivers' last words only repeat that something failed.
  if (line.empty() || line.front() == ' ' || has("collect2: error:") ||
      has("linker command failed") || has("warning:")) {
    return false;
  }
  return has(": error: ") || has("fatal error: ") || has(": Error: ") ||
         has("undefined reference to") || has("not defined") || has("multiple definition of") ||
         has("cannot find ");
}

}  // namespace

void ErrorLine::add(std::string_view piece) {
  constexpr std::size_t kLongest = 4096;
  while (!piece.empty() && found_.empty()) {
    const std::size_t end = piece.find('\n');
    const std::string_view part = piece.substr(0, end);
    line_.append(part.substr(0, kLongest - std::min(kLongest, line_.size())));
    if (end == std::string_view::npos) {
      return;
    }
    end_line();
    piece.remove_prefix(end + 1);
  }
}

std::string ErrorLine::finish() {
  end_line();
  return found_;
}

void ErrorLine::end_line() {
  if (found_.empty() && is_error_line(line_)) {
    found_ = line_;
  }
  line_.clear();
}

std::string describe(const Outcome& outcome, const std::string& limit) {
  switch (outcome.ending) {
    case Ending::exited:
      return "ended with status " + std::to_string(outcome.value);
    case Ending::signalled: {
      const char* const name = ::sigabbrev_np(outcome.value);
      return "was killed by " + (name == nullptr ? "signal " + std::to_string(outcome.value)
                                                 : std::string("SIG") + name);
    }
    case Ending::not_started:
      return "could not be started: " + std::generic_category().message(outcome.value) + " (" +
             errno_name(outcome.value) + ")";
    case Ending::timed_out:
      return "did not end within " + limit + " and was killed";
    case Ending::interrupted:
      return "was interrupted";
  }
  throw Error(Fault::internal, "toolchain", "an ending without a sentence");
}

Deadline deadline_after(Nanoseconds limit) {
  constexpr std::uint64_t kLongest = 365ULL * 24 * 3600 * 1'000'000'000;
  return std::chrono::steady_clock::now() +
         std::chrono::nanoseconds(std::min(limit.value, kLongest));
}

Outcome run(const Command& command) {
  const UniqueFd null = sys::open("/dev/null", O_RDONLY);
  sys::Pipe output = sys::make_pipe();
  sys::Pipe status = sys::make_pipe();
  set_nonblocking(output.read_end.get());
  Prepared prepared;
  prepared.arguments = pointers_to(command.arguments);
  prepared.environment = pointers_to(command.environment);
  prepared.folder = command.folder.c_str();
  prepared.null_fd = null.get();
  prepared.output_fd = output.write_end.get();
  prepared.status_fd = status.write_end.get();
  prepared.parent = ::getpid();
  const pid_t leader = ::fork();
  if (leader < 0) {
    sys::throw_errno(Fault::environment, "fork", command.arguments.front());
  }
  if (leader == 0) {
    supervise(prepared);
  }
  // Also here, or a kill before the child's own setpgid would miss the group.
  (void)::setpgid(leader, leader);
  Group group(leader);
  output.write_end.reset();
  status.write_end.reset();
  Outcome outcome = watch(command, output.read_end.get(), status.read_end.get());
  group.end();
  return outcome;
}

}  // namespace hashprof::toolchain
