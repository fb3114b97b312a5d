// SPDX-License-Identifier: MIT
// See runner/affinity.h.
#include "runner/affinity.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <bit>
#include <cerrno>
#include <limits>

#include "base/sys.h"

namespace hashprof::runner {

namespace {

constexpr std::uint32_t kWordBits = std::numeric_limits<unsigned long>::digits;
/// More than any kernel's CONFIG_NR_CPUS; the kernel answers EINVAL to a smaller mask than its own.
constexpr std::size_t kMaskWords = 65536 / kWordBits;

long set_affinity(const std::vector<unsigned long>& words) {
  return ::syscall(SYS_sched_setaffinity, 0, words.size() * sizeof(unsigned long), words.data());
}

}  // namespace

CpuSet CpuSet::read_own() {
  std::vector<unsigned long> words(kMaskWords);
  const long bytes =
      ::syscall(SYS_sched_getaffinity, 0, words.size() * sizeof(unsigned long), words.data());
  if (bytes < 0) {
    sys::throw_errno(Fault::environment, "sched_getaffinity", "hashprof");
  }
  words.resize(static_cast<std::size_t>(bytes) / sizeof(unsigned long));
  return CpuSet(std::move(words));
}

CpuSet CpuSet::of_core(std::uint32_t core) {
  std::vector<unsigned long> words(core / kWordBits + 1);
  words.back() = 1UL << (core % kWordBits);
  return CpuSet(std::move(words));
}

bool CpuSet::has(std::uint32_t core) const {
  const std::size_t word = core / kWordBits;
  return word < words_.size() && ((words_[word] >> (core % kWordBits)) & 1U) != 0;
}

std::uint32_t CpuSet::count() const {
  int count = 0;
  for (const unsigned long word : words_) {
    count += std::popcount(word);
  }
  return static_cast<std::uint32_t>(count);
}

void CpuSet::remove(std::uint32_t core) {
  if (has(core)) {
    words_[core / kWordBits] &= ~(1UL << (core % kWordBits));
  }
}

bool CpuSet::try_apply_to_self() const noexcept { return set_affinity(words_) == 0; }

void CpuSet::apply_to_self() const {
  if (!try_apply_to_self()) {
    sys::throw_errno(Fault::environment, "sched_setaffinity", "hashprof");
  }
}

CoreAvoidance::CoreAvoidance(std::uint32_t core) : core_(core), original_(CpuSet::read_own()) {
  CpuSet others = original_;
  others.remove(core);
  is_shared_ = others.count() == 0;
  if (!is_shared_) {
    others.apply_to_self();
  }
}

CoreAvoidance::~CoreAvoidance() {
  // A core that went offline meanwhile leaves this process where it is: nothing depends on it.
  static_cast<void>(original_.try_apply_to_self());
}

}  // namespace hashprof::runner
