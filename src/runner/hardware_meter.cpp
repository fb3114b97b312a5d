// SPDX-License-Identifier: MIT
// The real meter: a worker a process, its end as an observation.
#include "runner/hardware_meter.h"

#include <fcntl.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "base/file.h"
#include "base/sys.h"
#include "base/text.h"
#include "host/cache_neighbours.h"
#include "kat/vectors.h"
#include "runner/affinity.h"
#include "runner/core_time.h"
#include "runner/library_file.h"
#include "runner/outcome.h"
#include "runner/request.h"
#include "runner/worker_file.h"

namespace hashprof::runner {

namespace {

constexpr std::uint32_t kSlices = 16;
/// Room behind the digest: a hash that writes more than it was asked for meets this first.
constexpr std::uint64_t kDigestSlack = 4096;
constexpr const char* kSamples = "hashprof-samples";
constexpr const char* kIncomplete = "the process did not complete";

std::string message_bytes(const Job& job) {
  const std::vector<std::uint8_t> message = kat::pattern_message(job.message_bytes);
  std::string bytes(job.message_offset, '\0');
  bytes.append(message.begin(), message.end());
  // mmap refuses an empty map.
  bytes.resize(std::max<std::size_t>(bytes.size(), 1));
  return bytes;
}

std::optional<std::uint64_t> find_kib(std::uint64_t value) {
  return value == std::numeric_limits<std::uint64_t>::max() ? std::nullopt : std::optional(value);
}

std::uint32_t modulo_64_kib(std::uint64_t address) {
  return static_cast<std::uint32_t>(address % 65536);
}

void store_slices(const hashprof_result& result, const CounterVerdict& verdict,
                  record::Observation& out) {
  std::uint64_t cycles = 0;
  std::uint64_t instructions = 0;
  for (std::uint32_t i = 0; i < result.slice_count; ++i) {
    const hashprof_slice& slice = result.slices[i];
    out.slices.push_back(
        {slice.calls, verdict.has_cycles ? std::optional(slice.cycles) : std::nullopt,
         verdict.has_instructions ? std::optional(slice.instructions) : std::nullopt,
         slice.elapsed_ns});
    out.elapsed_ns += slice.elapsed_ns;
    cycles += slice.cycles;
    instructions += slice.instructions;
  }
  if (verdict.has_cycles) {
    out.cycles = cycles;
  }
  if (verdict.has_instructions) {
    out.instructions = instructions;
  }
  out.cycles_reason = verdict.cycles_reason;
  out.instructions_reason = verdict.instructions_reason;
  out.read_method = verdict.has_cycles ? read_method_name(result.read_method) : "none";
  if (verdict.has_cycles && result.probe_cycles != 0) {
    out.probe_cycles = result.probe_cycles;
    const std::string odd = find_odd_clock(result.probe_cycles);
    if (!odd.empty()) {
      out.findings.push_back(odd);
    }
  }
}

/// Nothing where the counter that the samples were read from may not be believed.
std::optional<record::Percall> find_percall(const hashprof_request& request,
                                            const hashprof_result& result, bool has_cycles,
                                            std::span<const std::uint64_t> samples) {
  const bool is_counting = result.is_counting != 0;
  if (request.kind != HASHPROF_KIND_PERCALL || is_counting != has_cycles) {
    return std::nullopt;
  }
  const auto part = [&](std::size_t from, std::size_t count) {
    const auto values = samples.subspan(from, count);
    return std::vector<std::uint64_t>(values.begin(), values.end());
  };
  record::Percall percall;
  percall.unit = is_counting ? "cycles" : "ns";
  percall.batch = result.batch;
  percall.empty = part(0, HASHPROF_EMPTY_SAMPLES);
  percall.samples = part(HASHPROF_EMPTY_SAMPLES, request.calls);
  percall.doubled = part(HASHPROF_EMPTY_SAMPLES + request.calls, result.doubled_count);
  return percall;
}

void store_first_call(const hashprof_result& result, record::Observation& out) {
  out.first_call_ns = result.first_call_ns;
  if (out.cycles && result.first_call_cycles > 0 &&
      result.first_call_cycles <= std::numeric_limits<std::uint64_t>::max() / 2) {
    out.first_call_cycles = result.first_call_cycles;
  }
}

void store_result(const hashprof_result& result, const counters::OpenFacts& facts,
                  record::Observation& out) {
  store_slices(result, judge_counters(result, facts), out);
  out.calls = result.calls;
  store_first_call(result, out);
  out.time_enabled_ns = result.time_enabled_ns;
  out.time_running_ns = result.time_running_ns;
  out.lost_ns = out.elapsed_ns > result.cpu_ns ? out.elapsed_ns - result.cpu_ns : 0;
  out.voluntary_switches = result.voluntary_switches;
  out.involuntary_switches = result.involuntary_switches;
  out.migrations = result.migrations;
  out.minor_faults = result.minor_faults;
  out.major_faults = result.major_faults;
  out.suspended_ns = result.suspended_ns;
  out.baseline_rss_kib = find_kib(result.baseline_rss_kib);
  out.peak_rss_kib = find_kib(result.peak_rss_kib);
  out.baseline_file_pmd_kib = find_kib(result.file_pmd_kib);
  out.baseline_anon_kib = find_kib(result.baseline_anon_kib);
  out.baseline_file_kib = find_kib(result.baseline_file_kib);
  out.last_anon_kib = find_kib(result.last_anon_kib);
  out.last_file_kib = find_kib(result.last_file_kib);
  out.last_file_pmd_kib = find_kib(result.last_file_pmd_kib);
  out.baseline_anon_huge_kib = find_kib(result.anon_huge_kib);
  out.addresses = {modulo_64_kib(result.message_address), modulo_64_kib(result.digest_address),
                   modulo_64_kib(result.stack_address), modulo_64_kib(result.entry_address),
                   modulo_64_kib(result.heap_address)};
}

/// Empty where it cannot be read: then nothing is known of any core.
std::string read_core_times() { return find_file_text("/proc/stat").value_or(""); }

/// What is known of a process before it runs.
record::Observation begin_observation(const Job& job) {
  record::Observation out;
  out.cell = job.cell;
  out.phase = job.phase;
  out.process = job.process;
  out.attempt = job.attempt;
  out.warmups = job.warmups;
  out.message_offset = job.message_offset;
  out.digest_offset = job.digest_offset;
  out.env_padding = job.env_padding;
  out.layout = job.layout;
  out.read_method = "none";
  out.is_sandboxed = job.is_sandboxed;
  return out;
}

class HardwareMeter final : public Meter {
 public:
  explicit HardwareMeter(std::filesystem::path worker)
      : worker_(std::move(worker)), facts_(read_open_facts()) {
    check_worker(worker_);
  }

  record::Observation measure(const Job& job) override {
    plan_for(job.core);
    const WorkerSpec spec = make_worker_spec(job, worker_, events_);
    const std::string refusal = find_refusal(spec.library, job.library);
    if (!refusal.empty()) {
      record::Observation out = begin_observation(job);
      out.start_utc = utc_now();
      out.outcome = record::Outcome::load_failed;
      out.detail = refusal;
      out.cycles_reason = out.instructions_reason = kIncomplete;
      return out;
    }
    if (!avoidance_ || avoidance_->core() != job.core) {
      avoidance_.reset();
      avoidance_ = std::make_unique<CoreAvoidance>(job.core);
    }
    const std::string start = utc_now();
    const std::string times_before = read_core_times();
    const WorkerEnd end = run_worker(spec);
    const std::string times_after = read_core_times();
    record::Observation out = observe(job, spec.request, end, facts_, read_samples(spec));
    out.start_utc = start;
    out.pmu = out.cycles ? events_.pmu : "";
    out.steal_ticks = find_steal_between(times_before, times_after, job.core);
    out.neighbours = neighbours_between(neighbours_, times_before, times_after);
    out.is_core_shared_with_parent = avoidance_->is_shared();
    return out;
  }

  std::string now_utc() override { return utc_now(); }
  [[nodiscard]] std::string simulation() const override { return ""; }

 private:
  void plan_for(std::uint32_t core) {
    if (planned_core_ != core) {
      events_ = counters::plan_events("/", core, facts_.architecture);
      facts_.no_instructions = events_.instructions.missing;
      neighbours_ = host::find_cache_neighbours("/", core);
      planned_core_ = core;
    }
  }

  std::filesystem::path worker_;
  counters::OpenFacts facts_;
  counters::EventPlan events_;
  std::vector<host::CacheNeighbour> neighbours_;  ///< of the core that was planned for
  std::optional<std::uint32_t> planned_core_;
  std::unique_ptr<CoreAvoidance> avoidance_;
};

}  // namespace

std::uint32_t kind_of(const std::string& phase) {
  if (phase == "percall") {
    return HASHPROF_KIND_PERCALL;
  }
  return phase == "calibrate" ? HASHPROF_KIND_CALIBRATE : HASHPROF_KIND_TRIAL;
}

hashprof_perf_event to_request(const counters::PlannedEvent& event) {
  hashprof_perf_event out{};
  if (event.missing.empty()) {
    out.type = event.type;
    out.config = event.config;
    out.tries =
        static_cast<std::uint32_t>(std::min<std::size_t>(event.config1.size(), HASHPROF_MAX_TRIES));
    std::copy_n(event.config1.begin(), out.tries, std::begin(out.config1));
  }
  return out;
}

WorkerSpec make_worker_spec(const Job& job, const std::filesystem::path& worker,
                            const counters::EventPlan& events) {
  WorkerSpec spec;
  spec.worker = worker;
  spec.library = open_library(job.library);
  const std::string message = message_bytes(job);
  spec.message = sys::sealed_memory("hashprof-message", message);
  spec.core = job.core;
  spec.address_space = job.address_space;
  spec.stack = job.stack;
  spec.time_limit = job.time_limit;
  spec.env = job.env;
  spec.env_padding = job.env_padding;

  hashprof_request& request = spec.request;
  request.kind = kind_of(job.phase);
  request.flags = HASHPROF_FLAG_COUNT;
  if (job.is_latency) {
    request.flags |= HASHPROF_FLAG_LATENCY;
  }
  if (request.kind == HASHPROF_KIND_PERCALL) {
    const std::uint64_t samples = HASHPROF_ALL_SAMPLES(job.calls) * sizeof(std::uint64_t);
    spec.digest = sys::writable_memory(kSamples, samples);
    spec.address_space.value += samples;
  }
  const std::uint64_t declared_bytes = (job.digest_bits + 7) / 8;
  const std::uint64_t output_bytes = job.output_bytes.value_or(declared_bytes);
  if (job.output_bytes) {
    request.flags |= HASHPROF_FLAG_CHECK_OUTPUT;
  }
  request.digest_bits =
      job.output_bytes ? static_cast<std::uint32_t>(output_bytes * 8) : job.digest_bits;
  request.message_bits = job.message_bytes * 8;
  request.message_map_bytes = message.size();
  request.message_offset = job.message_offset;
  request.digest_offset = job.digest_offset;
  request.digest_map_bytes =
      job.digest_offset + std::max(declared_bytes, output_bytes) + kDigestSlack;
  request.calls = job.calls;
  request.slices = kSlices;
  request.warmups = job.warmups;
  request.calibrate_ns = job.calibration.value;
  request.events[HASHPROF_EVENT_CYCLES] = to_request(events.cycles);
  request.events[HASHPROF_EVENT_INSTRUCTIONS] = to_request(events.instructions);
  choose_sandbox(job.is_sandboxed, job.uid, request);
  set_entry(job.entry, request);
  return spec;
}

std::vector<std::uint64_t> read_samples(const WorkerSpec& spec) {
  if (spec.request.kind != HASHPROF_KIND_PERCALL) {
    return {};
  }
  const auto size = static_cast<std::size_t>(sys::fstat(spec.digest.get(), kSamples).st_size);
  std::vector<std::uint64_t> samples(size / sizeof(std::uint64_t));
  sys::read_at(spec.digest.get(), 0, std::as_writable_bytes(std::span(samples)), kSamples);
  return samples;
}

record::Observation observe(const Job& job, const hashprof_request& request, const WorkerEnd& end,
                            const counters::OpenFacts& facts,
                            std::span<const std::uint64_t> samples) {
  record::Observation out = begin_observation(job);
  Named named = name_end(end, job.time_limit, job.library.filename().native());
  if (named.outcome == record::Outcome::complete && end.result) {
    const std::string contradiction = find_contradiction(request, *end.result, samples);
    if (!contradiction.empty()) {
      named = {record::Outcome::worker_failed, contradiction};
    }
  }
  out.outcome = named.outcome;
  out.detail = named.detail;
  if (out.outcome == record::Outcome::complete && end.result) {
    store_result(*end.result, facts, out);
    out.percall = find_percall(request, *end.result, out.cycles.has_value(), samples);
  } else {
    out.cycles_reason = out.instructions_reason = kIncomplete;
  }
  return out;
}

std::unique_ptr<Meter> make_hardware_meter(std::filesystem::path worker) {
  return std::make_unique<HardwareMeter>(std::move(worker));
}

}  // namespace hashprof::runner
