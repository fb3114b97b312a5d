// SPDX-License-Identifier: MIT
// A tracepoint of the kernel as a perf event, also where nobody mounted tracefs. Private.
#pragma once

#include <cstdint>
#include <string>

#include "base/unique_fd.h"

namespace hashprof::probes {

/// Where a field of a tracepoint's record lies, as its `format` file says it.
struct FieldPlace {
  const char* name;
  std::uint64_t offset;
  std::uint64_t bytes;
};

/// Whether the text of a `format` file has that field at that place.
[[nodiscard]] bool has_field(const std::string& format, const FieldPlace& field);

struct OpenedEvent {
  UniqueFd fd;         ///< a perf event; open exactly where `reason` is empty
  std::string reason;  ///< why there is none
};
/// kmem:rss_stat with the record of hashprof_rss_stat, of every process. A reason if the kernel
/// lacks it, has another record, or adds pages of a thread up before it tells them (before 6.2).
[[nodiscard]] OpenedEvent open_rss_stat();

}  // namespace hashprof::probes
