// SPDX-License-Identifier: MIT
// Why the kernel refused a program or a probe, said for the person who can mend it. Private.
#pragma once

#include <string>

namespace hashprof::probes {

/// "<what>: <sentence of errno> (<NAME>): <what helps>". `number` is an errno of bpf(2) or
/// perf_event_open(2), `said` what libbpf wrote; quoted where the errno alone does not tell.
[[nodiscard]] std::string explain_refusal(const std::string& what, int number,
                                          const std::string& said);

/// The same of a program that reads the kernel's types, which ESRCH says are missing.
[[nodiscard]] std::string explain_load_refusal(int number, const std::string& said);

}  // namespace hashprof::probes
