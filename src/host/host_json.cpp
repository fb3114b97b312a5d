// SPDX-License-Identifier: MIT
// Facts of a machine as JSON and back; one table names them for both directions.
#include <array>

#include "host/host_facts.h"

namespace hashprof::host {

namespace {

struct Named {
  const char* name;
  Fact HostFacts::*fact;
};

constexpr std::array<Named, 14> kFacts = {{
    {"hostname", &HostFacts::hostname},
    {"processor", &HostFacts::processor},
    {"machine", &HostFacts::machine},
    {"virtualization", &HostFacts::virtualization},
    {"memory_kib", &HostFacts::memory_kib},
    {"os", &HostFacts::os},
    {"kernel", &HostFacts::kernel},
    {"governor", &HostFacts::governor},
    {"driver", &HostFacts::driver},
    {"min_khz", &HostFacts::min_khz},
    {"max_khz", &HostFacts::max_khz},
    {"boost", &HostFacts::boost},
    {"smt", &HostFacts::smt},
    {"perf_event_paranoid", &HostFacts::perf_event_paranoid},
}};

std::string reason_key(const Named& named) { return std::string(named.name) + "_reason"; }

}  // namespace

json::Value to_json(const HostFacts& facts) {
  json::Object object;
  object.emplace_back("architecture", facts.architecture);
  for (const Named& named : kFacts) {
    const Fact& fact = facts.*named.fact;
    object.emplace_back(named.name, fact.value);
    if (!fact.value.has_value()) {
      object.emplace_back(reason_key(named), fact.reason);
    }
  }
  json::Array cpus;
  for (const std::uint32_t cpu : facts.online_cpus) {
    cpus.emplace_back(cpu);
  }
  object.emplace_back("online_cpus", std::move(cpus));
  return object;
}

HostFacts host_from_json(const json::Value& value) {
  HostFacts facts;
  facts.architecture = value.at("architecture").as_string();
  for (const Named& named : kFacts) {
    const json::Value& member = value.at(named.name);
    facts.*named.fact = member.is_null() ? Fact::unknown(value.at(reason_key(named)).as_string())
                                         : Fact::known(member.as_string());
  }
  for (const json::Value& cpu : value.at("online_cpus").as_array()) {
    facts.online_cpus.push_back(static_cast<std::uint32_t>(cpu.as_unsigned()));
  }
  return facts;
}

}  // namespace hashprof::host
