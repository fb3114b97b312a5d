// SPDX-License-Identifier: MIT
// Why the figures of a run are for orientation only. Pure.
#pragma once

#include <string>
#include <vector>

#include "record/run_view.h"

namespace hashprof::record {

/// Facts about the measured processes that the grade needs and the view does not show.
struct GradeFacts {
  std::vector<std::string> host_reasons;
  bool is_sandboxed = true;     ///< every used process dropped its privileges
  bool is_core_shared = false;  ///< hashprof had no core of its own
};

/// Each reason as a short phrase; none = PUBLISHABLE.
[[nodiscard]] std::vector<std::string> orientation_reasons(const RunView& run,
                                                           const GradeFacts& facts);

}  // namespace hashprof::record
