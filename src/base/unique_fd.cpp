// SPDX-License-Identifier: MIT
// Closing of owned descriptors.
#include "base/unique_fd.h"

#include <unistd.h>

namespace hashprof {

void UniqueFd::reset(int fd) noexcept {
  const int old = std::exchange(fd_, fd);
  if (old >= 0) {
    // Linux closes the descriptor even when close reports EINTR; a second try could hit another's.
    (void)::close(old);
  }
}

}  // namespace hashprof
