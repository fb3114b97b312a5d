// SPDX-License-Identifier: MIT
// SIGINT and SIGTERM as an exception at a safe place, so that what is finished is kept.
#pragma once

#include <exception>

namespace hashprof::runner {

/// A stop was asked for. Exit code 128 + number.
class Interrupted : public std::exception {
 public:
  explicit Interrupted(int number) noexcept : number_(number) {}
  [[nodiscard]] int number() const noexcept { return number_; }
  [[nodiscard]] const char* what() const noexcept override { return "interrupted"; }

 private:
  int number_;
};

/// Turns SIGINT, SIGTERM and SIGHUP (unless that is ignored, as under nohup) into a readable
/// descriptor for the life of the object: a handler writes to an eventfd. The second signal ends
/// the process at once with 128 + n, also where nobody polls, and workers die with it by their
/// parent-death signal. Throws Error{environment} without descriptors. One at a time.
class SignalGuard {
 public:
  SignalGuard();
  SignalGuard(const SignalGuard&) = delete;
  SignalGuard& operator=(const SignalGuard&) = delete;
  SignalGuard(SignalGuard&&) = delete;
  SignalGuard& operator=(SignalGuard&&) = delete;
  ~SignalGuard();
};

/// Descriptor that is readable from the first signal on, or -1 without a guard (poll ignores it).
/// Do not read from it.
[[nodiscard]] int stop_descriptor() noexcept;
/// Throws Interrupted if a stop was asked for, each time as long as the guard lives.
void throw_if_stopped();

}  // namespace hashprof::runner
