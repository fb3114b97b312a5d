// SPDX-License-Identifier: MIT
// See runner/live_probe.h.
#include "runner/live_probe.h"

#include <linux/perf_event.h>
#include <sched.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <ctime>

#include "base/error.h"
#include "base/file.h"
#include "base/sys.h"
#include "base/text.h"
#include "base/unique_fd.h"
#include "counters/event_plan.h"
#include "counters/open_error.h"
#include "runner/request.h"

namespace hashprof::runner {

namespace {

constexpr std::uint64_t kBlock = 100;
constexpr std::uint64_t kTrialAdditions = 10'000'000;
constexpr std::uint64_t kAdditionsBetweenReads = 50'000;
constexpr std::size_t kWindows = 21;
constexpr std::uint64_t kWindowNs = 50'000'000;
constexpr std::uint64_t kNsPerSecond = 1'000'000'000;

/// A chain of additions of a register: one a cycle. An addition of a constant would not do, because
/// some cores fold a chain of those at no cost.
std::uint64_t add_block(std::uint64_t value, std::uint64_t step) {
#if defined(__x86_64__)
  asm volatile(".rept 100\n\tadd %1, %0\n\t.endr" : "+r"(value) : "r"(step) : "cc");
#elif defined(__aarch64__)
  asm volatile(".rept 100\n\tadd %0, %0, %1\n\t.endr" : "+r"(value) : "r"(step));
#else
#error "the loop of the clock probe is not written for this architecture"
#endif
  return value;
}

void add(std::uint64_t additions) {
  std::uint64_t value = 0;
  for (std::uint64_t done = 0; done < additions; done += kBlock) {
    value = add_block(value, 1);
  }
}

std::uint64_t now_ns() {
  timespec now{};
  if (::clock_gettime(CLOCK_MONOTONIC_RAW, &now) != 0) {
    sys::throw_errno(Fault::environment, "clock_gettime", "CLOCK_MONOTONIC_RAW");
  }
  return static_cast<std::uint64_t>(now.tv_sec) * kNsPerSecond +
         static_cast<std::uint64_t>(now.tv_nsec);
}

/// The event that a worker on `core` opens, read by read(2). Returns -1 and errno on refusal.
int open_cycles(std::uint32_t core) {
  const counters::PlannedEvent event =
      counters::plan_events("/", core, read_open_facts().architecture).cycles;
  perf_event_attr attr{};
  attr.size = sizeof attr;
  attr.type = event.type;
  attr.config = event.config;
  attr.pinned = 1;
  attr.exclude_kernel = 1;
  attr.exclude_hv = 1;
  attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
  return static_cast<int>(::syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC));
}

/// The count, or nothing where the event is in error or ran only part of the time.
std::optional<std::uint64_t> find_count(int fd) {
  std::array<std::uint64_t, 3> values{};  // value, time enabled, time running
  ssize_t size = 0;
  do {
    size = ::read(fd, values.data(), sizeof values);
  } while (size < 0 && errno == EINTR);
  const bool is_whole = size == static_cast<ssize_t>(sizeof values) && values[1] == values[2];
  return is_whole ? std::optional(values[0]) : std::nullopt;
}

/// Counts of one window, or nothing where the counter failed in it.
struct Window {
  std::uint64_t additions = 0;
  std::uint64_t elapsed_ns = 0;
  std::optional<std::uint64_t> cycles;
};

Window run_window(int counter) {
  Window window;
  const auto before = counter >= 0 ? find_count(counter) : std::nullopt;
  const std::uint64_t start = now_ns();
  do {
    add(kAdditionsBetweenReads);
    window.additions += kAdditionsBetweenReads;
    window.elapsed_ns = now_ns() - start;
  } while (window.elapsed_ns < kWindowNs);
  const auto after = counter >= 0 ? find_count(counter) : std::nullopt;
  if (before && after && *after > *before) {
    window.cycles = *after - *before;
  }
  return window;
}

}  // namespace

CorePin::CorePin(std::uint32_t core) : original_(CpuSet::read_own()) {
  const CpuSet wanted = CpuSet::of_core(core);
  if (!wanted.try_apply_to_self()) {
    sys::throw_errno(Fault::environment, "sched_setaffinity", "CPU " + std::to_string(core));
  }
  const int at = ::sched_getcpu();
  if (at != static_cast<int>(core)) {
    static_cast<void>(original_.try_apply_to_self());
    throw Error(Fault::environment, "CPU " + std::to_string(core),
                "the kernel keeps this process on CPU " + std::to_string(at));
  }
}

CorePin::~CorePin() { static_cast<void>(original_.try_apply_to_self()); }

CounterTrial try_counter(std::uint32_t core) {
  CounterTrial trial;
  const UniqueFd counter(open_cycles(core));
  const int refusal = errno;
  if (!counter.is_open()) {
    const auto why = counters::explain_open_error(refusal, "cycles", read_open_facts());
    trial.sentence = why.sentence;
    trial.remedy = why.remedy;
    return trial;
  }
  const auto before = find_count(counter.get());
  add(kTrialAdditions);
  const auto after = find_count(counter.get());
  trial.additions = kTrialAdditions;
  if (before && after && *after > *before) {
    trial.cycles = *after - *before;
    return trial;
  }
  trial.sentence = !before || !after
                       ? "the cycle counter opened, but does not run all the time: another user "
                         "holds the hardware"
                       : "the cycle counter opened, but does not count: it stood still over " +
                             std::to_string(kTrialAdditions) + " additions";
  trial.remedy = !before || !after ? "end other profilers; the NMI watchdog takes a counter too "
                                     "(sysctl kernel.nmi_watchdog=0)"
                                   : "measure on a core that has the counter, or on bare metal";
  return trial;
}

RateWindows measure_rates(std::uint32_t core, bool wants_cycles) {
  const UniqueFd counter(wants_cycles ? open_cycles(core) : -1);
  std::vector<Window> windows;
  for (std::size_t i = 0; i < kWindows; ++i) {
    windows.push_back(run_window(counter.get()));
  }
  RateWindows out;
  out.are_cycles = true;
  for (const Window& window : windows) {
    out.are_cycles = out.are_cycles && window.cycles.has_value();
  }
  for (const Window& window : windows) {
    const std::uint64_t count = out.are_cycles ? *window.cycles : window.additions;
    out.rates.push_back(static_cast<double>(count) / static_cast<double>(window.elapsed_ns));
  }
  return out;
}

}  // namespace hashprof::runner
