// SPDX-License-Identifier: MIT
// Why perf_event_open refused, said for the person who can mend it. One table, errno by errno.
#pragma once

#include <string>

namespace hashprof::counters {

/// What is read at the moment of the refusal.
struct OpenFacts {
  std::string paranoid;  ///< content of perf_event_paranoid, or "unknown"
  std::string architecture;
  /// Why the instructions were not asked for; empty if they were.
  std::string no_instructions{};
};

struct OpenError {
  std::string sentence;  ///< one line for the report: why there are no cycles
  std::string remedy;    ///< what to do; may be empty where nothing helps
};

/// The sentence and remedy for errno `number` of perf_event_open for `event` ("cycles").
[[nodiscard]] OpenError explain_open_error(int number, const std::string& event,
                                           const OpenFacts& facts);

}  // namespace hashprof::counters
