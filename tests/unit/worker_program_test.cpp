// SPDX-License-Identifier: MIT
// Catches a worker that allocates, links more than libc, may not be read by everybody, or obeys a
// request that is not of its protocol.
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstring>
#include <string>

#include "base/unique_fd.h"
#include "worker/protocol.h"

namespace hashprof {
namespace {

std::string output_of(const std::string& command) {
  std::FILE* pipe = ::popen(command.c_str(), "r");
  EXPECT_NE(pipe, nullptr);
  std::string text;
  std::array<char, 4096> buffer{};
  while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), pipe)) {
    text.append(buffer.data(), count);
  }
  EXPECT_EQ(::pclose(pipe), 0) << command;
  return text;
}

TEST(WorkerProgram, has_no_allocation_symbol_of_its_own) {
  const std::string symbols = output_of("nm -D --format=posix '" HASHPROF_WORKER "'");
  ASSERT_NE(symbols.find("dlopen"), std::string::npos) << symbols;
  for (const char* name : {"malloc", "calloc", "realloc", "free", "printf", "fopen", "strdup"}) {
    EXPECT_EQ(("\n" + symbols).find("\n" + std::string(name)), std::string::npos) << name;
  }
}

TEST(WorkerProgram, needs_libc_alone) {
  const std::string dynamic = output_of("readelf -d '" HASHPROF_WORKER "' | grep NEEDED");
  EXPECT_NE(dynamic.find("[libc.so.6]"), std::string::npos) << dynamic;
  EXPECT_EQ(dynamic.find('\n'), dynamic.size() - 1) << dynamic;
}

TEST(WorkerProgram, may_be_read_and_run_by_everybody) {
  struct stat status {};
  ASSERT_EQ(::stat(HASHPROF_WORKER, &status), 0);
  EXPECT_EQ(status.st_mode & 07777U, 0755U);
}

/// The first ERROR event of a worker that is sent `size` bytes of `request`, and its exit status.
struct Answer {
  hashprof_event error{};
  int status = -1;
};

Answer ask(const hashprof_request& request, std::size_t size) {
  std::array<int, 2> ends{};
  EXPECT_EQ(::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()), 0);
  const UniqueFd parent(ends[0]);
  UniqueFd child(ends[1]);
  EXPECT_EQ(::send(parent.get(), &request, size, 0), static_cast<ssize_t>(size));
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, child.get(), HASHPROF_FD_PROTOCOL);
  std::string name = HASHPROF_WORKER;
  std::array<char*, 2> argv{name.data(), nullptr};
  char* no_environment = nullptr;
  pid_t pid = 0;
  EXPECT_EQ(::posix_spawn(&pid, name.c_str(), &actions, nullptr, argv.data(), &no_environment), 0);
  ::posix_spawn_file_actions_destroy(&actions);
  child.reset();
  Answer answer;
  hashprof_event event{};
  while (::recv(parent.get(), &event, sizeof event, 0) == static_cast<ssize_t>(sizeof event)) {
    if (event.type == HASHPROF_EVENT_ERROR) {
      answer.error = event;
    }
  }
  int status = 0;
  EXPECT_EQ(::waitpid(pid, &status, 0), pid);
  answer.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return answer;
}

hashprof_request plausible_request() {
  hashprof_request request{};
  request.magic = HASHPROF_PROTOCOL_MAGIC;
  request.version = HASHPROF_PROTOCOL_VERSION;
  request.size = sizeof request;
  request.kind = HASHPROF_KIND_TRIAL;
  return request;
}

void expect_refusal(const hashprof_request& request, std::size_t size, const char* text) {
  const Answer answer = ask(request, size);
  EXPECT_EQ(answer.error.error, static_cast<std::uint32_t>(HASHPROF_ERROR_PROTOCOL));
  EXPECT_STREQ(answer.error.text, text);
  EXPECT_EQ(answer.status, 1);
}

constexpr const char* kOtherVersion = "the request is not of this worker's protocol version";

TEST(WorkerProgram, refuses_a_request_of_another_version) {
  hashprof_request request = plausible_request();
  request.version = HASHPROF_PROTOCOL_VERSION + 1;
  expect_refusal(request, sizeof request, kOtherVersion);
}

TEST(WorkerProgram, refuses_a_request_of_another_size) {
  const hashprof_request request = plausible_request();
  expect_refusal(request, sizeof request - 8, kOtherVersion);
}

TEST(WorkerProgram, refuses_a_request_without_magic) {
  hashprof_request request = plausible_request();
  request.magic = 0;
  expect_refusal(request, sizeof request, kOtherVersion);
}

TEST(WorkerProgram, refuses_an_unknown_kind) {
  hashprof_request request = plausible_request();
  request.kind = 99;
  expect_refusal(request, sizeof request, "unknown kind of request");
}

TEST(WorkerProgram, refuses_latency_of_a_message_without_a_byte) {
  hashprof_request request = plausible_request();
  request.flags = HASHPROF_FLAG_LATENCY;
  request.message_bits = 7;
  expect_refusal(request, sizeof request, "latency of a message without a first byte");
}

TEST(WorkerProgram, refuses_an_entry_that_is_not_ended) {
  hashprof_request request = plausible_request();
  std::memset(request.entry, 'x', sizeof request.entry);
  expect_refusal(request, sizeof request, "the entry's name is not ended");
}

TEST(WorkerProgram, names_the_map_that_it_could_not_make) {
  const Answer answer = ask(plausible_request(), sizeof(hashprof_request));
  EXPECT_EQ(answer.error.error, static_cast<std::uint32_t>(HASHPROF_ERROR_SYSTEM));
  EXPECT_STREQ(answer.error.text, "mmap(message)");
  EXPECT_EQ(answer.error.step, static_cast<std::uint32_t>(HASHPROF_STEP_MAP));
}

}  // namespace
}  // namespace hashprof
