// SPDX-License-Identifier: MIT
// See app/readiness.h.
#include "app/readiness.h"

#include <algorithm>
#include <chrono>
#include <thread>

#include "app/output.h"
#include "base/error.h"
#include "base/text.h"
#include "kat/vectors.h"
#include "runner/live_probe.h"

namespace hashprof::app {

namespace {

constexpr std::size_t kMostClockProbes = 3;
constexpr std::chrono::seconds kBetweenClockProbes{5};
constexpr const char* kKat = "kat";

host::CounterProbe probe_counter(std::uint32_t core) {
  runner::CounterTrial trial = runner::try_counter(core);
  return {trial.cycles, trial.additions, std::move(trial.sentence), std::move(trial.remedy)};
}

std::vector<host::ClockWindows> probe_clock(std::uint32_t core, bool has_counter) {
  std::vector<host::ClockWindows> probes;
  Progress progress;
  while (probes.size() < kMostClockProbes) {
    progress.show("probing the clock, " + std::to_string(probes.size() + 1) + " of at most " +
                  std::to_string(kMostClockProbes));
    runner::RateWindows windows = runner::measure_rates(core, has_counter);
    probes.push_back({windows.are_cycles, std::move(windows.rates)});
    if (host::is_steady(probes.back())) {
      break;
    }
    if (probes.size() < kMostClockProbes) {
      std::this_thread::sleep_for(kBetweenClockProbes);
    }
  }
  return probes;
}

host::LiveFacts probe(std::uint32_t core, const host::Surroundings& surroundings,
                      const Probes& probes) {
  host::LiveFacts live;
  if (!probes.pinning && !probes.counter && !probes.clock) {
    return live;
  }
  try {
    const runner::CorePin pin(surroundings.core);
    live.pinning_fault = "";
    bool has_counter = false;
    if (probes.counter || probes.clock) {
      host::CounterProbe counter = probe_counter(core);
      has_counter = counter.cycles.has_value();
      live.counter = std::move(counter);
    }
    if (probes.clock && !surroundings.has_cpufreq) {
      live.clock = probe_clock(core, has_counter);
    }
  } catch (const Error& error) {
    if (live.pinning_fault.has_value()) {
      throw;
    }
    live.pinning_fault = error.what();
  }
  return live;
}

bool is_required(const Setup& setup, const std::string& word) {
  const auto& words = setup.campaign.require;
  return std::find(words.begin(), words.end(), word) != words.end();
}

std::string value_of(const host::Finding& finding) {
  return finding.value.value.value_or("unknown (" + finding.value.reason + ")");
}

void note_unmet(const std::string& word, const host::Finding& finding) {
  note("hashprof: require " + word + ": " + finding.id + ": " + value_of(finding));
  note(finding.remedy.empty() ? "  " + finding.meaning : "  mend: " + finding.remedy);
}

[[noreturn]] void refuse(const Setup& setup, const std::vector<std::string>& words,
                         const std::string& hint) {
  const std::size_t all = setup.campaign.require.size();
  throw Error(Fault::requirement, setup.campaign.file.native(),
              "require: " + std::to_string(words.size()) + " of " + std::to_string(all) +
                  (all == 1 ? " condition " : " conditions ") + (words.size() == 1 ? "is" : "are") +
                  " not met: " + text::join(words, ", "))
      .hint(hint);
}

}  // namespace

std::vector<host::Finding> find_findings(std::uint32_t core, const Probes& probes) {
  // Before the probes pin this process, and add to the load.
  const host::Surroundings surroundings = host::read_surroundings("/", core);
  return host::make_findings(host::read_host("/", core), surroundings,
                             probe(core, surroundings, probes));
}

std::vector<host::Finding> require_machine(const Setup& setup, bool is_simulated) {
  const bool is_clock_required = is_required(setup, "fixed-clock");
  const Probes probes{is_required(setup, "quiet-core"),
                      is_required(setup, "cycles") || is_clock_required, is_clock_required};
  if (is_simulated) {
    return find_findings(setup.plan.core, {});
  }
  std::vector<host::Finding> findings = find_findings(setup.plan.core, probes);
  std::vector<std::string> words;
  for (const std::string& word : setup.campaign.require) {
    const auto in_the_way = host::unmet(findings, word);
    for (const host::Finding& finding : in_the_way) {
      note_unmet(word, finding);
    }
    if (!in_the_way.empty()) {
      words.push_back(word);
    }
  }
  if (!words.empty()) {
    refuse(setup, words,
           "mend what is in the way, or take the words out of 'require'; 'hashprof doctor' shows "
           "all findings");
  }
  return findings;
}

bool lacks_known_answers(const Setup& setup, const std::vector<record::KatEntry>& answers) {
  return is_required(setup, kKat) &&
         std::any_of(answers.begin(), answers.end(), [](const record::KatEntry& entry) {
           return entry.status != kat::status_name(kat::Status::pass);
         });
}

void refuse_known_answers(const Setup& setup, const std::vector<record::KatEntry>& answers) {
  for (std::size_t build = 0; build < answers.size(); ++build) {
    const record::KatEntry& entry = answers[build];
    if (entry.status != kat::status_name(kat::Status::pass)) {
      note("hashprof: require kat: " + setup.plan.builds[build].id() + ": " + entry.status +
           (entry.detail.empty() ? "" : " " + entry.detail));
    }
  }
  refuse(setup, {kKat},
         "mend these builds, leave them out with --only, or take kat out of 'require'");
}

}  // namespace hashprof::app
