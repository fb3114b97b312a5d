// SPDX-License-Identifier: MIT
// See record/memory_view.h.
#include "record/memory_view.h"

#include <algorithm>
#include <array>
#include <utility>

namespace hashprof::record {

namespace {

constexpr std::uint64_t kKibibyte = 1024;
/// Anonymous memory that a call may grow by without a word: the allocator's own pages, the stack's.
constexpr std::uint64_t kQuietGrowthBytes = std::uint64_t{64} * kKibibyte;

/// What two witnesses say differently, or nothing. The usable size and what was lost are one
/// witness' own.
std::string find_difference(const HeapUse& meter, const HeapUse& probes) {
  for (const HeapMember& member : heap_members()) {
    if (member.member == &HeapUse::peak_usable_bytes || member.member == &HeapUse::lost) {
      continue;
    }
    if (meter.*member.member != probes.*member.member) {
      return std::string(member.name) + " " + std::to_string(meter.*member.member) +
             " by the meter, " + std::to_string(probes.*member.member) + " by the probes";
    }
  }
  return {};
}

const Seen<HeapUse>& headline(const MemoryCall& call) {
  return call.meter.value || !call.probes.value ? call.meter : call.probes;
}

void compare_witnesses(const MemoryOperation& operation, MemoryCellView& cell) {
  const std::array<std::pair<const MemoryCall*, const char*>, 2> calls{
      {{&operation.first, "first call"}, {&operation.later, "later call"}}};
  std::size_t both = 0;
  std::size_t any = 0;
  for (const auto& [call, name] : calls) {
    any += call->meter.value || call->probes.value ? 1 : 0;
    if (!call->meter.value || !call->probes.value) {
      continue;
    }
    ++both;
    const std::string difference = find_difference(*call->meter.value, *call->probes.value);
    if (!difference.empty() && cell.disagreement.empty()) {
      cell.disagreement = std::string(name) + ": " + difference;
    }
  }
  if (both < calls.size()) {
    const MemoryCall& call =
        both == 1 && operation.later.meter.value && operation.later.probes.value ? operation.first
                                                                                 : operation.later;
    cell.second_reason = call.meter.value ? call.probes.reason : call.meter.reason;
  }
  cell.witnesses = !cell.disagreement.empty() ? Witnesses::disagree
                   : both == calls.size()     ? Witnesses::agree
                   : any > 0                  ? Witnesses::one
                                              : Witnesses::none;
}

Seen<std::uint64_t> larger_peak(const MemoryCellView& cell) {
  if (!cell.first.value || !cell.later.value) {
    return Seen<std::uint64_t>::absent(!cell.first.value ? cell.first.reason : cell.later.reason);
  }
  return Seen<std::uint64_t>::of(
      std::max(cell.first.value->peak_bytes, cell.later.value->peak_bytes));
}

/// The sum of what is all there.
Seen<std::uint64_t> sum(
    std::initializer_list<std::pair<const char*, const Seen<std::uint64_t>*>> parts) {
  std::uint64_t bytes = 0;
  for (const auto& [name, part] : parts) {
    if (!part->value) {
      return Seen<std::uint64_t>::absent("without " + std::string(name) + ": " + part->reason);
    }
    bytes += *part->value;
  }
  return Seen<std::uint64_t>::of(bytes);
}

MemoryCellView make_cell(const MemoryOperation& operation, const StaticFigures& figures) {
  MemoryCellView cell;
  cell.operation = operation.operation;
  cell.message_bytes = operation.message_bytes;
  cell.output_bytes = operation.output_bytes;
  cell.first = headline(operation.first);
  cell.later = headline(operation.later);
  compare_witnesses(operation, cell);
  cell.heap_peak = larger_peak(cell);
  cell.stack = operation.stack_bytes;
  cell.algorithm_peak = sum({{"the static part", &figures.own_bytes},
                             {"the heap", &cell.heap_peak},
                             {"the stack", &cell.stack}});
  cell.first_pages = operation.first.pages;
  cell.first_window = operation.first.window;
  return cell;
}

std::optional<stats::Growth> growth_of(const std::vector<MemoryCellView>& cells,
                                       Seen<std::uint64_t> MemoryCellView::*figure) {
  std::vector<stats::Point> points;
  for (const MemoryCellView& cell : cells) {
    if ((cell.*figure).value && cell.output_bytes == cells.front().output_bytes) {
      points.push_back({static_cast<double>(cell.message_bytes),
                        static_cast<double>((cell.*figure).value.value())});
    }
  }
  return stats::fit_growth(points);
}

std::string blocks(std::uint64_t bytes, std::uint64_t count) {
  return std::to_string(bytes) + " B in " + std::to_string(count) +
         (count == 1 ? " block" : " blocks");
}

/// The first operation of which something holds, and of how many it does.
template <typename Holds>
void add_finding(const MemoryView& view, std::vector<std::string>& findings, Holds holds) {
  std::string text;
  std::size_t count = 0;
  for (const MemoryCellView& cell : view.cells) {
    const std::string found = holds(cell);
    if (!found.empty()) {
      if (count == 0) {
        text = cell.operation;
        text.append(": ").append(found);
      }
      ++count;
    }
  }
  if (count > 0) {
    findings.push_back(text + (count > 1 ? ", and " + std::to_string(count - 1) +
                                               (count == 2 ? " more operation" : " more operations")
                                         : ""));
  }
}

std::string find_left(const MemoryCellView& cell) {
  if (!cell.later.value || cell.later.value->left_blocks == 0) {
    return {};
  }
  return "each call leaves " + blocks(cell.later.value->left_bytes, cell.later.value->left_blocks) +
         " allocated";
}

std::string find_first_difference(const MemoryCellView& cell) {
  if (!cell.first.value || !cell.later.value ||
      cell.first.value->peak_bytes == cell.later.value->peak_bytes) {
    return {};
  }
  return "the first call has a heap peak of " + std::to_string(cell.first.value->peak_bytes) +
         " B, the next " + std::to_string(cell.later.value->peak_bytes) + " B";
}

std::string find_failures(const MemoryCellView& cell) {
  const std::uint64_t failures = (cell.first.value ? cell.first.value->failures : 0) +
                                 (cell.later.value ? cell.later.value->failures : 0);
  return failures == 0 ? std::string() : std::to_string(failures) + " allocations gave no block";
}

/// Memory that the allocation functions did not give: a map or an arena of the library's own.
std::string find_own_memory(const MemoryCellView& cell) {
  std::uint64_t heap = cell.first.value ? cell.first.value->peak_usable_bytes : 0;
  heap = std::max(heap, cell.first.value ? cell.first.value->peak_bytes : 0);
  if (!cell.first.value) {
    return {};
  }
  if (cell.first_window.value) {
    const std::uint64_t mapped = cell.first_window.value->mapped_bytes.value_or(0);
    const std::uint64_t grown = cell.first_window.value->anon_growth_bytes.value_or(0);
    if (heap == 0 && mapped > 0) {
      return "mapped " + std::to_string(mapped) +
             " B without an allocation: memory of its own (mmap)";
    }
    if (grown > heap + kQuietGrowthBytes) {
      return "anonymous memory grew by " + std::to_string(grown) + " B, its heap by " +
             std::to_string(heap) + " B: memory of its own";
    }
    return {};
  }
  if (cell.first_pages.value) {
    const PageUse& pages = *cell.first_pages.value;
    const std::uint64_t grown = pages.anon_after_kib > pages.anon_before_kib
                                    ? (pages.anon_after_kib - pages.anon_before_kib) * kKibibyte
                                    : 0;
    if (grown > heap + kQuietGrowthBytes) {
      return "RssAnon grew by " + std::to_string(grown) + " B, its heap by " +
             std::to_string(heap) + " B: memory of its own";
    }
  }
  return {};
}

void add_findings(const MemoryEntry& entry, MemoryView& view) {
  std::vector<std::string>& findings = view.findings;
  add_finding(view, findings, [](const MemoryCellView& cell) {
    return cell.disagreement.empty() ? std::string() : "witnesses disagree: " + cell.disagreement;
  });
  const Seen<HeapUse>& load = headline(entry.load);
  if (load.value && load.value->left_blocks > 0) {
    findings.push_back("constructors keep " +
                       blocks(load.value->left_bytes, load.value->left_blocks) +
                       ", which is in no sum");
  }
  add_finding(view, findings, find_first_difference);
  add_finding(view, findings, find_left);
  add_finding(view, findings, find_failures);
  add_finding(view, findings, find_own_memory);
  for (const MemoryCellView& cell : view.cells) {
    if (cell.stack.value && view.bound.bytes.value && *cell.stack.value > *view.bound.bytes.value) {
      findings.push_back(cell.operation + ": the stack was observed at " +
                         std::to_string(*cell.stack.value) + " B, above the bound of " +
                         std::to_string(*view.bound.bytes.value) + " B: the bound does not hold");
      break;
    }
  }
}

json::Value to_json(const Seen<std::uint64_t>& seen) {
  return seen.value ? json::Value(*seen.value) : json::Object{{"reason", seen.reason}};
}

const char* growth_name(stats::Growth::Kind kind) {
  return kind == stats::Growth::Kind::constant ? "constant"
         : kind == stats::Growth::Kind::linear ? "linear"
                                               : "irregular";
}

json::Value to_json(const std::optional<stats::Growth>& growth) {
  if (!growth) {
    return {};
  }
  return json::Object{{"kind", growth_name(growth->kind)},
                      {"slope", growth->slope},
                      {"fixed", growth->fixed},
                      {"least", growth->least},
                      {"most", growth->most},
                      {"is_copy", growth->is_copy()}};
}

}  // namespace

const char* witnesses_name(Witnesses witnesses) {
  switch (witnesses) {
    case Witnesses::none:
      return "none";
    case Witnesses::one:
      return "one";
    case Witnesses::agree:
      return "agree";
    case Witnesses::disagree:
      break;
  }
  return "disagree";
}

bool MemoryView::has_disagreement() const {
  return std::any_of(cells.begin(), cells.end(), [](const MemoryCellView& cell) {
    return cell.witnesses == Witnesses::disagree;
  });
}

MemoryView derive_memory(const MemoryEntry& entry, const StaticFigures& figures) {
  MemoryView view;
  view.reason = entry.failure;
  view.own_bytes = figures.own_bytes;
  view.rom_bytes = figures.rom_bytes;
  view.ram_bytes = figures.ram_bytes;
  view.bound = entry.bound;
  view.imports_reason = entry.imports_reason;
  view.imports = entry.imports;
  view.needed = entry.needed;
  for (const MemoryOperation& operation : entry.operations) {
    view.cells.push_back(make_cell(operation, figures));
  }
  view.heap_growth = growth_of(view.cells, &MemoryCellView::heap_peak);
  view.stack_growth = growth_of(view.cells, &MemoryCellView::stack);
  add_findings(entry, view);
  return view;
}

json::Value to_json(const MemoryView& view) {
  json::Array cells;
  for (const MemoryCellView& cell : view.cells) {
    cells.push_back(json::Object{{"operation", cell.operation},
                                 {"message_bytes", cell.message_bytes},
                                 {"output_bytes", cell.output_bytes},
                                 {"heap_peak_bytes", to_json(cell.heap_peak)},
                                 {"witnesses", witnesses_name(cell.witnesses)},
                                 {"disagreement", cell.disagreement},
                                 {"stack_bytes", to_json(cell.stack)},
                                 {"algorithm_peak_bytes", to_json(cell.algorithm_peak)}});
  }
  json::Array findings(view.findings.begin(), view.findings.end());
  return json::Object{
      {"own_bytes", to_json(view.own_bytes)},     {"rom_bytes", to_json(view.rom_bytes)},
      {"ram_bytes", to_json(view.ram_bytes)},     {"cells", std::move(cells)},
      {"heap_growth", to_json(view.heap_growth)}, {"stack_growth", to_json(view.stack_growth)},
      {"findings", std::move(findings)}};
}

}  // namespace hashprof::record
