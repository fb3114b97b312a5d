// SPDX-License-Identifier: MIT
// Catches a command that inherits what it should not, outlives its caller's patience, or whose end
// is told wrongly.
#include "toolchain/process.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include "base/error.h"

namespace hashprof::toolchain {
namespace {

Outcome shell(const std::string& script,
              std::chrono::milliseconds limit = std::chrono::seconds(20)) {
  Command command;
  command.arguments = {"/bin/sh", "-c", script};
  command.environment = {"PATH=/usr/bin:/bin"};
  command.folder = "/";
  command.deadline = std::chrono::steady_clock::now() + limit;
  return run(command);
}

TEST(Process, output_and_status_are_told) {
  const Outcome outcome = shell("echo out; echo err >&2; exit 7");
  EXPECT_EQ(outcome.output, "out\nerr\n");
  EXPECT_EQ(outcome.ending, Ending::exited);
  EXPECT_EQ(outcome.value, 7);
  EXPECT_FALSE(outcome.is_success());
  EXPECT_FALSE(outcome.is_cut);
  EXPECT_EQ(describe(outcome, "20 s"), "ended with status 7");
}

TEST(Process, only_the_three_standard_descriptors_are_open) {
  const int leak = ::open("/dev/null", O_RDONLY);  // without O_CLOEXEC
  ASSERT_GE(leak, 0);
  // ls itself opens the folder that it lists, as the next free descriptor.
  EXPECT_EQ(shell("exec ls /proc/self/fd").output, "0\n1\n2\n3\n");
  (void)::close(leak);
}

TEST(Process, blocked_and_ignored_signals_of_the_caller_are_not_inherited) {
  sigset_t blocked;
  sigset_t before;
  (void)::sigemptyset(&blocked);
  (void)::sigaddset(&blocked, SIGINT);
  (void)::sigaddset(&blocked, SIGTERM);
  ASSERT_EQ(::sigprocmask(SIG_BLOCK, &blocked, &before), 0);
  (void)::signal(SIGPIPE, SIG_IGN);
  (void)::signal(SIGCHLD, SIG_IGN);
  const Outcome outcome = shell("grep -E '^Sig(Blk|Ign)' /proc/self/status; exit 5");
  (void)::signal(SIGPIPE, SIG_DFL);
  (void)::signal(SIGCHLD, SIG_DFL);
  ASSERT_EQ(::sigprocmask(SIG_SETMASK, &before, nullptr), 0);
  EXPECT_EQ(outcome.output, "SigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\n");
  EXPECT_EQ(outcome.value, 5);
}

TEST(Process, an_endless_writer_cannot_hold_the_deadline_up) {
  const auto start = std::chrono::steady_clock::now();
  const Outcome outcome = shell("exec yes", std::chrono::milliseconds(300));
  EXPECT_EQ(outcome.ending, Ending::timed_out);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
  EXPECT_EQ(describe(outcome, "0.3 s"), "did not end within 0.3 s and was killed");
}

TEST(Process, output_beyond_the_cap_is_dropped_and_marked) {
  const Outcome exact = shell("head -c 1048576 /dev/zero");
  EXPECT_EQ(exact.output.size(), kOutputCap);
  EXPECT_FALSE(exact.is_cut);
  const Outcome more = shell("head -c 1048577 /dev/zero");
  EXPECT_EQ(more.output, exact.output);
  EXPECT_TRUE(more.is_cut);
  EXPECT_TRUE(more.is_success());
}

TEST(Process, a_background_child_does_not_delay_the_end) {
  const auto start = std::chrono::steady_clock::now();
  const Outcome outcome = shell("sleep 1000 & echo done");
  EXPECT_EQ(outcome.output, "done\n");
  EXPECT_TRUE(outcome.is_success());
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
}

TEST(Process, a_single_file_cannot_fill_the_disk) {
  std::string name = ::testing::TempDir() + "hashprof-process-XXXXXX";
  const int fd = ::mkstemp(name.data());
  ASSERT_GE(fd, 0);
  // Seeks to the cap, so that the test itself writes nothing large.
  const Outcome outcome =
      shell("exec dd if=/dev/zero of=" + name + " bs=1M seek=1024 count=1 2>/dev/null");
  (void)::unlink(name.c_str());
  (void)::close(fd);
  EXPECT_EQ(outcome.ending, Ending::signalled);
  EXPECT_EQ(describe(outcome, ""), "was killed by SIGXFSZ");
}

TEST(Process, what_cannot_be_started_says_why) {
  Command command;
  command.arguments = {"/none/program"};
  command.folder = "/";
  command.deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  const Outcome outcome = run(command);
  EXPECT_EQ(outcome.ending, Ending::not_started);
  EXPECT_EQ(describe(outcome, ""), "could not be started: No such file or directory (ENOENT)");
  command.arguments = {"/bin/true"};
  command.folder = "/none";
  EXPECT_EQ(run(command).ending, Ending::not_started);
}

TEST(Process, the_first_error_line_is_found_across_pieces_and_before_the_drivers_last_words) {
  ErrorLine errors;
  errors.add("a.c:1:1: warning: x\n   1 | puts(\": error: no\")\na.c:2:1: err");
  errors.add("or: first\na.c:3:1: error: second\ncollect2: error: ld returned 1 exit status\n");
  EXPECT_EQ(errors.finish(), "a.c:2:1: error: first");
  ErrorLine last;
  last.add("collect2: error: ld returned 1 exit status\nld: cannot find -lx");
  EXPECT_EQ(last.finish(), "ld: cannot find -lx");
  ErrorLine longest;
  longest.add("x: error: " + std::string(100000, 'y'));
  EXPECT_EQ(longest.finish().size(), 4096U);
  EXPECT_EQ(ErrorLine().finish(), "");
}

}  // namespace
}  // namespace hashprof::toolchain
