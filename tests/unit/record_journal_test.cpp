// SPDX-License-Identifier: MIT
// Catches evidence that is lost, doubled or changed on its way to the disk and back.
#include "record/journal.h"

#include <gtest/gtest.h>

#include <fstream>

#include "base/error.h"
#include "base/file.h"
#include "temporary_folder.h"

namespace hashprof::record {
namespace {

Observation observation(const std::string& cell, std::uint32_t process, std::uint32_t attempt = 1) {
  Observation o;
  o.cell = cell;
  o.phase = "trial";
  o.process = process;
  o.attempt = attempt;
  o.start_utc = "2026-01-01T00:00:00Z";
  o.calls = 3;
  o.warmups = 1;
  o.slices = {{1, 10, 20, 30}, {2, std::nullopt, std::nullopt, 31}};
  o.first_call_ns = 5;
  o.elapsed_ns = 61;
  o.cycles = 18446744073709551615U;
  o.instructions_reason = "not wanted";
  o.time_enabled_ns = 7;
  o.time_running_ns = 8;
  o.read_method = "read(2)";
  o.lost_ns = 9;
  o.voluntary_switches = 10;
  o.involuntary_switches = 11;
  o.migrations = 12;
  o.minor_faults = 13;
  o.major_faults = 14;
  o.steal_ticks = 15;
  o.baseline_rss_kib = 16;
  o.peak_rss_kib = 17;
  o.baseline_file_pmd_kib = 0;
  o.addresses = {18, 19, 20, 21};
  o.message_offset = 22;
  o.digest_offset = 23;
  o.env_padding = 24;
  o.layout = 25;
  o.is_core_shared_with_parent = true;
  o.is_sandboxed = true;
  o.taints = {"replanned: x"};
  o.findings = {"odd_clock: y"};
  o.pmu = "cpu_atom";
  o.probe_cycles = 1001;
  o.detail = "d";
  return o;
}

TEST(Observation, every_field_survives_the_round_trip) {
  const json::Value first = to_json(observation("f/A/hash_32", 2));
  EXPECT_EQ(json::write_compact(to_json(observation_from_json(first))), json::write_compact(first));
  // A member for every field: a field that was left out would not be in the text.
  const std::string text = json::write_compact(first);
  for (const char* part :
       {"\"slices\": [[1, 10, 20, 30], [2, null, null, 31]]", "\"cycles\": 18446744073709551615",
        "\"instructions\": null", "\"steal_ticks\": 15", "\"text\": 21", "\"env_padding\": 24",
        "\"layout\": 25", "\"taints\": [\"replanned: x\"]", "\"findings\": [\"odd_clock: y\"]",
        "\"pmu\": \"cpu_atom\"", "\"probe_cycles\": 1001", "\"is_sandboxed\": true"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part;
  }
}

TEST(Observation, every_outcome_has_its_own_name) {
  for (int i = 0; i <= static_cast<int>(Outcome::worker_failed); ++i) {
    const auto outcome = static_cast<Outcome>(i);
    EXPECT_EQ(find_outcome(outcome_name(outcome)), outcome);
  }
  EXPECT_FALSE(find_outcome("").has_value());
}

TEST(Journal, keeps_what_is_appended) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "journal.jsonl";
  {
    Journal journal = Journal::open(file);
    journal.append(observation("f/A/hash_32", 0));
    journal.append(observation("f/A/hash_32", 1));
  }
  const Journal again = Journal::open(file);
  ASSERT_EQ(again.observations().size(), 2U);
  EXPECT_EQ(again.observations()[1].process, 1U);
}

TEST(Journal, drops_a_torn_last_line_at_every_byte) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "journal.jsonl";
  {
    Journal journal = Journal::open(file);
    journal.append(observation("f/A/hash_32", 0));
    journal.append(observation("f/A/hash_32", 1));
  }
  const std::string whole = read_file(file, Bytes{1U << 20U});
  const std::size_t first = whole.find('\n') + 1;
  for (std::size_t length = first; length < whole.size(); length += 7) {
    write_file_atomically(file, whole.substr(0, length));
    Journal journal = Journal::open(file);
    ASSERT_EQ(journal.observations().size(), 1U) << length;
    journal.append(observation("f/A/hash_32", 1));
    ASSERT_EQ(read_file(file, Bytes{1U << 20U}), whole) << length;
  }
}

TEST(Journal, reading_only_does_not_cut_a_torn_line) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "journal.jsonl";
  {
    Journal journal = Journal::open(file);
    journal.append(observation("f/A/hash_32", 0));
  }
  const std::string torn = read_file(file, Bytes{1U << 20U}) + "{\"cell\": ";
  write_file_atomically(file, torn);
  EXPECT_EQ(read_journal(file).size(), 1U);
  EXPECT_EQ(read_file(file, Bytes{1U << 20U}), torn);
}

TEST(Journal, names_the_line_that_is_damaged_or_doubled) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "journal.jsonl";
  const std::string line = json::write_compact(to_json(observation("f/A/hash_32", 0))) + "\n";
  write_file_atomically(file, line + "{}\n");
  try {
    (void)Journal::open(file);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.where(), file.native() + ":2");
    EXPECT_EQ(error.message(), "not a journal line: JSON: member 'cell' is missing");
  }
  write_file_atomically(file, line + line);
  try {
    (void)read_journal(file);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.message(), "process 0 of f/A/hash_32 stands twice with attempt 1");
  }
}

}  // namespace
}  // namespace hashprof::record
