// SPDX-License-Identifier: MIT
// The parts of a request that every kind of worker shares: identity and entry.
#pragma once

#include <cstdint>
#include <string>

#include "counters/open_error.h"
#include "worker/protocol.h"

namespace hashprof::runner {

/// As root, and unless the campaign switched the sandbox off, the worker becomes `uid` (and the
/// group of that number). An ordinary user's worker has nothing to drop.
void choose_sandbox(bool is_sandboxed, std::uint32_t uid, hashprof_request& request);

/// Throws Error{configuration} if the name does not fit the protocol.
void set_entry(const std::string& entry, hashprof_request& request);

/// What explains a refused counter: the machine's architecture and perf_event_paranoid, read now.
[[nodiscard]] counters::OpenFacts read_open_facts();

}  // namespace hashprof::runner
