// SPDX-License-Identifier: MIT
// See runner/carry_out.h.
#include "runner/carry_out.h"

#include <algorithm>

#include "runner/signals.h"

namespace hashprof::runner {

namespace {

constexpr Nanoseconds kCalibration{50'000'000};

Job make_job(const campaign::Campaign& campaign, const plan::Plan& plan,
             const std::vector<std::filesystem::path>& libraries, const Step& step) {
  const plan::Cell& cell = plan.cells[step.cell];
  const plan::Build& build = plan.builds[cell.build];
  Job job;
  job.cell = plan.cell_name(step.cell);
  const bool is_percall =
      !step.is_calibration && plan.processes[step.process].kind == plan::ProcessKind::percall;
  job.phase = step.is_calibration ? "calibrate" : is_percall ? "percall" : "trial";
  job.attempt = step.attempt;
  job.layout = step.is_calibration ? 0 : plan.processes[step.process].layout;
  job.library = libraries.at(job.layout);
  job.entry = build.settings.exported();
  job.digest_bits = build.digest_bits;
  job.output_bytes = cell.output_bytes;
  job.message_bytes = cell.message_bytes;
  job.is_latency = cell.mode == campaign::Mode::latency;
  job.ordinal = step.is_calibration ? 0 : step.process;
  job.planned = static_cast<std::uint64_t>(
      std::count_if(plan.processes.begin(), plan.processes.end(),
                    [](const auto& process) { return process.kind == plan::ProcessKind::trial; }));
  job.core = plan.core;
  job.calibration = kCalibration;
  plan::Counts limit_counts = step.counts;
  if (step.is_calibration) {
    // Nothing is known of the call yet: its length is covered by limits.call, and by as much again,
    // because a calibration calls twice at least.
    limit_counts = {1, 0, 0, static_cast<double>(kCalibration.value)};
  } else {
    const plan::Process& process = plan.processes[step.process];
    job.process = process.block;
    job.calls = is_percall ? step.counts.samples : step.counts.calls;
    job.warmups = step.counts.warmups;
    job.message_offset = process.message_offset;
    job.digest_offset = process.digest_offset;
    job.env_padding = process.env_padding;
  }
  job.time_limit = plan::process_time_limit(campaign, limit_counts);
  if (step.is_calibration) {
    job.time_limit.value += plan::call_time_limit(campaign).value;
  }
  job.address_space = plan::address_space_limit(campaign, cell.message_bytes);
  job.stack = campaign.limits.stack;
  job.env = campaign.env;
  job.uid = campaign.sandbox.uid;
  job.is_sandboxed = campaign.sandbox.enabled;
  return job;
}

}  // namespace

void carry_out(const campaign::Campaign& campaign, const plan::Plan& plan,
               const std::vector<std::vector<std::filesystem::path>>& libraries, Schedule& schedule,
               Meter& meter, record::Journal& journal,
               const std::function<void(const Step&)>& on_process) {
  for (;;) {
    const auto step = schedule.next();
    if (!step) {
      return;
    }
    throw_if_stopped();
    on_process(*step);
    const auto& of_build = libraries.at(plan.cells[step->cell].build);
    record::Observation observation = meter.measure(make_job(campaign, plan, of_build, *step));
    schedule.judge(observation);
    journal.append(observation);
    schedule.add(observation);
  }
}

}  // namespace hashprof::runner
