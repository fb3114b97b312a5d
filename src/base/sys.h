// SPDX-License-Identifier: MIT
// Checked system calls: each reads errno at once, retries EINTR, and names call and object.
#pragma once

#include <sys/stat.h>
#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/unique_fd.h"

namespace hashprof::sys {

/// Throws Error{fault, "<call>(<object>)"} with the current errno.
[[noreturn]] void throw_errno(Fault fault, std::string_view call, std::string_view object);

/// open(2) with O_CLOEXEC.
[[nodiscard]] UniqueFd open(const std::filesystem::path& path, int flags, mode_t mode = 0,
                            Fault fault = Fault::environment);
/// Reads up to bytes.size() bytes; 0 at end of file.
[[nodiscard]] std::size_t read(int fd, std::span<std::uint8_t> bytes, std::string_view object);
/// Reads exactly bytes.size() bytes from `offset` on; a shorter file is an Error{internal}.
void read_at(int fd, std::uint64_t offset, std::span<std::byte> bytes, std::string_view object);
/// Writes all of `bytes`.
void write_all(int fd, std::string_view bytes, std::string_view object);
void fsync(int fd, std::string_view object);
void ftruncate(int fd, std::uint64_t size, std::string_view object);
[[nodiscard]] struct stat fstat(int fd, std::string_view object);

struct Pipe {
  UniqueFd read_end;
  UniqueFd write_end;
};
/// pipe2(2) with O_CLOEXEC.
[[nodiscard]] Pipe make_pipe();
/// fcntl(2) F_DUPFD_CLOEXEC: another descriptor of the same file.
[[nodiscard]] UniqueFd duplicate(int fd);
/// An anonymous file of `size` bytes holding `content`, sealed against any change.
[[nodiscard]] UniqueFd sealed_memory(const char* name, std::string_view content);
/// The same of `size` bytes that `fill` writes in place; they are zero before.
[[nodiscard]] UniqueFd sealed_memory(const char* name, std::uint64_t size,
                                     const std::function<void(std::span<std::uint8_t>)>& fill);
/// An anonymous, writable file of `size` zero bytes that cannot change its size.
[[nodiscard]] UniqueFd writable_memory(const char* name, std::uint64_t size);

}  // namespace hashprof::sys
