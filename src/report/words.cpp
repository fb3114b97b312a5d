// SPDX-License-Identifier: MIT
// See report/words.h.
#include "report/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/text.h"
#include "report/agreement_words.h"
#include "report/markdown_text.h"
#include "report/numbers.h"

namespace hashprof::report {

namespace {

constexpr const char* kStopped = "the run was stopped before it";

std::string with_detail(const std::string& text, const std::string& detail) {
  return detail.empty() ? text : text + ": " + detail;
}

/// Why nothing of a build could be timed; empty if nothing stands in the way.
std::string obstacle(const RunView& run, const BuildView& build) {
  if (!build.is_built) {
    return why_no_library(run, build);
  }
  if (is_failing(build) && !build.is_timed_despite_failing) {
    return with_detail("not timed: known answers " + build.kat_status, build.kat_detail);
  }
  return {};
}

std::string first_said(std::initializer_list<std::string> candidates) {
  const auto at = std::find_if(candidates.begin(), candidates.end(),
                               [](const std::string& text) { return !text.empty(); });
  return at == candidates.end() ? std::string() : *at;
}

std::string mean_flag(const stats::Summary& summary, const std::string& mean,
                      const std::string& median) {
  const double off = summary.mean / summary.median - 1;
  return fmt::format("mean {} is {} {} the median {}", mean, share_text(std::abs(off)),
                     off > 0 ? "above" : "below", median);
}

/// ", 64 B out" of a listed output.
std::string out_text(const std::optional<std::uint64_t>& output_bytes) {
  return output_bytes ? fmt::format(", {} B out", *output_bytes) : "";
}

/// ", latency" of that mode.
std::string mode_text(const CellView& cell) { return cell.is_latency ? ", latency" : ""; }

void add_cell_flags(const std::string& where, const CellView& cell,
                    std::vector<std::string>& flags) {
  if (!cell.failure.empty()) {
    const std::string used =
        cell.time_ns.summary.has_value()
            ? fmt::format("{} of {} processes used: ", cell.used_processes, cell.planned_processes)
            : "";
    flags.push_back(where + used + escape(cell.failure));
  }
  if (!cell.shortfall.empty()) {
    flags.push_back(where + escape(cell.shortfall));
  }
  for (const std::string& finding : cell.findings) {
    flags.push_back(where + escape(finding));
  }
  for (const std::string& flag : agreement_flags(cell)) {
    flags.push_back(where + flag);
  }
  if (cell.agreement.judgement.has_outliers()) {
    return;  // with mean and median already
  }
  const auto& time = cell.time_ns.summary;
  const auto& cycles = cell.cycles.summary;
  if (time.has_value() && time->is_mean_off && time->median > 0) {
    flags.push_back(where + mean_flag(*time, time_text(time->mean), time_text(time->median)));
  } else if (cycles.has_value() && cycles->is_mean_off && cycles->median > 0) {
    flags.push_back(where + mean_flag(*cycles, cycles_text(cycles->mean) + " cycles",
                                      cycles_text(cycles->median)));
  }
}

bool is_compared(const record::KatFileView& file) {
  return file.status != "NOKAT" && file.status != "NOTRUN" && !file.status.empty();
}

/// Computed, but there is no known answer.
bool is_unanswered(const record::KatFileView& file) {
  return file.status == "NOKAT" && !file.sha256.empty();
}

/// " 2_12 2_23 vectors (38)": what a verdict rests on; where it is no PASS, each file has its own.
std::string computed_answers(const BuildView& build) {
  std::string out;
  for (const record::KatFileView& file : build.kat_files) {
    if (is_compared(file)) {
      out += " " + escape(file.kind) +
             (build.kat_status == "PASS" ? "" : " (" + escape(file.status) + ")");
    }
  }
  if (build.kat_total != 0) {
    out += build.kat_checked == build.kat_total
               ? fmt::format(" vectors ({})", build.kat_total)
               : fmt::format(" vectors ({} of {})", build.kat_checked, build.kat_total);
  }
  return out;
}

/// Names with one reason each; neighbours of the same reason share it.
using NamesByReason = std::vector<std::pair<std::string, std::string>>;

void add_by_reason(NamesByReason& list, const std::string& name, const std::string& reason) {
  if (list.empty() || list.back().second != reason) {
    list.emplace_back(name, reason);
  } else {
    list.back().first += " " + name;
  }
}

/// "2_12 2_23 (no manifest), 2_33 (not asked for)"; escaped.
std::string reasons_text(const NamesByReason& list) {
  std::vector<std::string> parts;
  parts.reserve(list.size());
  for (const auto& [names, reason] : list) {
    parts.push_back(escape(names) + " (" + escape(reason) + ")");
  }
  return text::join(parts, ", ");
}

/// "; computed without a known answer: 2_33 Loop (not in the manifest)"; empty if there is none.
std::string unanswered_files(const BuildView& build) {
  NamesByReason kinds_by_reason;
  for (const record::KatFileView& file : build.kat_files) {
    if (is_unanswered(file)) {
      add_by_reason(kinds_by_reason, file.kind, file.detail);
    }
  }
  return kinds_by_reason.empty()
             ? ""
             : "; computed without a known answer: " + reasons_text(kinds_by_reason);
}

/// "; not run: 2_12 2_23 (no manifest), 2_33 Loop (not asked for)"; empty if all were computed.
std::string absent_answers(const BuildView& build) {
  NamesByReason kinds_by_reason;
  for (const char* kind : {"2_12", "2_23", "2_33", "Loop"}) {
    const auto file =
        std::find_if(build.kat_files.begin(), build.kat_files.end(),
                     [&](const record::KatFileView& entry) { return entry.kind == kind; });
    if (file == build.kat_files.end()) {
      add_by_reason(kinds_by_reason, kind, "not asked for");
    } else if (!is_compared(*file) && !is_unanswered(*file)) {
      add_by_reason(kinds_by_reason, kind, file->detail);
    }
  }
  return kinds_by_reason.empty() ? "" : "; not run: " + reasons_text(kinds_by_reason);
}

}  // namespace

bool has_several_families(const RunView& run) {
  return std::any_of(run.builds.begin(), run.builds.end(), [&run](const BuildView& build) {
    return build.family_id != run.builds.front().family_id;
  });
}

std::string name_of(const RunView& run, const BuildView& build) {
  const bool is_shared =
      std::any_of(run.builds.begin(), run.builds.end(), [&build](const BuildView& other) {
        return other.label == build.label && other.family_id != build.family_id;
      });
  return escape(is_shared ? build.family_id + "/" + build.label : build.label);
}

bool is_failing(const BuildView& build) {
  return build.is_built && !build.kat_status.empty() && build.kat_status != "PASS";
}

std::string row_name(const BuildView& build) {
  const std::string label =
      escape(build.label) +
      (build.wanted_profile.empty() ? "" : " **(built as " + escape(build.profile) + ")**");
  return is_failing(build) && build.is_timed_despite_failing
             ? label + " **(known answers " + escape(build.kat_status) + ")**"
             : label;
}

std::string row_name(const BuildView& build, const std::optional<std::uint64_t>& output_bytes) {
  return row_name(build) + out_text(output_bytes);
}

std::string row_name(const BuildView& build, const CellView& cell) {
  return row_name(build, cell.output_bytes) + mode_text(cell);
}

bool has_mode(const RunView& run, bool is_latency) {
  return std::any_of(run.builds.begin(), run.builds.end(), [&](const BuildView& build) {
    return std::any_of(build.cells.begin(), build.cells.end(),
                       [&](const CellView& cell) { return cell.is_latency == is_latency; });
  });
}

std::vector<std::optional<std::uint64_t>> outputs_of(const BuildView& build) {
  std::vector<std::optional<std::uint64_t>> outputs;
  for (const CellView& cell : build.cells) {
    if (std::find(outputs.begin(), outputs.end(), cell.output_bytes) == outputs.end()) {
      outputs.push_back(cell.output_bytes);
    }
  }
  if (outputs.empty()) {
    outputs.emplace_back();
  }
  return outputs;
}

std::string output_text(const BuildView& build, const std::optional<std::uint64_t>& output_bytes) {
  return std::to_string(output_bytes ? *output_bytes * 8 : build.digest_bits);
}

std::string known_answers(const RunView& run, const BuildView& build) {
  if (!build.is_built) {
    return "not run: " + escape(why_no_library(run, build));
  }
  if (build.kat_status.empty()) {
    const std::string why =
        build.kat_detail.empty() && !run.is_complete ? kStopped : build.kat_detail;
    return escape(with_detail("not run", why));
  }
  const std::string computed = computed_answers(build);
  const std::string tail = unanswered_files(build) + absent_answers(build);
  if (build.kat_status == "PASS") {
    return "PASS" + computed + tail;
  }
  return with_detail("**" + escape(build.kat_status) + "**" + computed, escape(build.kat_detail)) +
         tail;
}

std::string list_by_text(
    const RunView& run,
    const std::function<std::string(const RunView& run, const BuildView& build)>& text_of) {
  std::string list;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < run.builds.size(); ++i) {
    const BuildView& build = run.builds[i];
    names.push_back(name_of(run, build));
    const std::string text = text_of(run, build);
    if (i + 1 < run.builds.size() && run.builds[i + 1].family_id == build.family_id &&
        text_of(run, run.builds[i + 1]) == text) {
      continue;
    }
    list += "- " + text::join(names, ", ") + ": " + text + "\n";
    names.clear();
  }
  return list;
}

std::string contract_text(const RunView& run, const BuildView& build) {
  if (build.contract.empty()) {
    return build.is_built && !build.kat_status.empty() ? "not checked" : known_answers(run, build);
  }
  std::vector<std::string> broken;
  std::vector<std::string> reported;
  NamesByReason absent;
  std::size_t kept = 0;
  for (const record::ContractView& check : build.contract) {
    const std::string sentence = escape(check.step) + " (" + escape(check.detail) + ")";
    if (check.standing == "kept") {
      ++kept;
    } else if (check.standing == "BROKEN") {
      broken.push_back(sentence);
    } else if (check.standing == "reported") {
      reported.push_back(sentence);
    } else {
      add_by_reason(absent, check.step, check.detail);
    }
  }
  std::vector<std::string> parts;
  if (!broken.empty()) {
    parts.push_back("**BROKEN** " + text::join(broken, ", "));
  }
  if (kept + broken.size() != 0) {
    parts.push_back(fmt::format("{} of {} promises kept", kept, kept + broken.size()));
  }
  if (!absent.empty()) {
    parts.push_back("not run: " + reasons_text(absent));
  }
  if (!reported.empty()) {
    parts.push_back("reported: " + text::join(reported, ", "));
  }
  return text::join(parts, "; ");
}

std::string why_no_library(const RunView& run, const BuildView& build) {
  if (!build.build_failure.empty()) {
    return "build failed: " + build.build_failure;
  }
  return run.is_complete ? "not built" : std::string("not built: ") + kStopped;
}

std::string why_no_time(const RunView& run, const BuildView& build, const CellView& cell) {
  return first_said({cell.excluded, obstacle(run, build), cell.failure, cell.time_ns.reason,
                     run.is_complete ? "no process of this cell was used"
                                     : std::string("not measured: ") + kStopped});
}

std::string why_no_cycles(const RunView& run, const BuildView& build, const CellView& cell) {
  return cell.time_ns.summary.has_value() ? cell.cycles.reason : why_no_time(run, build, cell);
}

std::string why_no_image(const RunView& run, const BuildView& build) {
  return build.is_built ? build.image_reason : why_no_library(run, build);
}

std::string why_no_parts(const RunView& run, const BuildView& build) {
  return build.image_bytes.has_value() ? build.parts_reason : why_no_image(run, build);
}

std::string why_no_cells(const RunView& run, const BuildView& build) {
  return first_said({obstacle(run, build), run.is_complete
                                               ? "no cell was planned for it"
                                               : std::string("not measured: ") + kStopped});
}

std::vector<std::string> flags_of(const RunView& run, const BuildView& build) {
  const std::string name = name_of(run, build);
  std::vector<std::string> flags;
  if (!build.is_built) {
    if (build.build_failure.empty() && !run.is_complete) {
      return flags;  // the page says once that the run was stopped
    }
    flags.push_back(name + ": " + escape(why_no_library(run, build)));
  } else if (is_failing(build)) {
    flags.push_back(
        name + ": known answers " + escape(with_detail(build.kat_status, build.kat_detail)) +
        (build.is_timed_despite_failing ? "; timed all the same (time_failing)" : "; not timed"));
  }
  for (const CellView& cell : build.cells) {
    add_cell_flags(name + out_text(cell.output_bytes) + mode_text(cell) + ", " +
                       size_text(cell.message_bytes) + ": ",
                   cell, flags);
  }
  return flags;
}

}  // namespace hashprof::report
