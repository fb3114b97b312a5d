// SPDX-License-Identifier: MIT
// The mapping `memory` of a campaign file; see campaign/measure.h.
#include "campaign/keys.h"
#include "campaign/measure.h"

namespace hashprof::campaign {

const char* crosscheck_name(Crosscheck crosscheck) {
  switch (crosscheck) {
    case Crosscheck::none:
      return "none";
    case Crosscheck::ends:
      return "ends";
    case Crosscheck::all:
      break;
  }
  return "all";
}

void read_memory(const yaml::Value& value, MemoryOptions& memory) {
  yaml::Map map(value, documented_keys(), "memory");
  if (const auto heap = map.find("heap"); heap.has_value()) {
    memory.has_heap = heap->boolean();
  }
  if (const auto stack = map.find("stack"); stack.has_value()) {
    memory.has_stack = stack->boolean();
  }
  if (const auto witness = map.find("witness"); witness.has_value()) {
    memory.has_bpf = witness->choice({{"bpf", "none"}, {}}) == "bpf";
  }
  if (const auto crosscheck = map.find("crosscheck"); crosscheck.has_value()) {
    const std::string& word = crosscheck->choice({{"ends", "all", "none"}, {}});
    memory.crosscheck = word == "ends"  ? Crosscheck::ends
                        : word == "all" ? Crosscheck::all
                                        : Crosscheck::none;
  }
  map.finish();
}

}  // namespace hashprof::campaign
