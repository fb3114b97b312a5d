// SPDX-License-Identifier: MIT
// What the probes' tests share: a puppet process whose use of memory is known.
#pragma once

#include <gtest/gtest.h>
#include <sys/types.h>

#include <functional>
#include <string>

#include "base/unique_fd.h"
#include "worker/protocol.h"

namespace hashprof::probes {

inline constexpr std::uint32_t kFirst = HASHPROF_STRETCH_OF_CALL(0, 0);
inline constexpr std::uint32_t kSecond = HASHPROF_STRETCH_OF_CALL(0, 1);

/// tests/fixtures/programs/memory_puppet.c in a process of its own, which waits after its exec.
/// Killed and waited for at the end.
class Puppet {
 public:
  /// `window_fd` becomes its descriptor 6. Fails the test if it does not start.
  Puppet(const std::string& act, int window_fd);
  Puppet(const Puppet&) = delete;
  Puppet& operator=(const Puppet&) = delete;
  Puppet(Puppet&&) = delete;
  Puppet& operator=(Puppet&&) = delete;
  ~Puppet();

  [[nodiscard]] pid_t pid() const { return pid_; }
  /// Lets it act, waits until it is done (it lives on), and returns the context switches that
  /// getrusage counted meanwhile.
  std::uint64_t act();

 private:
  pid_t pid_ = -1;
  UniqueFd input_;
  UniqueFd output_;
};

/// What `body` returns in a child of uid and gid 65534 without groups.
[[nodiscard]] std::string answer_as_nobody(const std::function<std::string()>& body);

}  // namespace hashprof::probes
