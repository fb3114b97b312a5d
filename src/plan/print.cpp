// SPDX-License-Identifier: MIT
// The plan as stable text: one line a process, then what the whole will take.
#include <algorithm>

#include "base/text.h"
#include "plan/plan.h"

namespace hashprof::plan {

namespace {

constexpr double kNsPerSecond = 1e9;
// Measured start-up and end of a worker, and the journal's fsync; only for the estimate.
constexpr double kProcessOverheadNs = 8e6;
// A journal line and its copy in the record.
constexpr std::uint64_t kBytesPerProcess = std::uint64_t{2} * 1600;
constexpr std::size_t kSlowestShown = 5;

std::string seconds(double nanoseconds) {
  return text::fixed(nanoseconds / kNsPerSecond, 1) + " s";
}

std::string padded(std::string text, std::size_t width) {
  text.resize(std::max(width, text.size()), ' ');
  return text;
}

std::string cell_name(const Plan& plan, const Cell& cell) {
  return plan.builds[cell.build].id() + " " + cell.operation();
}

/// What one process of a cell is planned to take, start-up included.
double process_ns(const campaign::Campaign& campaign, const std::map<std::size_t, Counts>& counts,
                  std::size_t cell) {
  const auto known = counts.find(cell);
  const double timed = known == counts.end()
                           ? static_cast<double>(campaign.measure.trial.value)
                           : static_cast<double>(known->second.calls + known->second.warmups + 1) *
                                 known->second.call_ns;
  return timed + kProcessOverheadNs;
}

std::string counts_text(const std::map<std::size_t, Counts>& counts, std::size_t cell) {
  const auto known = counts.find(cell);
  if (known == counts.end()) {
    return "calls: calibrated";
  }
  return "calls: " + std::to_string(known->second.calls) +
         " warm-ups: " + std::to_string(known->second.warmups);
}

std::string heading(const campaign::Campaign& campaign, const Plan& plan) {
  std::string out = "plan of campaign " + campaign.name + "\n";
  out += "core " + std::to_string(plan.core) + ", " + std::to_string(campaign.measure.processes) +
         " processes a cell, trial " +
         text::shortest(static_cast<double>(campaign.measure.trial.value) / kNsPerSecond) + " s" +
         ", seed " + std::to_string(campaign.measure.seed) + "\n\nbuilds\n";
  for (const Build& build : plan.builds) {
    out += "  " + build.id() + "  profile " + build.profile + ", compiler " + build.compiler +
           ", digest " + std::to_string(build.digest_bits) + " bits\n";
    for (const std::uint64_t output : build.outputs) {
      const std::string why = build.why_not(output);
      out += why.empty() ? "" : "    output " + std::to_string(output) + " B: n/a, " + why + "\n";
    }
  }
  for (const Build& object : plan.objects) {
    out += "  " + object.id() + "  sizes only, target " + object.profile + ", compiler " +
           object.compiler + "\n";
  }
  return out;
}

std::string totals(const campaign::Campaign& campaign, const Plan& plan,
                   const std::map<std::size_t, Counts>& counts) {
  double total = 0;
  std::vector<std::pair<double, std::size_t>> cells;
  for (std::size_t cell = 0; cell < plan.cells.size(); ++cell) {
    const double time = process_ns(campaign, counts, cell) * campaign.measure.processes;
    total += time;
    cells.emplace_back(time, cell);
  }
  std::stable_sort(cells.begin(), cells.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::string out = "\ntotal: " + std::to_string(plan.processes.size()) + " processes in " +
                    std::to_string(plan.cells.size()) + " cells, about " + seconds(total) +
                    " of measuring, about " +
                    std::to_string(plan.processes.size() * kBytesPerProcess / 1024 + 1) +
                    " KiB of evidence\nslowest cells\n";
  for (std::size_t i = 0; i < std::min(cells.size(), kSlowestShown); ++i) {
    out += "  " + cell_name(plan, plan.cells[cells[i].second]) + "  about " +
           seconds(cells[i].first) + "\n";
  }
  return out;
}

}  // namespace

std::string print(const campaign::Campaign& campaign, const Plan& plan,
                  const std::map<std::size_t, Counts>& counts) {
  std::string out = heading(campaign, plan);
  std::size_t width = 0;
  for (const Cell& cell : plan.cells) {
    width = std::max(width, cell_name(plan, cell).size());
  }
  out += "\nprocesses, in order: a calibration of each cell, then blocks of one process a cell\n";
  for (std::size_t cell = 0; cell < plan.cells.size(); ++cell) {
    out += "  calibrate  " + padded(cell_name(plan, plan.cells[cell]), width) + "\n";
  }
  for (const Process& process : plan.processes) {
    out += "  block " + padded(std::to_string(process.block + 1), 3) + "  " +
           padded(cell_name(plan, plan.cells[process.cell]), width) + "  " +
           counts_text(counts, process.cell) + " offsets: message " +
           std::to_string(process.message_offset) + ", digest " +
           std::to_string(process.digest_offset) + "; environment +" +
           std::to_string(process.env_padding) +
           (plan.builds[plan.cells[process.cell].build].layouts > 1
                ? "; layout " + std::to_string(process.layout)
                : "") +
           "\n";
  }
  return out + totals(campaign, plan, counts);
}

}  // namespace hashprof::plan
