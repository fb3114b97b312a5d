// SPDX-License-Identifier: MIT
// CPU numbers: the kernel's lists, the CPUs this process may use, and the one that is measured on.
#include <sched.h>

#include <algorithm>
#include <cerrno>
#include <memory>

#include "base/error.h"
#include "base/sys.h"
#include "base/text.h"
#include "host/host_facts.h"

namespace hashprof::host {

namespace {

/// Beyond any NR_CPUS of Linux (8192 on x86-64); keeps an absurd list from filling the memory.
constexpr std::uint64_t kMostCpus = 65536;

struct FreeCpuSet {
  void operator()(cpu_set_t* set) const noexcept { CPU_FREE(set); }
};

}  // namespace

std::string cpu_list_text(const std::vector<std::uint32_t>& cpus) {
  std::string out;
  for (std::size_t i = 0; i < cpus.size();) {
    std::size_t last = i;
    while (last + 1 < cpus.size() && cpus[last + 1] == cpus[last] + 1) {
      ++last;
    }
    out += (out.empty() ? "" : ",") + std::to_string(cpus[i]);
    out += last == i ? "" : "-" + std::to_string(cpus[last]);
    i = last + 1;
  }
  return out;
}

std::optional<std::vector<std::uint32_t>> parse_cpu_list(const std::string& text) {
  std::vector<std::uint32_t> cpus;
  for (const std::string& part : text::split(text::trim(text), ',')) {
    const std::size_t dash = part.find('-');
    const auto first = text::parse_unsigned(std::string_view(part).substr(0, dash));
    const auto last = dash == std::string::npos
                          ? first
                          : text::parse_unsigned(std::string_view(part).substr(dash + 1));
    if (!first.has_value() || !last.has_value() || *last < *first || *last >= kMostCpus ||
        (!cpus.empty() && *first <= cpus.back())) {
      return std::nullopt;
    }
    for (std::uint64_t cpu = *first; cpu <= *last; ++cpu) {
      cpus.push_back(static_cast<std::uint32_t>(cpu));
    }
  }
  return cpus;
}

std::vector<std::uint32_t> allowed_cpus() {
  // The kernel answers EINVAL to a mask smaller than its own (sched_setaffinity(2)).
  for (std::size_t count = 1024; count <= kMostCpus; count *= 2) {
    const std::unique_ptr<cpu_set_t, FreeCpuSet> set(CPU_ALLOC(count));
    if (set == nullptr) {
      throw Error(Fault::environment, "sched_getaffinity", "no memory for a CPU mask");
    }
    const std::size_t size = CPU_ALLOC_SIZE(count);
    CPU_ZERO_S(size, set.get());
    if (::sched_getaffinity(0, size, set.get()) != 0) {
      if (errno == EINVAL && count < kMostCpus) {
        continue;
      }
      sys::throw_errno(Fault::environment, "sched_getaffinity", "this process");
    }
    std::vector<std::uint32_t> cpus;
    for (std::uint32_t cpu = 0; cpu < count; ++cpu) {
      if (CPU_ISSET_S(cpu, size, set.get())) {
        cpus.push_back(cpu);
      }
    }
    return cpus;
  }
  throw Error(Fault::internal, "sched_getaffinity", "the search for a mask size did not end");
}

std::uint32_t choose_core(std::optional<std::uint32_t> wanted,
                          const std::vector<std::uint32_t>& allowed) {
  if (allowed.empty()) {
    throw Error(Fault::configuration, "measure.core", "this process may run on no CPU at all");
  }
  if (!wanted.has_value()) {
    return allowed.back();
  }
  if (std::find(allowed.begin(), allowed.end(), *wanted) == allowed.end()) {
    throw Error(Fault::configuration, "measure.core",
                "CPU " + std::to_string(*wanted) + " is not one that this process may run on")
        .hint("allowed are " + cpu_list_text(allowed) +
              " (taskset, cpuset or container); choose one of them, or core: auto");
  }
  return *wanted;
}

}  // namespace hashprof::host
