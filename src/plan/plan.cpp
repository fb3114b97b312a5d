// SPDX-License-Identifier: MIT
// Cells, randomised blocks and call counts; see plan/plan.h.
#include "plan/plan.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/random.h"

namespace hashprof::plan {

namespace {

constexpr std::uint64_t kOffsetStep = 64;     // a cache line
constexpr std::uint64_t kOffsetSpan = 4096;   // a page
constexpr double kGuideMeasurements = 100.0;  // guide 3.3: at least 100 measurements

void add_cells(const campaign::Campaign& campaign, std::size_t index, Plan& plan) {
  const Build& build = plan.builds[index];
  for (const campaign::Mode mode : campaign.measure.modes) {
    for (const std::uint64_t size : campaign.measure.sizes) {
      if (!campaign.measure.has_cells(mode, size)) {
        continue;
      }
      if (build.outputs.empty()) {
        plan.cells.push_back({index, size, std::nullopt, mode});
      }
      for (const std::uint64_t output : build.outputs) {
        if (build.why_not(output).empty()) {
          plan.cells.push_back({index, size, output, mode});
        }
      }
    }
  }
}

std::uint32_t draw_offset(Random& random) {
  return static_cast<std::uint32_t>(random.below(kOffsetSpan / kOffsetStep) * kOffsetStep);
}

/// One process of each of `cells`, in an order of its own.
void add_block(std::vector<std::size_t> cells, ProcessKind kind, std::uint32_t block,
               Random& random, Plan& plan) {
  random.shuffle(cells);
  for (const std::size_t cell : cells) {
    Process process;
    process.kind = kind;
    process.cell = cell;
    process.block = block;
    process.message_offset = draw_offset(random);
    process.digest_offset = draw_offset(random);
    process.env_padding = static_cast<std::uint32_t>(random.below(kOffsetSpan));
    process.layout = block % plan.builds[plan.cells[cell].build].layouts;
    plan.processes.push_back(process);
  }
}

/// Cells whose single calls are sampled: those of the first mode.
std::vector<std::size_t> percall_cells(const campaign::Measure& measure, const Plan& plan) {
  std::vector<std::size_t> cells;
  for (std::size_t cell = 0; measure.percall > 0 && cell < plan.cells.size(); ++cell) {
    if (plan.cells[cell].mode == measure.modes.front()) {
      cells.push_back(cell);
    }
  }
  return cells;
}

}  // namespace

std::string Build::why_not(std::uint64_t output_bytes) const {
  if (xof == catalog::Xof::any || output_bytes * 8 == digest_bits) {
    return {};
  }
  return "it always writes " + std::to_string(digest_bits / 8) + " B, whatever it is asked for";
}

Plan make_plan(const campaign::Campaign& campaign, std::vector<Build> builds, std::uint32_t core) {
  Plan plan;
  plan.core = core;
  plan.builds = std::move(builds);
  plan.objects = resolve_objects(campaign, plan.builds);
  for (std::size_t build = 0; build < plan.builds.size(); ++build) {
    add_cells(campaign, build, plan);
  }
  Random random(campaign.measure.seed);
  std::vector<std::size_t> all(plan.cells.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  const campaign::Measure& measure = campaign.measure;
  for (std::uint32_t block = 0; block < measure.processes; ++block) {
    add_block(all, ProcessKind::trial, block, random, plan);
  }
  add_block(percall_cells(measure, plan), ProcessKind::percall, 0, random, plan);
  for (std::uint32_t block = measure.processes; block < measure.max_processes; ++block) {
    add_block(all, ProcessKind::more, block, random, plan);
  }
  return plan;
}

Counts derive_counts(const campaign::Campaign& campaign, double call_ns) {
  const double processes = campaign.measure.processes;
  // A call shorter than the clock's tick is taken as one nanosecond, so that the count stays
  // finite.
  const double call = std::max(call_ns, 1.0);
  double calls = std::max(std::floor(static_cast<double>(campaign.measure.trial.value) / call),
                          std::ceil(kGuideMeasurements / processes));
  calls = std::min(calls,
                   std::floor(static_cast<double>(campaign.limits.cell.value) / processes / call));
  if (campaign.measure.max_calls) {
    calls = std::min(calls, static_cast<double>(*campaign.measure.max_calls));
  }
  Counts counts;
  counts.calls = static_cast<std::uint64_t>(std::max(calls, 1.0));
  counts.warmups = call < 50e6 ? 3U : call < 5e9 ? 1U : 0U;
  constexpr double kFewestSamples = 9;
  const auto wanted = static_cast<double>(campaign.measure.percall);
  const double fitting = std::floor(static_cast<double>(campaign.measure.trial.value) / call);
  counts.samples = static_cast<std::uint64_t>(std::min(wanted, std::max(fitting, kFewestSamples)));
  counts.call_ns = call_ns;
  return counts;
}

Nanoseconds call_time_limit(const campaign::Campaign& campaign) {
  constexpr Nanoseconds kAuto{10'000'000'000};
  return campaign.limits.call.value_or(kAuto);
}

Nanoseconds process_time_limit(const campaign::Campaign& campaign, const Counts& counts) {
  const auto call = static_cast<double>(call_time_limit(campaign).value);
  const double planned = static_cast<double>(counts.calls + counts.warmups + 1) * counts.call_ns;
  return {static_cast<std::uint64_t>(call + 20.0 * planned)};
}

Bytes address_space_limit(const campaign::Campaign& campaign, std::uint64_t message_bytes) {
  return campaign.limits.memory ? *campaign.limits.memory
                                : Bytes{(std::uint64_t{1} << 30U) + 4 * message_bytes};
}

}  // namespace hashprof::plan
