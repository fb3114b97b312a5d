// SPDX-License-Identifier: MIT
// See runner/worker_file.h.
#include "runner/worker_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>

#include "base/error.h"

namespace hashprof::runner {

namespace {

constexpr const char* kName = "hashprof-worker";
constexpr const char* kHeapName = "hashprof-worker-heap";

std::array<std::filesystem::path, 2> places(const std::filesystem::path& program) {
  const std::filesystem::path folder = program.parent_path();
  return {folder / kName, (folder / ".." / "libexec" / "hashprof" / kName).lexically_normal()};
}

bool is_allowed(const std::filesystem::path& path, int mode) {
  return ::faccessat(AT_FDCWD, path.c_str(), mode, AT_EACCESS) == 0;
}

}  // namespace

std::optional<std::filesystem::path> find_worker(const std::filesystem::path& program) {
  for (const auto& place : places(program)) {
    std::error_code ignored;
    if (std::filesystem::is_regular_file(place, ignored)) {
      return place;
    }
  }
  return std::nullopt;
}

void check_worker(const std::filesystem::path& worker) {
  std::error_code reason;
  if (!std::filesystem::is_regular_file(worker, reason)) {
    Error error(Fault::environment, worker.native(), "there is no worker program");
    if (reason) {
      error.os_error(reason.value());
    }
    const bool is_heap_worker = worker.filename() == kHeapName;
    throw Error(
        error.hint("install hashprof again, or build the target " +
                   std::string(is_heap_worker ? "hashprof_worker_heap" : "hashprof_worker")));
  }
  if (!is_allowed(worker, X_OK)) {
    const int number = errno;
    throw Error(Fault::environment, worker.native(), "the worker program may not be run")
        .os_error(number)
        .hint("chmod 0755 " + worker.native());
  }
  if (!is_allowed(worker, R_OK)) {
    throw Error(Fault::environment, worker.native(),
                "the worker program may be run but not read by this user, and the kernel takes the "
                "performance counters away from such a process without a word")
        .hint("chmod 0755 " + worker.native());
  }
}

std::filesystem::path heap_worker_of(const std::filesystem::path& worker) {
  std::filesystem::path heap_worker = worker.parent_path() / kHeapName;
  check_worker(heap_worker);
  return heap_worker;
}

std::filesystem::path require_worker(const std::filesystem::path& program) {
  const auto worker = find_worker(program);
  if (!worker) {
    const auto tried = places(program);
    throw Error(Fault::environment, program.native(),
                "there is no worker program at " + tried[0].native() + " or " + tried[1].native())
        .hint("install hashprof again, or build the target hashprof_worker");
  }
  check_worker(*worker);
  return *worker;
}

}  // namespace hashprof::runner
