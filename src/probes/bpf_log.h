// SPDX-License-Identifier: MIT
// What libbpf and the verifier said, for the reason of a refusal. Private to the unit.
#pragma once

#include <string>

namespace hashprof::probes {

/// Takes libbpf's messages from now on: they are kept, never printed. Any thread.
void keep_bpf_log();
/// The last lines that libbpf wrote, at most three, joined by " / "; empties the store.
[[nodiscard]] std::string take_bpf_log();

}  // namespace hashprof::probes
