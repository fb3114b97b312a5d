// SPDX-License-Identifier: MIT
// The meter of --simulate: invented figures, said to be so in every report. A function of
// scenario, seed and job alone, in whole numbers, so that they are the same on every machine. What
// it invents is the result of a worker; whether its counters may be printed is judged as ever.
#include <algorithm>
#include <cerrno>
#include <utility>

#include "base/error.h"
#include "base/scenarios.h"
#include "base/text.h"
#include "runner/hardware_meter.h"
#include "runner/meter.h"
#include "runner/simulated_scenarios.h"

namespace hashprof::runner {

namespace {

constexpr std::uint64_t kSlices = 16;
constexpr std::uint64_t kSliceSpread = 1'000'000;   // parts of kShareOfOne to each side: 0.1 %
constexpr std::uint64_t kSampleSpread = 5'000'000;  // 0.5 %
constexpr std::uint64_t kEmptySample = 40;
constexpr std::uint64_t kEmptySpread = 2;
constexpr std::uint64_t kFirstCallNs = 4000;  // pages and caches that the first call finds cold
constexpr const char* kUtc = "2026-01-01T00:00:00Z";
/// Beginnings of the draws of one process; simulated_share has those below 16.
enum Draws : std::uint64_t {
  draws_fate = 16,
  draws_memory = 17,
  draws_slices = 64,
  draws_empty = std::uint64_t{1} << 32U,
  draws_samples = std::uint64_t{2} << 32U,
  draws_doubled = std::uint64_t{3} << 32U,
};

/// 2.5 GHz.
std::uint64_t cycles_to_ns(std::uint64_t cycles) { return cycles / 5 * 2 + cycles % 5 * 2 / 5; }

/// One process before it is an observation.
struct Process {
  const Job& job;
  Scenario scenario;
  std::uint64_t noise;
  std::uint64_t call_cycles;
  std::uint64_t share;

  [[nodiscard]] bool has_pmu() const { return scenario != Scenario::no_pmu; }
  [[nodiscard]] std::uint64_t cycles_of(std::uint64_t calls) const {
    return take_share(calls * call_cycles, share);
  }
  [[nodiscard]] std::uint64_t draw(std::uint64_t which) const {
    return simulated_draw(noise, which);
  }
};

/// In cycles, or in nanoseconds without a PMU.
std::uint64_t in_unit(const Process& process, std::uint64_t cycles) {
  return process.has_pmu() ? cycles : cycles_to_ns(cycles);
}

/// The smallest power of two whose sample is long beside an empty one, as the worker chooses it.
std::uint64_t choose_batch(const Process& process) {
  std::uint64_t batch = 1;
  while (batch < HASHPROF_MAX_BATCH && kEmptySample + in_unit(process, process.cycles_of(batch)) <
                                           HASHPROF_BATCH_FACTOR * kEmptySample) {
    batch *= 2;
  }
  return batch;
}

std::uint64_t count_doubled(std::uint64_t samples, std::uint64_t batch) {
  return batch > 1 ? std::min<std::uint64_t>(samples, HASHPROF_MAX_DOUBLED_SAMPLES) : 0;
}

std::uint64_t count_calls(const Process& process) {
  const Job& job = process.job;
  if (job.phase == "percall") {
    const std::uint64_t batch = choose_batch(process);
    return batch * (job.calls + 2 * count_doubled(job.calls, batch));
  }
  if (job.phase != "calibrate") {
    return job.calls;
  }
  const std::uint64_t call_ns = std::max<std::uint64_t>(1, cycles_to_ns(process.cycles_of(1)));
  return std::max<std::uint64_t>(1, job.calibration.value / call_ns);
}

/// What slice `i` of `slices` takes beside its part of the loop. Every two slices have the same to
/// both sides, so that the process takes neither more nor less.
std::uint64_t slice_share(const Process& process, std::uint64_t i, std::uint64_t slices) {
  if (i == slices - 1 && slices % 2 == 1) {
    return kShareOfOne;
  }
  const std::uint64_t part = process.draw(draws_slices + i / 2) % (2 * kSliceSpread + 1);
  return kShareOfOne - kSliceSpread + (i % 2 == 0 ? part : 2 * kSliceSpread - part);
}

void fill_slices(const Process& process, hashprof_result& result) {
  result.calls = count_calls(process);
  const std::uint64_t slices = std::min(kSlices, result.calls);
  result.slice_count = static_cast<std::uint32_t>(slices);
  for (std::uint64_t i = 0; i < slices; ++i) {
    const std::uint64_t calls = result.calls / slices + (i < result.calls % slices ? 1 : 0);
    const std::uint64_t cycles =
        take_share(process.cycles_of(calls), slice_share(process, i, slices));
    result.slices[i] = {calls, cycles_to_ns(cycles), cycles, calls * process.call_cycles / 5 * 14};
  }
}

/// What the counter of the scenario makes of what there was to count.
void spoil_counter(Scenario scenario, hashprof_result& result) {
  hashprof_slice& last = result.slices[result.slice_count - 1];
  switch (scenario) {
    case Scenario::no_pmu:
      result.open_errno[HASHPROF_EVENT_CYCLES] = result.open_errno[HASHPROF_EVENT_INSTRUCTIONS] =
          ENOENT;
      result.is_counting = 0;
      result.read_method = HASHPROF_READ_NONE;
      result.time_enabled_ns = result.time_running_ns = 0;
      break;
    case Scenario::zero_counter:
      for (hashprof_slice& slice : result.slices) {
        slice.cycles = slice.instructions = 0;
      }
      result.probe_cycles = 0;
      break;
    case Scenario::multiplexed:
      result.time_running_ns = result.time_enabled_ns / 4 * 3;
      break;
    case Scenario::wrapping:
      last.cycles = 0 - last.cycles;
      break;
    default:
      break;
  }
}

/// A quarter of all attempts lose time to another process or to the hypervisor; one process in
/// twelve does so in every attempt.
bool is_disturbed(const Process& process, std::uint64_t seed) {
  Job whole = process.job;
  whole.attempt = 0;
  const std::uint64_t fate =
      simulated_draw(simulated_noise(process.scenario, seed, whole), draws_fate);
  return process.scenario == Scenario::noisy &&
         (process.draw(draws_fate) % 4 == 0 || fate % 12 == 0);
}

bool is_stolen(const Process& process) { return process.draw(draws_fate) / 4 % 4 == 3; }

void fill_times(const Process& process, bool is_off_cpu, hashprof_result& result) {
  std::uint64_t elapsed_ns = 0;
  for (const hashprof_slice& slice : result.slices) {
    elapsed_ns += slice.elapsed_ns;
  }
  const std::uint64_t lost_ns = is_off_cpu ? elapsed_ns / 50 : process.noise % 2000;
  result.cpu_ns = elapsed_ns - std::min(elapsed_ns, lost_ns);
  result.involuntary_switches = is_off_cpu ? 4 : process.noise % 3;
  result.is_counting = 1;
  result.read_method = HASHPROF_READ_SYSCALL;
  result.probe_cycles = HASHPROF_PROBE_ADDS;
  result.time_enabled_ns = result.time_running_ns = elapsed_ns;
  result.first_call_ns = cycles_to_ns(process.cycles_of(6)) + kFirstCallNs;
  result.first_call_cycles = process.cycles_of(6) + kFirstCallNs / 2 * 5;
}

void fill_memory(const Process& process, hashprof_result& result) {
  const Job& job = process.job;
  result.baseline_rss_kib = 1400 + process.noise % 16 * 4 + job.message_bytes / 1024;
  result.peak_rss_kib = result.baseline_rss_kib + 8;
  result.baseline_anon_kib = 100;
  result.baseline_file_kib = result.baseline_rss_kib - result.baseline_anon_kib;
  result.last_anon_kib = result.baseline_anon_kib + 8;
  result.last_file_kib = result.baseline_file_kib;
  result.message_address = job.message_offset;
  result.digest_address = job.digest_offset;
  result.stack_address = process.noise % 4096 * 16;
  result.entry_address = 0x1100;
  result.heap_address = process.draw(draws_memory) % 4096 * 16;
}

std::uint64_t empty_sample(const Process& process, std::uint64_t which) {
  return kEmptySample - kEmptySpread + process.draw(which) % (2 * kEmptySpread + 1);
}

void append_samples(const Process& process, std::uint64_t begin, std::uint64_t count,
                    std::uint64_t calls, std::vector<std::uint64_t>& samples) {
  const std::uint64_t plain = in_unit(process, process.cycles_of(calls));
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t spread = process.draw(begin + 2 * i) % (2 * kSampleSpread + 1);
    samples.push_back(empty_sample(process, begin + 2 * i + 1) +
                      take_share(plain, kShareOfOne - kSampleSpread + spread));
  }
}

/// What the worker of a percall leaves in descriptor 7, and in `result` how to read it.
std::vector<std::uint64_t> sample_calls(const Process& process, hashprof_result& result) {
  const std::uint64_t count = process.job.calls;
  const std::uint64_t batch = choose_batch(process);
  result.batch = static_cast<std::uint32_t>(batch);
  result.doubled_count = static_cast<std::uint32_t>(count_doubled(count, batch));
  std::vector<std::uint64_t> samples;
  samples.reserve(HASHPROF_ALL_SAMPLES(count));
  for (std::uint64_t i = 0; i < HASHPROF_EMPTY_SAMPLES; ++i) {
    samples.push_back(empty_sample(process, draws_empty + i));
  }
  append_samples(process, draws_samples, count, batch, samples);
  append_samples(process, draws_doubled, result.doubled_count, 2 * batch, samples);
  samples.resize(HASHPROF_ALL_SAMPLES(count));
  return samples;
}

/// The result as any worker's, through the judgement of its counters and samples.
record::Observation observe_result(const Process& process, hashprof_result& result) {
  hashprof_request request{};
  request.kind = kind_of(process.job.phase);
  request.calls = result.calls;
  std::vector<std::uint64_t> samples;
  if (request.kind == HASHPROF_KIND_PERCALL) {
    request.calls = process.job.calls;
    samples = sample_calls(process, result);
  }
  WorkerEnd end;
  end.step = HASHPROF_STEP_DONE;
  end.result = result;
  record::Observation out = observe(process.job, request, end, {"2", "x86_64"}, samples);
  if (out.cycles) {
    out.read_method = "simulated";
    out.first_call_cycles = result.first_call_cycles;
  }
  out.baseline_anon_huge_kib = result.anon_huge_kib;
  out.addresses.heap = static_cast<std::uint32_t>(result.heap_address);
  return out;
}

class SimulatedMeter final : public Meter {
 public:
  SimulatedMeter(Scenario scenario, std::string name, std::uint64_t seed)
      : scenario_(scenario), name_(std::move(name)), seed_(seed) {}

  record::Observation measure(const Job& job) override {
    const std::uint64_t noise = simulated_noise(scenario_, seed_, job);
    const Process process{job, scenario_, noise, simulated_call_cycles(seed_, job),
                          simulated_share(scenario_, job, noise)};
    const bool is_hit = is_disturbed(process, seed_);
    hashprof_result result{};
    fill_slices(process, result);
    fill_times(process, is_hit && !is_stolen(process), result);
    fill_memory(process, result);
    spoil_counter(scenario_, result);
    record::Observation out = observe_result(process, result);
    out.start_utc = kUtc;
    out.steal_ticks = is_hit && is_stolen(process) ? 2 + out.elapsed_ns / 500'000'000 : 0;
    return out;
  }

  std::string now_utc() override { return kUtc; }
  [[nodiscard]] std::string simulation() const override {
    return name_ + ", seed " + std::to_string(seed_);
  }

 private:
  Scenario scenario_;
  std::string name_;
  std::uint64_t seed_;
};

}  // namespace

std::unique_ptr<Meter> make_simulated_meter(const std::string& spec) {
  const std::size_t comma = spec.find(',');
  const std::string name = spec.substr(0, comma);
  const auto scenario = find_scenario(name);
  if (!scenario) {
    throw Error(Fault::usage, "--simulate", "unknown scenario '" + text::printable(name) + "'")
        .hint("scenarios: " + list_scenarios(true));
  }
  if (comma == std::string::npos) {
    return std::make_unique<SimulatedMeter>(*scenario, name, 1);
  }
  const std::string digits = spec.substr(comma + 1);
  const auto seed = text::parse_unsigned(digits);
  if (!seed) {
    throw Error(Fault::usage, "--simulate",
                "the seed '" + text::printable(digits) + "' is not a whole number")
        .hint("for example --simulate=quiet,7");
  }
  return std::make_unique<SimulatedMeter>(*scenario, name, *seed);
}

}  // namespace hashprof::runner
