// SPDX-License-Identifier: MIT
// The meter of --simulate: invented figures, said to be so in every report. A function of
// scenario, seed and job alone, in whole numbers, so that they are the same on every machine.
#include <algorithm>
#include <array>
#include <cerrno>
#include <string_view>

#include "base/error.h"
#include "base/text.h"
#include "counters/open_error.h"
#include "runner/meter.h"

namespace hashprof::runner {

namespace {

constexpr std::uint64_t kSlices = 16;
constexpr const char* kUtc = "2026-01-01T00:00:00Z";

/// splitmix64: a step of a generator whose outputs are well mixed.
std::uint64_t mix(std::uint64_t value) {
  value += 0x9e3779b97f4a7c15U;
  value = (value ^ (value >> 30U)) * 0xbf58476d1ce4e5b9U;
  value = (value ^ (value >> 27U)) * 0x94d049bb133111ebU;
  return value ^ (value >> 31U);
}

/// FNV-1a, mixed with `seed`.
std::uint64_t hash_text(std::string_view text, std::uint64_t seed) {
  std::uint64_t hash = 0xcbf29ce484222325U ^ mix(seed);
  for (const char character : text) {
    hash = (hash ^ static_cast<unsigned char>(character)) * 0x100000001b3U;
  }
  return mix(hash);
}

/// `value` moved by at most `parts` parts in 100,000, by the low bits of `noise`.
std::uint64_t disturb(std::uint64_t value, std::uint64_t noise, std::uint64_t parts) {
  const std::uint64_t span = 2 * parts + 1;
  const std::uint64_t share = 100000 - parts + noise % span;
  // In two steps: value * share may not fit 64 bits.
  return value / 100000 * share + value % 100000 * share / 100000;
}

/// 2.5 GHz.
std::uint64_t cycles_to_ns(std::uint64_t cycles) { return cycles / 5 * 2 + cycles % 5 * 2 / 5; }

class SimulatedMeter final : public Meter {
 public:
  SimulatedMeter(std::string scenario, std::uint64_t seed)
      : scenario_(std::move(scenario)), seed_(seed) {}

  record::Observation measure(const Job& job) override {
    record::Observation out = describe(job);
    const std::uint64_t noise =
        hash_text(job.cell + "|" + job.phase + "|" + std::to_string(job.process) + "|" +
                      std::to_string(job.attempt),
                  hash_text(scenario_, seed_));
    const std::uint64_t call_cycles = disturb(plain_call_cycles(job), noise, 300);
    out.calls =
        job.phase == "calibrate"
            ? std::max<std::uint64_t>(
                  1, job.calibration.value / std::max<std::uint64_t>(1, cycles_to_ns(call_cycles)))
            : job.calls;
    out.first_call_ns = cycles_to_ns(call_cycles * 6 + 4000);
    fill_slices(call_cycles, noise, out);
    out.time_enabled_ns = out.time_running_ns = counts_cycles() ? out.elapsed_ns : 0;
    out.lost_ns = noise % 2000;
    out.steal_ticks = 0;
    if (scenario_ == "noisy") {
      disturb_process(job, noise, out);
    }
    out.involuntary_switches = noise % 3;
    fill_memory(job, noise, out);
    return out;
  }

  std::string now_utc() override { return kUtc; }
  [[nodiscard]] std::string simulation() const override {
    return scenario_ + ", seed " + std::to_string(seed_);
  }

 private:
  [[nodiscard]] bool counts_cycles() const { return scenario_ != "no-pmu"; }

  /// A quarter of all attempts lose time to another process or to the hypervisor; one process in
  /// twelve does so in every attempt.
  void disturb_process(const Job& job, std::uint64_t noise, record::Observation& out) const {
    const std::uint64_t fate = hash_text(
        job.cell + "|" + job.phase + "|" + std::to_string(job.process), hash_text("fate", seed_));
    if (mix(noise) % 4 != 0 && fate % 12 != 0) {
      return;
    }
    if (mix(noise) % 8 < 6) {
      out.lost_ns = out.elapsed_ns / 50;
      out.involuntary_switches = 4;
    } else {
      out.steal_ticks = 2 + out.elapsed_ns / 500'000'000;
    }
  }

  [[nodiscard]] static record::Observation describe(const Job& job) {
    record::Observation out;
    out.cell = job.cell;
    out.phase = job.phase;
    out.process = job.process;
    out.attempt = job.attempt;
    out.start_utc = kUtc;
    out.warmups = job.warmups;
    out.message_offset = job.message_offset;
    out.digest_offset = job.digest_offset;
    out.env_padding = job.env_padding;
    out.layout = job.layout;
    out.is_sandboxed = job.is_sandboxed;
    return out;
  }

  /// A fixed cost and a cost a byte, both of the build: the cell's name up to its operation.
  [[nodiscard]] std::uint64_t plain_call_cycles(const Job& job) const {
    const std::string build = job.cell.substr(0, job.cell.rfind('/'));
    const std::uint64_t invented = hash_text(build, seed_);
    const std::uint64_t fixed = 300 + invented % 900;
    const std::uint64_t millicycles_a_byte = 4000 + (invented >> 32U) % 12000;
    return fixed + job.message_bytes / 1000 * millicycles_a_byte +
           job.message_bytes % 1000 * millicycles_a_byte / 1000;
  }

  void fill_slices(std::uint64_t call_cycles, std::uint64_t noise, record::Observation& out) const {
    const std::uint64_t slices = std::min(kSlices, out.calls);
    std::uint64_t all_cycles = 0;
    std::uint64_t all_instructions = 0;
    for (std::uint64_t i = 0; i < slices; ++i) {
      const std::uint64_t calls = out.calls / slices + (i < out.calls % slices ? 1 : 0);
      const std::uint64_t cycles = disturb(calls * call_cycles, mix(noise + i), 100);
      const std::uint64_t instructions = calls * call_cycles / 5 * 14;
      record::Slice slice{calls, std::nullopt, std::nullopt, cycles_to_ns(cycles)};
      if (counts_cycles()) {
        slice.cycles = cycles;
        slice.instructions = instructions;
      }
      out.slices.push_back(slice);
      out.elapsed_ns += slice.elapsed_ns;
      all_cycles += cycles;
      all_instructions += instructions;
    }
    if (counts_cycles()) {
      out.cycles = all_cycles;
      out.instructions = all_instructions;
      out.read_method = "simulated";
      return;
    }
    out.read_method = "none";
    out.cycles_reason = counters::explain_open_error(ENOENT, "cycles", {}).sentence;
    out.instructions_reason = out.cycles_reason;
  }

  static void fill_memory(const Job& job, std::uint64_t noise, record::Observation& out) {
    const std::uint64_t baseline = 1400 + noise % 16 * 4 + job.message_bytes / 1024;
    out.baseline_rss_kib = baseline;
    out.peak_rss_kib = baseline + 8;
    out.baseline_file_pmd_kib = 0;
    out.addresses.message = job.message_offset % 65536;
    out.addresses.digest = job.digest_offset % 65536;
    out.addresses.stack = static_cast<std::uint32_t>(noise % 4096 * 16);
    out.addresses.text = 0x1100;
  }

  std::string scenario_;
  std::uint64_t seed_;
};

}  // namespace

std::unique_ptr<Meter> make_simulated_meter(const std::string& spec) {
  constexpr std::array<std::string_view, 3> kScenarios{"quiet", "noisy", "no-pmu"};
  const std::size_t comma = spec.find(',');
  const std::string scenario = spec.substr(0, comma);
  if (std::find(kScenarios.begin(), kScenarios.end(), scenario) == kScenarios.end()) {
    throw Error(Fault::usage, "--simulate", "unknown scenario '" + text::printable(scenario) + "'")
        .hint(
            "scenarios: quiet (counts cycles), noisy (counts cycles, is disturbed), no-pmu (time "
            "only)");
  }
  if (comma == std::string::npos) {
    return std::make_unique<SimulatedMeter>(scenario, 1);
  }
  const std::string digits = spec.substr(comma + 1);
  const auto seed = text::parse_unsigned(digits);
  if (!seed) {
    throw Error(Fault::usage, "--simulate",
                "the seed '" + text::printable(digits) + "' is not a whole number")
        .hint("for example --simulate=quiet,7");
  }
  return std::make_unique<SimulatedMeter>(scenario, *seed);
}

}  // namespace hashprof::runner
