// SPDX-License-Identifier: MIT
// See probes_support.h.
#include "probes_support.h"

#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <sstream>

#include "base/sys.h"

namespace hashprof::probes {

namespace {

std::string read_up_to(int fd, char last) {
  std::string text;
  std::array<std::uint8_t, 1> byte{};
  while (text.empty() || text.back() != last) {
    if (sys::read(fd, byte, "puppet") == 0) {
      ADD_FAILURE() << "the puppet ended early: " << text;
      return text;
    }
    text.push_back(static_cast<char>(byte[0]));
  }
  return text;
}

}  // namespace

Puppet::Puppet(const std::string& act, int window_fd) {
  sys::Pipe input = sys::make_pipe();
  sys::Pipe output = sys::make_pipe();
  // Above every number that the child's descriptors get.
  const UniqueFd in(::fcntl(input.read_end.get(), F_DUPFD_CLOEXEC, 100));
  const UniqueFd out(::fcntl(output.write_end.get(), F_DUPFD_CLOEXEC, 100));
  const UniqueFd window(::fcntl(window_fd, F_DUPFD_CLOEXEC, 100));
  pid_ = ::fork();
  if (pid_ == 0) {
    ::dup2(in.get(), STDIN_FILENO);
    ::dup2(out.get(), STDOUT_FILENO);
    ::dup2(window.get(), HASHPROF_FD_WINDOW);
    ::execl(HASHPROF_MEMORY_PUPPET, "memory_puppet", act.c_str(), nullptr);
    ::_exit(127);
  }
  EXPECT_GT(pid_, 0);
  input_ = std::move(input.write_end);
  output_ = std::move(output.read_end);
  output.write_end.reset();
  EXPECT_EQ(read_up_to(output_.get(), 'r'), "r");
}

Puppet::~Puppet() {
  ::kill(pid_, SIGKILL);
  ::waitpid(pid_, nullptr, 0);
}

std::string answer_as_nobody(const std::function<std::string()>& body) {
  constexpr uid_t kNobody = 65534;
  const sys::Pipe pipe = sys::make_pipe();
  const pid_t pid = ::fork();
  if (pid == 0) {
    if (::setgroups(0, nullptr) != 0 || ::setresgid(kNobody, kNobody, kNobody) != 0 ||
        ::setresuid(kNobody, kNobody, kNobody) != 0) {
      ::_exit(98);
    }
    sys::write_all(pipe.write_end.get(), body() + "\n", "answer");
    ::_exit(0);
  }
  int status = 0;
  EXPECT_EQ(::waitpid(pid, &status, 0), pid);
  EXPECT_EQ(status, 0);
  std::string answer = status == 0 ? read_up_to(pipe.read_end.get(), '\n') : "\n";
  answer.pop_back();
  return answer;
}

std::uint64_t Puppet::act() {
  sys::write_all(input_.get(), "g", "puppet");
  std::istringstream words(read_up_to(output_.get(), '\n'));
  std::uint64_t voluntary = 0;
  std::uint64_t involuntary = 0;
  words >> voluntary >> involuntary;
  EXPECT_FALSE(words.fail());
  return voluntary + involuntary;
}

}  // namespace hashprof::probes
