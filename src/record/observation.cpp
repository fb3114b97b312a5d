// SPDX-License-Identifier: MIT
// Observations as JSON and back; one member a field, absent values as null with a reason beside.
#include "record/observation.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/error.h"

namespace hashprof::record {

namespace {

constexpr std::array<std::pair<Outcome, const char*>, 9> kOutcomes{{
    {Outcome::complete, "complete"},
    {Outcome::crashed, "crashed"},
    {Outcome::exited, "exited"},
    {Outcome::timed_out, "timed_out"},
    {Outcome::failed_call, "failed_call"},
    {Outcome::wrong_digest, "wrong_digest"},
    {Outcome::wrong_output, "wrong_output"},
    {Outcome::load_failed, "load_failed"},
    {Outcome::worker_failed, "worker_failed"},
}};

std::optional<std::uint64_t> optional_unsigned(const json::Value& object, std::string_view key) {
  const json::Value* value = object.find(key);
  return value == nullptr ? std::nullopt : std::optional(value->as_unsigned());
}

std::uint32_t narrow(const json::Value& object, std::string_view key) {
  const std::uint64_t value = object.at(key).as_unsigned();
  if (value > UINT32_MAX) {
    throw Error(Fault::configuration, "observation",
                std::string(key) + " is out of range: " + std::to_string(value));
  }
  return static_cast<std::uint32_t>(value);
}

/// A slice is [calls, cycles, instructions, ns]; a count that was not taken is null.
json::Value slice_to_json(const Slice& slice) {
  return json::Array{slice.calls, slice.cycles, slice.instructions, slice.elapsed_ns};
}

Slice slice_from_json(const json::Value& value) {
  const json::Array& items = value.as_array();
  if (items.size() != 4) {
    throw Error(Fault::configuration, "observation", "a slice has not four numbers");
  }
  const auto optional = [](const json::Value& item) {
    return item.is_null() ? std::nullopt : std::optional(item.as_unsigned());
  };
  return {items[0].as_unsigned(), optional(items[1]), optional(items[2]), items[3].as_unsigned()};
}

json::Value to_json(const Neighbour& neighbour) {
  return json::Object{{"cpu", neighbour.cpu},
                      {"shares", neighbour.shares},
                      {"busy_ticks", neighbour.busy_ticks},
                      {"total_ticks", neighbour.total_ticks}};
}

Neighbour neighbour_from_json(const json::Value& value) {
  return {narrow(value, "cpu"), value.at("shares").as_string(),
          value.at("busy_ticks").as_unsigned(), value.at("total_ticks").as_unsigned()};
}

json::Array numbers_to_json(const std::vector<std::uint64_t>& numbers) {
  return {numbers.begin(), numbers.end()};
}

std::vector<std::uint64_t> numbers_from_json(const json::Value& value) {
  std::vector<std::uint64_t> numbers;
  numbers.reserve(value.as_array().size());
  for (const json::Value& item : value.as_array()) {
    numbers.push_back(item.as_unsigned());
  }
  return numbers;
}

json::Value to_json(const std::optional<Percall>& percall) {
  if (!percall) {
    return {};
  }
  return json::Object{{"unit", percall->unit},
                      {"batch", percall->batch},
                      {"empty", numbers_to_json(percall->empty)},
                      {"samples", numbers_to_json(percall->samples)},
                      {"doubled", numbers_to_json(percall->doubled)}};
}

std::optional<Percall> percall_from_json(const json::Value& value) {
  if (value.is_null()) {
    return std::nullopt;
  }
  return Percall{value.at("unit").as_string(), value.at("batch").as_unsigned(),
                 numbers_from_json(value.at("empty")), numbers_from_json(value.at("samples")),
                 numbers_from_json(value.at("doubled"))};
}

Outcome outcome_from_json(const json::Value& value) {
  const auto outcome = find_outcome(value.as_string());
  if (!outcome) {
    throw Error(Fault::configuration, "observation", "unknown outcome '" + value.as_string() + "'");
  }
  return *outcome;
}

json::Array strings_to_json(const std::vector<std::string>& strings) {
  return {strings.begin(), strings.end()};
}

std::vector<std::string> strings_from_json(const json::Value& value) {
  std::vector<std::string> strings;
  for (const json::Value& item : value.as_array()) {
    strings.push_back(item.as_string());
  }
  return strings;
}

}  // namespace

const char* outcome_name(Outcome outcome) {
  const auto* const row = std::find_if(kOutcomes.begin(), kOutcomes.end(),
                                       [&](const auto& entry) { return entry.first == outcome; });
  return row->second;
}

std::optional<Outcome> find_outcome(const std::string& name) {
  for (const auto& [outcome, text] : kOutcomes) {
    if (name == text) {
      return outcome;
    }
  }
  return std::nullopt;
}

bool Observation::is_disturbed() const {
  return outcome == Outcome::complete &&
         std::any_of(taints.begin(), taints.end(),
                     [](const std::string& taint) { return taint.rfind(kReplanned, 0) != 0; });
}

double Observation::call_ns() const {
  return calls == 0 ? 0.0 : static_cast<double>(elapsed_ns) / static_cast<double>(calls);
}

json::Value to_json(const Observation& o) {
  json::Array slices;
  for (const Slice& slice : o.slices) {
    slices.push_back(slice_to_json(slice));
  }
  json::Array neighbours;
  for (const Neighbour& neighbour : o.neighbours) {
    neighbours.push_back(to_json(neighbour));
  }
  json::Object out{
      {"cell", o.cell},
      {"phase", o.phase},
      {"process", o.process},
      {"attempt", o.attempt},
      {"start_utc", o.start_utc},
      {"outcome", outcome_name(o.outcome)},
      {"detail", o.detail},
      {"taints", strings_to_json(o.taints)},
      {"findings", strings_to_json(o.findings)},
      {"calls", o.calls},
      {"warmups", o.warmups},
      {"slices", std::move(slices)},
      {"first_call_ns", o.first_call_ns},
      {"first_call_cycles", o.first_call_cycles},
      {"elapsed_ns", o.elapsed_ns},
      {"cycles", o.cycles},
      {"cycles_reason", o.cycles_reason},
      {"instructions", o.instructions},
      {"instructions_reason", o.instructions_reason},
      {"time_enabled_ns", o.time_enabled_ns},
      {"time_running_ns", o.time_running_ns},
      {"read_method", o.read_method},
      {"pmu", o.pmu},
      {"probe_cycles", o.probe_cycles},
      {"lost_ns", o.lost_ns},
      {"switches",
       json::Object{{"voluntary", o.voluntary_switches}, {"involuntary", o.involuntary_switches}}},
      {"migrations", o.migrations},
      {"faults", json::Object{{"minor", o.minor_faults}, {"major", o.major_faults}}},
      {"steal_ticks", o.steal_ticks},
      {"suspended_ns", o.suspended_ns},
      {"neighbours", std::move(neighbours)},
      {"baseline_rss_kib", o.baseline_rss_kib},
      {"peak_rss_kib", o.peak_rss_kib},
      {"baseline_file_pmd_kib", o.baseline_file_pmd_kib},
      {"baseline_anon_kib", o.baseline_anon_kib},
      {"baseline_file_kib", o.baseline_file_kib},
      {"last_anon_kib", o.last_anon_kib},
      {"last_file_kib", o.last_file_kib},
      {"last_file_pmd_kib", o.last_file_pmd_kib},
      {"baseline_anon_huge_kib", o.baseline_anon_huge_kib},
      {"addresses", json::Object{{"message", o.addresses.message},
                                 {"digest", o.addresses.digest},
                                 {"stack", o.addresses.stack},
                                 {"text", o.addresses.text},
                                 {"heap", o.addresses.heap}}},
      {"message_offset", o.message_offset},
      {"digest_offset", o.digest_offset},
      {"env_padding", o.env_padding},
      {"layout", o.layout},
      {"is_core_shared_with_parent", o.is_core_shared_with_parent},
      {"is_sandboxed", o.is_sandboxed},
      {"percall", to_json(o.percall)},
  };
  return out;
}

Observation observation_from_json(const json::Value& value) {
  Observation o;
  o.cell = value.at("cell").as_string();
  o.phase = value.at("phase").as_string();
  o.process = narrow(value, "process");
  o.attempt = narrow(value, "attempt");
  o.start_utc = value.at("start_utc").as_string();
  o.outcome = outcome_from_json(value.at("outcome"));
  o.detail = value.at("detail").as_string();
  o.taints = strings_from_json(value.at("taints"));
  o.findings = strings_from_json(value.at("findings"));
  o.calls = value.at("calls").as_unsigned();
  o.warmups = narrow(value, "warmups");
  for (const json::Value& slice : value.at("slices").as_array()) {
    o.slices.push_back(slice_from_json(slice));
  }
  o.first_call_ns = value.at("first_call_ns").as_unsigned();
  o.first_call_cycles = optional_unsigned(value, "first_call_cycles");
  o.elapsed_ns = value.at("elapsed_ns").as_unsigned();
  o.cycles = optional_unsigned(value, "cycles");
  o.cycles_reason = value.at("cycles_reason").as_string();
  o.instructions = optional_unsigned(value, "instructions");
  o.instructions_reason = value.at("instructions_reason").as_string();
  o.time_enabled_ns = value.at("time_enabled_ns").as_unsigned();
  o.time_running_ns = value.at("time_running_ns").as_unsigned();
  o.read_method = value.at("read_method").as_string();
  o.pmu = value.at("pmu").as_string();
  o.probe_cycles = optional_unsigned(value, "probe_cycles");
  o.lost_ns = value.at("lost_ns").as_unsigned();
  o.voluntary_switches = value.at("switches").at("voluntary").as_unsigned();
  o.involuntary_switches = value.at("switches").at("involuntary").as_unsigned();
  o.migrations = value.at("migrations").as_unsigned();
  o.minor_faults = value.at("faults").at("minor").as_unsigned();
  o.major_faults = value.at("faults").at("major").as_unsigned();
  o.steal_ticks = optional_unsigned(value, "steal_ticks");
  o.suspended_ns = value.at("suspended_ns").as_unsigned();
  for (const json::Value& neighbour : value.at("neighbours").as_array()) {
    o.neighbours.push_back(neighbour_from_json(neighbour));
  }
  o.baseline_rss_kib = optional_unsigned(value, "baseline_rss_kib");
  o.peak_rss_kib = optional_unsigned(value, "peak_rss_kib");
  o.baseline_file_pmd_kib = optional_unsigned(value, "baseline_file_pmd_kib");
  o.baseline_anon_kib = optional_unsigned(value, "baseline_anon_kib");
  o.baseline_file_kib = optional_unsigned(value, "baseline_file_kib");
  o.last_anon_kib = optional_unsigned(value, "last_anon_kib");
  o.last_file_kib = optional_unsigned(value, "last_file_kib");
  o.last_file_pmd_kib = optional_unsigned(value, "last_file_pmd_kib");
  o.baseline_anon_huge_kib = optional_unsigned(value, "baseline_anon_huge_kib");
  const json::Value& addresses = value.at("addresses");
  o.addresses = {narrow(addresses, "message"), narrow(addresses, "digest"),
                 narrow(addresses, "stack"), narrow(addresses, "text"), narrow(addresses, "heap")};
  o.message_offset = narrow(value, "message_offset");
  o.digest_offset = narrow(value, "digest_offset");
  o.env_padding = narrow(value, "env_padding");
  o.layout = narrow(value, "layout");
  o.is_core_shared_with_parent = value.at("is_core_shared_with_parent").as_bool();
  o.is_sandboxed = value.at("is_sandboxed").as_bool();
  o.percall = percall_from_json(value.at("percall"));
  return o;
}

}  // namespace hashprof::record
