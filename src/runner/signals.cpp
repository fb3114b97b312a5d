// SPDX-License-Identifier: MIT
// See runner/signals.h.
#include "runner/signals.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>

#include "base/sys.h"

namespace hashprof::runner {

namespace {

constexpr std::array<int, 3> kStopSignals{SIGINT, SIGTERM, SIGHUP};

// What the handler reaches: an eventfd and the first signal's number. They outlive the guard's
// handlers because the guard restores those first.
volatile std::sig_atomic_t first_signal = 0;
volatile std::sig_atomic_t event_descriptor = -1;
std::array<struct sigaction, kStopSignals.size()> old_actions{};

void on_stop_signal(int number) {
  if (first_signal != 0) {
    ::_exit(128 + number);
  }
  first_signal = number;
  const int saved = errno;
  const std::uint64_t one = 1;
  // An eventfd of value 0 takes a 1; nobody else writes.
  static_cast<void>(::write(event_descriptor, &one, sizeof one) == 0);
  errno = saved;
}

}  // namespace

SignalGuard::SignalGuard() {
  if (event_descriptor >= 0) {
    throw Error(Fault::internal, "SignalGuard", "there is one already");
  }
  const int fd = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (fd < 0) {
    sys::throw_errno(Fault::environment, "eventfd", "signals");
  }
  first_signal = 0;
  event_descriptor = fd;
  struct sigaction action {};
  action.sa_handler = on_stop_signal;
  action.sa_flags = SA_RESTART;
  for (std::size_t i = 0; i < kStopSignals.size(); ++i) {
    ::sigaction(kStopSignals[i], nullptr, &old_actions[i]);
    // nohup(1) ignores SIGHUP; that choice is kept.
    if (kStopSignals[i] != SIGHUP || old_actions[i].sa_handler != SIG_IGN) {
      ::sigaction(kStopSignals[i], &action, nullptr);
    }
  }
}

SignalGuard::~SignalGuard() {
  for (std::size_t i = 0; i < kStopSignals.size(); ++i) {
    ::sigaction(kStopSignals[i], &old_actions[i], nullptr);
  }
  ::close(event_descriptor);
  event_descriptor = -1;
  first_signal = 0;
}

int stop_descriptor() noexcept { return event_descriptor; }

void throw_if_stopped() {
  if (first_signal != 0) {
    throw Interrupted(first_signal);
  }
}

}  // namespace hashprof::runner
