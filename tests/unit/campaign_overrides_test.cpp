// SPDX-License-Identifier: MIT
// Catches presets that change, and command line overrides that lose to the file.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "campaign/campaign.h"
#include "yaml_faults.h"

namespace hashprof::campaign {
namespace {

using ::testing::ElementsAre;

Campaign campaign_with(const std::string& rest) {
  return parse_campaign("hashprof: 1\nname: n\nhashes: [h.yaml]\n" + rest, "/c/c.yaml");
}

std::string refusal(const Overrides& overrides) {
  Campaign campaign = campaign_with("");
  return fault_text([&] { apply(overrides, campaign); }, Fault::usage);
}

TEST(Presets, are_what_they_were_released_as) {
  struct Released {
    const char* name;
    std::uint32_t processes;
    std::uint32_t max_processes;
    std::uint64_t trial_ns;
    std::optional<std::uint64_t> max_calls;
    std::uint64_t percall;
    std::optional<std::uint64_t> latency_up_to;
    std::size_t conditions;
  };
  const Released released[] = {{"quick", 5, 5, 50'000'000, {}, 0, {}, 0},
                               {"tune", 9, 9, 100'000'000, {}, 10'000, {}, 0},
                               {"publish", 9, 21, 250'000'000, {}, 10'000, 128, 5},
                               {"published", 5, 5, 500'000'000, 20'000, 0, {}, 0}};
  ASSERT_EQ(presets().size(), std::size(released));
  for (std::size_t i = 0; i < presets().size(); ++i) {
    EXPECT_EQ(presets()[i].name, released[i].name);
    EXPECT_EQ(presets()[i].max_processes, released[i].max_processes);
    EXPECT_EQ(presets()[i].percall, released[i].percall);
    EXPECT_EQ(presets()[i].latency_up_to, released[i].latency_up_to);
    EXPECT_EQ(presets()[i].require.size(), released[i].conditions);
    EXPECT_EQ(presets()[i].processes, released[i].processes);
    EXPECT_EQ(presets()[i].trial.value, released[i].trial_ns);
    EXPECT_EQ(presets()[i].max_calls, released[i].max_calls);
    EXPECT_FALSE(presets()[i].summary.empty());
  }
}

TEST(Presets, publish_asks_for_a_machine_and_measures_latency_of_short_messages) {
  const Campaign plain = campaign_with("preset: publish\n");
  EXPECT_EQ(plain.require,
            (std::vector<std::string>{"cycles", "fixed-clock", "quiet-core", "kat", "bare-metal"}));
  EXPECT_TRUE(plain.measure.has_cells(Mode::latency, 128));
  EXPECT_FALSE(plain.measure.has_cells(Mode::latency, 129));
  EXPECT_FALSE(plain.measure.has_cells(Mode::latency, 0));
  EXPECT_TRUE(plain.measure.has_cells(Mode::throughput, 0));
  const Campaign own =
      campaign_with("require: [kat]\nmeasure: {modes: [latency, throughput]}\npreset: publish\n");
  EXPECT_EQ(own.require, std::vector<std::string>{"kat"});
  EXPECT_EQ(own.measure.modes, (std::vector<Mode>{Mode::throughput, Mode::latency}));
  EXPECT_TRUE(own.measure.has_cells(Mode::latency, 65536));
}

TEST(Presets, as_many_processes_as_a_file_says_are_the_most_unless_it_says_more) {
  EXPECT_EQ(campaign_with("").measure.max_processes, 21U);
  EXPECT_EQ(campaign_with("measure: {processes: 30}\n").measure.max_processes, 30U);
  EXPECT_EQ(campaign_with("measure: {processes: 3}\n").measure.max_processes, 3U);
  EXPECT_EQ(campaign_with("measure: {max_processes: 11, processes: 3}\n").measure.max_processes,
            11U);
  EXPECT_EQ(campaign_with("measure: {percall: none}\n").measure.percall, 0U);
  EXPECT_EQ(campaign_with("measure: {percall: 77}\n").measure.percall, 77U);
}

TEST(Presets, the_keys_of_a_file_win_over_its_preset_wherever_they_stand) {
  const Campaign before = campaign_with("measure: {processes: 7}\npreset: published\n");
  EXPECT_EQ(before.preset, "published");
  EXPECT_EQ(before.measure.processes, 7U);
  EXPECT_EQ(before.measure.trial.value, 500'000'000U);
  EXPECT_EQ(before.measure.max_calls, 20'000U);
  const Campaign unbounded = campaign_with("preset: published\nmeasure: {max_calls: none}\n");
  EXPECT_EQ(unbounded.measure.processes, 5U);
  EXPECT_EQ(unbounded.measure.max_calls, std::nullopt);
}

TEST(Overrides, a_preset_replaces_the_preset_and_its_keys_in_the_file_but_no_other) {
  Campaign campaign = campaign_with(
      "preset: published\nmeasure: {processes: 7, trial: 2 s, max_calls: 10, sizes: [1], seed: "
      "5}\n");
  Overrides overrides;
  overrides.preset = "quick";
  apply(overrides, campaign);
  EXPECT_EQ(campaign.preset, "quick");
  EXPECT_EQ(campaign.measure.processes, 5U);
  EXPECT_EQ(campaign.measure.trial.value, 50'000'000U);
  EXPECT_EQ(campaign.measure.max_calls, std::nullopt);
  EXPECT_THAT(campaign.measure.sizes, ElementsAre(1));
  EXPECT_EQ(campaign.measure.seed, 5U);
}

TEST(Overrides, sizes_and_processes_come_after_the_preset) {
  Campaign campaign = campaign_with("");
  Overrides overrides;
  overrides.preset = "published";
  overrides.sizes = std::vector<std::uint64_t>{4096, 32};
  overrides.processes = 3;
  apply(overrides, campaign);
  EXPECT_EQ(campaign.measure.processes, 3U);
  EXPECT_EQ(campaign.measure.max_processes, 3U);
  EXPECT_EQ(campaign.measure.trial.value, 500'000'000U);
  EXPECT_THAT(campaign.measure.sizes, ElementsAre(32, 4096));
}

TEST(Overrides, nothing_given_changes_nothing) {
  Campaign campaign = campaign_with("preset: tune\n");
  const json::Value before = to_json(campaign);
  apply(Overrides{}, campaign);
  EXPECT_EQ(to_json(campaign), before);
}

TEST(Overrides, refuse_what_a_file_could_not_say) {
  Overrides preset;
  preset.preset = "quik";
  EXPECT_EQ(refusal(preset),
            "--preset: unknown preset 'quik'\n"
            "  hint: did you mean 'quick'? it is one of quick, tune, publish, published");
  preset.preset = "zzz";
  EXPECT_EQ(refusal(preset),
            "--preset: unknown preset 'zzz'\n"
            "  hint: it is one of quick, tune, publish, published");
  Overrides processes;
  processes.processes = 0;
  EXPECT_EQ(refusal(processes),
            "--processes: 0 out of range 1…1000\n  hint: choose a value in that range");
  processes.processes = 1001;
  EXPECT_EQ(refusal(processes),
            "--processes: 1001 out of range 1…1000\n  hint: choose a value in that range");
  Overrides sizes;
  sizes.sizes.emplace();
  EXPECT_EQ(refusal(sizes),
            "--sizes: no size is listed\n  hint: write ngcc, or byte counts such as 32,4096");
}

TEST(SizeList, reads_the_guides_sizes_and_byte_counts) {
  EXPECT_THAT(parse_size_list("ngcc"), ElementsAre(32, 128, 512, 1024, 4096, 8192, 16384, 65536));
  EXPECT_THAT(parse_size_list("4096,32,0,1073741824"), ElementsAre(0, 32, 4096, 1073741824));
}

TEST(SizeList, refuses_everything_else) {
  const auto refused = [](const std::string& text) {
    return fault_text([&] { (void)parse_size_list(text); }, Fault::usage);
  };
  const std::string hint = "\n  hint: write ngcc, or byte counts such as 32,4096";
  EXPECT_EQ(refused(""), "--sizes: '' is no byte count" + hint);
  for (const char* word :
       {"+5", "-1", "010", "0x10", "4KiB", " 32", "1e3", "NGCC", "18446744073709551616"}) {
    EXPECT_EQ(refused(word), std::string("--sizes: '") + word + "' is no byte count" + hint);
  }
  EXPECT_EQ(refused("32,"), "--sizes: '' is no byte count" + hint);
  EXPECT_EQ(refused("32,64,32"),
            "--sizes: the size 32 is listed twice\n  hint: remove one of the two");
  EXPECT_EQ(refused("1073741825"),
            "--sizes: 1073741825 out of range 0…1073741824\n  hint: choose a value in that range");
  std::string many = "0";
  for (int i = 1; i <= 4096; ++i) {
    many += "," + std::to_string(i);
  }
  EXPECT_EQ(refused(many),
            "--sizes: 4097 sizes are listed; at most 4096 are measured\n  hint: list fewer");
}

TEST(Overrides, kinds_of_known_answers_win_over_the_file) {
  Campaign campaign = campaign_with("kat: none\n");
  Overrides overrides;
  overrides.kinds = parse_kind_list("2_23,2_12");
  apply(overrides, campaign);
  EXPECT_THAT(campaign.kat, ElementsAre("2_12", "2_23"));
  overrides.kinds = parse_kind_list("Loop,2_33");
  apply(overrides, campaign);
  EXPECT_THAT(campaign.kat, ElementsAre("2_33", "Loop"));
  overrides.kinds = parse_kind_list("all");
  apply(overrides, campaign);
  EXPECT_THAT(campaign.kat, ElementsAre("2_12", "2_23", "2_33", "Loop"));
  overrides.kinds = parse_kind_list("none");
  apply(overrides, campaign);
  EXPECT_TRUE(campaign.kat.empty());
}

TEST(Overrides, a_wrong_list_of_kinds_is_a_usage_fault) {
  const auto fault = [](const std::string& text) {
    return fault_text([&] { (void)parse_kind_list(text); }, Fault::usage);
  };
  const std::string hint = "\n  hint: write all, none, or kinds such as 2_12,2_23,2_33,Loop";
  EXPECT_EQ(fault("2_12,all"), "--kinds: 'all' is no kind of known-answer files" + hint);
  EXPECT_EQ(fault("loop"), "--kinds: 'loop' is no kind of known-answer files" + hint);
  EXPECT_EQ(fault(""), "--kinds: '' is no kind of known-answer files" + hint);
  EXPECT_EQ(fault("2_12,2_12"), "--kinds: '2_12' is listed twice\n  hint: remove one of the two");
}

}  // namespace
}  // namespace hashprof::campaign
