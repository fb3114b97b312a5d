// SPDX-License-Identifier: MIT
// See base/file.h.
#include "base/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <ctime>

#include "base/sys.h"

namespace hashprof {

namespace {

constexpr std::size_t kBlock = 65536;

/// Removes a temporary file unless it was renamed away.
class TemporaryFile {
 public:
  explicit TemporaryFile(std::filesystem::path path) : path_(std::move(path)) {}
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  TemporaryFile(TemporaryFile&&) = delete;
  TemporaryFile& operator=(TemporaryFile&&) = delete;
  ~TemporaryFile() {
    if (!path_.empty()) {
      (void)::unlink(path_.c_str());
    }
  }
  void rename_to(const std::filesystem::path& target) {
    if (::rename(path_.c_str(), target.c_str()) != 0) {
      sys::throw_errno(Fault::output, "rename", target.native());
    }
    path_.clear();
  }

 private:
  std::filesystem::path path_;
};

std::string read_descriptor(int fd, Bytes cap, std::string_view name, Fault fault) {
  std::string content;
  std::array<std::uint8_t, kBlock> block{};
  for (;;) {
    const std::size_t count = sys::read(fd, block, name);
    if (count == 0) {
      return content;
    }
    content.append(block.begin(), block.begin() + static_cast<std::ptrdiff_t>(count));
    if (content.size() > cap.value) {
      throw Error(fault, std::string(name),
                  "larger than " + std::to_string(cap.value) + " bytes, the most that is read");
    }
  }
}

}  // namespace

std::string read_file(const std::filesystem::path& path, Bytes cap, Fault fault) {
  const UniqueFd fd = sys::open(path, O_RDONLY | O_NONBLOCK, 0, fault);
  const struct stat status = sys::fstat(fd.get(), path.native());
  if (!S_ISREG(status.st_mode)) {
    throw Error(fault, path.native(), "not a regular file");
  }
  return read_descriptor(fd.get(), cap, path.native(), fault);
}

std::optional<std::string> find_file_text(const std::filesystem::path& path) {
  constexpr Bytes kCap{4U << 20U};
  try {
    const UniqueFd fd = sys::open(path, O_RDONLY | O_NONBLOCK);
    return read_descriptor(fd.get(), kCap, path.native(), Fault::environment);
  } catch (const Error&) {
    return std::nullopt;
  }
}

void write_file_atomically(const std::filesystem::path& path, std::string_view content,
                           unsigned mode) {
  const std::filesystem::path temporary = path.native() + ".tmp";
  const UniqueFd fd =
      sys::open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0600, Fault::output);
  TemporaryFile guard(temporary);
  sys::write_all(fd.get(), content, path.native());
  if (::fchmod(fd.get(), mode) != 0) {
    sys::throw_errno(Fault::output, "fchmod", temporary.native());
  }
  sys::fsync(fd.get(), path.native());
  guard.rename_to(path);
}

void make_directories(const std::filesystem::path& path) {
  std::error_code code;
  std::filesystem::create_directories(path, code);
  if (code) {
    throw Error(Fault::output, path.native(), "mkdir").os_error(code.value());
  }
}

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  (void)::gmtime_r(&now, &parts);
  std::array<char, 32> buffer{};
  const std::size_t length =
      std::strftime(buffer.data(), buffer.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return {buffer.data(), length};
}

}  // namespace hashprof
