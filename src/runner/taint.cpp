// SPDX-License-Identifier: MIT
// See runner/taint.h.
#include "runner/taint.h"

#include "base/text.h"

namespace hashprof::runner {

namespace {

constexpr double kMostLostShare = 0.005;
constexpr std::uint64_t kMostLostNs = 20'000;
constexpr double kMostStolenShare = 0.01;
constexpr std::uint64_t kFewestStolenTicks = 2;  // one tick may be the rounding of next to nothing
constexpr double kTickNs = 1e7;                  // USER_HZ is 100 on every Linux we run on
constexpr double kPercent = 100.0;

std::string share_text(double share) { return text::significant(share * kPercent, 2) + " %"; }

std::string milliseconds_text(std::uint64_t ns) {
  return text::fixed(static_cast<double>(ns) / 1e6, 2) + " ms";
}

}  // namespace

std::vector<std::string> find_disturbances(const record::Observation& o) {
  std::vector<std::string> found;
  if (o.outcome != record::Outcome::complete || o.elapsed_ns == 0) {
    return found;
  }
  const auto elapsed = static_cast<double>(o.elapsed_ns);
  const double lost = static_cast<double>(o.lost_ns) / elapsed;
  if (o.lost_ns > kMostLostNs && lost > kMostLostShare) {
    found.push_back("off the CPU: " + milliseconds_text(o.lost_ns) + " of " +
                    milliseconds_text(o.elapsed_ns) + " (" + share_text(lost) + ")");
  }
  if (o.migrations > 0) {
    found.push_back("migrated: " + std::to_string(o.migrations) + " times to another core");
  }
  const std::uint64_t ticks = o.steal_ticks.value_or(0);
  const double stolen = static_cast<double>(ticks) * kTickNs / elapsed;
  if (ticks >= kFewestStolenTicks && stolen > kMostStolenShare) {
    found.push_back("stolen by the hypervisor: " + std::to_string(ticks) + " ticks of 10 ms in " +
                    milliseconds_text(o.elapsed_ns));
  }
  if (o.suspended_ns > 0) {
    found.push_back("suspended: the machine slept for " + milliseconds_text(o.suspended_ns));
  }
  if (o.time_running_ns < o.time_enabled_ns) {
    found.push_back("multiplexed: the counter ran " + std::to_string(o.time_running_ns) +
                    " ns of " + std::to_string(o.time_enabled_ns) + " ns");
  }
  return found;
}

}  // namespace hashprof::runner
