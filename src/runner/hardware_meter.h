// SPDX-License-Identifier: MIT
// The parts of the hardware meter that tests look at one by one.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "counters/event_plan.h"
#include "counters/open_error.h"
#include "record/observation.h"
#include "runner/meter.h"
#include "runner/worker_process.h"

namespace hashprof::runner {

/// The request and the message of `job`; opens the library. Without `events` nothing is counted.
/// Throws Error{environment} if it cannot
/// be opened and Error{configuration} if the entry's name is too long.
[[nodiscard]] WorkerSpec make_worker_spec(const Job& job, const std::filesystem::path& worker,
                                          const counters::EventPlan& events = {});

/// The kind of worker that measures a Job::phase.
[[nodiscard]] std::uint32_t kind_of(const std::string& phase);

/// What the worker of a percall left in descriptor 7; empty for other workers.
[[nodiscard]] std::vector<std::uint64_t> read_samples(const WorkerSpec& spec);

/// The fields of a planned event as the worker takes them.
[[nodiscard]] hashprof_perf_event to_request(const counters::PlannedEvent& event);

/// What `end` says about `job`; `samples` is what descriptor 7 of a percall holds. Steal, start and
/// sharing of the core are the caller's.
[[nodiscard]] record::Observation observe(const Job& job, const hashprof_request& request,
                                          const WorkerEnd& end, const counters::OpenFacts& facts,
                                          std::span<const std::uint64_t> samples = {});

}  // namespace hashprof::runner
