// SPDX-License-Identifier: MIT
// Where hashprof-worker is, and whether it can be used, said before the first process.
#pragma once

#include <filesystem>
#include <optional>

namespace hashprof::runner {

/// The worker that belongs to the hashprof at `program`: beside it, else in
/// ../libexec/hashprof. Nothing if it is in neither place.
[[nodiscard]] std::optional<std::filesystem::path> find_worker(
    const std::filesystem::path& program);

/// Throws Error{environment} with path and remedy unless `worker` is a file that this user may run
/// and read. Reading matters: the kernel silently detaches perf events from a process that execs a
/// file its user cannot read.
void check_worker(const std::filesystem::path& worker);

/// find_worker and check_worker; throws Error{environment} naming both places.
[[nodiscard]] std::filesystem::path require_worker(const std::filesystem::path& program);

/// The worker with the heap meter that belongs to `worker`: beside it. Throws Error{environment} if
/// it cannot be used.
[[nodiscard]] std::filesystem::path heap_worker_of(const std::filesystem::path& worker);

}  // namespace hashprof::runner
