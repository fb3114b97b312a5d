// SPDX-License-Identifier: MIT
// What this machine and this user can do of BPF, each thing tried. For `hashprof doctor`.
#pragma once

#include <string>
#include <vector>

namespace hashprof::probes {

struct Capability {
  std::string name;  ///< "bpf", "btf", "raw tracepoint", "kmem:rss_stat", "uprobe"
  bool is_there = false;
  std::string reason;  ///< why not, with what helps; empty if it is there
};

/// Tries each, and leaves nothing behind; takes some 0.3 s. Without bpf the others are not tried,
/// and have its reason. A machine that refuses is an answer, never an exception.
[[nodiscard]] std::vector<Capability> probe_capabilities();

}  // namespace hashprof::probes
