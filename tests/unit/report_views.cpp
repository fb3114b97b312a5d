// SPDX-License-Identifier: MIT
// See report_views.h. The spread of the processes is written down, not random.
#include "report_views.h"

#include <array>
#include <string>
#include <vector>

namespace hashprof::report::views {

namespace {

using record::BuildView;
using record::CellView;
using record::Figure;
using record::RunView;

const std::string kDigest = "9f5443bb43a1bce7000000000000000000000000000000000000000000000000";
constexpr const char* kNoCounter =
    "perf_event_open(cycles): No such file or directory (ENOENT): this machine has no hardware "
    "counter for it";

/// Relative places of nine processes around their median.
constexpr std::array<double, 9> kSpread = {1.004, 0.999,  1.0, 1.001, 0.998,
                                           1.002, 0.9985, 1.0, 1.003};

Figure figure(double middle, std::size_t processes) {
  std::vector<double> values;
  for (std::size_t i = 0; i < processes; ++i) {
    values.push_back(middle * kSpread.at(i));
  }
  return {stats::summarize(values), {}, stats::describe(values)};
}

CellView cell(std::uint64_t bytes, double nanoseconds, std::uint32_t processes = 9) {
  CellView view;
  view.message_bytes = bytes;
  view.operation = "hash_" + std::to_string(bytes);
  view.planned_processes = processes;
  view.used_processes = processes;
  view.attempts = processes;
  view.calls_each = static_cast<std::uint64_t>(0.25e9 / nanoseconds);
  view.calls_total = view.calls_each * processes;
  view.time_ns = figure(nanoseconds, processes);
  view.cycles.reason = kNoCounter;
  view.first_call_ns = figure(6 * nanoseconds + 2000, processes);
  view.first_call_cycles.reason = kNoCounter;
  view.single_call.reason = "not sampled";
  view.agreement.count = processes;
  for (std::uint32_t i = 0; i < processes; ++i) {
    view.baseline_rss_kib.push_back(1400 + 4 * i);
    view.peak_rss_kib.push_back(1464 + 4 * i);
    view.last_anon_kib = 92;
    view.last_file_kib = 1372 + 4 * i;
    view.last_file_pmd_kib = 0;
  }
  return view;
}

CellView counted(std::uint64_t bytes, double nanoseconds, std::uint32_t processes = 9) {
  CellView view = cell(bytes, nanoseconds, processes);
  view.cycles = figure(nanoseconds * 2.71, processes);
  view.first_call_cycles = figure((6 * nanoseconds + 2000) * 2.71, processes);
  return view;
}

/// A cell of processes that took `values` cycles a call at 2.71 GHz, in their order.
CellView of_processes(std::uint64_t bytes, const std::vector<double>& values) {
  const auto processes = static_cast<std::uint32_t>(values.size());
  std::vector<double> nanoseconds;
  for (const double value : values) {
    nanoseconds.push_back(value / 2.71);
  }
  CellView view = counted(bytes, nanoseconds[0], 9);
  view.planned_processes = view.used_processes = view.attempts = processes;
  view.calls_total = view.calls_each * processes;
  view.cycles = {stats::summarize(values), {}, stats::describe(values)};
  view.time_ns = {stats::summarize(nanoseconds), {}, stats::describe(nanoseconds)};
  view.agreement.count = processes;
  view.agreement.judgement = stats::judge_agreement(values, 0.001);
  return view;
}

/// Samples that say `net` cycles of a call, over an empty call of 40 whose spread is `spread`.
record::SingleCallView single_call(double net, double spread, std::uint64_t batch) {
  stats::SingleCall figures;
  figures.samples = 10000;
  figures.batch = batch;
  figures.empty = 40;
  figures.empty_spread = spread;
  figures.read = net + 40 / static_cast<double>(batch);
  figures.net = net;
  figures.quartiles = {net - 3, net + 1, net + 8};
  figures.least = net - 6;
  if (batch > 1) {
    figures.by_doubling = net + 2;
  }
  figures.is_below_resolution = net * static_cast<double>(batch) < 20 * spread;
  return {figures, "cycles", ""};
}

CellView failed(std::uint64_t bytes, const std::string& reason) {
  CellView view;
  view.message_bytes = bytes;
  view.operation = "hash_" + std::to_string(bytes);
  view.planned_processes = 9;
  view.attempts = 9;
  view.failure = reason;
  return view;
}

/// A hash that keeps every promise.
std::vector<record::ContractView> kept_contract() {
  return {{"returns", "kept", ""},
          {"repeat", "kept", ""},
          {"message_alignment", "reported", "the same digests at offsets 1 to 15"},
          {"message_end", "kept", ""},
          {"digest_length", "reported", "128: refused with -1; 264: refused with -1"}};
}

BuildView build(const std::string& family, const std::string& instance, std::uint32_t bits) {
  BuildView view;
  view.family_id = family;
  view.family_name = instance + " family";
  view.category = "cryptographic hash algorithm";
  view.instance = instance;
  view.label = instance;
  view.variant = "reference";
  view.variant_class = "reference";
  view.profile = "guide";
  view.compiler = "gcc (Debian 12.2.0-14) 12.2.0";
  view.build_flags = "-std=c99 -Wpedantic -Wall -Wextra -O2";
  view.digest_bits = bits;
  view.is_built = true;
  view.build_log = "build/" + instance + ".log";
  view.library = "lib/" + family + "/" + instance + ".so";
  view.library_sha256 = kDigest;
  view.image_bytes = 15973;
  view.image_span_bytes = 20480;
  view.image_parts = {4402, 2180, 496, 16, 9, 1164, 568, 7138};
  view.kat_status = "PASS";
  view.kat_checked = 12;
  view.kat_total = 12;
  view.kat_files = {{"2_12", "PASS", kDigest, ""}, {"2_23", "PASS", kDigest, ""}};
  view.contract = kept_contract();
  view.kat_manifest = "family.kat.sha256";
  view.vector_files = {"sm3_vectors.tsv"};
  view.kat_log = "kat/" + family + "/" + instance + ".log";
  view.kat_log_sha256 = kDigest;
  return view;
}

/// Cells with the record files that belong to their build.
void put(BuildView& build, const std::vector<CellView>& cells) {
  build.cells = cells;
  for (CellView& view : build.cells) {
    view.record_file =
        "records/" + build.family_id + "/" + build.label + "__" + view.operation + ".json";
  }
}

RunView run(const std::string& name) {
  RunView view;
  view.tool_version = "0.1.0";
  view.name = name;
  view.title = "Two public hashes";
  view.system_id = "x86_1";
  view.system_note = "rack 4";
  view.preset = "quick";
  view.is_complete = true;
  view.environment = {{"processor", "AMD EPYC 7763, CPU 3, one core", ""},
                      {"clock", "", "no cpufreq"},
                      {"memory", "257671 MiB", ""}};
  view.architecture = "x86-64";
  view.core = 3;
  view.processes = 9;
  view.trial_ns = 250'000'000;
  view.seed = 1;
  view.command = "hashprof run configs/quickstart.yaml";
  return view;
}

/// Nanoseconds of a call: 167 to start, 2.61 a byte.
double sm3_ns(std::uint64_t bytes) { return 167 + 2.61 * static_cast<double>(bytes); }

}  // namespace

RunView quiet() {
  RunView view = run("quiet");
  view.links = {{"method", "https://example.org/method"}};
  BuildView sm3 = build("hash-sm3", "SM3", 256);
  std::vector<CellView> cells;
  for (const std::uint64_t bytes : {32U, 128U, 1024U, 4096U, 16384U, 65536U}) {
    cells.push_back(counted(bytes, sm3_ns(bytes)));
  }
  put(sm3, cells);
  sm3.time_line = stats::Line{2.61, 167, 3};
  sm3.cycles_line = stats::Line{2.61 * 2.71, 167 * 2.71, 3};
  view.builds = {sm3};
  return view;
}

RunView no_pmu() {
  RunView view = run("no_pmu");
  view.orientation_reasons = {"virtual machine (hypervisor flag)",
                              "clock not known to be fixed (no cpufreq)", "no cycle counter"};
  BuildView sm3 = build("hash-sm3", "SM3", 256);
  BuildView sha = build("hash-sha2", "SHA-256", 256);
  std::vector<CellView> sm3_cells;
  std::vector<CellView> sha_cells;
  for (const std::uint64_t bytes : {32U, 4096U, 8192U, 65536U}) {
    sm3_cells.push_back(cell(bytes, sm3_ns(bytes)));
    sha_cells.push_back(cell(bytes, sm3_ns(bytes) * 0.8));
  }
  put(sm3, sm3_cells);
  put(sha, sha_cells);
  sha.vector_files = {"sha256_vectors.tsv"};
  sha.kat_manifest = "";
  sha.kat_files = {{"2_12", "NOKAT", "", "no manifest"}, {"2_23", "NOKAT", "", "no manifest"}};
  sm3.cells[1].attempts = 11;
  sm3.time_line = stats::Line{2.61, 167, 3};
  sha.time_line = stats::Line{2.61 * 0.8, -0.3, 3};
  view.builds = {sha, sm3};
  return view;
}

RunView failing() {
  RunView view = run("failing");
  view.orientation_reasons = {"known answers failed"};
  BuildView broken = build("hash-sm3", "SM3.broken", 256);
  broken.is_built = false;
  broken.build_failure = "gcc ended with 1: sm3.c:12:1: error: expected ';'";
  broken.compiler = "";
  broken.library = "";
  broken.image_bytes.reset();
  broken.image_span_bytes.reset();
  broken.image_parts.reset();
  broken.kat_log = "";
  broken.kat_status = "";
  broken.contract.clear();
  BuildView wrong = build("hash-sm3", "SM3.wrong", 256);
  wrong.kat_status = "MISMATCH";
  wrong.kat_checked = 3;
  wrong.kat_detail = "first wrong digest at 448 bits";
  wrong.kat_files[1].status = "MISMATCH";
  wrong.contract[0] = {"returns", "BROKEN", "at 1000 bits: returned 3"};
  wrong.contract[1] = {"repeat", "BROKEN", "at 0 bits: another digest from byte 0 on"};
  wrong.contract[2] = {"message_alignment", "NOTRUN", "the digests are not known to repeat"};
  CellView untimed;
  untimed.planned_processes = 9;
  for (const std::uint64_t bytes : {32U, 4096U}) {
    untimed.message_bytes = bytes;
    untimed.operation = "hash_" + std::to_string(bytes);
    wrong.cells.push_back(untimed);
  }
  wrong.image_parts.reset();
  wrong.parts_reason = "the file has no section headers";
  BuildView timed = wrong;
  timed.label = "SM3.timed";
  for (record::ContractView& check : timed.contract) {
    check = {check.step, "NOTRUN", "2_23 ended with CRASH"};
  }
  timed.is_timed_despite_failing = true;
  put(timed, {counted(32, sm3_ns(32)), counted(4096, sm3_ns(4096))});
  BuildView good = build("hash-sm3", "SM3", 256);
  put(good,
      {counted(32, sm3_ns(32)), failed(4096, "crashed in 9 of 9 processes: SIGSEGV at step call")});
  good.cells[0].time_ns = {
      stats::summarize(std::vector<double>{1000, 1001, 1002, 1003, 1004, 1500, 1510}), {}};
  good.cells[0].cycles = {};
  good.cells[0].cycles.reason = "the counter reads zero";
  good.cells[0].used_processes = 7;
  good.cells[0].calls_total = good.cells[0].calls_each * 7;
  good.cells[0].failure = "timed out in 2 of 9 processes";
  view.builds = {good, broken, timed, wrong};
  return view;
}

RunView small() {
  RunView view = run("small");
  view.is_simulated = true;
  view.simulation = "quiet, seed 1";
  view.processes = 5;
  BuildView sm3 = build("hash-sm3", "SM3", 256);
  put(sm3, {counted(0, 167, 5), counted(32, sm3_ns(32), 1), counted(4096, sm3_ns(4096), 5)});
  sm3.kat_files = {{"2_12", "NOKAT", "", "not in the manifest"}};
  sm3.cells[2].calls_each = 7;
  sm3.cells[2].calls_total = 35;
  sm3.cells[2].baseline_rss_kib.clear();
  sm3.cells[2].peak_rss_kib = {1464, 1467};
  view.builds = {sm3};
  return view;
}

RunView disagreeing() {
  RunView view = run("disagreeing");
  view.max_processes = 21;
  BuildView chime = build("hash-26", "CHIME-1024", 1024);
  std::vector<double> one_slow(21, 0);
  std::vector<double> two_speeds(21, 0);
  std::vector<double> drifting(9, 0);
  for (std::size_t i = 0; i < 21; ++i) {
    one_slow[i] = 14830 * kSpread.at(i % 9);
    two_speeds[i] = 1960 * kSpread.at(i % 9) * (i % 3 == 1 ? 1.12 : 1);
  }
  one_slow[11] *= 1.52;
  for (std::size_t i = 0; i < 9; ++i) {
    drifting[i] = 232000 * kSpread.at(i) * (1 - 0.008 * static_cast<double>(i * i) / 8);
  }
  CellView waiting = of_processes(32, {2010, 2011, 2012, 2013, 2014, 2015, 2016, 2017, 2018});
  waiting.is_latency = true;
  waiting.operation += "__latency";
  CellView steady = counted(0, 300);
  steady.single_call = single_call(11, 6, 4);
  CellView slow = of_processes(4096, one_slow);
  slow.single_call = single_call(14835, 4, 1);
  slow.agreement.explanation = {"in 5 of its 16 slices",
                                "the only one while CPU 2, which shares L2, was busy (93 %)"};
  CellView split = of_processes(32, two_speeds);
  split.single_call.reason = "the machine disturbed the process: migrated";
  CellView falling = of_processes(65536, drifting);
  falling.agreement.slice_drift = 0.041;
  put(chime, {steady, split, slow, falling, waiting});
  view.builds = {chime};
  return view;
}

RunView compared() {
  RunView view = run("compared");
  BuildView baseline = build("iccs", "pseudoXOF-512", 512);
  BuildView chime = build("hash-26", "CHIME-512", 512);
  BuildView fast = build("hash-26", "CHIME-512.optimized", 512);
  BuildView llh = build("hash-16", "LLH-256", 256);
  fast.variant = fast.variant_class = "optimized";
  put(baseline, {counted(32, 1432), counted(65536, 1.05e6)});
  put(chime, {counted(32, 716), counted(65536, 2.1e6)});
  put(fast, {counted(32, 300), failed(65536, "crashed: SIGSEGV")});
  put(llh, {counted(32, 629), counted(65536, 0.9e6)});
  for (CellView& view_of_cell : baseline.cells) {
    view_of_cell.baseline = "pseudoXOF-512";
    view_of_cell.is_baseline = true;
  }
  for (BuildView* candidate : {&chime, &fast}) {
    for (CellView& view_of_cell : candidate->cells) {
      view_of_cell.baseline = "pseudoXOF-512";
    }
  }
  chime.cells[0].cycles_ratio.value = 0.5;
  chime.cells[1].cycles_ratio.value = 2.0;
  fast.cells[0].cycles_ratio.value = 300.0 / 1432;
  for (CellView& view_of_cell : llh.cells) {
    view_of_cell.time_ratio.reason = view_of_cell.cycles_ratio.reason =
        "the baseline iccs/pseudoXOF-256 is not part of this run";
  }
  view.has_baselines = true;
  view.builds = {llh, chime, fast, baseline};
  return view;
}

namespace {

using Bytes = record::Seen<std::uint64_t>;

record::MemoryCellView memory_cell(std::uint64_t message_bytes, std::uint64_t peak) {
  record::HeapUse heap;
  heap.allocations = 2;
  heap.peak_bytes = peak;
  heap.left_bytes = 24;
  heap.left_blocks = 1;
  record::MemoryCellView cell;
  cell.operation = "hash_" + std::to_string(message_bytes);
  cell.message_bytes = message_bytes;
  cell.first = record::Seen<record::HeapUse>::of(heap);
  cell.later = cell.first;
  cell.witnesses = record::Witnesses::agree;
  cell.heap_peak = Bytes::of(peak);
  cell.stack = Bytes::of(552);
  cell.algorithm_peak = Bytes::of(2828 + peak + 552);
  return cell;
}

}  // namespace

RunView remembering() {
  RunView view = run("remembering");
  BuildView copying = build("hash-sm3", "SM3", 256);
  put(copying, {counted(32, sm3_ns(32))});
  record::MemoryView& memory = copying.memory;
  memory.file = "memory/hash-sm3/SM3.json";
  memory.own_bytes = Bytes::of(2828);
  memory.rom_bytes = Bytes::of(2700);
  memory.ram_bytes = Bytes::of(16);
  memory.cells = {memory_cell(32, 88), memory_cell(65536, 65592)};
  memory.cells[1].witnesses = record::Witnesses::disagree;
  memory.heap_growth = stats::Growth{stats::Growth::Kind::linear, 88, 65592, 1.0, 56};
  memory.stack_growth = stats::Growth{stats::Growth::Kind::constant, 552, 552, 0, 552};
  memory.bound.bytes = Bytes::of(712);
  memory.bound.path = {"CryptHash", "calloc"};
  memory.bound.externals = {{"calloc", 328}, {"free", 280}};
  memory.imports = {"calloc", "free"};
  memory.needed = {"libc.so.6"};
  memory.findings = {
      "hash_65536: witnesses disagree: first call: peak_bytes 65592 by the meter, 65593 by the "
      "probes",
      "constructors keep 777 B in 1 block, which is in no sum"};
  BuildView poor = build("hash-sm3", "SM3.poor", 256);
  put(poor, {counted(32, sm3_ns(32))});
  const auto none = Bytes::absent("build.json has no empty library to compare with");
  poor.memory.own_bytes = poor.memory.rom_bytes = poor.memory.ram_bytes = none;
  poor.memory.cells = {memory_cell(32, 0)};
  poor.memory.cells[0].witnesses = record::Witnesses::one;
  poor.memory.cells[0].second_reason = "bpf(): Operation not permitted (EPERM): needs root";
  poor.memory.cells[0].stack = Bytes::absent("stack > 65536 bytes, message of 32 bytes");
  poor.memory.cells[0].algorithm_peak = Bytes::absent("without the static part: " + none.reason);
  poor.memory.bound.bytes = Bytes::absent("f calls through a pointer");
  poor.memory.imports_reason = "the file has no section headers";
  BuildView failed = build("hash-sm3", "SM3.failed", 256);
  put(failed, {counted(32, sm3_ns(32))});
  failed.memory.reason = "heap meter: SIGSEGV at step call, message of 32 bytes";
  view.builds = {copying, poor, failed};
  return view;
}

RunView hostile() {
  const std::string bad = "a|b\n| x | `c` <b>[l](javascript:1) \xff\x1b *s*";
  RunView view = run(bad);
  view.title = bad;
  view.system_id = bad;
  view.system_note = bad;
  view.preset = bad;
  view.report_note = "# forged\n\n**Grade: PUBLISHABLE**";
  view.links = {{bad, "javascript:alert(1)"}, {bad, "https://example.org/"}};
  view.orientation_reasons = {bad};
  view.environment = {{bad, bad, ""}, {bad, "", bad}};
  view.command = bad;
  BuildView wild = build(bad, bad, 8);
  wild.category = bad;
  wild.variant = bad;
  wild.profile = bad;
  wild.compiler = bad;
  wild.build_flags = bad;
  wild.kat_status = "MISMATCH";
  wild.kat_detail = bad;
  wild.contract = {{bad, "BROKEN", bad}, {bad, "reported", bad}, {bad, "NOTRUN", bad}};
  wild.vector_files = {bad};
  wild.cells = {failed(32, bad)};
  wild.image_bytes.reset();
  wild.image_span_bytes.reset();
  wild.image_parts.reset();
  wild.image_reason = wild.parts_reason = bad;
  wild.is_timed_despite_failing = true;
  wild.cells[0].record_file = bad;
  wild.cells[0].operation = bad;
  view.builds = {wild};
  return view;
}

RunView stopped() {
  RunView view = run("stopped");
  view.is_complete = false;
  BuildView sm3 = build("hash-sm3", "SM3", 256);
  sm3.is_built = false;
  sm3.compiler = "";
  sm3.build_log = "";
  sm3.image_bytes.reset();
  sm3.image_span_bytes.reset();
  sm3.image_parts.reset();
  sm3.kat_status = "";
  sm3.kat_log = "";
  sm3.contract.clear();
  sm3.category = "";
  CellView cell;
  cell.operation = "hash_32";
  cell.message_bytes = 32;
  cell.planned_processes = 9;
  sm3.cells = {cell};
  BuildView bare = sm3;
  bare.label = "SM3.bare";
  bare.cells.clear();
  view.builds = {sm3, bare};
  view.environment.clear();
  return view;
}

}  // namespace hashprof::report::views
