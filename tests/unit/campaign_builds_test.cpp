// SPDX-License-Identifier: MIT
// Catches a campaign that builds, proves or compares something else than its file says.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "campaign_texts.h"

namespace hashprof::campaign {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

TEST(Campaign, outputs_are_bytes_in_ascending_order) {
  const Campaign campaign = parse_campaign(
      "hashprof: 1\nname: n\nhashes:\n- use: h.yaml\n  outputs: [32, 64 B, 1 KiB]\n", "c.yaml");
  EXPECT_THAT(campaign.hashes[0].outputs, ElementsAre(32, 64, 1024));
  EXPECT_EQ(campaign.hashes[0].outputs_line, 5U);
}

TEST(Campaign, known_answer_files_are_both_unless_it_says_otherwise) {
  EXPECT_THAT(campaign_with("").kat, ElementsAre("2_12", "2_23"));
  EXPECT_THAT(campaign_with("kat: [2_23, \"2_12\"]\n").kat, ElementsAre("2_12", "2_23"));
  EXPECT_THAT(campaign_with("kat: [2_23]\n").kat, ElementsAre("2_23"));
  EXPECT_THAT(campaign_with("kat: [Loop, 2_33]\n").kat, ElementsAre("2_33", "Loop"));
  EXPECT_THAT(campaign_with("kat: all\n").kat, ElementsAre("2_12", "2_23", "2_33", "Loop"));
  EXPECT_EQ(refusal("kat: [2_12, 2_12]\n"),
            "c.yaml:4:13: kat[1]: '2_12' is listed twice\n  hint: remove one of the two");
  EXPECT_EQ(refusal("kat: []\n"),
            "c.yaml:4:6: kat: no known-answer file is listed\n"
            "  hint: write none, or list [\"2_12\"]");
  EXPECT_EQ(refusal("kat: [2_13]\n"),
            "c.yaml:4:7: kat[0]: unknown value '2_13'\n"
            "  hint: did you mean '2_12'? it is one of 2_12, 2_23, 2_33, Loop");
}

TEST(Campaign, submitted_files_are_relative_to_the_file) {
  const auto files = campaign_with("kat_files: {B: ../b/KAT_2_12_B.txt, A: /a}\n").kat_files;
  ASSERT_EQ(files.size(), 2U);
  EXPECT_EQ(files[0].first, "B");
  EXPECT_EQ(files[0].second, "/b/KAT_2_12_B.txt");
  EXPECT_EQ(files[1].second, "/a");
}

TEST(Campaign, reads_baselines_by_output_length_or_as_published) {
  EXPECT_TRUE(campaign_with("").baselines.is_empty());
  EXPECT_TRUE(campaign_with("baselines: pseudoXOF\n").baselines.is_pseudo_xof);
  using Pair = std::pair<std::uint32_t, std::string>;
  EXPECT_THAT(
      campaign_with("baselines: {\"1024\": SHAKE256, \"256\": sm3/SM3}\n").baselines.by_width,
      ElementsAre(Pair(256, "sm3/SM3"), Pair(1024, "SHAKE256")));
  EXPECT_EQ(refusal("baselines: {}\n"),
            "c.yaml:4:12: baselines: no baseline is named\n"
            "  hint: name one by its output length, like {\"256\": SM3}, or remove the key");
  EXPECT_EQ(refusal("baselines: {wide: SM3}\n"),
            "c.yaml:4:13: baselines.wide: 'wide' is no output length in bits\n"
            "  hint: write the length as the instances have it in digest_bits, like \"512\"");
  EXPECT_EQ(refusal("baselines: SM3\n"),
            "c.yaml:4:12: baselines: unknown value 'SM3'\n  hint: it can only be pseudoXOF");
}

TEST(Campaign, builds_are_profiles_of_the_guide_or_of_its_own) {
  const Campaign campaign = campaign_with(
      "builds:\n  - guide\n  - {name: guide, compiler: clang}\n"
      "  - {name: o3, compiler: gcc-12, flags: [-O3, -mavx2], needs_cpu: [avx2], fallback: "
      "guide}\n");
  const std::vector<BuildUse> wanted = {
      {"guide", "gcc", {}, {}, ""},
      {"guide", "clang", {}, {}, ""},
      {"o3", "gcc-12", std::vector<std::string>{"-O3", "-mavx2"}, {"avx2"}, "guide"}};
  EXPECT_EQ(campaign.builds, wanted);
  EXPECT_EQ(refusal("builds: [{name: o3}]\n"),
            "c.yaml:4:17: builds[0].name: 'o3' has no flags\n"
            "  hint: list its 'flags', or name one of guide, performance, resource");
  EXPECT_EQ(refusal("builds: [{name: guide, flags: [-O3]}]\n"),
            "c.yaml:4:17: builds[0].name: 'guide' is the guide's, with flags of its own\n"
            "  hint: give the profile another name, or leave the flags away");
  EXPECT_EQ(refusal("builds: [{name: guide, fallback: guide}]\n"),
            "c.yaml:4:17: builds[0].name: 'guide' is its own fallback\n  hint: remove 'fallback'");
  EXPECT_EQ(refusal("builds: [{name: o3, flags: [-std=c99]}]\n"),
            "c.yaml:4:29: builds[0].flags[0]: '-std=c99' is the hash's to say\n"
            "  hint: write 'language' under build in its hash.yaml");
}

TEST(Campaign, targets_are_machines_that_only_sizes_are_wanted_of) {
  const Campaign campaign = campaign_with(
      "targets:\n  - {name: cortex-m4, compiler: arm-none-eabi-gcc, flags: [-mthumb], measure: "
      "[size]}\n  - {name: b, compiler: c}\n");
  ASSERT_EQ(campaign.targets.size(), 2U);
  EXPECT_EQ(campaign.targets[0].name, "cortex-m4");
  EXPECT_EQ(campaign.targets[0].compiler, "arm-none-eabi-gcc");
  EXPECT_EQ(campaign.targets[0].flags, std::vector<std::string>{"-mthumb"});
  EXPECT_EQ(refusal("targets: [{name: a, compiler: c}, {name: a, compiler: d}]\n"),
            "c.yaml:4:42: targets[1].name: 'a' is named twice, or is a profile's name\n"
            "  hint: give each target a name of its own");
  EXPECT_EQ(
      refusal("targets: [{name: a, compiler: c, measure: [stack-bound]}]\n"),
      std::string("c.yaml:4:44: targets[0].measure[0]: 'stack-bound' is not in this version") +
          kLaterValue);
}

}  // namespace
}  // namespace hashprof::campaign
