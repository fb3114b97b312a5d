// SPDX-License-Identifier: MIT
// Presets, the guide's sizes, kinds of known answers, and what the command line says over the file.
#include <algorithm>

#include "base/error.h"
#include "base/text.h"
#include "campaign/campaign.h"
#include "campaign/measure.h"

namespace hashprof::campaign {

namespace {

std::vector<std::string> preset_names() {
  std::vector<std::string> names;
  for (const Preset& preset : presets()) {
    names.push_back(preset.name);
  }
  return names;
}

[[noreturn]] void refuse_sizes(const std::string& what, const std::string& hint) {
  throw Error(Fault::usage, "--sizes", what).hint(hint);
}

std::vector<std::uint64_t> checked_sizes(std::vector<std::uint64_t> sizes) {
  if (sizes.empty()) {
    refuse_sizes("no size is listed", "write ngcc, or byte counts such as 32,4096");
  }
  if (sizes.size() > kMaxSizes) {
    refuse_sizes(std::to_string(sizes.size()) + " sizes are listed; at most " +
                     std::to_string(kMaxSizes) + " are measured",
                 "list fewer");
  }
  std::sort(sizes.begin(), sizes.end());
  if (sizes.back() > kMaxMessage) {
    refuse_sizes(std::to_string(sizes.back()) + " out of range 0…" + std::to_string(kMaxMessage),
                 "choose a value in that range");
  }
  const auto twice = std::adjacent_find(sizes.begin(), sizes.end());
  if (twice != sizes.end()) {
    refuse_sizes("the size " + std::to_string(*twice) + " is listed twice",
                 "remove one of the two");
  }
  return sizes;
}

void override_preset(const std::string& name, Campaign& campaign) {
  const Preset* preset = find_preset(name);
  if (preset == nullptr) {
    const auto names = preset_names();
    const auto meant = text::closest(name, names);
    throw Error(Fault::usage, "--preset", "unknown preset '" + text::printable(name) + "'")
        .hint((meant.has_value() ? "did you mean '" + *meant + "'? " : "") + "it is one of " +
              text::join(names, ", "));
  }
  campaign.preset = preset->name;
  apply_preset(*preset, campaign);
}

}  // namespace

const std::vector<Preset>& presets() {
  static const std::vector<Preset> all = {
      {"quick", "a first look: 5 processes of 0.05 s", 5, 5, {50'000'000}, {}, 0},
      {"tune",
       "one hash while it is worked on: 9 processes of 0.1 s",
       9,
       9,
       {100'000'000},
       {},
       10'000},
      {"publish",
       "9 processes of 0.25 s, 21 where they disagree, latency up to 128 bytes, on a machine that "
       "meets all requirements",
       9,
       21,
       {250'000'000},
       {},
       10'000,
       128,
       {"cycles", "fixed-clock", "quiet-core", "kat", "bare-metal"}},
      {"published",
       "the published campaign: 5 processes of 0.5 s, at most 20,000 calls",
       5,
       5,
       {500'000'000},
       20'000,
       0},
  };
  return all;
}

const std::vector<std::uint64_t>& ngcc_sizes() {
  static const std::vector<std::uint64_t> sizes = {32, 128, 512, 1024, 4096, 8192, 16384, 65536};
  return sizes;
}

const std::vector<std::string>& guide_profiles() {
  static const std::vector<std::string> names = {"guide", "performance", "resource"};
  return names;
}

const std::vector<std::string>& kat_kinds() {
  static const std::vector<std::string> kinds = {"2_12", "2_23", "2_33", "Loop"};
  return kinds;
}

const std::vector<std::string>& default_kat_kinds() {
  static const std::vector<std::string> kinds = {"2_12", "2_23"};
  return kinds;
}

const Preset* find_preset(const std::string& name) {
  const auto found = std::find_if(presets().begin(), presets().end(),
                                  [&](const Preset& preset) { return preset.name == name; });
  return found == presets().end() ? nullptr : &*found;
}

const char* mode_name(Mode mode) { return mode == Mode::latency ? "latency" : "throughput"; }

void apply_preset(const Preset& preset, Campaign& campaign) {
  Measure& measure = campaign.measure;
  measure.processes = preset.processes;
  measure.max_processes = preset.max_processes;
  measure.percall = preset.percall;
  measure.modes = {Mode::throughput};
  if (preset.latency_up_to) {
    measure.modes.push_back(Mode::latency);
  }
  measure.latency_up_to = preset.latency_up_to;
  if (!preset.require.empty()) {
    campaign.require = preset.require;
  }
  measure.trial = preset.trial;
  measure.max_calls = preset.max_calls;
}

std::vector<std::uint64_t> parse_size_list(const std::string& text) {
  if (text == "ngcc") {
    return ngcc_sizes();
  }
  std::vector<std::uint64_t> sizes;
  for (const std::string& word : text::split(text, ',')) {
    const auto size = text::parse_unsigned(word);
    if (!size.has_value() || (word.size() > 1 && word.front() == '0')) {
      refuse_sizes("'" + text::printable(word) + "' is no byte count",
                   "write ngcc, or byte counts such as 32,4096");
    }
    sizes.push_back(*size);
  }
  return checked_sizes(std::move(sizes));
}

std::vector<std::string> parse_kind_list(const std::string& text) {
  if (text == "all") {
    return kat_kinds();
  }
  if (text == "none") {
    return {};
  }
  const std::string hint = "write all, none, or kinds such as " + text::join(kat_kinds(), ",");
  const auto has = [](const std::vector<std::string>& list, const std::string& word) {
    return std::find(list.begin(), list.end(), word) != list.end();
  };
  std::vector<std::string> kinds;
  for (const std::string& word : text::split(text, ',')) {
    const std::string quoted = "'" + text::printable(word) + "'";
    if (!has(kat_kinds(), word)) {
      throw Error(Fault::usage, "--kinds", quoted + " is no kind of known-answer files").hint(hint);
    }
    if (has(kinds, word)) {
      throw Error(Fault::usage, "--kinds", quoted + " is listed twice")
          .hint("remove one of the two");
    }
    kinds.push_back(word);
  }
  std::sort(kinds.begin(), kinds.end());
  return kinds;
}

namespace {

/// The triplet begins the name of a program.
const std::string& checked_triplet(const std::string& triplet) {
  constexpr std::string_view kCharacters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.";
  if (triplet.empty() || triplet.front() == '-' ||
      triplet.find_first_not_of(kCharacters) != std::string::npos) {
    throw Error(Fault::usage, "--target " + text::printable(triplet), "is no machine")
        .hint("write what stands before gcc in the name of a cross compiler: aarch64-linux-gnu");
  }
  return triplet;
}

}  // namespace

void apply(const Overrides& overrides, Campaign& campaign) {
  if (overrides.preset.has_value()) {
    override_preset(*overrides.preset, campaign);
  }
  if (overrides.sizes.has_value()) {
    campaign.measure.sizes = checked_sizes(*overrides.sizes);
  }
  if (overrides.processes.has_value()) {
    if (*overrides.processes < 1 || *overrides.processes > kMaxProcesses) {
      throw Error(
          Fault::usage, "--processes",
          std::to_string(*overrides.processes) + " out of range 1…" + std::to_string(kMaxProcesses))
          .hint("choose a value in that range");
    }
    campaign.measure.processes = *overrides.processes;
    campaign.measure.max_processes = *overrides.processes;
  }
  if (overrides.kinds.has_value()) {
    campaign.kat = *overrides.kinds;
  }
  if (overrides.target.has_value()) {
    campaign.cross_prefix = checked_triplet(*overrides.target) + "-";
  }
}

}  // namespace hashprof::campaign
