// SPDX-License-Identifier: MIT
// The phase that measures the memory of the calls, each witness in processes of its own; see
// app/session.h.
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <functional>

#include "app/output.h"
#include "app/session.h"
#include "app/verbs.h"
#include "base/error.h"
#include "base/file.h"
#include "base/sha256.h"
#include "base/text.h"
#include "elf/elf_image.h"
#include "elf/symbols.h"
#include "probes/heap_probe.h"
#include "record/memory_entry.h"
#include "runner/memory_process.h"
#include "runner/worker_file.h"
#include "toolchain/stack_bound.h"

namespace hashprof::app {

namespace {

namespace fs = std::filesystem;

/// Of a process beside its calls: starting, loading, painting.
constexpr Nanoseconds kBesideCalls{10'000'000'000};
/// A stack process calls an item three times, and again where a call went deeper than the last.
constexpr std::uint64_t kCallsAnItem = 4;
constexpr const char* kNotCrossChecked = "not cross-checked (memory.crosscheck)";
constexpr const char* kNotAsked = "not asked for (memory.witness)";

/// The message and output lengths of a build, each once whatever the modes.
std::vector<record::MemoryOperation> operations_of(const plan::Plan& plan, std::size_t build) {
  std::vector<record::MemoryOperation> operations;
  for (const plan::Cell& cell : plan.cells) {
    if (cell.build == build && cell.mode == campaign::Mode::throughput) {
      record::MemoryOperation operation;
      operation.operation = cell.operation();
      operation.message_bytes = cell.message_bytes;
      operation.output_bytes = cell.output_bytes;
      operations.push_back(std::move(operation));
    }
  }
  std::sort(operations.begin(), operations.end(), [](const auto& left, const auto& right) {
    return std::pair(left.message_bytes, left.output_bytes.value_or(0)) <
           std::pair(right.message_bytes, right.output_bytes.value_or(0));
  });
  return operations;
}

void leave_call(const std::string& meter, const std::string& probes, const std::string& pages,
                const std::string& window, record::MemoryCall& call) {
  call.meter = record::Seen<record::HeapUse>::absent(meter);
  call.probes = record::Seen<record::HeapUse>::absent(probes);
  call.pages = record::Seen<record::PageUse>::absent(pages);
  call.window = record::Seen<record::WindowUse>::absent(window);
}

/// Each figure once for each of its reasons.
void add_absent(const probes::AbsentFigure& absent, std::vector<record::AbsentFigure>& list) {
  const record::AbsentFigure figure{absent.figure, absent.reason};
  if (std::find(list.begin(), list.end(), figure) == list.end()) {
    list.push_back(figure);
  }
}

/// Calls `take` with each stretch of the entry and what a process says of it.
void for_each_stretch(
    record::MemoryEntry& entry, const runner::MemoryRun& run,
    const std::function<void(record::MemoryCall&, const runner::StretchUse&)>& take) {
  take(entry.load, run.load);
  for (std::size_t i = 0; i < run.calls.size() && i < entry.operations.size(); ++i) {
    take(entry.operations[i].first, run.calls[i][0]);
    take(entry.operations[i].later, run.calls[i][1]);
  }
}

}  // namespace

/// SHA-256 of what the figures of a build depend on beside its library.
std::string Session::memory_question(const plan::Build& build,
                                     const std::vector<record::MemoryOperation>& operations) const {
  const campaign::Campaign& campaign = setup_.campaign;
  json::Array wanted;
  for (const record::MemoryOperation& operation : operations) {
    wanted.emplace_back(operation.operation);
  }
  json::Array env;
  for (const auto& [name, value] : campaign.env) {
    env.push_back(json::Object{{name, value}});
  }
  const json::Value all = campaign::to_json(campaign);
  return sha256_of(json::write_compact(json::Object{{"tool", version()},
                                                    {"user", std::uint64_t{::geteuid()}},
                                                    {"digest_bits", build.digest_bits},
                                                    {"entry", build.settings.exported()},
                                                    {"operations", std::move(wanted)},
                                                    {"env", std::move(env)},
                                                    {"memory", all.at("memory")},
                                                    {"limits", all.at("limits")},
                                                    {"sandbox", all.at("sandbox")}}));
}

runner::MemoryJob Session::memory_job(
    const plan::Build& build, const std::vector<record::MemoryOperation>& operations) const {
  const campaign::Campaign& campaign = setup_.campaign;
  runner::MemoryJob job;
  job.worker = worker_;
  job.library = library_of(build);
  job.entry = build.settings.exported();
  job.core = setup_.plan.core;
  job.stack = campaign.limits.stack;
  job.env = campaign.env;
  job.uid = campaign.sandbox.uid;
  job.is_sandboxed = campaign.sandbox.enabled;
  std::uint64_t longest = 0;
  for (const record::MemoryOperation& operation : operations) {
    longest = std::max(longest, operation.message_bytes);
    const std::uint64_t bits =
        operation.output_bytes ? *operation.output_bytes * 8 : build.digest_bits;
    job.items.push_back({operation.message_bytes, static_cast<std::uint32_t>(bits)});
  }
  job.address_space = plan::address_space_limit(campaign, longest);
  job.time_limit = {kBesideCalls.value +
                    kCallsAnItem * operations.size() * plan::call_time_limit(campaign).value};
  return job;
}

/// What the compiler's call graph bounds the stack by, with the measured stack of the C library.
record::StackBoundEntry Session::bound_of(std::size_t index, const runner::MemoryJob& job) {
  record::StackBoundEntry entry;
  if (!requests_[index]) {
    entry.bytes = record::Seen<std::uint64_t>::absent("the library came built");
    return entry;
  }
  const toolchain::CallGraphResult made =
      toolchain::make_call_graph(*requests_[index], results_[index]);
  runner::throw_if_stopped();
  if (!made.graph) {
    entry.bytes = record::Seen<std::uint64_t>::absent(made.reason);
    return entry;
  }
  const plan::Build& build = setup_.plan.builds[index];
  write_file_atomically(paths().call_graph(build.family_id, build.label),
                        json::write_pretty(toolchain::to_json(*made.graph)));
  if (!depths_) {
    depths_.emplace();
    for (const auto& [function, bytes] : runner::measure_libc_depths(job, job.stack)) {
      depths_->emplace(function, bytes);
    }
  }
  toolchain::StackBound bound =
      toolchain::bound_stack(*made.graph, build.settings.exported(), *depths_);
  entry.bytes = bound.bytes ? record::Seen<std::uint64_t>::of(*bound.bytes)
                            : record::Seen<std::uint64_t>::absent(bound.reason);
  entry.path = std::move(bound.path);
  for (toolchain::ExternalCall& external : bound.externals) {
    entry.externals.push_back({std::move(external.name), external.bytes});
  }
  return entry;
}

/// Once: the programs stay attached to the end of the memory phase, in which nothing is timed.
void Session::open_witness() {
  if (window_probe_ || !no_window_.empty()) {
    return;
  }
  probes::WindowProbe::Opened opened = probes::WindowProbe::open();
  window_probe_ = std::move(opened.probe);
  no_window_ = opened.reason;
  if (!window_probe_) {
    note("hashprof: no outside witness of the memory: " + no_window_);
  }
}

/// Whether the probes count the heap of an operation too.
bool Session::is_cross_checked(const std::vector<record::MemoryOperation>& operations,
                               std::size_t operation) const {
  const std::uint64_t bytes = operations[operation].message_bytes;
  switch (setup_.campaign.memory.crosscheck) {
    case campaign::Crosscheck::all:
      return true;
    case campaign::Crosscheck::ends:
      return bytes == operations.front().message_bytes || bytes == operations.back().message_bytes;
    case campaign::Crosscheck::none:
      break;
  }
  return false;
}

/// Counts the heap once more from outside, by probes on the libc of a plain worker.
void Session::cross_check(const runner::MemoryJob& job, record::MemoryEntry& entry) {
  std::vector<std::size_t> numbers;
  runner::MemoryJob checked = job;
  checked.items.clear();
  for (std::size_t i = 0; i < entry.operations.size(); ++i) {
    if (is_cross_checked(entry.operations, i)) {
      numbers.push_back(i);
      checked.items.push_back(job.items[i]);
    }
  }
  const auto leave = [&](const std::string& reason) {
    entry.load.probes = record::Seen<record::HeapUse>::absent(reason);
    for (const std::size_t number : numbers) {
      entry.operations[number].first.probes = record::Seen<record::HeapUse>::absent(reason);
      entry.operations[number].later.probes = record::Seen<record::HeapUse>::absent(reason);
    }
  };
  if (numbers.empty()) {
    return;
  }
  const probes::HeapProbe::Opened opened = probes::HeapProbe::open();
  if (!opened.probe) {
    leave(opened.reason);
    return;
  }
  runner::Watcher watcher;
  watcher.window_fd = opened.probe->window_fd();
  std::string refusal;
  watcher.attach = [&](pid_t pid) { refusal = opened.probe->attach(pid); };
  const runner::MemoryRun run = runner::run_memory_process(checked, watcher);
  if (!refusal.empty() || run.outcome != record::Outcome::complete) {
    leave(!refusal.empty() ? refusal : run.detail);
    return;
  }
  const auto seen = [&](std::uint32_t stretch) {
    const record::HeapUse use = opened.probe->read(stretch);
    return use.lost == 0 ? record::Seen<record::HeapUse>::of(use)
                         : record::Seen<record::HeapUse>::absent(opened.probe->why_lost(stretch));
  };
  entry.load.probes = seen(HASHPROF_STRETCH_LOAD);
  for (std::size_t item = 0; item < numbers.size(); ++item) {
    const auto number = static_cast<std::uint32_t>(item);
    record::MemoryOperation& operation = entry.operations[numbers[item]];
    operation.first.probes = seen(HASHPROF_STRETCH_OF_CALL(number, 0U));
    operation.later.probes = seen(HASHPROF_STRETCH_OF_CALL(number, 1U));
  }
}

/// The passes of one build.
void Session::measure_build_memory(std::size_t index, record::MemoryEntry& entry) {
  const plan::Build& build = setup_.plan.builds[index];
  const campaign::MemoryOptions& wanted = setup_.campaign.memory;
  if (wanted.has_bpf && wanted.has_heap) {
    open_witness();
  }
  const std::string no_window = wanted.has_bpf ? no_window_ : kNotAsked;
  const std::string no_bpf = wanted.has_bpf ? kNotCrossChecked : kNotAsked;
  const std::string no_heap = "not asked for (memory.heap)";
  leave_call(no_heap, no_bpf, no_heap, no_window, entry.load);
  for (record::MemoryOperation& operation : entry.operations) {
    leave_call(no_heap, no_bpf, no_heap, no_window, operation.first);
    leave_call(no_heap, no_bpf, no_heap, no_window, operation.later);
    operation.stack_bytes = record::Seen<std::uint64_t>::absent("not asked for (memory.stack)");
  }
  entry.bound.bytes = record::Seen<std::uint64_t>::absent("not asked for (memory.stack)");
  entry.before = record::Seen<record::ProcessPages>::absent(no_heap);
  entry.after = entry.before;
  const runner::MemoryJob job = memory_job(build, entry.operations);
  const auto is_failed = [&](record::Outcome outcome, const std::string& detail,
                             const std::string& pass) {
    if (outcome != record::Outcome::complete) {
      entry.failure = pass + ": " + detail;
    }
    return outcome != record::Outcome::complete;
  };
  if (wanted.has_heap) {
    runner::MemoryJob metered = job;
    metered.worker = runner::heap_worker_of(worker_);
    const runner::MemoryRun meter = runner::run_memory_process(metered);
    runner::Watcher watcher;
    if (window_probe_) {
      watcher.window_fd = window_probe_->window_fd();
      watcher.attach = [&](pid_t pid) { window_probe_->watch(pid); };
    }
    const runner::MemoryRun plain = runner::run_memory_process(job, watcher);
    if (is_failed(meter.outcome, meter.detail, "heap meter") ||
        is_failed(plain.outcome, plain.detail, "pages")) {
      return;
    }
    for_each_stretch(entry, meter, [](record::MemoryCall& call, const runner::StretchUse& use) {
      call.meter = use.heap;
    });
    for_each_stretch(entry, plain, [](record::MemoryCall& call, const runner::StretchUse& use) {
      call.pages = use.pages;
    });
    entry.before = plain.before;
    entry.after = plain.after;
    if (window_probe_) {
      const auto seen = [&](std::uint32_t stretch) {
        const probes::WindowReading reading = window_probe_->read(stretch);
        for (const probes::AbsentFigure& absent : reading.absent) {
          add_absent(absent, entry.window_absent);
        }
        return record::Seen<record::WindowUse>::of(reading.use);
      };
      entry.load.window = seen(HASHPROF_STRETCH_LOAD);
      for (std::size_t i = 0; i < entry.operations.size(); ++i) {
        const auto item = static_cast<std::uint32_t>(i);
        entry.operations[i].first.window = seen(HASHPROF_STRETCH_OF_CALL(item, 0U));
        entry.operations[i].later.window = seen(HASHPROF_STRETCH_OF_CALL(item, 1U));
      }
    }
    if (wanted.has_bpf) {
      cross_check(job, entry);
    }
  }
  if (wanted.has_stack) {
    const runner::StackRun stack = runner::run_stack_process(job, setup_.campaign.limits.stack);
    const bool is_overflow = stack.detail.rfind("stack > ", 0) == 0;
    if (!is_overflow && is_failed(stack.outcome, stack.detail, "stack")) {
      return;
    }
    for (std::size_t i = 0; i < entry.operations.size(); ++i) {
      entry.operations[i].stack_bytes = i < stack.bytes.size()
                                            ? record::Seen<std::uint64_t>::of(stack.bytes[i])
                                            : record::Seen<std::uint64_t>::absent(stack.detail);
    }
    entry.bound = bound_of(index, job);
  }
}

void Session::measure_memory() {
  const campaign::MemoryOptions& wanted = setup_.campaign.memory;
  if (setup_.simulate || (!wanted.has_heap && !wanted.has_stack)) {
    return;
  }
  for (std::size_t index = 0; index < setup_.plan.builds.size(); ++index) {
    const plan::Build& build = setup_.plan.builds[index];
    if (!is_timed(index)) {
      continue;
    }
    record::MemoryEntry entry;
    entry.family_id = build.family_id;
    entry.label = build.label;
    entry.library = paths().relative(library_of(build));
    entry.library_sha256 = results_[index].library_sha256;
    entry.architecture = header_.architecture;
    entry.operations = operations_of(setup_.plan, index);
    if (entry.operations.empty()) {
      continue;
    }
    entry.question_sha256 = memory_question(build, entry.operations);
    const fs::path file = paths().memory_file(build.family_id, build.label);
    const auto earlier = record::find_memory_entry(file);
    if (earlier && earlier->failure.empty() && earlier->library_sha256 == entry.library_sha256 &&
        earlier->question_sha256 == entry.question_sha256) {
      continue;
    }
    progress_.show("memory of " + build.id());
    if (entry.operations.size() > HASHPROF_MAX_MEMORY_ITEMS) {
      entry.failure = "more than " + std::to_string(HASHPROF_MAX_MEMORY_ITEMS) +
                      " message and output lengths: name fewer with --sizes";
    } else {
      entry.needed = elf::read_image(library_of(build)).needed;
      const elf::Symbols symbols = elf::read_symbols(library_of(build));
      if (!symbols.are_imports_known) {
        entry.imports_reason = text::printable(symbols.reason);
      }
      for (const elf::Import& import : symbols.imports) {
        // Weak ones may stay undefined, as those of the start-up files do.
        if (!import.is_weak) {
          entry.imports.push_back(text::printable(import.name));
        }
      }
      measure_build_memory(index, entry);
    }
    has_failures_ = has_failures_ || !entry.failure.empty();
    make_directories(file.parent_path());
    write_file_atomically(file, json::write_pretty(record::to_json(entry)));
  }
  window_probe_.reset();
}

}  // namespace hashprof::app
