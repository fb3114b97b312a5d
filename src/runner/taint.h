// SPDX-License-Identifier: MIT
// Which disturbances make a complete attempt useless (design section 7). Pure.
#pragma once

#include <string>
#include <vector>

#include "record/observation.h"

namespace hashprof::runner {

/// Each disturbance of a complete observation as a phrase with its figures: more than 0.5 % of its
/// time (and 20 us) off the CPU; any migration; at least 2 ticks and more than 1 % of its time
/// stolen by the hypervisor; a suspension of the machine; a counter that did not run all the time.
/// Switches and page faults are recorded, not judged. Empty for an undisturbed one and for one that
/// is not complete.
[[nodiscard]] std::vector<std::string> find_disturbances(const record::Observation& observation);

}  // namespace hashprof::runner
