// SPDX-License-Identifier: MIT
// The guide's environment table (guide 3.5, item 2), as the published pages word it.
#include "app/setup.h"
#include "app/verbs.h"
#include "base/text.h"

namespace hashprof::app {

namespace {

using Item = record::RunView::EnvironmentItem;

Item item_of(const std::string& name, const host::Fact& fact) {
  return {name, fact.value.value_or(""), fact.reason};
}

std::string ghz(const std::string& khz) {
  constexpr double kKhzPerGhz = 1e6;
  const auto value = text::parse_unsigned(khz);
  return value ? text::fixed(static_cast<double>(*value) / kKhzPerGhz, 2) + " GHz" : khz + " kHz";
}

std::string or_unknown(const host::Fact& fact) { return fact.value.value_or("unknown"); }

/// "fixed 2.71 GHz (governor performance, minimum = maximum), boost off, SMT none".
Item clock_item(const host::HostFacts& facts) {
  const std::string tail = ", boost " + or_unknown(facts.boost) + ", SMT " + or_unknown(facts.smt);
  if (!facts.max_khz.value || !facts.min_khz.value) {
    return {"Clock", "", facts.max_khz.value ? facts.min_khz.reason : facts.max_khz.reason};
  }
  const bool is_fixed = facts.min_khz.value == facts.max_khz.value;
  const std::string range = is_fixed
                                ? "fixed " + ghz(*facts.max_khz.value)
                                : ghz(*facts.min_khz.value) + " to " + ghz(*facts.max_khz.value);
  return {"Clock",
          range + " (governor " + or_unknown(facts.governor) +
              (is_fixed ? ", minimum = maximum)" : ")") + tail,
          ""};
}

Item memory_item(const host::HostFacts& facts) {
  constexpr std::uint64_t kKibPerMib = 1024;
  const auto kib =
      facts.memory_kib.value ? text::parse_unsigned(*facts.memory_kib.value) : std::nullopt;
  if (!kib) {
    return {"Memory", "",
            facts.memory_kib.reason.empty() ? "not a number" : facts.memory_kib.reason};
  }
  return {"Memory", std::to_string(*kib / kKibPerMib) + " MiB", ""};
}

}  // namespace

std::string architecture_name(const std::string& machine) {
  if (machine == "x86_64") {
    return "x86-64";
  }
  return machine == "aarch64" ? "AArch64" : machine;
}

std::vector<Item> environment_items(const host::HostFacts& facts, std::uint32_t core,
                                    const std::string& compiler) {
  Item processor = item_of("Processor", facts.processor);
  if (!processor.value.empty()) {
    processor.value += ", CPU " + std::to_string(core) + ", one core";
  }
  return {
      processor,
      {"Architecture", architecture_name(facts.architecture), ""},
      item_of("Machine", facts.machine),
      item_of("Virtualisation", facts.virtualization),
      clock_item(facts),
      memory_item(facts),
      item_of("OS", facts.os),
      item_of("Kernel", facts.kernel),
      item_of("perf_event_paranoid", facts.perf_event_paranoid),
      {"Compiler", compiler, compiler.empty() ? "no compiler was found" : ""},
      {"Build tool", std::string("hashprof ") + version() + ", no make", ""},
  };
}

}  // namespace hashprof::app
