// SPDX-License-Identifier: MIT
// Views, summaries and record files as JSON.
#include "base/file.h"
#include "record/assemble.h"
#include "record/journal.h"

namespace hashprof::record {

namespace {

constexpr const char* kRecordSchema = "hashprof-record/1";

json::Value text_or_null(const std::string& text) {
  return text.empty() ? json::Value() : json::Value(text);
}

json::Value to_json(const std::optional<stats::Range>& range) {
  return range ? json::Value(json::Object{{"low", range->low}, {"high", range->high}})
               : json::Value();
}

json::Value to_json(const stats::Quartiles& quartiles) {
  return json::Array{quartiles.first, quartiles.second, quartiles.third};
}

/// What stands beside a summary in the evidence only; it decides nothing.
json::Value to_json(const std::optional<stats::Details>& details) {
  if (!details) {
    return {};
  }
  return json::Object{{"mad", details->mad},
                      {"stq", to_json(details->quartiles)},
                      {"skewness", details->skewness},
                      {"mean_t_interval", to_json(details->t_interval)},
                      {"mean_bootstrap_interval", to_json(details->bootstrap_interval)},
                      {"bootstrap", json::Object{{"resamples", stats::kResamples},
                                                 {"seed", stats::kResamplingSeed}}}};
}

/// {"value": null, "reason": ...} where there is no figure.
json::Value to_json(const Figure& figure, const char* unit) {
  if (!figure.summary) {
    return json::Object{{"value", nullptr}, {"reason", figure.reason}};
  }
  const stats::Summary& s = *figure.summary;
  return json::Object{
      {"unit", unit},
      {"processes", s.count},
      {"median", s.median},
      {"mean", s.mean},
      {"min", s.min},
      {"max", s.max},
      {"standard_deviation", s.standard_deviation},
      {"interval", json::Object{{"low", s.interval.low},
                                {"high", s.interval.high},
                                {"kind", s.interval.is_confidence ? "order statistics" : "range"},
                                {"rank", s.interval.rank},
                                {"coverage", s.interval.coverage}}},
      {"is_mean_off", s.is_mean_off},
      {"details", to_json(figure.details)},
  };
}

json::Value to_json(const std::optional<stats::Line>& line, const char* unit) {
  if (!line) {
    return {};
  }
  return json::Object{
      {"slope", line->slope}, {"fixed", line->fixed}, {"points", line->points}, {"unit", unit}};
}

json::Array numbers(const std::vector<std::uint64_t>& values) {
  return {values.begin(), values.end()};
}

json::Array texts(const std::vector<std::string>& values) { return {values.begin(), values.end()}; }

json::Value to_json(const Ratio& ratio) {
  return json::Object{{"value", ratio.value}, {"reason", text_or_null(ratio.reason)}};
}

/// Null where the campaign names no baselines, and for a baseline itself.
json::Value comparison_to_json(const CellView& cell) {
  if (cell.is_baseline || (cell.baseline.empty() && cell.time_ratio.reason.empty())) {
    return {};
  }
  return json::Object{{"baseline", text_or_null(cell.baseline)},
                      {"time_ratio", to_json(cell.time_ratio)},
                      {"cycles_ratio", to_json(cell.cycles_ratio)}};
}

const char* mode_name(const CellView& cell) { return cell.is_latency ? "latency" : "throughput"; }

const char* degree_name(stats::Degree degree) {
  return degree == stats::Degree::severe   ? "severe"
         : degree == stats::Degree::notice ? "notice"
                                           : "none";
}

json::Array to_json(const std::vector<stats::Outlier>& outliers) {
  json::Array out;
  for (const stats::Outlier& outlier : outliers) {
    out.push_back(json::Object{{"trial", static_cast<std::uint64_t>(outlier.index)},
                               {"deviation", outlier.deviation},
                               {"degree", degree_name(outlier.degree)}});
  }
  return out;
}

json::Value to_json(const AgreementView& view) {
  return json::Object{{"trials", view.count},
                      {"degree", degree_name(view.judgement.degree)},
                      {"slow", to_json(view.judgement.slow)},
                      {"fast", to_json(view.judgement.fast)},
                      {"bimodal", view.judgement.is_bimodal()},
                      {"drift", view.judgement.drift},
                      {"slice_drift", view.slice_drift},
                      {"notice_bound", view.judgement.notice_bound},
                      {"undetected_rate", stats::undetected_rate(view.count)},
                      {"explanation", texts(view.explanation)}};
}

json::Value to_json(const SingleCallView& view) {
  if (!view.figures) {
    return json::Object{{"value", nullptr}, {"reason", text_or_null(view.reason)}};
  }
  const stats::SingleCall& f = *view.figures;
  return json::Object{{"unit", view.unit},
                      {"samples", f.samples},
                      {"batch", f.batch},
                      {"empty", f.empty},
                      {"empty_spread", f.empty_spread},
                      {"read", f.read},
                      {"net", f.net},
                      {"stq", to_json(f.quartiles)},
                      {"least", f.least},
                      {"by_doubling", f.by_doubling},
                      {"is_below_resolution", f.is_below_resolution}};
}

json::Object cell_to_json(const CellView& cell) {
  return {{"operation", cell.operation},
          {"message_bytes", cell.message_bytes},
          {"output_bytes", cell.output_bytes},
          {"mode", mode_name(cell)},
          {"excluded", text_or_null(cell.excluded)},
          {"record", text_or_null(cell.record_file)},
          {"failure", text_or_null(cell.failure)},
          {"shortfall", text_or_null(cell.shortfall)},
          {"findings", texts(cell.findings)},
          {"processes", json::Object{{"planned", cell.planned_processes},
                                     {"used", cell.used_processes},
                                     {"disturbed", cell.disturbed_processes},
                                     {"attempts", cell.attempts}}},
          {"calls", json::Object{{"each", cell.calls_each}, {"total", cell.calls_total}}},
          {"time", to_json(cell.time_ns, "ns/call")},
          {"cycles", to_json(cell.cycles, "cycles/call")},
          {"agreement", to_json(cell.agreement)},
          {"first_call", json::Object{{"time", to_json(cell.first_call_ns, "ns")},
                                      {"cycles", to_json(cell.first_call_cycles, "cycles")}}},
          {"single_call", to_json(cell.single_call)},
          {"comparison", comparison_to_json(cell)},
          {"baseline_rss_kib", numbers(cell.baseline_rss_kib)},
          {"peak_rss_kib", numbers(cell.peak_rss_kib)},
          {"last_anon_kib", cell.last_anon_kib},
          {"last_file_kib", cell.last_file_kib},
          {"last_file_pmd_kib", cell.last_file_pmd_kib}};
}

json::Value to_json(const std::optional<ImageParts>& parts) {
  if (!parts) {
    return {};
  }
  return json::Object{{"text", parts->text},       {"rodata", parts->rodata},
                      {"relro", parts->relro},     {"data", parts->data},
                      {"bss", parts->bss},         {"other", parts->other},
                      {"headers", parts->headers}, {"gaps", parts->gaps}};
}

json::Value image_to_json(const BuildView& build) {
  return json::Object{{"bytes", build.image_bytes},
                      {"reason", text_or_null(build.image_reason)},
                      {"span_bytes", build.image_span_bytes},
                      {"parts", to_json(build.image_parts)},
                      {"parts_reason", text_or_null(build.parts_reason)}};
}

json::Array kat_files_to_json(const BuildView& build) {
  json::Array files;
  for (const KatFileView& file : build.kat_files) {
    files.push_back(json::Object{{"kind", file.kind},
                                 {"status", file.status},
                                 {"sha256", text_or_null(file.sha256)},
                                 {"detail", text_or_null(file.detail)}});
  }
  return files;
}

json::Array contract_to_json(const BuildView& build) {
  json::Array checks;
  for (const ContractView& check : build.contract) {
    checks.push_back(json::Object{{"step", check.step},
                                  {"standing", check.standing},
                                  {"detail", text_or_null(check.detail)}});
  }
  return checks;
}

/// Of a build by a fallback: what became of the profile that was asked for.
json::Value guide_result(const BuildView& build) {
  return build.wanted_profile.empty() ? json::Value()
                                      : json::Value(json::Object{{"profile", build.wanted_profile},
                                                                 {"reason", build.wanted_reason}});
}

json::Object build_to_json(const BuildView& build) {
  json::Array cells;
  for (const CellView& cell : build.cells) {
    cells.emplace_back(cell_to_json(cell));
  }
  json::Array output_lines;
  for (const OutputLines& lines : build.output_lines) {
    output_lines.emplace_back(
        json::Object{{"output_bytes", lines.output_bytes},
                     {"time_line", to_json(lines.time_line, "ns, bytes")},
                     {"cycles_line", to_json(lines.cycles_line, "cycles, bytes")}});
  }
  return {{"family", build.family_id},
          {"instance", build.instance},
          {"label", build.label},
          {"variant", build.variant},
          {"profile", build.profile},
          {"guide_result", guide_result(build)},
          {"digest_bits", build.digest_bits},
          {"built", build.is_built},
          {"build_failure", text_or_null(build.build_failure)},
          {"library", text_or_null(build.library)},
          {"library_sha256", text_or_null(build.library_sha256)},
          {"image", image_to_json(build)},
          {"kat", json::Object{{"status", text_or_null(build.kat_status)},
                               {"detail", text_or_null(build.kat_detail)},
                               {"checked", build.kat_checked},
                               {"total", build.kat_total},
                               {"manifest", text_or_null(build.kat_manifest)},
                               {"files", kat_files_to_json(build)},
                               {"contract", contract_to_json(build)},
                               {"log", text_or_null(build.kat_log)}}},
          {"timed_despite_failing", build.is_timed_despite_failing},
          {"time_line", to_json(build.time_line, "ns, bytes")},
          {"cycles_line", to_json(build.cycles_line, "cycles, bytes")},
          {"output_lines", std::move(output_lines)},
          {"cells", std::move(cells)}};
}

/// One record: the cell as derived, with its raw processes and what they ran on.
json::Value record_to_json(const RunHeader& header, const BuildView& build, const CellView& cell,
                           const std::vector<Observation>& observations) {
  json::Array processes;
  for (const Observation& observation : observations) {
    processes.push_back(to_json(observation));
  }
  // A process that was disturbed in every attempt allowed is not waited for.
  const bool is_complete = cell.failure.empty() &&
                           cell.used_processes + cell.disturbed_processes == cell.planned_processes;
  return json::Object{
      {"schema", kRecordSchema},
      {"tool", json::Object{{"name", "hashprof"}, {"version", header.tool_version}}},
      {"status", is_complete            ? "complete"
                 : cell.failure.empty() ? "stopped"
                                        : "failed"},
      {"simulation", text_or_null(header.simulation)},
      {"family", build.family_id},
      {"instance", build.instance},
      {"label", build.label},
      {"variant", build.variant},
      {"profile", build.profile},
      {"guide_result", guide_result(build)},
      {"digest_bits", build.digest_bits},
      {"operation", cell.operation},
      {"message_bytes", cell.message_bytes},
      {"output_bytes", cell.output_bytes},
      {"mode", mode_name(cell)},
      {"plan", json::Object{{"processes", cell.planned_processes},
                            {"trial_ns", header.campaign.at("measure").at("trial_ns")},
                            {"seed", header.campaign.at("measure").at("seed")},
                            {"core", header.core}}},
      {"environment", header.host},
      {"compiler", build.compiler},
      {"build_flags", build.build_flags},
      {"library", json::Object{{"file", build.library},
                               {"sha256", build.library_sha256},
                               {"image", image_to_json(build)}}},
      {"kat", json::Object{{"status", text_or_null(build.kat_status)},
                           {"files", kat_files_to_json(build)},
                           {"contract", contract_to_json(build)},
                           {"log", text_or_null(build.kat_log)},
                           {"log_sha256", text_or_null(build.kat_log_sha256)}}},
      {"shortfall", text_or_null(cell.shortfall)},
      {"findings", texts(cell.findings)},
      {"agreement", to_json(cell.agreement)},
      {"processes", std::move(processes)},
      {"summary", json::Object{{"time", to_json(cell.time_ns, "ns/call")},
                               {"cycles", to_json(cell.cycles, "cycles/call")},
                               {"first_call_time", to_json(cell.first_call_ns, "ns")},
                               {"first_call_cycles", to_json(cell.first_call_cycles, "cycles")},
                               {"single_call", to_json(cell.single_call)}}},
  };
}

}  // namespace

json::Value to_json(const RunView& run) {
  json::Array builds;
  for (const BuildView& build : run.builds) {
    builds.emplace_back(build_to_json(build));
  }
  json::Array reasons{run.orientation_reasons.begin(), run.orientation_reasons.end()};
  json::Array items;
  for (const auto& item : run.environment) {
    items.push_back(json::Object{{"item", item.item},
                                 {"value", text_or_null(item.value)},
                                 {"reason", text_or_null(item.reason)}});
  }
  return json::Object{
      {"schema", "hashprof-report/1"},
      {"tool", json::Object{{"name", "hashprof"}, {"version", run.tool_version}}},
      {"name", run.name},
      {"simulation", text_or_null(run.simulation)},
      {"complete", run.is_complete},
      {"grade", run.orientation_reasons.empty() ? "PUBLISHABLE" : "FOR ORIENTATION ONLY"},
      {"reasons", std::move(reasons)},
      {"environment", std::move(items)},
      {"builds", std::move(builds)},
  };
}

void write_records(const RunPaths& paths) {
  const RunHeader header = load_header(paths);
  const RunView run = load_run(paths);
  const auto by_cell = read_journal_by_cell(paths.journal());
  for (const BuildView& build : run.builds) {
    for (const CellView& cell : build.cells) {
      const auto found = by_cell.find(build.family_id + "/" + build.label + "/" + cell.operation);
      if (found == by_cell.end()) {
        continue;
      }
      const auto file = paths.record_file(build.family_id, build.label, cell.operation);
      make_directories(file.parent_path());
      write_file_atomically(file,
                            json::write_pretty(record_to_json(header, build, cell, found->second)));
    }
  }
}

}  // namespace hashprof::record
