// SPDX-License-Identifier: MIT
// The measure phase: one process after the other, each in the journal before the next begins.
#pragma once

#include <filesystem>
#include <functional>
#include <vector>

#include "campaign/campaign.h"
#include "plan/plan.h"
#include "record/journal.h"
#include "runner/meter.h"
#include "runner/schedule.h"

namespace hashprof::runner {

/// Measures what `schedule` asks for until it asks for nothing more. `libraries` by build index,
/// and of each build by layout.
/// `on_process` is called before each process. Throws Interrupted between two processes; what is
/// finished is in the journal.
void carry_out(const campaign::Campaign& campaign, const plan::Plan& plan,
               const std::vector<std::vector<std::filesystem::path>>& libraries, Schedule& schedule,
               Meter& meter, record::Journal& journal,
               const std::function<void(const Step&)>& on_process);

}  // namespace hashprof::runner
