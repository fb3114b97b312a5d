// SPDX-License-Identifier: MIT
// See runner/memory_process.h.
#include "runner/memory_process.h"

#include <algorithm>
#include <cstring>
#include <span>

#include "base/error.h"
#include "base/sys.h"
#include "kat/vectors.h"
#include "runner/library_file.h"
#include "runner/message_memory.h"
#include "runner/outcome.h"
#include "runner/request.h"
#include "runner/worker_file.h"
#include "worker/depth.h"

namespace hashprof::runner {

namespace {

/// Room behind the last digest for a hash that ignores the length it is asked for.
constexpr std::uint64_t kDigestSlack = 4096;

const char* const kNoMeter = "this worker has no heap meter";
const char* const kNotRead = "the kernel did not say (/proc/self/status)";

MessageMemory pack(const std::vector<MemoryItem>& items) {
  if (items.empty() || items.size() > HASHPROF_MAX_MEMORY_ITEMS) {
    throw Error(Fault::internal, "memory",
                "1 to " + std::to_string(HASHPROF_MAX_MEMORY_ITEMS) + " items, not " +
                    std::to_string(items.size()));
  }
  std::vector<std::vector<std::uint8_t>> messages;
  messages.reserve(items.size());
  for (const MemoryItem& item : items) {
    messages.push_back(kat::pattern_message(item.message_bytes));
  }
  std::vector<Item> packed;
  packed.reserve(items.size());
  for (std::size_t i = 0; i < items.size(); ++i) {
    packed.push_back({items[i].message_bytes * 8, messages[i], items[i].digest_bits, 0});
  }
  return MessageMemory(packed);
}

/// What the kinds share; the request's kind and report size are the caller's.
WorkerSpec make_spec(const MemoryJob& job, const MessageMemory& messages,
                     std::uint64_t report_bytes) {
  check_worker(job.worker);
  WorkerSpec spec;
  spec.worker = job.worker;
  spec.library = open_library(job.library);
  spec.message = sys::duplicate(messages.fd());
  spec.digest = sys::writable_memory("hashprof-memory", report_bytes);
  spec.core = job.core;
  spec.stack = job.stack;
  spec.time_limit = job.time_limit;
  spec.env = job.env;
  hashprof_request& request = spec.request;
  std::uint32_t digest_bits = 0;
  for (const MemoryItem& item : job.items) {
    digest_bits = std::max(digest_bits, item.digest_bits);
  }
  request.items = static_cast<std::uint32_t>(job.items.size());
  request.message_map_bytes = messages.bytes();
  request.digest_bits = digest_bits;
  request.digest_map_bytes = (digest_bits + 7) / 8 + kDigestSlack;
  request.report_map_bytes = report_bytes;
  spec.address_space = {job.address_space.value + messages.mapped_bytes() +
                        request.digest_map_bytes + report_bytes + HASHPROF_METER_BYTES};
  choose_sandbox(job.is_sandboxed, job.uid, request);
  set_entry(job.entry, request);
  return spec;
}

/// Whether a worker came to its end, having done all its items.
bool is_whole(const WorkerEnd& end, std::size_t items) {
  return end.kind == WorkerEnd::Kind::exited && end.code == 0 && end.result && !end.error &&
         !end.is_garbled && end.result->items_done == items;
}

/// The fault of a worker that is not whole, charged to its message. Throws Error{environment} for
/// one of our own: from the loading on the library shares the process.
Named name_fault(const WorkerEnd& end, const MemoryJob& job) {
  Named named = name_end(end, job.time_limit, job.library.filename().native());
  if (named.outcome == record::Outcome::worker_failed &&
      (end.step < HASHPROF_STEP_LOAD || end.step == HASHPROF_STEP_READY)) {
    throw Error(Fault::environment, job.worker.native(), named.detail);
  }
  if (named.outcome == record::Outcome::complete) {
    named = {record::Outcome::worker_failed, "ended before all its items were done"};
  }
  if (end.step == HASHPROF_STEP_CALL && end.step_detail < job.items.size()) {
    if (named.outcome == record::Outcome::failed_call && end.error) {
      named.detail = "returned " + std::to_string(end.error->number);
    }
    named.detail +=
        ", message of " + std::to_string(job.items[end.step_detail].message_bytes) + " bytes";
  }
  return named;
}

record::HeapUse heap_of(const hashprof_heap& heap) {
  record::HeapUse use;
  use.allocations = heap.allocations;
  use.resizes = heap.resizes;
  use.frees = heap.frees;
  use.failures = heap.failures;
  use.total_bytes = heap.total_bytes;
  use.peak_bytes = heap.peak_bytes;
  use.left_bytes = heap.left_bytes;
  use.left_blocks = heap.left_blocks;
  use.foreign_frees = heap.foreign_frees;
  use.peak_usable_bytes = heap.peak_usable_bytes;
  use.lost = heap.lost;
  return use;
}

StretchUse stretch_of(const hashprof_memory_call& call, bool is_metered) {
  StretchUse use;
  if (!is_metered) {
    use.heap = record::Seen<record::HeapUse>::absent(kNoMeter);
  } else if (call.heap.lost != 0) {
    use.heap = record::Seen<record::HeapUse>::absent(
        "more than " + std::to_string(HASHPROF_MAX_LIVE_BLOCKS) +
        " blocks were live at once: " + std::to_string(call.heap.lost) + " could not be counted");
  } else {
    use.heap = record::Seen<record::HeapUse>::of(heap_of(call.heap));
  }
  const hashprof_pages& pages = call.pages;
  if (pages.anon_before_kib == UINT64_MAX || pages.anon_after_kib == UINT64_MAX) {
    use.pages = record::Seen<record::PageUse>::absent(kNotRead);
  } else {
    use.pages = record::Seen<record::PageUse>::of(
        {pages.minor_faults, pages.major_faults, pages.voluntary_switches,
         pages.involuntary_switches, pages.anon_before_kib, pages.anon_after_kib});
  }
  return use;
}

record::Seen<record::ProcessPages> process_of(const hashprof_rss& rss) {
  for (const std::uint64_t kib :
       {rss.all_kib, rss.anon_kib, rss.file_kib, rss.file_pmd_kib, rss.peak_kib}) {
    if (kib == UINT64_MAX) {
      return record::Seen<record::ProcessPages>::absent(kNotRead);
    }
  }
  return record::Seen<record::ProcessPages>::of(
      {rss.all_kib, rss.anon_kib, rss.file_kib, rss.file_pmd_kib, rss.peak_kib});
}

template <typename T>
void read_object(int fd, std::uint64_t at, T& object) {
  sys::read_at(fd, at, std::as_writable_bytes(std::span(&object, 1)), "hashprof-memory");
}

/// Of a worker that is whole. The library could have written to the report too.
void read_report(int fd, std::size_t items, MemoryRun& run) {
  hashprof_memory_report report{};
  read_object(fd, 0, report);
  if (report.is_metered > 1 || report.items_done != items) {
    run.outcome = record::Outcome::worker_failed;
    run.detail = "the report is not what a worker writes";
    return;
  }
  const bool is_metered = report.is_metered == 1;
  run.before = process_of(report.before);
  run.after = process_of(report.after);
  run.load = stretch_of(report.load, is_metered);
  for (std::size_t i = 0; i < items; ++i) {
    auto& calls = run.calls.emplace_back();
    for (std::size_t call = 0; call < calls.size(); ++call) {
      hashprof_memory_call raw{};
      read_object(fd, sizeof report + (i * calls.size() + call) * sizeof raw, raw);
      calls.at(call) = stretch_of(raw, is_metered);
    }
  }
}

template <typename Run>
void take_output(WorkerEnd& end, Run& run) {
  run.output = std::move(end.output);
  run.errors = std::move(end.errors);
}

}  // namespace

MemoryRun run_memory_process(const MemoryJob& job, const Watcher& watcher) {
  const MessageMemory messages = pack(job.items);
  WorkerSpec spec =
      make_spec(job, messages,
                sizeof(hashprof_memory_report) +
                    job.items.size() * HASHPROF_MEMORY_CALLS * sizeof(hashprof_memory_call));
  spec.request.kind = HASHPROF_KIND_MEMORY;
  if (watcher.window_fd >= 0) {
    spec.window = sys::duplicate(watcher.window_fd);
  }
  spec.attach = watcher.attach;
  MemoryRun run;
  if (std::string refusal = find_refusal(spec.library, job.library); !refusal.empty()) {
    run.outcome = record::Outcome::load_failed;
    run.detail = std::move(refusal);
    return run;
  }
  WorkerEnd end = run_worker(spec);
  if (is_whole(end, job.items.size())) {
    read_report(spec.digest.get(), job.items.size(), run);
  } else {
    Named named = name_fault(end, job);
    run.outcome = named.outcome;
    run.detail = std::move(named.detail);
  }
  take_output(end, run);
  return run;
}

StackRun run_stack_process(const MemoryJob& job, Bytes call_stack) {
  const MessageMemory messages = pack(job.items);
  WorkerSpec spec = make_spec(job, messages, job.items.size() * sizeof(hashprof_stack_item));
  spec.request.kind = HASHPROF_KIND_STACK;
  spec.request.stack_bytes = call_stack.value;
  spec.address_space.value += call_stack.value + HASHPROF_STACK_GUARD_BYTES;
  StackRun run;
  if (std::string refusal = find_refusal(spec.library, job.library); !refusal.empty()) {
    run.outcome = record::Outcome::load_failed;
    run.detail = std::move(refusal);
    return run;
  }
  WorkerEnd end = run_worker(spec);
  if (!is_whole(end, job.items.size())) {
    Named named = name_fault(end, job);
    run.outcome = named.outcome;
    run.detail = std::move(named.detail);
  }
  for (std::size_t i = 0; i < job.items.size(); ++i) {
    hashprof_stack_item item{};
    read_object(spec.digest.get(), i * sizeof item, item);
    if (item.is_measured == 0) {
      break;
    }
    run.bytes.push_back(item.bytes);
  }
  take_output(end, run);
  return run;
}

std::vector<record::ExternalDepth> measure_libc_depths(const MemoryJob& job, Bytes call_stack) {
  MemoryJob own = job;
  own.library = job.worker;  // any file: none is loaded
  own.entry = "";
  own.items = {{0, 0}};
  const MessageMemory messages = pack(own.items);
  WorkerSpec spec =
      make_spec(own, messages, HASHPROF_DEPTH_FUNCTIONS * sizeof(hashprof_stack_item));
  spec.request.kind = HASHPROF_KIND_DEPTH;
  spec.request.items = HASHPROF_DEPTH_FUNCTIONS;
  spec.request.stack_bytes = call_stack.value;
  spec.address_space.value += call_stack.value + HASHPROF_STACK_GUARD_BYTES;
  const WorkerEnd end = run_worker(spec);
  if (!is_whole(end, HASHPROF_DEPTH_FUNCTIONS)) {
    throw Error(Fault::environment, job.worker.native(),
                "the stack of the C library's functions could not be measured: " +
                    name_end(end, own.time_limit, "").detail);
  }
  std::vector<record::ExternalDepth> depths;
  for (std::size_t i = 0; i < HASHPROF_DEPTH_FUNCTIONS; ++i) {
    hashprof_stack_item item{};
    read_object(spec.digest.get(), i * sizeof item, item);
    if (item.is_measured != 0) {
      depths.push_back({hashprof_depth_functions[i], item.bytes});
    }
  }
  return depths;
}

}  // namespace hashprof::runner
