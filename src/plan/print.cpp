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
constexpr std::uint64_t kBytesPerSample = 6;
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

/// What a process is planned to take, start-up included.
double process_ns(const campaign::Campaign& campaign, const std::map<std::size_t, Counts>& counts,
                  const Process& process) {
  const auto known = counts.find(process.cell);
  if (process.kind == ProcessKind::percall) {
    const auto fits = static_cast<double>(campaign.measure.trial.value);
    return kProcessOverheadNs +
           (known == counts.end()
                ? fits
                : static_cast<double>(known->second.samples) * known->second.call_ns);
  }
  const double timed = known == counts.end()
                           ? static_cast<double>(campaign.measure.trial.value)
                           : static_cast<double>(known->second.calls + known->second.warmups + 1) *
                                 known->second.call_ns;
  return timed + kProcessOverheadNs;
}

std::string counts_text(const std::map<std::size_t, Counts>& counts, const Process& process) {
  const auto known = counts.find(process.cell);
  if (known == counts.end()) {
    return process.kind == ProcessKind::percall ? "samples: calibrated" : "calls: calibrated";
  }
  if (process.kind == ProcessKind::percall) {
    return "samples: " + std::to_string(known->second.samples) +
           " warm-ups: " + std::to_string(known->second.warmups);
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

std::uint64_t evidence_bytes(const campaign::Campaign& campaign, const Plan& plan) {
  std::uint64_t bytes = 0;
  for (const Process& process : plan.processes) {
    if (process.kind != ProcessKind::more) {
      bytes += kBytesPerProcess;
    }
    if (process.kind == ProcessKind::percall) {
      bytes += 2 * kBytesPerSample * campaign.measure.percall;
    }
  }
  return bytes;
}

std::string totals(const campaign::Campaign& campaign, const Plan& plan,
                   const std::map<std::size_t, Counts>& counts) {
  double total = 0;
  double more = 0;
  std::size_t more_processes = 0;
  std::vector<std::pair<double, std::size_t>> cells;
  for (std::size_t cell = 0; cell < plan.cells.size(); ++cell) {
    cells.emplace_back(0, cell);
  }
  for (const Process& process : plan.processes) {
    const double time = process_ns(campaign, counts, process);
    if (process.kind == ProcessKind::more) {
      more += time;
      ++more_processes;
    } else {
      total += time;
      cells[process.cell].first += time;
    }
  }
  const std::size_t sure_processes = plan.processes.size() - more_processes;
  std::stable_sort(cells.begin(), cells.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::string out = "\ntotal: " + std::to_string(sure_processes) + " processes in " +
                    std::to_string(plan.cells.size()) + " cells, about " + seconds(total) +
                    " of measuring, about " +
                    std::to_string(evidence_bytes(campaign, plan) / 1024 + 1) +
                    " KiB of evidence\n";
  if (more_processes > 0) {
    out += "where processes disagree: up to " + std::to_string(more_processes) +
           " more, up to about " + seconds(more) + " more\n";
  }
  out += "slowest cells\n";
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
  bool has_more = false;
  for (std::size_t cell = 0; cell < plan.cells.size(); ++cell) {
    out += "  calibrate  " + padded(cell_name(plan, plan.cells[cell]), width) + "\n";
  }
  for (const Process& process : plan.processes) {
    if (process.kind == ProcessKind::more && !has_more) {
      out += "then, of cells whose processes disagree\n";
      has_more = true;
    }
    out += (process.kind == ProcessKind::percall
                ? "  percall    "
                : "  block " + padded(std::to_string(process.block + 1), 3) + "  ") +
           padded(cell_name(plan, plan.cells[process.cell]), width) + "  " +
           counts_text(counts, process) + " offsets: message " +
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
