// SPDX-License-Identifier: MIT
// Assembles the RunView: journal lines become cells, cells become figures.
#include <algorithm>
#include <map>

#include "base/error.h"
#include "base/sha256.h"
#include "base/text.h"
#include "record/agreement.h"
#include "record/assemble.h"
#include "record/baseline.h"
#include "record/grade.h"
#include "record/journal.h"
#include "record/kat_log.h"

namespace hashprof::record {

namespace {

constexpr double kLongSizesFrom = 4096;  // "the long sizes" of slope and fixed cost: S5 and up

std::string failure_of(const Observation& o) {
  const std::string text = o.phase == "calibrate" ? "calibration"
                           : o.phase == "percall" ? "process of single calls"
                                                  : "process " + std::to_string(o.process + 1);
  return text + " " + outcome_name(o.outcome) + ": " + o.detail;
}

Figure figure_of(const std::vector<double>& values) {
  return {stats::summarize(values), "", stats::describe(values)};
}

Figure absent_figure(const std::string& reason) { return {std::nullopt, reason}; }

/// Cycles a call over the used processes: all of them counted, or the figure is absent.
Figure cycles_figure(const std::vector<const Observation*>& used) {
  std::vector<double> values;
  for (const Observation* o : used) {
    if (!o->cycles) {
      return absent_figure(o->cycles_reason);
    }
    values.push_back(static_cast<double>(*o->cycles) / static_cast<double>(o->calls));
  }
  return figure_of(values);
}

void fill_first_calls(const std::vector<const Observation*>& used, CellView& cell) {
  std::vector<double> times;
  std::vector<double> cycles;
  for (const Observation* o : used) {
    times.push_back(static_cast<double>(o->first_call_ns));
    if (o->first_call_cycles) {
      cycles.push_back(static_cast<double>(*o->first_call_cycles));
    }
  }
  cell.first_call_ns = figure_of(times);
  cell.first_call_cycles =
      cycles.size() == used.size() ? figure_of(cycles) : absent_figure(cell.cycles.reason);
}

/// The samples of the used process of single calls.
void fill_single_call(const std::vector<Observation>& observations, CellView& cell) {
  SingleCallView& view = cell.single_call;
  for (const Observation& o : observations) {
    if (o.phase != "percall" || o.outcome != Outcome::complete) {
      continue;
    }
    if (!o.taints.empty()) {
      view.reason = "the machine disturbed the process: " + text::join(o.taints, "; ");
    } else if (!o.percall) {
      view.reason = o.cycles_reason;
    } else {
      view.unit = o.percall->unit;
      view.figures = stats::summarize_single_calls(o.percall->empty, o.percall->samples,
                                                   o.percall->doubled, o.percall->batch);
      view.reason.clear();
      return;
    }
  }
  if (view.reason.empty()) {
    view.reason = "not sampled";
  }
}

Figure time_figure(const std::vector<const Observation*>& used) {
  std::vector<double> values;
  values.reserve(used.size());
  for (const Observation* o : used) {
    values.push_back(o->call_ns());
  }
  return figure_of(values);
}

/// Counts the processes that were tried as often as allowed, and says why they are not used.
void fill_shortfall(const std::vector<Observation>& observations, CellView& cell) {
  std::map<std::uint32_t, std::uint32_t> disturbed;  // attempts by process
  std::string last;
  for (const Observation& o : observations) {
    if (o.phase == "trial" && o.is_disturbed() &&
        ++disturbed[o.process] == kMostDisturbedAttempts) {
      ++cell.disturbed_processes;
      last = text::join(o.taints, "; ");
    }
  }
  if (cell.disturbed_processes > 0) {
    cell.shortfall =
        std::to_string(cell.disturbed_processes) + " of " + std::to_string(cell.planned_processes) +
        " processes are not used: the machine disturbed all " +
        std::to_string(kMostDisturbedAttempts) + " attempts of each (the last: " + last + ")";
  }
}

/// The first finding of each kind (its word before the colon), with the number of processes.
std::vector<std::string> list_findings(const std::vector<const Observation*>& used) {
  std::map<std::string, std::pair<std::string, std::size_t>> by_kind;
  for (const Observation* o : used) {
    for (const std::string& finding : o->findings) {
      auto& [text, count] = by_kind[finding.substr(0, finding.find(':'))];
      text = text.empty() ? finding : text;
      ++count;
    }
  }
  std::vector<std::string> findings;
  findings.reserve(by_kind.size());
  for (const auto& [kind, found] : by_kind) {
    findings.push_back(found.first + ", in " + std::to_string(found.second) + " of " +
                       std::to_string(used.size()) + " processes");
  }
  return findings;
}

void fill_cell(CellView& cell, const std::vector<Observation>& observations) {
  std::vector<const Observation*> used;
  for (const Observation& o : observations) {
    if (o.phase == "trial") {
      ++cell.attempts;
    }
    if (o.outcome != Outcome::complete && cell.failure.empty()) {
      cell.failure = failure_of(o);
    } else if (o.phase == "trial" && o.is_used()) {
      used.push_back(&o);
    }
  }
  cell.used_processes = static_cast<std::uint32_t>(used.size());
  if (!cell.failure.empty()) {
    cell.time_ns.reason = cell.failure;
    cell.cycles.reason = cell.failure;
    return;
  }
  for (const Observation* o : used) {
    cell.calls_total += o->calls;
    cell.calls_each = o->calls;
    if (o->baseline_rss_kib) {
      cell.baseline_rss_kib.push_back(*o->baseline_rss_kib);
    }
    if (o->peak_rss_kib) {
      cell.peak_rss_kib.push_back(*o->peak_rss_kib);
    }
  }
  fill_shortfall(observations, cell);
  cell.findings = list_findings(used);
  if (used.empty()) {
    cell.time_ns.reason =
        cell.shortfall.empty() ? "not measured: the run stopped before" : cell.shortfall;
    cell.cycles.reason = cell.time_ns.reason;
    return;
  }
  cell.time_ns = time_figure(used);
  cell.cycles = cycles_figure(used);
  fill_first_calls(used, cell);
  fill_single_call(observations, cell);
}

/// The used trials of a cell with figures, those of the sure processes or all; empty else.
Trials trials_of(const CellView& cell, const std::vector<Observation>& observations,
                 std::uint32_t processes) {
  Trials trials;
  for (const Observation& o : observations) {
    if (cell.time_ns.summary && o.phase == "trial" && o.is_used() && o.process < processes) {
      trials.push_back(&o);
    }
  }
  return trials;
}

std::vector<std::size_t> odd_indices(const stats::Agreement& agreement) {
  std::vector<std::size_t> indices;
  for (const auto* side : {&agreement.slow, &agreement.fast}) {
    for (const stats::Outlier& outlier : *side) {
      indices.push_back(outlier.index);
    }
  }
  std::sort(indices.begin(), indices.end());
  return indices;
}

using Journal = std::map<std::string, std::vector<Observation>>;

const std::vector<Observation>& observations_of(const Journal& journal, const BuildView& build,
                                                const CellView& cell) {
  static const std::vector<Observation> none;
  const auto found = journal.find(build.family_id + "/" + build.label + "/" + cell.operation);
  return found == journal.end() ? none : found->second;
}

/// Of the cells of a build in one mode: which were to have more processes, and how all agree.
void judge_agreement(const Journal& journal, const RunView& run, bool is_latency,
                     BuildView& build) {
  std::vector<CellView*> cells;
  std::vector<Trials> sure;
  std::vector<Trials> all;
  for (CellView& cell : build.cells) {
    if (cell.is_latency == is_latency) {
      const auto& observations = observations_of(journal, build, cell);
      cells.push_back(&cell);
      sure.push_back(trials_of(cell, observations, run.processes));
      all.push_back(trials_of(cell, observations, UINT32_MAX));
    }
  }
  const auto first = judge_cells(sure);
  const auto judgements = judge_cells(all);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    CellView& cell = *cells[i];
    if (first[i].has_outliers()) {
      cell.planned_processes = std::max(cell.planned_processes, run.max_processes);
    }
    AgreementView& view = cell.agreement;
    view.judgement = judgements[i];
    view.count = all[i].size();
    view.slice_drift = find_slice_drift(all[i]);
    const std::vector<std::size_t> odd = odd_indices(judgements[i]);
    if (!odd.empty()) {
      view.explanation = explain(all[i], odd);
    }
  }
}

/// Why no cell of a build was timed; empty if the gate lets it pass.
std::string gate_reason(const BuildView& build, bool is_time_failing) {
  if (!build.is_built) {
    return "not built: " + build.build_failure;
  }
  if (build.kat_status.empty()) {
    return "not measured: the run stopped before the known answers";
  }
  if (build.kat_status != "PASS" && !is_time_failing) {
    return "not timed: known answers " + build.kat_status +
           (build.kat_detail.empty() ? "" : " (" + build.kat_detail + ")");
  }
  return {};
}

std::optional<stats::Line> line_over(const std::vector<CellView>& cells,
                                     std::optional<std::uint64_t> output, bool is_cycles) {
  std::vector<stats::Point> points;
  for (const CellView& cell : cells) {
    const Figure& figure = is_cycles ? cell.cycles : cell.time_ns;
    if (figure.summary && cell.output_bytes == output && !cell.is_latency) {
      points.push_back({static_cast<double>(cell.message_bytes), figure.summary->median});
    }
  }
  return stats::fit_line(points, kLongSizesFrom);
}

std::string find_text(const json::Value& value, const char* key) {
  const json::Value* found = value.find(key);
  return found == nullptr ? std::string() : found->as_string();
}

/// The size of the library, which is a figure of the build and not of a process.
void fill_image(const json::Value& image, BuildView& view) {
  const json::Value* bytes = image.is_object() ? image.find("bytes") : nullptr;
  if (bytes == nullptr) {
    const std::string said = image.is_object() ? find_text(image, "reason") : "";
    view.image_reason = said.empty() ? "build.json has no image of the library" : said;
    view.parts_reason = view.image_reason;
    return;
  }
  view.image_bytes = bytes->as_unsigned();
  view.image_span_bytes = image.at("span_bytes").as_unsigned();
  const json::Value* parts = image.find("parts");
  if (parts == nullptr) {
    view.parts_reason = find_text(image, "parts_reason");
    return;
  }
  const auto part = [&](const char* name) { return parts->at(name).as_unsigned(); };
  view.image_parts = {part("text"), part("rodata"), part("relro"),   part("data"),
                      part("bss"),  part("other"),  part("headers"), part("gaps")};
}

BuildView build_view(const RunPaths& paths, const BuildEntry& entry) {
  BuildView view;
  view.family_id = entry.family_id;
  view.family_name = entry.family_name;
  view.category = entry.category;
  view.instance = entry.instance;
  view.label = entry.label;
  view.variant = entry.variant;
  view.variant_class = entry.variant_class;
  view.profile = entry.profile;
  if (const json::Value* const wanted = entry.result.find("guide_result")) {
    view.wanted_profile = wanted->at("profile").as_string();
    view.wanted_reason = wanted->at("reason").as_string();
  }
  view.digest_bits = entry.digest_bits;
  view.vector_files = entry.vector_files;
  view.library = entry.library;
  view.build_log = entry.log;
  view.compiler = entry.compiler_version();
  view.build_flags = entry.build_flags;
  view.is_built = entry.is_built();
  view.build_failure = entry.failure();
  view.library_sha256 = entry.library_sha256();
  if (view.is_built) {
    fill_image(entry.image, view);
  }
  const auto log = paths.kat_log(entry.family_id, entry.label);
  const auto kat = find_kat_log(log);
  if (kat && kat->library_sha256 == view.library_sha256) {
    view.kat_status = kat->status;
    view.kat_detail = kat->detail;
    view.kat_checked = kat->checked;
    view.kat_total = kat->total;
    view.kat_manifest = kat->manifest;
    for (const KatFileEntry& file : kat->files) {
      view.kat_files.push_back({file.kind, file.status, file.sha256, file.detail});
    }
    for (const ContractEntry& check : kat->contract) {
      view.contract.push_back({check.step, check.standing, check.detail});
    }
    view.kat_log = paths.relative(log);
    view.kat_log_sha256 = sha256_of_file(log);
  }
  return view;
}

void fill_header(RunView& run, const RunHeader& header) {
  const json::Value& campaign = header.campaign;
  run.tool_version = header.tool_version;
  run.name = campaign.at("name").as_string();
  run.title = campaign.at("title").as_string();
  run.system_id = campaign.at("system").at("id").as_string();
  run.system_note = campaign.at("system").at("note").as_string();
  run.preset = campaign.at("preset").as_string();
  run.report_note = campaign.at("report").at("note").as_string();
  for (const auto& [label, target] : campaign.at("report").at("links").as_object()) {
    run.links.emplace_back(label, target.as_string());
  }
  run.is_complete = header.status == RunStatus::complete;
  run.is_simulated = !header.simulation.empty();
  run.simulation = header.simulation;
  run.environment = header.environment;
  run.environment.push_back({"Campaign start (UTC)", header.started_utc, ""});
  run.environment.push_back(
      {"Campaign end (UTC)", header.ended_utc, header.ended_utc.empty() ? "not ended" : ""});
  run.architecture = header.architecture;
  run.core = header.core;
  const json::Value& measure = campaign.at("measure");
  run.processes = static_cast<std::uint32_t>(measure.at("processes").as_unsigned());
  run.max_processes = static_cast<std::uint32_t>(measure.at("max_processes").as_unsigned());
  run.trial_ns = measure.at("trial_ns").as_unsigned();
  run.seed = measure.at("seed").as_unsigned();
  if (const json::Value* const layouts = header.campaign.at("measure").find("layouts")) {
    run.layouts = layouts->as_unsigned();
  }
}

void sort_builds(RunView& run) {
  std::vector<std::string> families;
  for (const BuildView& build : run.builds) {
    if (std::find(families.begin(), families.end(), build.family_id) == families.end()) {
      families.push_back(build.family_id);
    }
  }
  const auto rank = [&](const BuildView& build) {
    return std::find(families.begin(), families.end(), build.family_id) - families.begin();
  };
  std::stable_sort(
      run.builds.begin(), run.builds.end(), [&](const BuildView& a, const BuildView& b) {
        return rank(a) != rank(b) ? rank(a) < rank(b) : text::natural_less(a.label, b.label);
      });
}

ObjectView object_view(const BuildEntry& entry) {
  ObjectView view;
  view.family_id = entry.family_id;
  view.label = entry.label;
  view.target = entry.profile;
  view.compiler = entry.compiler_version();
  view.failure = entry.failure();
  if (const json::Value* const sizes = entry.result.find("sizes")) {
    view.text = sizes->at("text").as_unsigned();
    view.rodata = sizes->at("rodata").as_unsigned();
    view.data = sizes->at("data").as_unsigned();
    view.bss = sizes->at("bss").as_unsigned();
  } else if (view.failure.empty()) {
    view.failure = "no sizes in build.json";
  }
  return view;
}

/// Builds of the header that build.json does not have yet, so that a stopped run shows them too.
void add_missing_builds(RunView& run, const RunHeader& header) {
  for (const json::Value& build : header.builds.as_array()) {
    const std::string& family = build.at("family").as_string();
    const std::string& label = build.at("label").as_string();
    const bool is_known = std::any_of(
        run.builds.begin(), run.builds.end(),
        [&](const BuildView& view) { return view.family_id == family && view.label == label; });
    if (!is_known) {
      BuildView view;
      view.family_id = family;
      view.family_name = build.at("family_name").as_string();
      view.instance = build.at("instance").as_string();
      view.label = label;
      view.variant = build.at("variant").as_string();
      view.profile = build.at("profile").as_string();
      view.digest_bits = static_cast<std::uint32_t>(build.at("digest_bits").as_unsigned());
      view.build_failure = "the run stopped before";
      run.builds.push_back(std::move(view));
    }
  }
}

/// An output length that a run lists for a build, and why the build cannot give it.
struct Output {
  std::optional<std::uint64_t> bytes;  ///< empty: digest_bits, and nothing is listed
  std::string excluded;
};

/// The outputs of the run's header for a build; one without a length where none are listed.
std::vector<Output> outputs_of(const RunHeader& header, const BuildView& view) {
  std::vector<Output> outputs;
  for (const json::Value& build : header.builds.as_array()) {
    const json::Value* listed = build.find("outputs");
    if (listed != nullptr && build.at("family").as_string() == view.family_id &&
        build.at("label").as_string() == view.label) {
      for (const json::Value& output : listed->as_array()) {
        outputs.push_back({output.at("bytes").as_unsigned(), find_text(output, "excluded")});
      }
    }
  }
  if (outputs.empty()) {
    outputs.emplace_back();
  }
  return outputs;
}

/// A cell for each size and output, still without figures.
std::vector<CellView> planned_cells(const RunHeader& header, const std::vector<Output>& outputs) {
  const json::Value& measure = header.campaign.at("measure");
  const auto processes = static_cast<std::uint32_t>(measure.at("processes").as_unsigned());
  const json::Value* const bound = measure.find("latency_up_to_bytes");
  const std::uint64_t latency_up_to = bound == nullptr ? UINT64_MAX : bound->as_unsigned();
  std::vector<CellView> cells;
  for (const json::Value& mode : measure.at("modes").as_array()) {
    const bool is_latency = mode.as_string() == "latency";
    for (const json::Value& size : measure.at("sizes").as_array()) {
      const std::uint64_t bytes = size.as_unsigned();
      if (is_latency && (bytes == 0 || bytes > latency_up_to)) {
        continue;
      }
      for (const Output& output : outputs) {
        CellView cell;
        cell.message_bytes = bytes;
        cell.output_bytes = output.bytes;
        cell.is_latency = is_latency;
        cell.operation = "hash_" + std::to_string(bytes) +
                         (output.bytes ? "_out_" + std::to_string(*output.bytes) : "") +
                         (is_latency ? "__latency" : "");
        cell.excluded = output.excluded;
        cell.planned_processes = output.excluded.empty() ? processes : 0;
        cells.push_back(std::move(cell));
      }
    }
  }
  return cells;
}

void fill_lines(const std::vector<Output>& outputs, BuildView& build) {
  build.time_line = line_over(build.cells, std::nullopt, false);
  build.cycles_line = line_over(build.cells, std::nullopt, true);
  for (const Output& output : outputs) {
    if (output.bytes) {
      build.output_lines.push_back({*output.bytes, line_over(build.cells, output.bytes, false),
                                    line_over(build.cells, output.bytes, true)});
    }
  }
}

}  // namespace

RunView load_run(const RunPaths& paths) {
  const RunHeader header = load_header(paths);
  RunView run;
  fill_header(run, header);
  for (const BuildEntry& entry : load_builds(paths)) {
    run.builds.push_back(build_view(paths, entry));
  }
  for (const BuildEntry& entry : load_objects(paths)) {
    run.objects.push_back(object_view(entry));
  }
  add_missing_builds(run, header);
  sort_builds(run);

  const auto observations = read_journal_by_cell(paths.journal());
  const bool is_time_failing = header.campaign.at("time_failing").as_bool();
  GradeFacts facts;
  facts.host_reasons = header.host_reasons;
  for (BuildView& build : run.builds) {
    const std::string gate = gate_reason(build, is_time_failing);
    build.is_timed_despite_failing = gate.empty() && build.kat_status != "PASS";
    const std::vector<Output> outputs = outputs_of(header, build);
    for (CellView& cell : planned_cells(header, outputs)) {
      const auto found =
          observations.find(build.family_id + "/" + build.label + "/" + cell.operation);
      if (!cell.excluded.empty()) {
        cell.time_ns.reason = cell.excluded;
        cell.cycles.reason = cell.excluded;
      } else if (!gate.empty()) {
        cell.failure = gate;
        cell.time_ns.reason = gate;
        cell.cycles.reason = gate;
      } else if (found == observations.end()) {
        fill_cell(cell, {});
      } else {
        fill_cell(cell, found->second);
        cell.record_file =
            paths.relative(paths.record_file(build.family_id, build.label, cell.operation));
        for (const Observation& o : found->second) {
          facts.is_sandboxed = facts.is_sandboxed && (!o.is_used() || o.is_sandboxed);
          facts.is_core_shared = facts.is_core_shared || o.is_core_shared_with_parent;
        }
      }
      build.cells.push_back(std::move(cell));
    }
    for (const bool is_latency : {false, true}) {
      judge_agreement(observations, run, is_latency, build);
    }
    fill_lines(outputs, build);
  }
  if (const json::Value* baselines = header.campaign.find("baselines")) {
    compare_with_baselines(*baselines, run);
  }
  run.orientation_reasons = orientation_reasons(run, facts);
  return run;
}

}  // namespace hashprof::record
