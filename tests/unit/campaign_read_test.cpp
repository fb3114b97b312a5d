// SPDX-License-Identifier: MIT
// Catches a campaign that measures something else than its file says, and a file that is accepted
// though it asks for what this version cannot do.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "campaign_texts.h"

namespace hashprof::campaign {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

TEST(Campaign, the_smallest_file_has_the_defaults) {
  const Campaign campaign = campaign_with("");
  EXPECT_EQ(campaign.name, "n");
  EXPECT_EQ(campaign.title, "n");
  EXPECT_EQ(campaign.system.id, "");
  EXPECT_EQ(campaign.preset, "");
  ASSERT_EQ(campaign.hashes.size(), 1U);
  EXPECT_EQ(campaign.hashes[0].file, "/c/h.yaml");
  EXPECT_TRUE(campaign.hashes[0].only.empty());
  EXPECT_TRUE(campaign.hashes[0].variants.empty());
  EXPECT_TRUE(campaign.builds.empty()) << "the profile that fits the class of each variant";
  EXPECT_FALSE(campaign.time_failing);
  EXPECT_EQ(campaign.measure.sizes, ngcc_sizes());
  EXPECT_FALSE(campaign.measure.core.has_value());
  EXPECT_EQ(campaign.measure.processes, 9U);
  EXPECT_EQ(campaign.measure.trial.value, 250'000'000U);
  EXPECT_FALSE(campaign.measure.max_calls.has_value());
  EXPECT_EQ(campaign.measure.seed, 1U);
  EXPECT_EQ(campaign.limits.cell.value, 300'000'000'000U);
  EXPECT_FALSE(campaign.limits.call.has_value());
  EXPECT_EQ(campaign.limits.build.value, 300'000'000'000U);
  EXPECT_FALSE(campaign.limits.memory.has_value());
  EXPECT_EQ(campaign.limits.stack.value, 8'388'608U);
  EXPECT_TRUE(campaign.env.empty());
  EXPECT_EQ(campaign.sandbox.uid, 65534U);
  EXPECT_TRUE(campaign.sandbox.enabled);
  EXPECT_EQ(campaign.report.note, "");
  EXPECT_TRUE(campaign.report.links.empty());
  EXPECT_EQ(campaign.file, "/c/c.yaml");
  EXPECT_EQ(campaign.text, "hashprof: 1\nname: n\nhashes: [h.yaml]\n");
}

TEST(Campaign, every_key_says_what_it_says) {
  const Campaign campaign = campaign_with(
      "title: A title\nsystem: {id: x86_1, note: \"Xeon, rack 4\"}\n"
      "builds: [guide]\nkat: none\ntime_failing: true\n"
      "measure: {sizes: [65536, 0, 32], core: 7, processes: 1000, trial: 1 us, modes: [throughput],"
      " max_calls: 1, layouts: 1, seed: 0}\n"
      "limits: {cell: 1440 min, call: 1 ms, build: 90 s, memory: 16 MiB, stack: 1 GiB}\n"
      "env: {OMP_NUM_THREADS: 1, EMPTY: \"\", _a1: \"x y=z\"}\n"
      "sandbox: {uid: 4294967294, enabled: false}\n"
      "report: {formats: [markdown], note: hello, links: {b: \"u v\", a: w}}\n");
  EXPECT_EQ(campaign.title, "A title");
  EXPECT_EQ(campaign.system.id, "x86_1");
  EXPECT_EQ(campaign.system.note, "Xeon, rack 4");
  EXPECT_TRUE(campaign.kat.empty());
  EXPECT_TRUE(campaign.time_failing);
  EXPECT_THAT(campaign.measure.sizes, ElementsAre(0, 32, 65536));
  EXPECT_EQ(campaign.measure.core, 7U);
  EXPECT_EQ(campaign.measure.processes, 1000U);
  EXPECT_EQ(campaign.measure.trial.value, 1'000U);
  EXPECT_EQ(campaign.measure.max_calls, 1U);
  EXPECT_EQ(campaign.measure.seed, 0U);
  EXPECT_EQ(campaign.limits.cell.value, 86'400'000'000'000U);
  EXPECT_EQ(campaign.limits.call->value, 1'000'000U);
  EXPECT_EQ(campaign.limits.build.value, 90'000'000'000U);
  EXPECT_EQ(campaign.limits.memory->value, 16'777'216U);
  EXPECT_EQ(campaign.limits.stack.value, 1'073'741'824U);
  EXPECT_THAT(campaign.env,
              ElementsAre(Pair("OMP_NUM_THREADS", "1"), Pair("EMPTY", ""), Pair("_a1", "x y=z")));
  EXPECT_EQ(campaign.sandbox.uid, 4294967294U);
  EXPECT_FALSE(campaign.sandbox.enabled);
  EXPECT_EQ(campaign.report.note, "hello");
  EXPECT_THAT(campaign.report.links, ElementsAre(Pair("b", "u v"), Pair("a", "w")));
}

TEST(Campaign, values_that_are_automatic_may_be_said) {
  const Campaign campaign = campaign_with(
      "measure: {sizes: ngcc, core: auto, max_calls: none}\n"
      "limits: {call: auto, memory: auto}\n");
  EXPECT_EQ(campaign.measure.sizes, ngcc_sizes());
  EXPECT_FALSE(campaign.measure.core.has_value());
  EXPECT_FALSE(campaign.measure.max_calls.has_value());
  EXPECT_FALSE(campaign.limits.call.has_value());
  EXPECT_FALSE(campaign.limits.memory.has_value());
}

TEST(Campaign, paths_are_relative_to_the_file_and_nothing_is_expanded) {
  const Campaign campaign = parse_campaign(
      "hashprof: 1\nname: n\nhashes:\n- \"~/h.yaml\"\n- \"$HOME/h.yaml\"\n- ../a b/h.yaml\n"
      "- \"\\u00e9\\nx.yaml\"\n- /abs/h.yaml\n- use: sub/./h.yaml\n",
      "/odd \n folder/in/c.yaml");
  std::vector<std::string> files;
  for (const HashUse& use : campaign.hashes) {
    files.push_back(use.file);
  }
  EXPECT_THAT(files, ElementsAre("/odd \n folder/in/~/h.yaml", "/odd \n folder/in/$HOME/h.yaml",
                                 "/odd \n folder/a b/h.yaml", "/odd \n folder/in/\u00e9\nx.yaml",
                                 "/abs/h.yaml", "/odd \n folder/in/sub/h.yaml"));
}

TEST(Campaign, a_series_of_sizes_stops_at_its_bound) {
  EXPECT_THAT(campaign_with("measure: {sizes: {from: 10, to: 30, step: 7}}\n").measure.sizes,
              ElementsAre(10, 17, 24));
  EXPECT_THAT(campaign_with("measure: {sizes: {from: 5, to: 5, step: 1}}\n").measure.sizes,
              ElementsAre(5));
  EXPECT_EQ(campaign_with("measure: {sizes: {from: 0, to: 4095, step: 1}}\n").measure.sizes.size(),
            4096U);
}

TEST(Campaign, refuses_what_is_missing) {
  EXPECT_EQ(fault_text([] { (void)parse_campaign("", "c.yaml"); }),
            "c.yaml:1:1: the file is empty\n  hint: begin it with 'hashprof: 1'");
  EXPECT_EQ(fault_text([] { (void)parse_campaign("a:1\n", "c.yaml"); }),
            "c.yaml:1:1: expected a mapping at top level, found the text 'a:1'\n"
            "  hint: write 'key: value', with a blank after the colon");
  EXPECT_EQ(fault_text([] { (void)parse_campaign("hashprof: 2\nnew: 1\n", "c.yaml"); }),
            "c.yaml:1:11: hashprof: version 2 is not read\n"
            "  hint: this hashprof reads version 1");
  EXPECT_EQ(fault_text([] { (void)parse_campaign("hashprof: 1\n", "c.yaml"); }),
            "c.yaml:1:1: the key 'name' is missing\n  hint: add a line 'name: ...'");
  EXPECT_EQ(fault_text([] { (void)parse_campaign("hashprof: 1\nname: n\n", "c.yaml"); }),
            "c.yaml:1:1: the key 'hashes' is missing\n  hint: add a line 'hashes: ...'");
  EXPECT_EQ(hashes_refusal("[]"),
            "c.yaml:3:9: hashes: no hash is listed\n  hint: list the paths of hash.yaml files");
  EXPECT_EQ(hashes_refusal(""),
            "c.yaml:3:1: hashes: has no value\n"
            "  hint: write a list after the colon, or remove the key");
  EXPECT_EQ(hashes_refusal("[{only: [a]}]"),
            "c.yaml:3:10: hashes[0]: the key 'use' is missing\n  hint: add a line 'use: ...'");
}

TEST(Campaign, refuses_unknown_keys_at_every_level) {
  EXPECT_EQ(refusal("mesure: {}\n"),
            "c.yaml:4:1: mesure: unknown key 'mesure'\n  hint: did you mean 'measure'?");
  EXPECT_EQ(refusal("measure: {proceses: 5}\n"),
            "c.yaml:4:11: measure.proceses: unknown key 'proceses'\n"
            "  hint: did you mean 'processes'?");
  EXPECT_EQ(refusal("measure: {sizes: {from: 1, till: 2, step: 1}}\n"),
            "c.yaml:4:28: measure.sizes.till: unknown key 'till'\n"
            "  hint: the keys here are from, to, step");
  EXPECT_EQ(refusal("system: {name: x}\n"),
            "c.yaml:4:10: system.name: unknown key 'name'\n  hint: the keys here are id, note");
  EXPECT_EQ(refusal("limits: {cal: 1 s}\n"),
            "c.yaml:4:10: limits.cal: unknown key 'cal'\n  hint: did you mean 'call'?");
  EXPECT_EQ(refusal("sandbox: {enable: true}\n"),
            "c.yaml:4:11: sandbox.enable: unknown key 'enable'\n  hint: did you mean 'enabled'?");
  EXPECT_EQ(refusal("report: {format: [markdown]}\n"),
            "c.yaml:4:10: report.format: unknown key 'format'\n  hint: did you mean 'formats'?");
  EXPECT_EQ(hashes_refusal("[{use: h.yaml, variant: [x]}]"),
            "c.yaml:3:24: hashes[0].variant: unknown key 'variant'\n"
            "  hint: did you mean 'variants'?");
}

TEST(Campaign, reads_what_is_wanted_of_memory) {
  const std::string head = "hashprof: 1\nname: n\nhashes: [h.yaml]\n";
  const MemoryOptions usual = parse_campaign(head, "/c/c.yaml").memory;
  EXPECT_TRUE(usual.has_heap && usual.has_stack && usual.has_bpf);
  EXPECT_EQ(usual.crosscheck, Crosscheck::ends);
  const MemoryOptions other =
      parse_campaign(head + "memory: {heap: false, stack: false, witness: none, crosscheck: all}\n",
                     "/c/c.yaml")
          .memory;
  EXPECT_FALSE(other.has_heap || other.has_stack || other.has_bpf);
  EXPECT_EQ(other.crosscheck, Crosscheck::all);
  EXPECT_EQ(parse_campaign(head + "memory: {crosscheck: none}\n", "/c/c.yaml").memory.crosscheck,
            Crosscheck::none);
  EXPECT_EQ(
      refusal("memory: {crosscheck: some}\n"),
      "c.yaml:4:22: memory.crosscheck: unknown value 'some'\n  hint: it is one of ends, all, none");
  EXPECT_EQ(refusal("memory: {heaps: true}\n"),
            "c.yaml:4:10: memory.heaps: unknown key 'heaps'\n  hint: did you mean 'heap'?");
}

TEST(Campaign, refuses_keys_that_come_later) {
  EXPECT_EQ(
      refusal("report: {group_by: digest_bits}\n"),
      std::string("c.yaml:4:10: report.group_by: 'group_by' is not in this version") + kLater);
}

TEST(Campaign, reads_what_it_requires_in_the_order_of_the_file) {
  const Campaign campaign = parse_campaign(
      "hashprof: 1\nname: n\nhashes: [h.yaml]\n"
      "require: [kat, cycles, bare-metal, quiet-core, fixed-clock]\n",
      "/c/c.yaml");
  EXPECT_EQ(campaign.require,
            (std::vector<std::string>{"kat", "cycles", "bare-metal", "quiet-core", "fixed-clock"}));
  EXPECT_TRUE(
      parse_campaign("hashprof: 1\nname: n\nhashes: [h.yaml]\n", "/c/c.yaml").require.empty());
}

TEST(Campaign, refuses_conditions_that_it_does_not_know) {
  EXPECT_EQ(refusal("require: []\n"),
            "c.yaml:4:10: require: no condition is listed\n  hint: list one, or remove the key");
  EXPECT_EQ(refusal("require: [kat, kat]\n"),
            "c.yaml:4:16: require[1]: 'kat' is listed twice\n  hint: remove one of the two");
  EXPECT_EQ(refusal("require: [quiet-cores]\n"),
            "c.yaml:4:11: require[0]: unknown value 'quiet-cores'\n"
            "  hint: did you mean 'quiet-core'? it is one of cycles, fixed-clock, quiet-core, kat, "
            "bare-metal");
}

TEST(Campaign, refuses_values_that_come_later) {
  EXPECT_EQ(refusal("require: [cycles, bpf]\n"),
            std::string("c.yaml:4:19: require[1]: 'bpf' is not in this version") + kLaterValue);
  for (const std::string format : {"html", "csv", "json", "latex", "man"}) {
    EXPECT_EQ(
        refusal("report: {formats: [" + format + "]}\n"),
        "c.yaml:4:20: report.formats[0]: '" + format + "' is not in this version" + kLaterValue);
  }
}

TEST(Campaign, refuses_values_that_nobody_knows) {
  EXPECT_EQ(refusal("preset: quik\n"),
            "c.yaml:4:9: preset: unknown value 'quik'\n"
            "  hint: did you mean 'quick'? it is one of quick, tune, publish, published");
  EXPECT_EQ(refusal("builds: [gude]\n"),
            "c.yaml:4:10: builds[0]: unknown value 'gude'\n"
            "  hint: did you mean 'guide'? it is one of guide, performance, resource");
  EXPECT_EQ(refusal("kat: 2_12\n"),
            "c.yaml:4:6: kat: unknown value '2_12'\n  hint: it is one of none, all");
  EXPECT_EQ(refusal("measure: {modes: [fast]}\n"),
            "c.yaml:4:19: measure.modes[0]: unknown value 'fast'\n"
            "  hint: it is one of throughput, latency");
  EXPECT_EQ(refusal("measure: {modes: throughput}\n"),
            "c.yaml:4:18: measure.modes: expected a list, found the text 'throughput'\n"
            "  hint: write '[a, b]', or each item on a line of its own after '- '");
  EXPECT_EQ(refusal("report: {formats: [pdf]}\n"),
            "c.yaml:4:20: report.formats[0]: unknown value 'pdf'\n"
            "  hint: it can only be markdown");
  EXPECT_EQ(refusal("time_failing: yes\n"),
            "c.yaml:4:15: time_failing: expected true or false, found the text 'yes'\n"
            "  hint: write true or false, in lower case");
  EXPECT_EQ(refusal("sandbox: {enabled: 1}\n"),
            "c.yaml:4:20: sandbox.enabled: expected true or false, found the text '1'\n"
            "  hint: write true or false, in lower case");
  EXPECT_EQ(refusal("measure: {core: any}\n"),
            "c.yaml:4:17: measure.core: expected a whole number, found the text 'any'\n"
            "  hint: write decimal digits only: no sign, point, exponent or leading zero");
}

TEST(Campaign, refuses_lists_that_are_empty_or_say_a_thing_twice) {
  EXPECT_EQ(refusal("builds: []\n"),
            "c.yaml:4:9: builds: no profile is listed\n"
            "  hint: write '[guide]', or remove the key");
  EXPECT_EQ(refusal("builds: [guide, guide]\n"),
            "c.yaml:4:17: builds[1]: 'guide' is listed twice for one compiler\n"
            "  hint: remove one of the two, or give it another name");
  EXPECT_EQ(refusal("measure: {modes: []}\n"),
            "c.yaml:4:18: measure.modes: no mode is listed\n"
            "  hint: write '[throughput]', '[latency]' or '[throughput, latency]'");
  EXPECT_EQ(refusal("measure: {processes: 9, max_processes: 8}\n"),
            "c.yaml:4:40: measure.max_processes: 8 is less than 'processes', which is 9\n"
            "  hint: write 9, so that none is added, or more");
  EXPECT_EQ(refusal("measure: {modes: [throughput, throughput]}\n"),
            "c.yaml:4:31: measure.modes[1]: 'throughput' is listed twice\n"
            "  hint: remove one of the two");
  EXPECT_EQ(refusal("report: {formats: []}\n"),
            "c.yaml:4:19: report.formats: no format is listed\n"
            "  hint: write '[markdown]', or remove the key");
  EXPECT_EQ(refusal("report: {formats: [markdown, markdown]}\n"),
            "c.yaml:4:30: report.formats[1]: 'markdown' is listed twice\n"
            "  hint: remove one of the two");
  EXPECT_EQ(hashes_refusal("[{use: h.yaml, only: []}]"),
            "c.yaml:3:30: hashes[0].only: no pattern is listed\n"
            "  hint: list one, or remove the key");
  EXPECT_EQ(hashes_refusal("[{use: h.yaml, variants: [a, a]}]"),
            "c.yaml:3:38: hashes[0].variants[1]: 'a' is listed twice\n"
            "  hint: remove one of the two");
}

TEST(Campaign, the_same_hash_may_stand_twice_only_with_another_selection) {
  EXPECT_EQ(hashes_refusal("\n  - a/h.yaml\n  - b/../a/h.yaml"),
            "c.yaml:5:5: hashes[1]: the same hash is listed twice, first at line 4\n"
            "  hint: remove one of the two, or give them different 'only' or 'variants'");
  EXPECT_EQ(hashes_refusal("\n  - h.yaml\n  - {use: h.yaml, variants: [reference]}"),
            "c.yaml:5:5: hashes[1]: the same hash is listed twice, first at line 4\n"
            "  hint: remove one of the two, or give them different 'only' or 'variants'");
  EXPECT_EQ(hashes_refusal("\n  - {use: h.yaml, only: [a, b]}\n  - {use: h.yaml, only: [b, a]}"),
            "c.yaml:5:5: hashes[1]: the same hash is listed twice, first at line 4\n"
            "  hint: remove one of the two, or give them different 'only' or 'variants'");
  const Campaign campaign = parse_campaign(
      "hashprof: 1\nname: n\nhashes:\n- h.yaml\n- {use: h.yaml, variants: [fast]}\n"
      "- {use: h.yaml, only: [A]}\n",
      "/c/c.yaml");
  EXPECT_EQ(campaign.hashes.size(), 3U);
}

TEST(Campaign, refuses_sizes_that_cannot_be_measured) {
  const auto sizes = [](const std::string& text) {
    return refusal("measure: {sizes: " + text + "}\n");
  };
  EXPECT_EQ(sizes("[]"),
            "c.yaml:4:18: measure.sizes: no size is listed\n"
            "  hint: list message lengths in bytes, or write ngcc");
  EXPECT_EQ(sizes("[1, 32,\n  1]"),
            "c.yaml:5:3: measure.sizes[2]: the size 1 is listed twice, first at line 4\n"
            "  hint: remove one of the two");
  EXPECT_EQ(
      sizes("[1073741825]"),
      std::string("c.yaml:4:19: measure.sizes[0]: 1073741825 out of range 0…1073741824") + kRange);
  EXPECT_EQ(sizes("[4 KiB]"),
            "c.yaml:4:19: measure.sizes[0]: expected a whole number, found the text '4 KiB'\n"
            "  hint: write decimal digits only: no sign, point, exponent or leading zero");
  EXPECT_EQ(sizes("ncgg"),
            "c.yaml:4:18: measure.sizes: unknown value 'ncgg'\n  hint: it can only be ngcc");
  EXPECT_EQ(sizes("{from: 10, to: 9, step: 1}"),
            "c.yaml:4:33: measure.sizes.to: 9 is less than 'from', which is 10\n"
            "  hint: let the series run upwards");
  EXPECT_EQ(sizes("{from: 0, to: 9, step: 0}"),
            std::string("c.yaml:4:41: measure.sizes.step: 0 out of range 1…1073741824") + kRange);
  EXPECT_EQ(sizes("{from: 0, to: 4096, step: 1}"),
            "c.yaml:4:18: measure.sizes: the series has 4097 sizes; at most 4096 are measured\n"
            "  hint: choose a larger step");
  EXPECT_EQ(sizes("{from: 0, to: 9}"),
            "c.yaml:4:18: measure.sizes: the key 'step' is missing\n"
            "  hint: add a line 'step: ...'");
  std::string many = "[0";
  for (int i = 1; i <= 4096; ++i) {
    many += "," + std::to_string(i);
  }
  EXPECT_EQ(sizes(many + "]"),
            "c.yaml:4:18: measure.sizes: 4097 sizes are listed; at most 4096 are measured\n"
            "  hint: list fewer");
}

TEST(Campaign, refuses_numbers_and_quantities_out_of_range) {
  const std::pair<const char*, const char*> cases[] = {
      {"measure: {processes: 0}", "4:22: measure.processes: 0 out of range 1…1000"},
      {"measure: {processes: 1001}", "4:22: measure.processes: 1001 out of range 1…1000"},
      {"measure: {trial: 0 s}", "4:18: measure.trial: 0 s out of range 1 us…10 min"},
      {"measure: {trial: 601 s}", "4:18: measure.trial: 601 s out of range 1 us…10 min"},
      {"measure: {max_calls: 0}", "4:22: measure.max_calls: 0 out of range 1…1000000000000"},
      {"measure: {core: 8192}", "4:17: measure.core: 8192 out of range 0…8191"},
      {"measure: {layouts: 0}", "4:20: measure.layouts: 0 out of range 1…100"},
      {"limits: {cell: 0.5 ms}", "4:16: limits.cell: 0.5 ms out of range 1 ms…1440 min"},
      {"limits: {call: 1441 min}", "4:16: limits.call: 1441 min out of range 1 ms…1440 min"},
      {"limits: {build: 0 s}", "4:17: limits.build: 0 s out of range 1 ms…1440 min"},
      {"limits: {memory: 1 MiB}", "4:18: limits.memory: 1 MiB out of range 16 MiB…1024 GiB"},
      {"limits: {stack: 2 GiB}", "4:17: limits.stack: 2 GiB out of range 64 KiB…1 GiB"},
      {"sandbox: {uid: 0}", "4:16: sandbox.uid: 0 out of range 1…4294967294"},
      {"sandbox: {uid: 4294967295}", "4:16: sandbox.uid: 4294967295 out of range 1…4294967294"},
  };
  for (const auto& [text, expected] : cases) {
    EXPECT_EQ(refusal(std::string(text) + "\n"), std::string("c.yaml:") + expected + kRange);
  }
  EXPECT_EQ(refusal("limits: {cell: .inf}\n"),
            "c.yaml:4:16: limits.cell: expected a time, found the text '.inf'\n"
            "  hint: write for example '0.25 s'; units are ns, us, ms, s, min");
}

TEST(Campaign, refuses_variables_that_would_change_what_is_loaded) {
  EXPECT_EQ(refusal("env: {LD_PRELOAD: x.so}\n"),
            "c.yaml:4:7: env.LD_PRELOAD: 'LD_PRELOAD' would change what is loaded\n"
            "  hint: remove it: a worker loads the library that was built, and nothing beside it");
  const std::string hint =
      "\n  hint: it is named by letters, digits and '_', and begins with no digit";
  for (const std::string name : {"1A", "A-B", "A=B", "a b"}) {
    EXPECT_EQ(refusal("env: {\"" + name + "\": x}\n"),
              "c.yaml:4:7: env." + name + ": '" + name + "' is no name of an environment variable" +
                  hint);
  }
  EXPECT_EQ(refusal("env: {A: " + std::string(4097, 'x') + "}\n"),
            "c.yaml:4:10: env.A: longer than 4096 bytes\n"
            "  hint: give the variable a shorter value");
  EXPECT_EQ(refusal("env: {A: }\n"),
            "c.yaml:4:7: env.A: has no value\n"
            "  hint: write a text after the colon, or remove the key");
}

TEST(Campaign, refuses_names_that_cannot_name_a_folder) {
  for (const std::string name : {"..", ".x", "a/b", "a b", "\u00e9"}) {
    EXPECT_EQ(fault_text(
                  [&] { (void)parse_campaign("hashprof: 1\nname: \"" + name + "\"\n", "c.yaml"); }),
              "c.yaml:2:7: name: '" + name +
                  "' cannot be a name here\n"
                  "  hint: a name is 1 to 64 of [A-Za-z0-9._-], no dot first");
  }
  EXPECT_EQ(refusal("system: {id: \"rack 4\"}\n"),
            "c.yaml:4:14: system.id: 'rack 4' cannot be a name here\n"
            "  hint: a name is 1 to 64 of [A-Za-z0-9._-], no dot first");
}

TEST(Campaign, of_a_family_says_the_same_as_its_text) {
  const std::filesystem::path hash = "/odd \"\n\\ folder/\u00e9/hash.yaml";
  const Campaign campaign = campaign_of_family(hash, "hash-26");
  EXPECT_EQ(campaign.name, "hash-26");
  ASSERT_EQ(campaign.hashes.size(), 1U);
  EXPECT_EQ(campaign.hashes[0].file, hash);
  EXPECT_EQ(campaign.file, hash);
  EXPECT_EQ(campaign.text,
            "hashprof: 1\nname: \"hash-26\"\nhashes:\n"
            "  - \"/odd \\\"\\x0a\\\\ folder/\u00e9/hash.yaml\"\n");
  const Campaign again = parse_campaign(campaign.text, hash);
  EXPECT_EQ(to_json(again), to_json(campaign));
  EXPECT_EQ(to_json(again).at("hashes").as_array().at(0).at("use").as_string(), "hash.yaml");
  EXPECT_EQ(fault_text([] { (void)campaign_of_family("/a\xFF/hash.yaml", "x"); }),
            "/a\\xff/hash.yaml: the path is not UTF-8, so that no campaign file can name it\n"
            "  hint: rename the folder or the file");
}

TEST(Campaign, is_loaded_from_a_file_with_an_odd_name) {
  std::string pattern = ::testing::TempDir() + "hashprof-campaign-XXXXXX";
  ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
  const std::filesystem::path folder = pattern;
  const std::filesystem::path file = folder / "a b\n\xC3\xA9.yaml";
  const std::string text = "hashprof: 1\nname: n\nhashes: [h.yaml]\n";
  std::ofstream(file) << text;
  const Campaign campaign = load_campaign(file);
  EXPECT_EQ(campaign.file, file);
  EXPECT_EQ(campaign.text, text);
  EXPECT_EQ(campaign.hashes.at(0).file, folder / "h.yaml");
  EXPECT_EQ(fault_text([&] { (void)load_campaign(folder); }),
            pattern + ": is a folder, not a file\n  hint: name the YAML file in it");
  std::filesystem::remove_all(folder);
  EXPECT_EQ(fault_text([&] { (void)load_campaign(folder / "none.yaml"); }),
            pattern + "/none.yaml: open: No such file or directory (ENOENT)");
}

}  // namespace
}  // namespace hashprof::campaign
