// SPDX-License-Identifier: MIT
// Catches a memory record that changes on its way through JSON, witnesses that are said to agree
// although they do not, and sums made of what was not measured.
#include <gtest/gtest.h>

#include <string>

#include "base/error.h"
#include "record/memory_entry.h"
#include "record/memory_view.h"

namespace hashprof::record {
namespace {

HeapUse heap(std::uint64_t peak) {
  HeapUse use;
  use.allocations = 2;
  use.frees = 2;
  use.total_bytes = peak;
  use.peak_bytes = peak;
  use.peak_usable_bytes = peak + 16;
  return use;
}

MemoryCall call(std::uint64_t peak) {
  MemoryCall call;
  call.meter = Seen<HeapUse>::of(heap(peak));
  call.probes = Seen<HeapUse>::of(heap(peak));
  call.probes.value->peak_usable_bytes = 0;
  call.pages = Seen<PageUse>::of({1, 2, 3, 4, 5, 6});
  WindowUse window;
  window.mapped_bytes = 0;
  window.anon_growth_bytes = 4096;
  call.window = Seen<WindowUse>::of(window);
  return call;
}

MemoryEntry entry() {
  MemoryEntry entry;
  entry.family_id = "hash-16";
  entry.label = "LLH-256";
  entry.library = "lib/hash-16/LLH-256.so";
  entry.library_sha256 = "ab";
  entry.question_sha256 = "cd";
  entry.architecture = "x86-64";
  entry.load = call(0);
  entry.load.meter = Seen<HeapUse>::of({});
  entry.load.probes = Seen<HeapUse>::absent("no BPF");
  entry.before = Seen<ProcessPages>::of({1400, 100, 1300, 0, 1400});
  entry.after = Seen<ProcessPages>::absent("not read");
  for (const std::uint64_t bytes : {32U, 4096U, 65536U}) {
    MemoryOperation operation;
    operation.operation = "hash_" + std::to_string(bytes);
    operation.message_bytes = bytes;
    operation.first = call(bytes + 64);
    operation.later = call(bytes + 64);
    operation.stack_bytes = Seen<std::uint64_t>::of(712);
    entry.operations.push_back(operation);
  }
  entry.bound.bytes = Seen<std::uint64_t>::of(760);
  entry.bound.path = {"hash", "compress"};
  entry.bound.externals = {{"memcpy", 8}};
  entry.imports = {"memcpy"};
  entry.needed = {"libc.so.6"};
  return entry;
}

StaticFigures figures() {
  return {Seen<std::uint64_t>::of(1000), Seen<std::uint64_t>::of(900),
          Seen<std::uint64_t>::of(100)};
}

TEST(memory_entry, is_the_same_after_a_way_through_json) {
  MemoryEntry before = entry();
  before.operations[1].output_bytes = 128;
  before.operations[1].stack_bytes = Seen<std::uint64_t>::absent("stack > 8388608 bytes");
  before.bound.bytes = Seen<std::uint64_t>::absent("a cycle: f, g");
  before.window_absent = {{"page_faults", "no tracepoint"}};
  before.imports_reason = "the file has no section headers";
  const auto text = json::write_pretty(to_json(before));
  EXPECT_EQ(memory_from_json(json::parse(text, "text")), before);
}

TEST(memory_entry, of_another_schema_names_both) {
  json::Value value = to_json(entry());
  json::Object object = value.as_object();
  object.front().second = "hashprof-memory/2";
  try {
    (void)memory_from_json(json::Value(object));
    FAIL() << "it was read";
  } catch (const Error& error) {
    EXPECT_EQ(error.message(),
              "the schema is 'hashprof-memory/2', this version reads "
              "'hashprof-memory/1'");
  }
}

TEST(memory_view, adds_up_static_heap_and_stack) {
  const MemoryView view = derive_memory(entry(), figures());
  ASSERT_EQ(view.cells.size(), 3U);
  EXPECT_EQ(view.cells[2].heap_peak.value, 65600U);
  EXPECT_EQ(view.cells[2].algorithm_peak.value, 1000U + 65600U + 712U);
  EXPECT_EQ(view.cells[0].witnesses, Witnesses::agree);
  ASSERT_TRUE(view.heap_growth.has_value());
  EXPECT_TRUE(view.heap_growth->is_copy());
  ASSERT_TRUE(view.stack_growth.has_value());
  EXPECT_EQ(view.stack_growth->kind, stats::Growth::Kind::constant);
  EXPECT_TRUE(view.findings.empty());
}

TEST(memory_view, names_the_first_member_that_two_witnesses_count_differently) {
  MemoryEntry other = entry();
  other.operations[1].later.probes.value->peak_bytes += 1;
  const MemoryView view = derive_memory(other, figures());
  EXPECT_EQ(view.cells[1].witnesses, Witnesses::disagree);
  EXPECT_EQ(view.cells[1].disagreement,
            "later call: peak_bytes 4160 by the meter, 4161 by the probes");
  EXPECT_TRUE(view.has_disagreement());
  EXPECT_EQ(view.findings[0],
            "hash_4096: witnesses disagree: later call: peak_bytes 4160 by the meter, 4161 by the "
            "probes");
}

TEST(memory_view, takes_the_probes_where_there_is_no_meter_and_counts_one_witness) {
  MemoryEntry other = entry();
  for (MemoryOperation& operation : other.operations) {
    operation.first.meter = Seen<HeapUse>::absent("no heap worker");
    operation.later.meter = Seen<HeapUse>::absent("no heap worker");
  }
  const MemoryView view = derive_memory(other, figures());
  EXPECT_EQ(view.cells[0].witnesses, Witnesses::one);
  EXPECT_EQ(view.cells[0].heap_peak.value, 96U);
}

TEST(memory_view, has_no_sum_of_what_was_not_measured) {
  MemoryEntry other = entry();
  other.operations[0].stack_bytes = Seen<std::uint64_t>::absent("stack > 8388608 bytes");
  const MemoryView view = derive_memory(other, figures());
  EXPECT_FALSE(view.cells[0].algorithm_peak.value.has_value());
  EXPECT_EQ(view.cells[0].algorithm_peak.reason, "without the stack: stack > 8388608 bytes");
  EXPECT_TRUE(view.cells[1].algorithm_peak.value.has_value());
}

TEST(memory_view, takes_the_larger_call_and_says_that_the_first_differs) {
  MemoryEntry other = entry();
  other.operations[0].first.meter = Seen<HeapUse>::of(heap(5000));
  other.operations[0].first.probes = Seen<HeapUse>::of(heap(5000));
  const MemoryView view = derive_memory(other, figures());
  EXPECT_EQ(view.cells[0].heap_peak.value, 5000U);
  EXPECT_EQ(view.findings[0], "hash_32: the first call has a heap peak of 5000 B, the next 96 B");
}

TEST(memory_view, names_what_stays_allocated) {
  MemoryEntry other = entry();
  other.load.meter.value->left_blocks = 1;
  other.load.meter.value->left_bytes = 777;
  for (MemoryOperation& operation : other.operations) {
    for (HeapUse* use : {&*operation.later.meter.value, &*operation.later.probes.value}) {
      use->left_blocks = 2;
      use->left_bytes = 80;
    }
  }
  const MemoryView view = derive_memory(other, figures());
  EXPECT_EQ(view.findings[0], "constructors keep 777 B in 1 block, which is in no sum");
  EXPECT_EQ(view.findings[1],
            "hash_32: each call leaves 80 B in 2 blocks allocated, and 2 more operations");
}

TEST(memory_view, names_memory_that_no_allocation_gave) {
  MemoryEntry other = entry();
  for (MemoryCall* one : {&other.operations[0].first, &other.operations[0].later}) {
    one->meter = Seen<HeapUse>::of({});
    one->probes = Seen<HeapUse>::of({});
  }
  other.operations[0].first.window.value->mapped_bytes = 12288;
  MemoryView view = derive_memory(other, figures());
  EXPECT_EQ(view.findings[0],
            "hash_32: mapped 12288 B without an allocation: memory of its own (mmap)");
  other.operations[0].first.window.value->mapped_bytes = 0;
  other.operations[0].first.window.value->anon_growth_bytes = 1U << 20U;
  view = derive_memory(other, figures());
  EXPECT_EQ(view.findings[0],
            "hash_32: anonymous memory grew by 1048576 B, its heap by 0 B: memory of its own");
  other.operations[0].first.window = Seen<WindowUse>::absent("no BPF");
  other.operations[0].first.pages = Seen<PageUse>::of({0, 0, 0, 0, 100, 1124});
  view = derive_memory(other, figures());
  EXPECT_EQ(view.findings[0],
            "hash_32: RssAnon grew by 1048576 B, its heap by 0 B: memory of its own");
}

TEST(memory_view, names_a_stack_above_its_bound) {
  MemoryEntry other = entry();
  other.bound.bytes = Seen<std::uint64_t>::of(700);
  const MemoryView view = derive_memory(other, figures());
  EXPECT_EQ(view.findings.back(),
            "hash_32: the stack was observed at 712 B, above the bound of 700 B: the bound does "
            "not hold");
}

}  // namespace
}  // namespace hashprof::record
