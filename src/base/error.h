// SPDX-License-Identifier: MIT
// The one exception type of hashprof: what ends a command, said so that its reader can mend it.
#pragma once

#include <exception>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace hashprof {

/// A class per cure. Exit codes: usage and configuration 2, requirement 3, output 5, internal 70,
/// the others 1.
enum class Fault {
  usage,          ///< the command line is wrong
  configuration,  ///< a YAML file, or a choice in it, is wrong
  environment,    ///< the machine lacks something that its user can supply
  target,         ///< what is measured failed
  requirement,    ///< a condition that the campaign requires is not met
  output,         ///< a result could not be written
  internal,       ///< our own fault
};

/// Exit code that belongs to a fault (design section 11; hashprof(1) EXIT STATUS).
[[nodiscard]] int exit_code(Fault fault) noexcept;

/// Name of an errno value as the manual pages spell it: "EACCES"; a number if libc knows none.
[[nodiscard]] std::string errno_name(int number);

/// What ended a command: where, what, the system's reason, what was going on, and what to do.
class Error : public std::exception {
 public:
  /// `where` is the object ("configs/sha.yaml:14:11", "/dev/full"); it may be empty.
  Error(Fault fault, std::string where, std::string what_happened);

  /// Adds the system's reason: its text and its name are printed after the message.
  Error& os_error(int number) &;
  Error&& os_error(int number) &&;
  /// Adds the one line that says what to do.
  Error& hint(std::string text) &;
  Error&& hint(std::string text) &&;
  /// Adds a line "while: ..." on the way up; the innermost is printed first.
  Error& context(std::string text) &;

  [[nodiscard]] Fault fault() const noexcept { return fault_; }
  [[nodiscard]] const std::string& where() const noexcept { return where_; }
  [[nodiscard]] const std::string& message() const noexcept { return message_; }
  [[nodiscard]] const std::string& hint_text() const noexcept { return hint_; }
  [[nodiscard]] int os_number() const noexcept { return os_number_; }

  /// The message in one line, without tool name, "while" lines and hint.
  [[nodiscard]] const char* what() const noexcept override { return line_.c_str(); }
  /// The whole text for standard error, each line ended by a newline:
  /// `hashprof: error: <where>: <what>: <os text> (<NAME>)`, `  while: ...`, `  hint: ...`.
  [[nodiscard]] std::string render() const;

 private:
  void compose();

  Fault fault_;
  std::string where_;
  std::string message_;
  std::string hint_;
  std::vector<std::string> contexts_;
  int os_number_ = 0;
  std::string line_;
};

}  // namespace hashprof
