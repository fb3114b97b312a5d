// SPDX-License-Identifier: MIT
// Catches a manual page hashprof-record(5) that describes other fields than a record has.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "manual_page.h"
#include "record/assemble.h"
#include "record/journal.h"
#include "record/kat_log.h"
#include "temporary_folder.h"

namespace hashprof::record {
namespace {

/// Members whose inside the page describes as a whole.
bool is_whole(const std::string& path) {
  return path == "environment" || path == "library.image.parts" || path == "kat.files" ||
         path == "kat.contract" || path == "summary.cycles" || path == "summary.first_call_time" ||
         path == "summary.first_call_cycles" || path == "summary.single_call";
}

void add_paths(const json::Value& value, const std::string& path, std::vector<std::string>& paths) {
  const bool is_table =
      value.is_array() && !value.as_array().empty() && value.as_array().front().is_object();
  if (!path.empty() && (!value.is_object() || is_whole(path))) {
    paths.push_back(path);
  }
  if (is_whole(path) || (!value.is_object() && !is_table)) {
    return;
  }
  for (const auto& [key, member] : (is_table ? value.as_array().front() : value).as_object()) {
    std::string below = path;
    below += path.empty() ? "" : ".";
    below += key;
    add_paths(member, below, paths);
  }
}

/// The record of a run with one process.
json::Value make_record(const RunPaths& paths) {
  RunHeader header;
  header.tool_version = "1";
  header.status = RunStatus::complete;
  header.host = json::Object{};
  header.builds = json::Array{};
  header.overrides = json::Object{};
  header.campaign = json::parse(
      R"({"name": "n", "title": "t", "system": {"id": "", "note": ""}, "preset": "",
          "time_failing": false, "report": {"note": "", "links": {}},
          "measure": {"sizes": [32], "processes": 1, "max_processes": 1, "modes": ["throughput"], "trial_ns": 1000, "seed": 1}})",
      "test");
  BuildEntry entry;
  entry.family_id = "f";
  entry.instance = entry.label = "A";
  entry.result = json::parse(
      R"({"built": true, "reason": null, "library_sha256": "aa", "compiler": {"version": "c"}})",
      "test");
  KatEntry answers;
  answers.family_id = "f";
  answers.label = "A";
  answers.library_sha256 = "aa";
  answers.status = "PASS";
  write_file_atomically(paths.campaign_json(), json::write_pretty(to_json(header)));
  write_file_atomically(paths.build_json(),
                        json::write_pretty(to_json(std::vector<BuildEntry>{entry}, {})));
  make_directories(paths.kat_log("f", "A").parent_path());
  write_file_atomically(paths.kat_log("f", "A"), kat_log_text(answers));
  Observation o;
  o.cell = "f/A/hash_32";
  o.phase = "trial";
  o.calls = 10;
  o.elapsed_ns = 100;
  Journal::open(paths.journal()).append(o);
  write_records(paths);
  return json::parse(read_file(paths.record_file("f", "A", "hash_32"), Bytes{1U << 20U}), "record");
}

TEST(RecordManual, describes_every_field_of_a_record_in_its_order_and_no_other) {
  const TemporaryFolder folder;
  std::vector<std::string> fields;
  add_paths(make_record(RunPaths{folder.path()}), "", fields);
  EXPECT_THAT(read_manual_page("hashprof-record.5").keys, ::testing::ElementsAreArray(fields));
}

}  // namespace
}  // namespace hashprof::record
