// SPDX-License-Identifier: MIT
// See campaign/measure.h.
#include "campaign/measure.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "campaign/keys.h"

namespace hashprof::campaign {

namespace {

constexpr std::uint64_t kMaxLayouts = 100;
constexpr std::uint64_t kMaxCore = 8191;  // CONFIG_NR_CPUS of x86-64 goes no further
constexpr std::uint64_t kMaxCalls = 1'000'000'000'000;
constexpr std::uint64_t kMaxPercall = 1'000'000;
constexpr Nanoseconds kShortestTrial{1'000};
constexpr Nanoseconds kLongestTrial{600'000'000'000};

std::vector<std::uint64_t> read_size_list(const yaml::Value& value) {
  std::map<std::uint64_t, std::size_t> lines;
  for (const yaml::Value& item : value.items()) {
    const std::uint64_t size = item.whole(0, kMaxMessage);
    const auto [known, is_new] = lines.emplace(size, item.line());
    if (!is_new) {
      throw item
          .fault("the size " + std::to_string(size) + " is listed twice, first at line " +
                 std::to_string(known->second))
          .hint("remove one of the two");
    }
  }
  std::vector<std::uint64_t> sizes;
  sizes.reserve(lines.size());
  for (const auto& [size, line] : lines) {
    sizes.push_back(size);
  }
  return sizes;
}

std::vector<std::uint64_t> read_size_series(const yaml::Value& value) {
  yaml::Map map(value, documented_keys(), "measure.sizes");
  const std::uint64_t from = map.require("from").whole(0, kMaxMessage);
  const yaml::Value to_value = map.require("to");
  const std::uint64_t to = to_value.whole(0, kMaxMessage);
  const std::uint64_t step = map.require("step").whole(1, kMaxMessage);
  map.finish();
  if (to < from) {
    throw to_value
        .fault(std::to_string(to) + " is less than 'from', which is " + std::to_string(from))
        .hint("let the series run upwards");
  }
  const std::uint64_t count = (to - from) / step + 1;
  if (count > kMaxSizes) {
    throw value
        .fault("the series has " + std::to_string(count) + " sizes; at most " +
               std::to_string(kMaxSizes) + " are measured")
        .hint("choose a larger step");
  }
  std::vector<std::uint64_t> sizes;
  for (std::uint64_t size = from; size <= to; size += step) {
    sizes.push_back(size);
  }
  return sizes;
}

std::vector<std::uint64_t> read_sizes(const yaml::Value& value) {
  if (value.kind() == yaml::Kind::map) {
    return read_size_series(value);
  }
  if (value.kind() != yaml::Kind::list) {
    (void)value.choice({{"ngcc"}, {}});
    return ngcc_sizes();
  }
  std::vector<std::uint64_t> sizes = read_size_list(value);
  if (sizes.empty()) {
    throw value.fault("no size is listed").hint("list message lengths in bytes, or write ngcc");
  }
  if (sizes.size() > kMaxSizes) {
    throw value
        .fault(std::to_string(sizes.size()) + " sizes are listed; at most " +
               std::to_string(kMaxSizes) + " are measured")
        .hint("list fewer");
  }
  return sizes;
}

std::vector<Mode> read_modes(const yaml::Value& value) {
  std::vector<Mode> modes;
  for (const yaml::Value& item : value.items()) {
    const std::string word = item.choice({{"throughput", "latency"}, {}});
    const Mode mode = word == "latency" ? Mode::latency : Mode::throughput;
    if (std::find(modes.begin(), modes.end(), mode) != modes.end()) {
      throw item.fault("'" + word + "' is listed twice").hint("remove one of the two");
    }
    modes.push_back(mode);
  }
  if (modes.empty()) {
    throw value.fault("no mode is listed")
        .hint("write '[throughput]', '[latency]' or '[throughput, latency]'");
  }
  std::sort(modes.begin(), modes.end());
  return modes;
}

void read_max_processes(const yaml::Value& value, Measure& measure) {
  measure.max_processes = static_cast<std::uint32_t>(value.whole(1, kMaxProcesses));
  if (measure.max_processes < measure.processes) {
    throw value
        .fault(std::to_string(measure.max_processes) + " is less than 'processes', which is " +
               std::to_string(measure.processes))
        .hint("write " + std::to_string(measure.processes) + ", so that none is added, or more");
  }
}

}  // namespace

void read_measure(const yaml::Value& value, Measure& measure) {
  yaml::Map map(value, documented_keys(), "measure");
  if (const auto sizes = map.find("sizes"); sizes.has_value()) {
    measure.sizes = read_sizes(*sizes);
  }
  if (const auto core = map.find("core"); core.has_value() && !core->is_word("auto")) {
    measure.core = static_cast<std::uint32_t>(core->whole(0, kMaxCore));
  }
  if (const auto processes = map.find("processes"); processes.has_value()) {
    measure.processes = static_cast<std::uint32_t>(processes->whole(1, kMaxProcesses));
    measure.max_processes = measure.processes;
  }
  if (const auto trial = map.find("trial"); trial.has_value()) {
    measure.trial = trial->time(kShortestTrial, kLongestTrial);
  }
  if (const auto modes = map.find("modes"); modes.has_value()) {
    measure.modes = read_modes(*modes);
    measure.latency_up_to.reset();  // what the file lists is measured at every size
  }
  if (const auto most = map.find("max_processes"); most.has_value()) {
    read_max_processes(*most, measure);
  }
  if (const auto percall = map.find("percall"); percall.has_value()) {
    measure.percall = percall->is_word("none") ? 0 : percall->whole(1, kMaxPercall);
  }
  if (const auto calls = map.find("max_calls"); calls.has_value()) {
    measure.max_calls.reset();  // `none` takes a preset's bound away
    if (!calls->is_word("none")) {
      measure.max_calls = calls->whole(1, kMaxCalls);
    }
  }
  if (const auto layouts = map.find("layouts"); layouts.has_value()) {
    measure.layouts = static_cast<std::uint32_t>(layouts->whole(1, kMaxLayouts));
  }
  if (const auto seed = map.find("seed"); seed.has_value()) {
    measure.seed = seed->whole(0, UINT64_MAX);
  }
  map.finish();
}

}  // namespace hashprof::campaign
