// SPDX-License-Identifier: MIT
// See probes/bpf_log.h.
#include "probes/bpf_log.h"

#include <bpf/libbpf.h>

#include <array>
#include <cstdarg>
#include <cstddef>
#include <cstdio>
#include <mutex>
#include <vector>

#include "base/text.h"

namespace hashprof::probes {

namespace {

constexpr std::size_t kKeptLines = 3;

struct Log {
  std::mutex mutex;
  std::vector<std::string> lines;
};

Log& the_log() {
  static Log log;
  return log;
}

/// Called by libbpf, which is C: nothing may be thrown through it.
int keep_line(libbpf_print_level level, const char* format, va_list words) noexcept {
  if (level == LIBBPF_DEBUG) {
    return 0;
  }
  try {
    std::array<char, 512> buffer{};
    const int length = std::vsnprintf(buffer.data(), buffer.size(), format, words);
    const std::lock_guard guard(the_log().mutex);
    std::vector<std::string>& lines = the_log().lines;
    for (const std::string& line : text::split(buffer.data(), '\n')) {
      if (!text::trim(line).empty()) {
        lines.push_back(text::printable(text::trim(line)));
      }
    }
    if (lines.size() > kKeptLines) {
      lines.erase(lines.begin(), lines.end() - kKeptLines);
    }
    return length;
  } catch (...) {
    return -1;
  }
}

}  // namespace

void keep_bpf_log() { static_cast<void>(libbpf_set_print(keep_line)); }

std::string take_bpf_log() {
  const std::lock_guard guard(the_log().mutex);
  std::string said = text::join(the_log().lines, " / ");
  the_log().lines.clear();
  return said;
}

}  // namespace hashprof::probes
