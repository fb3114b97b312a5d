// SPDX-License-Identifier: MIT
// Opening, resuming and ending a run; see app/session.h.
#include "app/session.h"

#include <algorithm>

#include "app/verbs.h"
#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "record/assemble.h"
#include "report/markdown.h"
#include "runner/worker_file.h"

namespace hashprof::app {

namespace {

namespace fs = std::filesystem;

fs::path program_path() {
  std::error_code code;
  fs::path program = fs::read_symlink("/proc/self/exe", code);
  if (code) {
    throw Error(Fault::environment, "/proc/self/exe", "readlink").os_error(code.value());
  }
  return program;
}

std::unique_ptr<runner::Meter> make_meter(const Setup& setup, const fs::path& worker) {
  return setup.simulate ? runner::make_simulated_meter(*setup.simulate)
                        : runner::make_hardware_meter(worker);
}

/// What a report may say anew without a timed figure becoming another: its words, its comparisons,
/// which known-answer files were computed, and what of memory was measured, each by itself.
bool is_wording(const std::string& key) {
  return key == "title" || key == "system.note" || key.rfind("report", 0) == 0 ||
         key.rfind("baselines", 0) == 0 || key.rfind("targets", 0) == 0 ||
         key.rfind("kat", 0) == 0 || key.rfind("memory", 0) == 0;
}

/// What differs between the run as it was begun and as it is asked for now, in words.
std::vector<std::string> differences(const record::RunHeader& earlier,
                                     const record::RunHeader& now) {
  std::vector<std::string> changed;
  if (earlier.tool_version != now.tool_version) {
    changed.push_back("version of hashprof (" + earlier.tool_version + ")");
  }
  if (earlier.simulation != now.simulation) {
    changed.push_back("simulation (" + (earlier.simulation.empty() ? "none" : earlier.simulation) +
                      ")");
  }
  if (earlier.core != now.core) {
    changed.push_back("core (" + std::to_string(earlier.core) + ")");
  }
  for (const std::string& key : record::changed_keys(earlier.campaign, now.campaign)) {
    if (!is_wording(key)) {
      changed.push_back(key);
    }
  }
  for (const std::string& key : record::changed_keys(earlier.builds, now.builds)) {
    changed.push_back(key.empty() ? "builds" : key);
  }
  for (const char* fact : {"hostname", "processor"}) {
    if (earlier.host.at(fact) != now.host.at(fact)) {
      changed.emplace_back(std::string("machine (") + fact + ")");
    }
  }
  return changed;
}

}  // namespace

Session::Session(const Setup& setup, const cli::Options& options,
                 const std::vector<host::Finding>& findings)
    : setup_(setup),
      host_reasons_(host::orientation_reasons(findings)),
      worker_(runner::require_worker(program_path())),
      meter_(make_meter(setup, worker_)),
      directory_(record::RunDirectory::open(setup.run_root, options.is_fresh, meter_->now_utc())),
      journal_(record::Journal::open(directory_.paths().journal())),
      write_kat_(options.write_kat.value_or(fs::path())),
      jobs_(options.jobs),
      cache_(options.has_no_cache ? fs::path() : default_cache()) {
  load_known_answers();
  open_campaign();
}

record::RunHeader Session::make_header() const {
  const host::HostFacts facts = host::read_host("/", setup_.plan.core);
  record::RunHeader header;
  header.tool_version = version();
  header.started_utc = meter_->now_utc();
  header.simulation = meter_->simulation();
  header.core = setup_.plan.core;
  header.architecture = architecture_name(facts.architecture);
  header.campaign_file = setup_.campaign.file.native();
  header.overrides = to_json(setup_.overrides);
  header.campaign = campaign::to_json(setup_.campaign);
  header.builds = builds_to_json(setup_);
  header.host = host::to_json(facts);
  header.host_reasons = host_reasons_;
  header.environment = environment_items(facts, setup_.plan.core, "");
  return header;
}

void Session::open_campaign() {
  header_ = make_header();
  journal_lines_at_start_ = journal_.observations().size();
  const record::RunPaths& paths = directory_.paths();
  if (directory_.has_campaign()) {
    const record::RunHeader earlier = record::load_header(paths);
    const auto changed = differences(earlier, header_);
    if (!changed.empty() && journal_lines_at_start_ != 0) {
      throw Error(Fault::configuration, paths.root.native(),
                  "this run was begun with something else: " + text::join(changed, ", "))
          .hint("give the campaign and options it was begun with, or another --out, or --fresh");
    }
    was_complete_ = changed.empty() && earlier.status == record::RunStatus::complete;
    if (journal_lines_at_start_ != 0 || was_complete_) {
      header_.started_utc = earlier.started_utc;
    }
    header_.ended_utc = earlier.ended_utc;
    if (journal_lines_at_start_ != 0) {
      keep_conditions(earlier);
    }
  }
  directory_.drop_sums();
  write_file_atomically(paths.campaign_yaml(), setup_.campaign.text);
  header_.status = was_complete_ ? record::RunStatus::complete : record::RunStatus::running;
  write_header();
}

/// What was measured keeps the conditions it was measured under, whatever the machine is like now.
void Session::keep_conditions(const record::RunHeader& earlier) {
  reasons_now_ = header_.host_reasons;
  header_.host = earlier.host;
  header_.host_reasons = earlier.host_reasons;
  header_.environment = earlier.environment;
}

/// A part that is measured under other conditions adds its reasons to those of the earlier part.
void Session::add_reasons_of_now() {
  for (const std::string& reason : reasons_now_) {
    auto& known = header_.host_reasons;
    if (std::find(known.begin(), known.end(), reason) == known.end()) {
      known.push_back(reason);
    }
  }
}

void Session::write_header() const {
  write_file_atomically(paths().campaign_json(), json::write_pretty(record::to_json(header_)));
}

fs::path Session::library_of(const plan::Build& build) const {
  return paths().library(build.family_id, build.label);
}

/// Every library of a build, the one of layout 0 first.
std::vector<fs::path> Session::layouts_of(const plan::Build& build) const {
  std::vector<fs::path> libraries;
  for (std::uint32_t layout = 0; layout < build.layouts; ++layout) {
    libraries.push_back(toolchain::layout_library(library_of(build), layout));
  }
  return libraries;
}

bool Session::is_timed(std::size_t build) const {
  return results_[build].is_built &&
         (answers_[build].status == kat::status_name(kat::Status::pass) ||
          setup_.campaign.time_failing);
}

void Session::carry_out(const std::function<void()>& phases) {
  try {
    phases();
  } catch (const runner::Interrupted&) {
    finish(record::RunStatus::stopped);
    throw;
  } catch (const Error& error) {
    // Of a file of the user's, found on the way; what was answered before it stands.
    if (error.fault() == Fault::configuration) {
      finish(record::RunStatus::stopped);
    }
    throw;
  }
}

void Session::finish(record::RunStatus status) {
  progress_.clear();
  const bool has_measured = journal_.observations().size() != journal_lines_at_start_;
  if (has_measured) {
    add_reasons_of_now();
  }
  header_.status = was_complete_ ? record::RunStatus::complete : status;
  if (!was_complete_ || has_measured || header_.ended_utc.empty()) {
    header_.ended_utc = meter_->now_utc();
  }
  write_header();
  if (!counts_.empty()) {
    json::Object cells;
    for (const auto& [cell, counts] : counts_) {
      cells.emplace_back(setup_.plan.cell_name(cell), json::Object{{"calls", counts.calls},
                                                                   {"warmups", counts.warmups},
                                                                   {"call_ns", counts.call_ns}});
    }
    write_file_atomically(paths().calibration_json(),
                          json::write_pretty(json::Object{{"schema", "hashprof-calibration/1"},
                                                          {"cells", std::move(cells)}}));
  }
  record::write_records(paths());
  make_directories(paths().report().parent_path());
  write_file_atomically(paths().report(), report::markdown(record::load_run(paths())));
  directory_.write_sums();
}

}  // namespace hashprof::app
