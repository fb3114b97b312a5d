// SPDX-License-Identifier: MIT
// See runner/simulated_scenarios.h.
#include "runner/simulated_scenarios.h"

#include <algorithm>
#include <bit>
#include <string>
#include <string_view>

namespace hashprof::runner {

namespace {

constexpr std::uint64_t kSpread = 3'000'000;           // parts of kShareOfOne to each side: 0.3 %
constexpr std::uint64_t kTailStep = 10'000'000;        // 1 %
constexpr int kLongestTail = 40;                       // steps
constexpr std::uint64_t kSlow = 1'500'000'000;         // × 1.5
constexpr std::uint64_t kSecondSpeed = 1'120'000'000;  // + 12 %
constexpr std::uint64_t kNearSpeed = 1'040'000'000;    // + 4 %
constexpr std::uint64_t kSlowPercent = 4;
constexpr std::uint64_t kSecondPercent = 30;
constexpr std::uint64_t kNearPercent = 50;
constexpr std::uint64_t kShortMessage = 128;       // bytes, of two-modes
constexpr std::uint64_t kLostSpeed = 200'000'000;  // 20 %
enum Draw : std::uint64_t { draw_spread, draw_speed, draw_tail };

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

std::uint64_t even_spread(std::uint64_t noise) {
  return kShareOfOne - kSpread + simulated_draw(noise, draw_spread) % (2 * kSpread + 1);
}

/// The spread of a quiet process, at `speed` in `percent` of all of them.
std::uint64_t one_of_two(std::uint64_t noise, std::uint64_t percent, std::uint64_t speed) {
  const std::uint64_t share = even_spread(noise);
  return simulated_draw(noise, draw_speed) % 100 < percent ? take_share(share, speed) : share;
}

/// Halves: the leading zeros of an even draw are k with the probability 1 / 2^(k + 1).
std::uint64_t tail(std::uint64_t noise) {
  const int steps = std::min(std::countl_zero(simulated_draw(noise, draw_tail)), kLongestTail);
  return kShareOfOne + static_cast<std::uint64_t>(steps) * kTailStep +
         simulated_draw(noise, draw_spread) % kTailStep;
}

/// At the time t of the run, 0 to 1, the speed is 1 - 0.2 t.
std::uint64_t drift(const Job& job) {
  const std::uint64_t last = std::max<std::uint64_t>(2, job.planned) - 1;
  const std::uint64_t speed = kShareOfOne - kLostSpeed * std::min(job.ordinal, last) / last;
  return kShareOfOne * kShareOfOne / speed;
}

/// Where `percent` of all processes are at a slower speed and the others spread evenly, the median
/// of all is the quantile 50 / (100 - percent) of the others: the slower ones lie above it.
double median_beside(std::uint64_t percent) {
  const double quantile = 50.0 / static_cast<double>(100 - percent);
  return 1.0 + static_cast<double>(kSpread) / static_cast<double>(kShareOfOne) * (2 * quantile - 1);
}

}  // namespace

std::uint64_t simulated_draw(std::uint64_t noise, std::uint64_t which) {
  return mix(noise ^ mix(which));
}

std::uint64_t simulated_noise(Scenario scenario, std::uint64_t seed, const Job& job) {
  const auto* const row =
      std::find_if(kScenarios.begin(), kScenarios.end(),
                   [&](const ScenarioText& text) { return text.scenario == scenario; });
  return hash_text(job.cell + "|" + job.phase + "|" + std::to_string(job.process) + "|" +
                       std::to_string(job.attempt),
                   hash_text(row->name, seed));
}

std::uint64_t simulated_call_cycles(std::uint64_t seed, const Job& job) {
  const std::uint64_t invented = hash_text(job.cell.substr(0, job.cell.rfind('/')), seed);
  const std::uint64_t fixed = 300 + invented % 900;
  const std::uint64_t millicycles_a_byte = 4000 + (invented >> 32U) % 12000;
  const std::uint64_t cycles = fixed + job.message_bytes / 1000 * millicycles_a_byte +
                               job.message_bytes % 1000 * millicycles_a_byte / 1000;
  return job.is_latency ? cycles + cycles * (2 + (invented >> 16U) % 4) / 100 : cycles;
}

std::uint64_t simulated_share(Scenario scenario, const Job& job, std::uint64_t noise) {
  switch (scenario) {
    case Scenario::slow:
      return one_of_two(noise, kSlowPercent, kSlow);
    case Scenario::bimodal:
      return one_of_two(noise, kSecondPercent, kSecondSpeed);
    case Scenario::two_modes:
      return job.message_bytes <= kShortMessage ? one_of_two(noise, kNearPercent, kNearSpeed)
                                                : even_spread(noise);
    case Scenario::skewed:
      return tail(noise);
    case Scenario::drifting:
      return take_share(even_spread(noise), drift(job));
    case Scenario::quiet:
    case Scenario::noisy:
    case Scenario::no_pmu:
    case Scenario::zero_counter:
    case Scenario::multiplexed:
    case Scenario::wrapping:
      return even_spread(noise);
  }
  return kShareOfOne;
}

std::uint64_t take_share(std::uint64_t value, std::uint64_t share) {
  // In two steps: value * share may not fit 64 bits.
  return value / kShareOfOne * share + value % kShareOfOne * share / kShareOfOne;
}

std::optional<double> true_median_share(Scenario scenario) {
  switch (scenario) {
    case Scenario::slow:
      return median_beside(kSlowPercent);
    case Scenario::bimodal:
      return median_beside(kSecondPercent);
    case Scenario::skewed:
      return 1.0 + static_cast<double>(kTailStep) / static_cast<double>(kShareOfOne);
    case Scenario::two_modes:
    case Scenario::drifting:
      return std::nullopt;
    default:
      return 1.0;
  }
}

}  // namespace hashprof::runner
