// SPDX-License-Identifier: MIT
// See record/agreement.h.
#include "record/agreement.h"

#include <algorithm>
#include <functional>

#include "base/text.h"

namespace hashprof::record {

namespace {

constexpr double kOwnSpeed = 1.03;   // a slice beyond it is slow, as a process is
constexpr double kBusyShare = 0.20;  // of a neighbour's time
constexpr double kQuietShare = 0.05;
constexpr std::uint64_t kFewestTicks = 5;  // more than kBusyShare of them is two ticks at least
constexpr double kPercent = 100;
constexpr std::uint32_t kPage = 4096;

double call_value(const Observation& o, bool is_cycles) {
  return is_cycles ? static_cast<double>(o.cycles.value()) / static_cast<double>(o.calls)
                   : o.call_ns();
}

bool have_cycles(const Trials& trials) {
  return std::all_of(trials.begin(), trials.end(),
                     [](const Observation* o) { return o->cycles.has_value(); });
}

double median_of(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// A fact of a process that either holds or does not; `text` says what it is of the first odd one.
struct Fact {
  std::function<bool(const Observation&)> holds;
  std::function<std::string(const Observation&)> text;
};

/// The share of its time that a CPU was busy beside a process. Nothing where that was not recorded,
/// or over so few ticks that one of them, which may be a moment's work, would pass for busy.
std::optional<double> find_busy_share(const Observation& o, std::uint32_t cpu) {
  const auto at = std::find_if(o.neighbours.begin(), o.neighbours.end(),
                               [cpu](const Neighbour& other) { return other.cpu == cpu; });
  if (at == o.neighbours.end() || at->total_ticks < kFewestTicks) {
    return std::nullopt;
  }
  return static_cast<double>(at->busy_ticks) / static_cast<double>(at->total_ticks);
}

std::string percent(double share) { return text::fixed(share * kPercent, 0) + " %"; }

/// Two addresses on one line of a cache that a page's worth of bytes indexes: a store to one can
/// hold up a load from the other.
bool is_aliased(std::uint32_t a, std::uint32_t b) { return a % kPage / 64 == b % kPage / 64; }

std::vector<Fact> page_facts() {
  return {
      {[](const Observation& o) { return o.baseline_anon_huge_kib.value_or(0) > 0; },
       [](const Observation& o) {
         return "with memory on huge pages (AnonHugePages " +
                std::to_string(*o.baseline_anon_huge_kib) + " KiB)";
       }},
      {[](const Observation& o) { return o.baseline_file_pmd_kib.value_or(0) > 0; },
       [](const Observation& o) {
         return "with code on huge pages (FilePmdMapped " +
                std::to_string(*o.baseline_file_pmd_kib) + " KiB)";
       }},
      {[](const Observation& o) { return o.baseline_file_pmd_kib == std::uint64_t{0}; },
       [](const Observation&) { return std::string("without code on huge pages"); }},
      {[](const Observation& o) { return o.major_faults > 0; },
       [](const Observation& o) {
         return "that read pages from a disk (" + std::to_string(o.major_faults) + " major faults)";
       }},
  };
}

std::vector<Fact> address_facts() {
  return {
      {[](const Observation& o) { return is_aliased(o.addresses.message, o.addresses.digest); },
       [](const Observation&) {
         return std::string("whose message and digest begin at one offset of a page");
       }},
      {[](const Observation& o) { return is_aliased(o.addresses.message, o.addresses.stack); },
       [](const Observation&) {
         return std::string("whose message begins at the offset of its stack in a page");
       }},
      {[](const Observation& o) { return is_aliased(o.addresses.digest, o.addresses.stack); },
       [](const Observation&) {
         return std::string("whose digest begins at the offset of its stack in a page");
       }},
  };
}

/// A neighbour that was busy beside the odd ones and quiet beside all others, and known of all.
std::vector<Fact> neighbour_facts(const Trials& trials, const Observation& first) {
  std::vector<Fact> facts;
  for (const Neighbour& neighbour : first.neighbours) {
    const std::uint32_t cpu = neighbour.cpu;
    const bool is_known = std::all_of(trials.begin(), trials.end(), [cpu](const Observation* o) {
      return find_busy_share(*o, cpu).has_value();
    });
    const double share = is_known ? find_busy_share(first, cpu).value_or(0) : 0;
    if (share > kBusyShare) {
      facts.push_back({[cpu](const Observation& o) {
                         return find_busy_share(o, cpu).value_or(0) > kQuietShare;
                       },
                       [neighbour, share](const Observation&) {
                         return "while CPU " + std::to_string(neighbour.cpu) + ", which shares " +
                                (neighbour.shares == "core" ? "its core" : neighbour.shares) +
                                ", was busy (" + percent(share) + ")";
                       }});
    }
  }
  return facts;
}

/// Libraries of a build that are linked in several layouts.
std::vector<Fact> layout_facts(const Observation& first) {
  return {{[layout = first.layout](const Observation& o) { return o.layout == layout; },
           [](const Observation& o) { return "in layout " + std::to_string(o.layout); }}};
}

double slice_value(const Slice& slice, bool is_cycles) {
  const std::uint64_t count = is_cycles ? slice.cycles.value_or(0) : slice.elapsed_ns;
  return static_cast<double>(count) / static_cast<double>(std::max<std::uint64_t>(1, slice.calls));
}

/// "in 3 of its 16 slices", "throughout"; empty where slices cannot tell.
std::string slices_text(const Trials& trials, const Observation& odd, bool is_cycles,
                        bool is_slow) {
  std::vector<double> values;
  for (const Observation* o : trials) {
    values.push_back(call_value(*o, is_cycles));
  }
  const double median = median_of(std::move(values));
  if (odd.slices.size() < 2 || median <= 0) {
    return "";
  }
  const auto count = std::count_if(odd.slices.begin(), odd.slices.end(), [&](const Slice& slice) {
    const double ratio = slice_value(slice, is_cycles) / median;
    return is_slow ? ratio > kOwnSpeed : ratio < 1 / kOwnSpeed;
  });
  if (static_cast<std::size_t>(count) == odd.slices.size()) {
    return "throughout";
  }
  return "in " + std::to_string(count) + " of its " + std::to_string(odd.slices.size()) + " slices";
}

}  // namespace

std::vector<double> headline_values(const Trials& trials) {
  const bool is_cycles = have_cycles(trials);
  std::vector<double> values;
  values.reserve(trials.size());
  for (const Observation* o : trials) {
    values.push_back(call_value(*o, is_cycles));
  }
  return values;
}

std::optional<double> find_slice_drift(const Trials& trials) {
  constexpr std::size_t kFewestSlices = 9;
  const bool is_cycles = have_cycles(trials);
  std::vector<double> ratios;
  for (const Observation* o : trials) {
    std::vector<double> values;
    values.reserve(o->slices.size());
    for (const Slice& slice : o->slices) {
      values.push_back(slice_value(slice, is_cycles));
    }
    const std::size_t third = values.size() / 3;
    if (values.size() < kFewestSlices) {
      return std::nullopt;
    }
    const auto part = static_cast<std::ptrdiff_t>(third);
    const double first = median_of({values.begin(), values.begin() + part});
    const double last = median_of({values.end() - part, values.end()});
    if (first <= 0) {
      return std::nullopt;
    }
    ratios.push_back(last / first);
  }
  if (ratios.empty()) {
    return std::nullopt;
  }
  const double ratio = median_of(std::move(ratios));
  return ratio > kOwnSpeed || ratio < 1 / kOwnSpeed ? std::optional(ratio - 1) : std::nullopt;
}

std::vector<stats::Agreement> judge_cells(const std::vector<Trials>& cells) {
  std::vector<std::vector<double>> values;
  for (const Trials& trials : cells) {
    std::vector<double> of_cell = headline_values(trials);
    const bool is_sound =
        std::all_of(of_cell.begin(), of_cell.end(), [](double value) { return value > 0; });
    values.push_back(is_sound ? std::move(of_cell) : std::vector<double>());
  }
  const double scale = stats::pooled_scale(values);
  std::vector<stats::Agreement> agreements;
  agreements.reserve(values.size());
  for (const std::vector<double>& of_cell : values) {
    agreements.push_back(stats::judge_agreement(of_cell, scale));
  }
  return agreements;
}

std::vector<std::string> explain(const Trials& trials, const std::vector<std::size_t>& odd) {
  const Observation& first = *trials.at(odd.front());
  const bool is_cycles = have_cycles(trials);
  std::vector<std::string> clauses;
  if (odd.size() == 1) {
    const std::vector<double> values = headline_values(trials);
    const bool is_slow = values[odd.front()] > median_of(values);
    clauses.push_back(slices_text(trials, first, is_cycles, is_slow));
  }
  std::vector<Fact> facts = page_facts();
  for (const auto& more : {address_facts(), neighbour_facts(trials, first), layout_facts(first)}) {
    facts.insert(facts.end(), more.begin(), more.end());
  }
  for (const Fact& fact : facts) {
    std::size_t at = 0;
    const bool sets_apart = std::all_of(trials.begin(), trials.end(), [&](const Observation* o) {
      const bool is_odd = std::binary_search(odd.begin(), odd.end(), at++);
      return fact.holds(*o) == is_odd;
    });
    if (sets_apart) {
      clauses.push_back((odd.size() == 1 ? "the only one " : "the only ones ") + fact.text(first));
    }
  }
  clauses.erase(std::remove(clauses.begin(), clauses.end(), ""), clauses.end());
  return clauses;
}

}  // namespace hashprof::record
