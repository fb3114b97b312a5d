// SPDX-License-Identifier: MIT
// The resolved campaign as evidence.
#include <array>

#include "base/text.h"
#include "campaign/campaign.h"

namespace hashprof::campaign {

namespace {

/// JSON holds only UTF-8; a path that is none is written with each byte beyond ASCII as \xNN.
std::string utf8_path(const std::string& path) {
  if (text::is_utf8(path)) {
    return path;
  }
  std::string out;
  for (const char c : path) {
    const auto byte = static_cast<std::uint8_t>(c);
    out += byte < 0x80 ? std::string(1, c) : "\\x" + text::hex(std::array<std::uint8_t, 1>{byte});
  }
  return out;
}

std::string path_below(const std::filesystem::path& path, const std::filesystem::path& folder) {
  const std::filesystem::path relative = path.lexically_relative(folder);
  const bool is_below = !relative.empty() && *relative.begin() != "..";
  return utf8_path(is_below ? relative.native() : path.native());
}

json::Array strings(const std::vector<std::string>& words) {
  json::Array out;
  for (const std::string& word : words) {
    out.emplace_back(word);
  }
  return out;
}

json::Object pairs(const std::vector<std::pair<std::string, std::string>>& members) {
  json::Object out;
  for (const auto& [key, value] : members) {
    out.emplace_back(key, value);
  }
  return out;
}

json::Array hashes(const Campaign& campaign) {
  json::Array out;
  for (const HashUse& use : campaign.hashes) {
    out.emplace_back(
        json::Object{{"use", path_below(use.file, campaign.file.parent_path())},
                     {"only", strings(use.only)},
                     {"variants", strings(use.variants)},
                     {"outputs", json::Array(use.outputs.begin(), use.outputs.end())}});
  }
  return out;
}

/// null: the profile that fits the class of each variant.
json::Value builds(const Campaign& campaign) {
  if (campaign.builds.empty()) {
    return nullptr;
  }
  json::Array out;
  for (const BuildUse& use : campaign.builds) {
    out.emplace_back(
        json::Object{{"profile", use.profile},
                     {"compiler", use.compiler},
                     {"flags", use.flags ? json::Value(strings(*use.flags)) : json::Value()},
                     {"needs_cpu", strings(use.needs_cpu)},
                     {"fallback", use.fallback.empty() ? json::Value() : use.fallback}});
  }
  return out;
}

json::Array targets(const Campaign& campaign) {
  json::Array out;
  for (const TargetUse& use : campaign.targets) {
    out.emplace_back(json::Object{
        {"name", use.name}, {"compiler", use.compiler}, {"flags", strings(use.flags)}});
  }
  return out;
}

json::Object kat_files(const Campaign& campaign) {
  json::Object out;
  for (const auto& [instance, path] : campaign.kat_files) {
    out.emplace_back(instance, path_below(path, campaign.file.parent_path()));
  }
  return out;
}

json::Value baselines(const Baselines& baselines) {
  if (baselines.is_pseudo_xof) {
    return "pseudoXOF";
  }
  json::Object out;
  for (const auto& [bits, instance] : baselines.by_width) {
    out.emplace_back(std::to_string(bits), instance);
  }
  return out;
}

json::Object measure(const Measure& measure) {
  json::Array sizes;
  for (const std::uint64_t size : measure.sizes) {
    sizes.emplace_back(size);
  }
  json::Array modes;
  for (const Mode mode : measure.modes) {
    modes.emplace_back(mode_name(mode));
  }
  return {{"sizes", std::move(sizes)},
          {"core", measure.core},
          {"processes", measure.processes},
          {"max_processes", measure.max_processes},
          {"trial_ns", measure.trial.value},
          {"modes", std::move(modes)},
          {"latency_up_to_bytes", measure.latency_up_to},
          {"percall", measure.percall},
          {"max_calls", measure.max_calls},
          {"layouts", measure.layouts},
          {"seed", measure.seed}};
}

json::Object limits(const Limits& limits) {
  const auto call =
      limits.call.has_value() ? json::Value(limits.call->value) : json::Value(nullptr);
  const auto memory =
      limits.memory.has_value() ? json::Value(limits.memory->value) : json::Value(nullptr);
  return {{"cell_ns", limits.cell.value},
          {"call_ns", call},
          {"build_ns", limits.build.value},
          {"memory_bytes", memory},
          {"stack_bytes", limits.stack.value}};
}

}  // namespace

json::Value to_json(const Campaign& campaign) {
  return json::Object{
      {"name", campaign.name},
      {"title", campaign.title},
      {"system", json::Object{{"id", campaign.system.id}, {"note", campaign.system.note}}},
      {"preset", campaign.preset},
      {"require", strings(campaign.require)},
      {"hashes", hashes(campaign)},
      {"builds", builds(campaign)},
      {"targets", targets(campaign)},
      {"cross_prefix", campaign.cross_prefix.empty() ? json::Value() : campaign.cross_prefix},
      {"baselines", baselines(campaign.baselines)},
      {"kat", strings(campaign.kat)},
      {"kat_files", kat_files(campaign)},
      {"time_failing", campaign.time_failing},
      {"measure", measure(campaign.measure)},
      {"limits", limits(campaign.limits)},
      {"memory", json::Object{{"heap", campaign.memory.has_heap},
                              {"stack", campaign.memory.has_stack},
                              {"witness", campaign.memory.has_bpf ? "bpf" : "none"},
                              {"crosscheck", crosscheck_name(campaign.memory.crosscheck)}}},
      {"env", pairs(campaign.env)},
      {"sandbox",
       json::Object{{"uid", campaign.sandbox.uid}, {"enabled", campaign.sandbox.enabled}}},
      {"report",
       json::Object{{"note", campaign.report.note}, {"links", pairs(campaign.report.links)}}}};
}

}  // namespace hashprof::campaign
