// SPDX-License-Identifier: MIT
// Catches figures that do not follow from the journal: tainted or failed processes that count, and
// absent values that turn into numbers.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "record/assemble.h"
#include "record/journal.h"
#include "record/kat_log.h"
#include "temporary_folder.h"

namespace hashprof::record {
namespace {

/// A run directory with one build, two sizes and three planned processes.
class LoadRun : public ::testing::Test {
 protected:
  void SetUp() override {
    header_.tool_version = "1";
    header_.status = RunStatus::complete;
    header_.started_utc = "s";
    header_.ended_utc = "e";
    header_.core = 1;
    header_.architecture = "x86-64";
    header_.host_reasons = {"virtual machine"};
    header_.host = json::Object{};
    header_.builds = json::Array{};
    header_.overrides = json::Object{};
    header_.campaign = json::parse(
        R"({"name": "n", "title": "t", "system": {"id": "", "note": ""}, "preset": "",
            "time_failing": false, "report": {"note": "", "links": {}},
            "measure": {"sizes": [32, 64], "processes": 3, "max_processes": 3, "modes": ["throughput"], "trial_ns": 1000, "seed": 1}})",
        "test");
    BuildEntry entry;
    entry.family_id = "f";
    entry.instance = entry.label = "A";
    entry.profile = "guide";
    entry.library = "lib/f/A.so";
    entry.log = "build/f__A.log";
    entry.result = json::parse(
        R"({"built": true, "reason": null, "library_sha256": "aa", "compiler": {"version": "gcc 1"}})",
        "test");
    builds_ = {entry};
    answers_.family_id = "f";
    answers_.label = "A";
    answers_.library_sha256 = "aa";
    answers_.status = "PASS";
    answers_.checked = answers_.total = 5;
  }

  RunView load() {
    const RunPaths paths{folder_.path()};
    write_file_atomically(paths.campaign_json(), json::write_pretty(to_json(header_)));
    write_file_atomically(paths.build_json(), json::write_pretty(to_json(builds_, {})));
    make_directories(folder_.path() / "kat" / "f");
    write_file_atomically(paths.kat_log("f", "A"), kat_log_text(answers_));
    Journal journal = Journal::open(paths.journal());
    for (const Observation& o : observations_) {
      journal.append(o);
    }
    write_records(paths);
    return load_run(paths);
  }

  void add(std::uint32_t process, std::uint64_t elapsed_ns, std::optional<std::uint64_t> cycles,
           std::uint32_t attempt = 1) {
    Observation o;
    o.cell = "f/A/hash_32";
    o.phase = "trial";
    o.process = process;
    o.attempt = attempt;
    o.calls = 10;
    o.elapsed_ns = elapsed_ns;
    o.cycles = cycles;
    o.cycles_reason = cycles ? "" : "no PMU";
    o.is_sandboxed = true;
    o.baseline_rss_kib = 1000 + process;
    o.peak_rss_kib = 1100 + process;
    observations_.push_back(o);
  }

  TemporaryFolder folder_;
  RunHeader header_;
  std::vector<BuildEntry> builds_;
  KatEntry answers_;
  std::vector<Observation> observations_;
};

TEST_F(LoadRun, figures_follow_from_the_used_processes) {
  add(0, 100, 250);
  add(1, 300, 750);
  add(2, 200, 500);
  const RunView run = load();
  const CellView& cell = run.builds.at(0).cells.at(0);
  ASSERT_TRUE(cell.time_ns.summary && cell.cycles.summary);
  EXPECT_EQ(cell.time_ns.summary->median, 20.0);
  EXPECT_EQ(cell.time_ns.summary->mean, 20.0);
  EXPECT_EQ(cell.cycles.summary->max, 75.0);
  EXPECT_EQ(cell.used_processes, 3U);
  EXPECT_EQ(cell.calls_total, 30U);
  EXPECT_EQ(cell.peak_rss_kib, (std::vector<std::uint64_t>{1100, 1101, 1102}));
  EXPECT_EQ(cell.record_file, "records/f/A__hash_32.json");
  const auto record =
      json::parse(read_file(folder_.path() / cell.record_file, Bytes{1U << 20U}), "record");
  EXPECT_EQ(record.at("schema").as_string(), "hashprof-record/1");
  EXPECT_EQ(record.at("status").as_string(), "complete");
  EXPECT_EQ(record.at("processes").as_array().size(), 3U);
  EXPECT_EQ(record.at("summary").at("time").at("median").as_double(), 20.0);
}

TEST_F(LoadRun, a_tainted_attempt_stays_in_the_evidence_and_out_of_the_figures) {
  add(0, 100, std::nullopt);
  observations_.back().taints = {"replanned: x"};
  add(0, 200, std::nullopt, 2);
  const RunView run = load();
  const CellView& cell = run.builds[0].cells[0];
  EXPECT_EQ(cell.attempts, 2U);
  EXPECT_EQ(cell.used_processes, 1U);
  EXPECT_EQ(cell.time_ns.summary->median, 20.0);
}

TEST_F(LoadRun, a_process_disturbed_in_every_attempt_is_left_out_and_its_cell_flagged) {
  add(0, 100, 250);
  for (std::uint32_t attempt = 1; attempt <= 3; ++attempt) {
    add(1, 900, 250, attempt);
    observations_.back().taints = {"off the CPU: " + std::to_string(attempt) + " ms"};
  }
  add(2, 300, 250, 1);
  observations_.back().taints = {"migrated: x"};
  add(2, 300, 250, 2);
  const RunView run = load();
  const CellView& cell = run.builds[0].cells[0];
  EXPECT_EQ(
      cell.shortfall,
      "1 of 3 processes are not used: the machine disturbed all 3 attempts of each (the last: "
      "off the CPU: 3 ms)");
  EXPECT_EQ(cell.failure, "");
  EXPECT_EQ(cell.used_processes, 2U);
  EXPECT_EQ(cell.disturbed_processes, 1U);
  EXPECT_EQ(cell.attempts, 6U);
  EXPECT_EQ(cell.time_ns.summary->median, 20.0);
  const std::string reason =
      "the machine disturbed too many processes: cells with fewer than planned";
  EXPECT_NE(std::find(run.orientation_reasons.begin(), run.orientation_reasons.end(), reason),
            run.orientation_reasons.end());
  const auto record =
      json::parse(read_file(folder_.path() / cell.record_file, Bytes{1U << 20U}), "record");
  EXPECT_EQ(record.at("status").as_string(), "complete");
  EXPECT_EQ(record.at("shortfall").as_string(), cell.shortfall);
}

TEST_F(LoadRun, a_cell_of_disturbed_processes_only_has_no_figure_and_says_why) {
  for (std::uint32_t attempt = 1; attempt <= 3; ++attempt) {
    add(0, 900, 250, attempt);
    observations_.back().taints = {"off the CPU: x"};
  }
  const CellView cell = load().builds[0].cells[0];
  EXPECT_FALSE(cell.time_ns.summary.has_value());
  EXPECT_EQ(cell.time_ns.reason, cell.shortfall);
  EXPECT_EQ(cell.cycles.reason, cell.shortfall);
  EXPECT_NE(cell.shortfall, "");
}

TEST_F(LoadRun, a_run_that_stopped_is_not_complete_because_a_process_was_given_up) {
  add(0, 100, 250);
  for (std::uint32_t attempt = 1; attempt <= 3; ++attempt) {
    add(1, 900, 250, attempt);
    observations_.back().taints = {"off the CPU: x"};
  }
  const CellView cell = load().builds[0].cells[0];
  const auto record =
      json::parse(read_file(folder_.path() / cell.record_file, Bytes{1U << 20U}), "record");
  EXPECT_EQ(record.at("status").as_string(), "stopped");
}

TEST_F(LoadRun, a_finding_is_told_once_with_its_processes_and_keeps_the_cycles) {
  for (std::uint32_t process = 0; process < 3; ++process) {
    add(process, 100, 250);
    if (process > 0) {
      observations_.back().findings = {"odd_clock: took " + std::to_string(process)};
    }
  }
  const RunView run = load();
  const CellView& cell = run.builds[0].cells[0];
  EXPECT_EQ(cell.findings, (std::vector<std::string>{"odd_clock: took 1, in 2 of 3 processes"}));
  EXPECT_EQ(cell.cycles.summary->median, 25.0);
  const std::string reason = "odd clock: an addition does not take one counted cycle";
  EXPECT_NE(std::find(run.orientation_reasons.begin(), run.orientation_reasons.end(), reason),
            run.orientation_reasons.end());
}

TEST_F(LoadRun, one_process_without_cycles_makes_the_figure_absent_with_its_reason) {
  add(0, 100, 250);
  add(1, 100, std::nullopt);
  const CellView cell = load().builds[0].cells[0];
  EXPECT_FALSE(cell.cycles.summary.has_value());
  EXPECT_EQ(cell.cycles.reason, "no PMU");
}

TEST_F(LoadRun, a_failed_process_takes_the_figures_of_its_cell) {
  add(0, 100, 250);
  add(1, 100, 250);
  observations_.back().outcome = Outcome::crashed;
  observations_.back().detail = "SIGSEGV at step call";
  const RunView run = load();
  const CellView& cell = run.builds[0].cells[0];
  EXPECT_EQ(cell.failure, "process 2 crashed: SIGSEGV at step call");
  EXPECT_FALSE(cell.time_ns.summary.has_value());
  EXPECT_EQ(cell.time_ns.reason, cell.failure);
  const auto record =
      json::parse(read_file(folder_.path() / cell.record_file, Bytes{1U << 20U}), "record");
  EXPECT_EQ(record.at("status").as_string(), "failed");
  EXPECT_TRUE(record.at("summary").at("time").at("value").is_null());
}

TEST_F(LoadRun, a_cell_that_was_not_reached_says_so) {
  const CellView cell = load().builds[0].cells[1];
  EXPECT_EQ(cell.time_ns.reason, "not measured: the run stopped before");
  EXPECT_EQ(cell.record_file, "");
}

TEST_F(LoadRun, the_gate_keeps_a_failing_build_in_the_table_without_figures) {
  answers_.status = "MISMATCH";
  answers_.detail = "first wrong length 8 bits";
  const RunView run = load();
  EXPECT_EQ(run.builds[0].cells[0].failure,
            "not timed: known answers MISMATCH (first wrong length 8 bits)");
  EXPECT_FALSE(run.builds[0].is_timed_despite_failing);
}

TEST_F(LoadRun, a_log_of_another_library_proves_nothing) {
  answers_.library_sha256 = "bb";
  const RunView run = load();
  EXPECT_EQ(run.builds[0].kat_status, "");
  EXPECT_EQ(run.builds[0].cells[0].failure,
            "not measured: the run stopped before the known answers");
}

TEST_F(LoadRun, the_grade_names_every_reason) {
  add(0, 100, std::nullopt);
  observations_.back().is_sandboxed = false;
  header_.simulation = "quiet, seed 1";
  header_.status = RunStatus::stopped;
  EXPECT_EQ(
      load().orientation_reasons,
      (std::vector<std::string>{"simulated: the figures are invented (quiet, seed 1)",
                                "the run is not complete", "virtual machine", "no cycle counts",
                                "no sandbox: the measured code kept the privileges of hashprof",
                                "only 3 processes a cell: no 95 % interval exists below 6",
                                "A: 2_12 not asked for, 2_23 not asked for"}));
}

TEST_F(LoadRun, the_grade_says_which_known_answers_are_vectors_only) {
  const auto has = [this](const std::string& reason) {
    const auto reasons = load().orientation_reasons;
    return std::count(reasons.begin(), reasons.end(), reason) == 1;
  };
  const auto all = [this] { return text::join(load().orientation_reasons, "; "); };
  answers_.files = {{"2_12", "NOKAT", "", "", "a", "", "no manifest", {}, {}, ""},
                    {"2_23", "NOKAT", "", "", "b", "", "no manifest", {}, {}, ""}};
  EXPECT_TRUE(has("A: vectors only, no manifest")) << all();
  answers_.files[0] = {"2_12", "PASS", "00", "strict", "a", "the manifest", "", 5, {}, ""};
  answers_.files[1].detail = "not in the manifest";
  EXPECT_TRUE(has("A: 2_23 not in the manifest")) << all();
  answers_.files[1] = {"2_23", "PASS", "00", "strict", "b", "the manifest", "", 5, {}, ""};
  answers_.contract = {{"overlap", "reported", "at 0 bits: SIGSEGV"}};
  EXPECT_EQ(all().find("A: "), std::string::npos) << all();
  const BuildView build = load().builds.at(0);
  ASSERT_EQ(build.kat_files.size(), 2U);
  EXPECT_EQ(build.kat_files[0].kind, "2_12");
  EXPECT_EQ(build.kat_files[0].sha256, "00");
  ASSERT_EQ(build.contract.size(), 1U);
  EXPECT_EQ(build.contract[0].step, "overlap");
  EXPECT_EQ(build.contract[0].standing, "reported");
  EXPECT_EQ(build.contract[0].detail, "at 0 bits: SIGSEGV");
}

TEST_F(LoadRun, the_image_of_a_library_comes_from_build_json) {
  builds_[0].image = json::parse(
      R"({"bytes": 36, "reason": null, "span_bytes": 4096, "parts_reason": null,
          "parts": {"text": 1, "rodata": 2, "relro": 3, "data": 4, "bss": 5, "other": 6,
                    "headers": 7, "gaps": 8}})",
      "test");
  const BuildView build = load().builds.at(0);
  EXPECT_EQ(build.image_bytes, 36U);
  EXPECT_EQ(build.image_span_bytes, 4096U);
  EXPECT_EQ(build.image_reason, "");
  EXPECT_EQ(build.parts_reason, "");
  ASSERT_TRUE(build.image_parts.has_value());
  const ImageParts parts = build.image_parts.value_or(ImageParts{});
  EXPECT_EQ(parts.text, 1U);
  EXPECT_EQ(parts.rodata, 2U);
  EXPECT_EQ(parts.relro, 3U);
  EXPECT_EQ(parts.data, 4U);
  EXPECT_EQ(parts.bss, 5U);
  EXPECT_EQ(parts.other, 6U);
  EXPECT_EQ(parts.headers, 7U);
  EXPECT_EQ(parts.gaps, 8U);
}

TEST_F(LoadRun, an_image_without_classes_keeps_its_size) {
  builds_[0].image = json::parse(
      R"({"bytes": 36, "span_bytes": 4096, "parts": null, "parts_reason": "why"})", "test");
  const BuildView build = load().builds.at(0);
  EXPECT_EQ(build.image_bytes, 36U);
  EXPECT_FALSE(build.image_parts.has_value());
  EXPECT_EQ(build.parts_reason, "why");
}

TEST_F(LoadRun, an_image_that_is_absent_has_a_reason) {
  builds_[0].image = json::parse(R"({"bytes": null, "reason": "is cut"})", "test");
  BuildView build = load().builds.at(0);
  EXPECT_EQ(build.image_bytes, std::nullopt);
  EXPECT_EQ(build.image_reason, "is cut");
  EXPECT_EQ(build.parts_reason, "is cut");
  builds_[0].image = nullptr;
  build = load().builds.at(0);
  EXPECT_EQ(build.image_bytes, std::nullopt);
  EXPECT_EQ(build.image_reason, "build.json has no image of the library");
}

TEST_F(LoadRun, a_header_of_another_schema_is_refused_with_both_names) {
  (void)load();
  write_file_atomically(folder_.path() / "campaign.json", "{\"schema\": \"hashprof-run/2\"}");
  try {
    (void)load_run({folder_.path()});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.message(),
              "is of schema 'hashprof-run/2'; this version reads 'hashprof-run/1'");
  }
}

}  // namespace
}  // namespace hashprof::record
