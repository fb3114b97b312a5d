// SPDX-License-Identifier: MIT
// Assembles the RunView: journal lines become cells, cells become figures.
#include <algorithm>
#include <map>

#include "base/error.h"
#include "base/sha256.h"
#include "base/text.h"
#include "record/assemble.h"
#include "record/baseline.h"
#include "record/cells.h"
#include "record/grade.h"
#include "record/journal.h"
#include "record/kat_log.h"
#include "record/memory_entry.h"

namespace hashprof::record {

namespace {

constexpr double kLongSizesFrom = 4096;  // "the long sizes" of slope and fixed cost: S5 and up

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

/// The own part of the image: what it has beyond that of an empty library.
StaticFigures static_figures(const BuildView& view, const json::Value& image) {
  const json::Value* const own = image.is_object() ? image.find("own") : nullptr;
  const auto figure = [&](const char* name) {
    if (own == nullptr) {
      return Seen<std::uint64_t>::absent(view.image_reason.empty()
                                             ? "build.json has no empty library to compare with"
                                             : view.image_reason);
    }
    const json::Value* const bytes = own->find(name);
    return bytes != nullptr ? Seen<std::uint64_t>::of(bytes->as_unsigned())
                            : Seen<std::uint64_t>::absent(find_text(*own, "reason"));
  };
  return {figure("image"), figure("rom"), figure("ram")};
}

/// What was measured of this very library.
void fill_memory(const RunPaths& paths, const json::Value& image, BuildView& view) {
  const auto file = paths.memory_file(view.family_id, view.label);
  const auto entry = find_memory_entry(file);
  if (!entry || entry->library_sha256 != view.library_sha256) {
    return;
  }
  view.memory = derive_memory(*entry, static_figures(view, image));
  view.memory.file = paths.relative(file);
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
  fill_memory(paths, entry.image, view);
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
        cell.leave_without_figures(cell.excluded);
      } else if (!gate.empty()) {
        cell.failure = gate;
        cell.leave_without_figures(gate);
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
