// SPDX-License-Identifier: MIT
// See base/sys.h.
#include "base/sys.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cerrno>

namespace hashprof::sys {

namespace {

/// Calls until the result is not "interrupted"; the kernel did nothing in that case.
template <typename Call>
auto retry(Call call) {
  for (;;) {
    const auto result = call();
    if (result != -1 || errno != EINTR) {
      return result;
    }
  }
}

/// A shared, writable mapping of a whole file.
class Mapping {
 public:
  Mapping(int fd, std::uint64_t size, const char* name)
      : area_(::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0)), size_(size) {
    if (area_ == MAP_FAILED) {
      throw_errno(Fault::environment, "mmap", name);
    }
  }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;
  Mapping(Mapping&&) = delete;
  Mapping& operator=(Mapping&&) = delete;
  ~Mapping() { ::munmap(area_, size_); }

  [[nodiscard]] std::span<std::uint8_t> bytes() const {
    return {static_cast<std::uint8_t*>(area_), size_};
  }

 private:
  void* area_;
  std::size_t size_;
};

UniqueFd make_memory(const char* name) {
  UniqueFd fd(::memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!fd.is_open()) {
    throw_errno(Fault::environment, "memfd_create", name);
  }
  return fd;
}

void seal(int fd, int seals, const char* name) {
  if (::fcntl(fd, F_ADD_SEALS, F_SEAL_SEAL | seals) != 0) {
    throw_errno(Fault::environment, "fcntl(F_ADD_SEALS)", name);
  }
}

}  // namespace

void throw_errno(Fault fault, std::string_view call, std::string_view object) {
  const int number = errno;
  throw Error(fault, std::string(object), std::string(call)).os_error(number);
}

UniqueFd open(const std::filesystem::path& path, int flags, mode_t mode, Fault fault) {
  const int fd = retry([&] { return ::open(path.c_str(), flags | O_CLOEXEC, mode); });
  if (fd < 0) {
    throw_errno(fault, "open", path.native());
  }
  return UniqueFd(fd);
}

std::size_t read(int fd, std::span<std::uint8_t> bytes, std::string_view object) {
  const ssize_t count = retry([&] { return ::read(fd, bytes.data(), bytes.size()); });
  if (count < 0) {
    throw_errno(Fault::environment, "read", object);
  }
  return static_cast<std::size_t>(count);
}

void read_at(int fd, std::uint64_t offset, std::span<std::byte> bytes, std::string_view object) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t count = retry([&] {
      return ::pread(fd, bytes.data() + done, bytes.size() - done,
                     static_cast<off_t>(offset + done));
    });
    if (count < 0) {
      throw_errno(Fault::internal, "pread", object);
    }
    if (count == 0) {
      throw Error(Fault::internal, std::string(object),
                  "ends before byte " + std::to_string(offset + bytes.size()));
    }
    done += static_cast<std::size_t>(count);
  }
}

void write_all(int fd, std::string_view bytes, std::string_view object) {
  while (!bytes.empty()) {
    const ssize_t count = retry([&] { return ::write(fd, bytes.data(), bytes.size()); });
    if (count < 0) {
      throw_errno(Fault::output, "write", object);
    }
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

void fsync(int fd, std::string_view object) {
  if (retry([&] { return ::fsync(fd); }) != 0) {
    throw_errno(Fault::output, "fsync", object);
  }
}

void ftruncate(int fd, std::uint64_t size, std::string_view object) {
  if (retry([&] { return ::ftruncate(fd, static_cast<off_t>(size)); }) != 0) {
    throw_errno(Fault::output, "ftruncate", object);
  }
}

struct stat fstat(int fd, std::string_view object) {
  struct stat status {};
  if (::fstat(fd, &status) != 0) {
    throw_errno(Fault::environment, "fstat", object);
  }
  return status;
}

Pipe make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
    throw_errno(Fault::environment, "pipe2", "");
  }
  return {UniqueFd(ends[0]), UniqueFd(ends[1])};
}

UniqueFd duplicate(int fd) {
  UniqueFd copy(::fcntl(fd, F_DUPFD_CLOEXEC, 0));
  if (!copy.is_open()) {
    throw_errno(Fault::environment, "fcntl(F_DUPFD_CLOEXEC)", "descriptor");
  }
  return copy;
}

UniqueFd sealed_memory(const char* name, std::string_view content) {
  UniqueFd fd = make_memory(name);
  write_all(fd.get(), content, name);
  seal(fd.get(), F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE, name);
  return fd;
}

UniqueFd sealed_memory(const char* name, std::uint64_t size,
                       const std::function<void(std::span<std::uint8_t>)>& fill) {
  UniqueFd fd = make_memory(name);
  // Here, and not by a signal while it is filled, a lack of memory has a name.
  int error = EINTR;
  while (error == EINTR) {
    error = ::posix_fallocate(fd.get(), 0, static_cast<off_t>(size));
  }
  if (error != 0) {
    errno = error;
    throw_errno(Fault::environment, "posix_fallocate", name);
  }
  {
    const Mapping mapping(fd.get(), size, name);
    fill(mapping.bytes());
  }
  seal(fd.get(), F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE, name);
  return fd;
}

UniqueFd writable_memory(const char* name, std::uint64_t size) {
  UniqueFd fd = make_memory(name);
  ftruncate(fd.get(), size, name);
  seal(fd.get(), F_SEAL_SHRINK | F_SEAL_GROW, name);
  return fd;
}

}  // namespace hashprof::sys
