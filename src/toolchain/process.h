// SPDX-License-Identifier: MIT
// One command as a process group: fixed environment, time limit, captured output, no leftovers.
// Private to unit toolchain.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.h"

namespace hashprof::toolchain {

using Deadline = std::chrono::steady_clock::time_point;

/// From now on; a limit beyond a year counts as one.
[[nodiscard]] Deadline deadline_after(Nanoseconds limit);

struct Command {
  std::vector<std::string> arguments;    ///< arguments[0] is the path of the program
  std::vector<std::string> environment;  ///< NAME=value; nothing else is passed on
  std::filesystem::path folder;          ///< working directory
  Deadline deadline;
  int stop_fd = -1;  ///< readable when a stop was asked for; -1 = there is none
};

enum class Ending {
  exited,       ///< `value` is the exit status
  signalled,    ///< `value` is the signal
  not_started,  ///< `value` is the errno of chdir or execve
  timed_out,
  interrupted,
};

struct Outcome {
  Ending ending = Ending::not_started;
  int value = 0;
  std::string output;       ///< standard output and error as they came, at most kOutputCap bytes
  bool is_cut = false;      ///< there was more
  std::string first_error;  ///< first line that a compiler or linker marks as an error
  [[nodiscard]] bool is_success() const noexcept { return ending == Ending::exited && value == 0; }
};

inline constexpr std::size_t kOutputCap = std::size_t{1} << 20U;
/// No single file of a build may grow beyond this.
inline constexpr std::uint64_t kFileSizeCap = std::uint64_t{1} << 30U;

/// Runs a command to its end. Standard input is /dev/null. On the deadline, on a stop, and when
/// this process dies, every process of the group is killed; so are children left after the end.
/// Throws Error{environment} if pipes or processes cannot be had.
[[nodiscard]] Outcome run(const Command& command);

/// How a command ended, as the end of a sentence: "ended with status 1"; `limit` is what the
/// deadline was made of, for example "300 s".
[[nodiscard]] std::string describe(const Outcome& outcome, const std::string& limit);

/// Finds the first error line in a stream that comes in pieces. A line longer than 4 KiB is cut.
class ErrorLine {
 public:
  void add(std::string_view piece);
  /// Ends the last line. The line found, or empty.
  [[nodiscard]] std::string finish();

 private:
  void end_line();
  std::string line_;
  std::string found_;
};

}  // namespace hashprof::toolchain
