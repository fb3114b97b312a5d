// SPDX-License-Identifier: MIT
// What a user sees: results on standard output, one progress line on a terminal, notes beside.
#pragma once

#include <string>

namespace hashprof::app {

/// Writes a result to standard output. Throws Error{output}; a closed pipe ends the process
/// quietly.
void print(const std::string& text);
/// Writes a line for people to standard error; faults of that are ignored.
void note(const std::string& line);

/// One line on standard error that is rewritten in place; nothing at all where standard error is no
/// terminal or TERM is "dumb". Cleared at the end of its life.
class Progress {
 public:
  Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  Progress(Progress&&) = delete;
  Progress& operator=(Progress&&) = delete;
  ~Progress();

  void show(const std::string& line);
  void clear();

 private:
  bool is_terminal_;
  bool is_shown_ = false;
};

/// "1 min 20 s", "12 s".
[[nodiscard]] std::string duration_text(double nanoseconds);

}  // namespace hashprof::app
