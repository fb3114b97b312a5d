// SPDX-License-Identifier: MIT
// Catches a campaign.json that leaves out a value, moves one, or depends on where the folder lies.
#include <gtest/gtest.h>

#include "campaign/campaign.h"
#include "json/value.h"

namespace hashprof::campaign {
namespace {

constexpr const char* kText =
    "hashprof: 1\n"
    "name: n\n"
    "title: T\n"
    "system: {id: s, note: why}\n"
    "preset: published\n"
    "require: [quiet-core, cycles]\n"
    "hashes: [in/a/hash.yaml, {use: ../b/hash.yaml, only: [B*], variants: [fast], outputs: [32]}]\n"
    "time_failing: true\n"
    "measure: {sizes: [4096, 0, 32], core: 3, seed: 18446744073709551615}\n"
    "limits: {call: 2 s, memory: 2 GiB, stack: 1 MiB}\n"
    "env: {B: 2, A: 1}\n"
    "sandbox: {uid: 1000, enabled: false}\n"
    "report: {note: N, links: {z: u, a: v}}\n";

TEST(CampaignJson, holds_every_value_in_a_fixed_order) {
  EXPECT_EQ(
      json::write_compact(to_json(parse_campaign(kText, "/c/campaign.yaml"))),
      R"({"name": "n", "title": "T", "system": {"id": "s", "note": "why"}, )"
      R"("preset": "published", "require": ["quiet-core", "cycles"], )"
      R"("hashes": [{"use": "in/a/hash.yaml", "only": [], "variants": [], "outputs": []}, )"
      R"({"use": "/b/hash.yaml", "only": ["B*"], "variants": ["fast"], "outputs": [32]}], )"
      R"("builds": null, "targets": [], "cross_prefix": null, "baselines": {}, "kat": ["2_12", "2_23"], "kat_files": {}, "time_failing": true, )"
      R"("measure": {"sizes": [0, 32, 4096], "core": 3, "processes": 5, )"
      R"("max_processes": 5, "trial_ns": 500000000, "modes": ["throughput"], )"
      R"("latency_up_to_bytes": null, "percall": 0, "max_calls": 20000, "layouts": 1, "seed": 18446744073709551615}, )"
      R"("limits": {"cell_ns": 300000000000, "call_ns": 2000000000, )"
      R"("build_ns": 300000000000, "memory_bytes": 2147483648, "stack_bytes": 1048576}, )"
      R"("memory": {"heap": true, "stack": true, "witness": "bpf", "crosscheck": "ends"}, )"
      R"("env": {"B": "2", "A": "1"}, "sandbox": {"uid": 1000, "enabled": false}, )"
      R"("report": {"note": "N", "links": {"z": "u", "a": "v"}}})");
}

TEST(CampaignJson, holds_baselines_as_the_file_names_them) {
  const auto baselines = [](const std::string& line) {
    return json::write_compact(
        to_json(parse_campaign("hashprof: 1\nname: n\nhashes: [h]\n" + line, "/c/c.yaml"))
            .at("baselines"));
  };
  EXPECT_EQ(baselines("baselines: pseudoXOF\n"), "\"pseudoXOF\"");
  EXPECT_EQ(baselines("baselines: {\"512\": A, \"256\": B}\n"), R"({"256": "B", "512": "A"})");
}

TEST(CampaignJson, what_is_automatic_or_absent_is_null) {
  const json::Value value =
      to_json(parse_campaign("hashprof: 1\nname: n\nhashes: [h.yaml]\n", "/c/campaign.yaml"));
  EXPECT_EQ(
      json::write_compact(value.at("measure")),
      R"({"sizes": [32, 128, 512, 1024, 4096, 8192, 16384, 65536], "core": null, )"
      R"("processes": 9, "max_processes": 21, "trial_ns": 250000000, "modes": ["throughput"], )"
      R"("latency_up_to_bytes": null, "percall": 10000, "max_calls": null, "layouts": 1, "seed": 1})");
  EXPECT_EQ(json::write_compact(value.at("limits")),
            R"({"cell_ns": 300000000000, "call_ns": null, "build_ns": 300000000000, )"
            R"("memory_bytes": null, "stack_bytes": 8388608})");
  EXPECT_EQ(json::write_compact(value.at("env")), "{}");
}

TEST(CampaignJson, is_equal_for_files_that_say_the_same) {
  const std::string one = "hashprof: 1\nname: n\nhashes: [a/h.yaml]\nmeasure: {sizes: [32, 64]}\n";
  const std::string other =
      "# another file\nname: n\nmeasure: {trial: 250 ms, sizes: {from: 32, to: 90, step: 32}}\n"
      "hashes:\n- use: ./a/h.yaml\nhashprof: 1\n";
  EXPECT_EQ(to_json(parse_campaign(one, "/c/one.yaml")),
            to_json(parse_campaign(other, "/elsewhere/other.yaml")));
}

TEST(CampaignJson, a_path_that_is_not_utf8_is_written_with_its_bytes) {
  const json::Value value = to_json(
      parse_campaign("hashprof: 1\nname: n\nhashes: [../h.yaml]\n", "/a\xFF/\xC3\xA9/c.yaml"));
  EXPECT_EQ(value.at("hashes").as_array().at(0).at("use").as_string(), "/a\\xff/h.yaml");
}

}  // namespace
}  // namespace hashprof::campaign
