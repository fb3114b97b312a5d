// SPDX-License-Identifier: MIT
// On which cores this process may run: hashprof keeps off the core that it measures on.
#pragma once

#include <cstdint>
#include <vector>

namespace hashprof::runner {

/// A set of CPU numbers as sched_setaffinity(2) takes it; grows with the kernel's mask, so that
/// machines beyond 1024 CPUs work.
class CpuSet {
 public:
  CpuSet() = default;
  explicit CpuSet(std::vector<unsigned long> words) : words_(std::move(words)) {}

  /// The cores this process may run on. Throws Error{environment}.
  [[nodiscard]] static CpuSet read_own();
  [[nodiscard]] static CpuSet of_core(std::uint32_t core);

  [[nodiscard]] bool has(std::uint32_t core) const;
  [[nodiscard]] std::uint32_t count() const;
  void remove(std::uint32_t core);
  /// Whether the kernel took the set.
  [[nodiscard]] bool try_apply_to_self() const noexcept;
  /// Throws Error{environment} if the kernel refuses the set.
  void apply_to_self() const;

  [[nodiscard]] const std::vector<unsigned long>& words() const { return words_; }

 private:
  std::vector<unsigned long> words_;
};

/// Keeps this process off one core; gives the old set back on destruction.
class CoreAvoidance {
 public:
  /// Moves at once if more than one core is allowed.
  explicit CoreAvoidance(std::uint32_t core);
  CoreAvoidance(const CoreAvoidance&) = delete;
  CoreAvoidance& operator=(const CoreAvoidance&) = delete;
  CoreAvoidance(CoreAvoidance&&) = delete;
  CoreAvoidance& operator=(CoreAvoidance&&) = delete;
  ~CoreAvoidance();

  [[nodiscard]] std::uint32_t core() const { return core_; }
  /// True where only that core is allowed: this process sleeps on it while the worker runs.
  [[nodiscard]] bool is_shared() const { return is_shared_; }

 private:
  std::uint32_t core_;
  bool is_shared_ = false;
  CpuSet original_;
};

}  // namespace hashprof::runner
