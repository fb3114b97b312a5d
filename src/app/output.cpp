// SPDX-License-Identifier: MIT
// See app/output.h.
#include "app/output.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "base/sys.h"

namespace hashprof::app {

namespace {

bool is_progress_wanted() {
  const char* term = std::getenv("TERM");
  const bool is_dumb = term == nullptr || std::string_view(term) == "dumb" || *term == '\0';
  return ::isatty(STDERR_FILENO) != 0 && !is_dumb;
}

std::size_t terminal_width() {
  constexpr std::size_t kUsual = 80;
  struct winsize size {};
  const bool is_known = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return is_known ? size.ws_col : kUsual;
}

}  // namespace

void print(const std::string& text) { sys::write_all(STDOUT_FILENO, text, "standard output"); }

void note(const std::string& line) { (void)std::fputs((line + "\n").c_str(), stderr); }

Progress::Progress() : is_terminal_(is_progress_wanted()) {}

Progress::~Progress() { clear(); }

void Progress::show(const std::string& line) {
  if (is_terminal_) {
    is_shown_ = true;
    (void)std::fputs(("\r\033[K" + line.substr(0, terminal_width() - 1)).c_str(), stderr);
  }
}

void Progress::clear() {
  if (is_shown_) {
    is_shown_ = false;
    (void)std::fputs("\r\033[K", stderr);
  }
}

std::string duration_text(double nanoseconds) {
  constexpr double kNsPerSecond = 1e9;
  constexpr std::uint64_t kSecondsPerMinute = 60;
  const auto seconds = static_cast<std::uint64_t>(std::llround(nanoseconds / kNsPerSecond));
  const std::string rest = std::to_string(seconds % kSecondsPerMinute) + " s";
  return seconds < kSecondsPerMinute ? rest
                                     : std::to_string(seconds / kSecondsPerMinute) + " min " + rest;
}

}  // namespace hashprof::app
