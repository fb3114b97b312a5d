// SPDX-License-Identifier: MIT
// Section 5.1: the memory of the call alone, by instance and size; its growth; what is odd; and
// what is in no sum.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "report/markdown.h"
#include "report/markdown_text.h"
#include "report/page.h"
#include "report/words.h"

namespace hashprof::report {

namespace {

using record::MemoryCellView;
using record::MemoryView;
using record::Seen;

std::string bytes(Page& page, const Seen<std::uint64_t>& seen) {
  return seen.value ? fmt::format("{}", *seen.value) : page.notes.absent(seen.reason);
}

std::string allocations(Page& page, const MemoryCellView& cell) {
  return cell.later.value ? fmt::format("{}", cell.later.value->allocations)
                          : page.notes.absent(cell.later.reason);
}

std::string left(Page& page, const MemoryCellView& cell) {
  return cell.later.value ? fmt::format("{}", cell.later.value->left_bytes)
                          : page.notes.absent(cell.later.reason);
}

/// "2: agree", "1: meter¹", "**disagree**".
std::string witnesses(Page& page, const MemoryCellView& cell) {
  switch (cell.witnesses) {
    case record::Witnesses::agree:
      return "2, agree";
    case record::Witnesses::disagree:
      return "2, **disagree**";
    case record::Witnesses::one:
      return "1" + page.notes.mark(cell.second_reason);
    case record::Witnesses::none:
      break;
  }
  return page.notes.absent(cell.later.reason);
}

std::string why_no_memory(const RunView& run, const BuildView& build) {
  if (!build.is_built) {
    return why_no_library(run, build);
  }
  if (is_failing(build) && !build.is_timed_despite_failing) {
    return "known answers " + build.kat_status;
  }
  return build.memory.reason.empty() ? "the run did not come to its memory pass"
                                     : build.memory.reason;
}

std::string growth_text(const std::optional<stats::Growth>& growth) {
  if (!growth) {
    return "one size only";
  }
  switch (growth->kind) {
    case stats::Growth::Kind::constant:
      return fmt::format("constant, {:.0f} B", growth->fixed);
    case stats::Growth::Kind::linear:
      return fmt::format("{} B a message byte + {:.0f} B{}", text::fixed(growth->slope, 3),
                         growth->fixed, growth->is_copy() ? ": **copies the message**" : "");
    case stats::Growth::Kind::irregular:
      break;
  }
  return fmt::format("between {:.0f} and {:.0f} B", growth->least, growth->most);
}

void add_cells(Page& page) {
  Table table = page.make_table({{"instance"},
                                 {"operation"},
                                 {"static own", true},
                                 {"heap peak", true},
                                 {"allocations", true},
                                 {"left", true},
                                 {"witnesses"},
                                 {"stack", true},
                                 {"stack bound", true},
                                 {"algorithm peak", true}});
  for (const BuildView& build : page.run.builds) {
    const MemoryView& memory = build.memory;
    for (const MemoryCellView& cell : memory.cells) {
      page.add_row(table, build,
                   {row_name(build), escape(cell.operation), bytes(page, memory.own_bytes),
                    bytes(page, cell.heap_peak), allocations(page, cell), left(page, cell),
                    witnesses(page, cell), bytes(page, cell.stack), bytes(page, memory.bound.bytes),
                    bytes(page, cell.algorithm_peak)});
    }
    if (memory.cells.empty()) {
      std::vector<std::string> row = {row_name(build)};
      row.resize(10, page.notes.absent(why_no_memory(page.run, build)));
      page.add_row(table, build, std::move(row));
    }
  }
  page.add_table(table, "Nothing was built.");
}

void add_growth(Page& page) {
  Table table = page.make_table(
      {{"instance"}, {"ROM", true}, {"RAM", true}, {"heap grows"}, {"stack grows"}});
  for (const BuildView& build : page.run.builds) {
    if (!build.memory.cells.empty()) {
      page.add_row(table, build,
                   {row_name(build), bytes(page, build.memory.rom_bytes),
                    bytes(page, build.memory.ram_bytes), growth_text(build.memory.heap_growth),
                    growth_text(build.memory.stack_growth)});
    }
  }
  if (!table.is_empty()) {
    page.add(table.render());
  }
}

/// What stands out, a build a line.
void add_findings(Page& page) {
  std::string list;
  for (const BuildView& build : page.run.builds) {
    for (const std::string& finding : build.memory.findings) {
      list += "- " + name_of(page.run, build) + ": " + escape(finding) + "\n";
    }
  }
  if (!list.empty()) {
    page.add(list);
  }
}

void add_bounds(Page& page) {
  std::string list;
  for (const BuildView& build : page.run.builds) {
    const record::StackBoundEntry& bound = build.memory.bound;
    if (!bound.bytes.value) {
      continue;
    }
    std::vector<std::string> externals;
    externals.reserve(bound.externals.size());
    for (const record::ExternalDepth& external : bound.externals) {
      externals.push_back(fmt::format("{} {} B", escape(external.function), external.bytes));
    }
    list += fmt::format("- {}: {} B by {}{}\n", name_of(page.run, build), bound.bytes.value.value(),
                        escape(text::join(bound.path, " > ")),
                        externals.empty()
                            ? ""
                            : "; measured depth of the C library: " + text::join(externals, ", "));
  }
  if (!list.empty()) {
    page.add("**Stack bounds** by the compiler's call graph:");
    page.add(list);
  }
}

void add_others(Page& page) {
  const auto text_of = [](const RunView&, const BuildView& build) {
    const MemoryView& memory = build.memory;
    if (memory.cells.empty()) {
      return std::string("not measured");
    }
    if (!memory.imports_reason.empty()) {
      return escape("not known: " + memory.imports_reason);
    }
    return escape((memory.imports.empty() ? "takes nothing of other libraries"
                                          : "takes " + text::join(memory.imports, ", ")) +
                  (memory.needed.empty() ? "" : " of " + text::join(memory.needed, ", ")));
  };
  page.add(
      "In no sum: the caller's message and digest, the C library's own functions and tables, and "
      "other libraries. What each library takes of them:");
  page.add(list_by_text(page.run, text_of));
}

}  // namespace

void add_memory_summary(Page& page) {
  Table table = page.make_table({{"memory of a call"},
                                 {"static own, B", true},
                                 {"heap peak, B", true},
                                 {"stack, B", true},
                                 {"heap grows"}});
  for (const BuildView& build : page.run.builds) {
    if (build.memory.cells.empty()) {
      continue;
    }
    const MemoryCellView& longest =
        *std::max_element(build.memory.cells.begin(), build.memory.cells.end(),
                          [](const MemoryCellView& left, const MemoryCellView& right) {
                            return left.message_bytes < right.message_bytes;
                          });
    page.add_row(
        table, build,
        {row_name(build), bytes(page, build.memory.own_bytes), bytes(page, longest.heap_peak),
         bytes(page, longest.stack), growth_text(build.memory.heap_growth)});
  }
  if (!table.is_empty()) {
    page.add("**Memory** of a call of the longest message; section 5.1 has every size.");
    page.add(table.render());
  }
}

void add_memory(Page& page) {
  page.add("### 5.1 Memory of the call");
  const auto has_cells = [](const BuildView& build) { return !build.memory.cells.empty(); };
  if (std::none_of(page.run.builds.begin(), page.run.builds.end(), has_cells)) {
    const std::string reason = page.run.is_simulated ? "the run is simulated"
                               : page.run.builds.empty()
                                   ? "nothing was built"
                                   : why_no_memory(page.run, page.run.builds.front());
    page.add("Not measured: " + escape(reason) + ".");
    return;
  }
  add_cells(page);
  page.add(
      "Bytes. Static own: the library's image without that of an empty library. Heap peak: most "
      "bytes asked of malloc and its kin that were live at once between entry and return, the "
      "larger of two calls; left: live after the second. Stack: down to the deepest byte written. "
      "Algorithm peak: their sum, an upper bound of what the call takes at once. Witnesses: "
      "whether "
      "the meter within the process and BPF probes outside it count the same to the byte. "
      "hashprof-memory(1) defines each.");
  add_growth(page);
  add_findings(page);
  add_bounds(page);
  add_others(page);
}

std::string memory_page(const record::RunView& run) {
  Page page(run);
  add_memory(page);
  if (const std::string footnotes = page.notes.render(); !footnotes.empty()) {
    page.add(footnotes);
  }
  return std::move(page.text);
}

}  // namespace hashprof::report
