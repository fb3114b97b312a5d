// SPDX-License-Identifier: MIT
// The sole owner of file descriptors: move-only, closes on destruction.
#pragma once

#include <utility>

namespace hashprof {

/// Owns one descriptor or none. Not thread safe; move it to hand it over.
class UniqueFd {
 public:
  UniqueFd() noexcept = default;
  explicit UniqueFd(int fd) noexcept : fd_(fd) {}
  UniqueFd(UniqueFd&& other) noexcept : fd_(other.release()) {}
  UniqueFd& operator=(UniqueFd&& other) noexcept {
    if (this != &other) {
      reset(other.release());
    }
    return *this;
  }
  UniqueFd(const UniqueFd&) = delete;
  UniqueFd& operator=(const UniqueFd&) = delete;
  ~UniqueFd() { reset(); }

  [[nodiscard]] int get() const noexcept { return fd_; }
  [[nodiscard]] bool is_open() const noexcept { return fd_ >= 0; }
  /// Gives the descriptor up without closing it.
  [[nodiscard]] int release() noexcept { return std::exchange(fd_, -1); }
  /// Closes what is owned and takes `fd`. Errors of close are ignored; a file whose content
  /// matters is ended by `write_file_atomically` or `sys::fsync` first.
  void reset(int fd = -1) noexcept;

 private:
  int fd_ = -1;
};

}  // namespace hashprof
