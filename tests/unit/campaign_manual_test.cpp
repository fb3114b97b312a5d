// SPDX-License-Identifier: MIT
// Catches a manual page hashprof-campaign(5) that says other keys or presets than are read, or an
// example that is not accepted.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "campaign/campaign.h"
#include "campaign/keys.h"
#include "manual_page.h"

namespace hashprof::campaign {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

TEST(CampaignManual, describes_every_key_in_the_order_of_the_table_and_no_other) {
  const ManualPage page = read_manual_page("hashprof-campaign.5");
  EXPECT_THAT(page.keys, ::testing::ElementsAreArray(paths_of(documented_keys(), false)));
  EXPECT_THAT(page.reserved, ::testing::ElementsAreArray(paths_of(documented_keys(), true)));
}

TEST(CampaignManual, every_key_has_one_line) {
  for (const yaml::Key& key : documented_keys()) {
    EXPECT_FALSE(key.line.empty()) << key.path;
    EXPECT_EQ(key.line.find('\n'), std::string::npos) << key.path;
  }
}

TEST(CampaignManual, its_smallest_example_is_read_as_it_says) {
  const ManualPage page = read_manual_page("hashprof-campaign.5");
  ASSERT_EQ(page.examples.size(), 2U);
  const Campaign campaign = parse_campaign(page.examples[0], "/c/campaign.yaml");
  EXPECT_EQ(campaign.name, "smallest");
  ASSERT_EQ(campaign.hashes.size(), 1U);
  EXPECT_EQ(campaign.hashes[0].file, "/c/hashes/sm3/hash.yaml");
}

TEST(CampaignManual, its_full_example_is_read_as_it_says) {
  const Campaign campaign =
      parse_campaign(read_manual_page("hashprof-campaign.5").examples.at(1), "/c/campaign.yaml");
  EXPECT_EQ(campaign.name, "two-hashes");
  EXPECT_EQ(campaign.title, "Two hash functions");
  EXPECT_EQ(campaign.system.id, "x86_1");
  EXPECT_EQ(campaign.system.note, "rack 4, lid closed");
  EXPECT_EQ(campaign.preset, "tune");
  EXPECT_THAT(campaign.require,
              ElementsAre("cycles", "fixed-clock", "quiet-core", "kat", "bare-metal"));
  ASSERT_EQ(campaign.hashes.size(), 2U);
  EXPECT_EQ(campaign.hashes[0].file, "/hashes/sha2/hash.yaml");
  EXPECT_THAT(campaign.hashes[1].only, ElementsAre("SM3*"));
  EXPECT_THAT(campaign.hashes[1].variants, ElementsAre("reference", "optimized"));
  EXPECT_THAT(campaign.measure.sizes, ElementsAre(0, 64, 128, 192, 256));
  EXPECT_THAT(campaign.baselines.by_width, ElementsAre(Pair(256, "SHA-256")));
  EXPECT_EQ(campaign.measure.trial.value, 250'000'000U) << "the file's key wins over its preset";
  EXPECT_THAT(campaign.env, ElementsAre(Pair("LANG", "C")));
  EXPECT_THAT(campaign.report.links, ElementsAre(Pair("standard", "https://example.org/sm3")));
}

TEST(CampaignManual, its_full_example_holds_every_key_that_is_read) {
  const std::string example = read_manual_page("hashprof-campaign.5").examples.at(1);
  for (const std::string& path : paths_of(documented_keys(), false)) {
    const std::string last = path.substr(path.rfind('.') + 1);
    if (last != "NAME" && last != "LABEL" && last != "BITS" && last != "INSTANCE") {
      EXPECT_NE(example.find(last + ":"), std::string::npos) << path;
    }
  }
}

TEST(CampaignManual, describes_every_preset_of_this_version) {
  std::ifstream file(std::string(HASHPROF_SOURCE_DIR) + "/man/hashprof-campaign.5");
  std::ostringstream page;
  page << file.rdbuf();
  for (const Preset& preset : presets()) {
    EXPECT_NE(page.str().find("\n.TP\n.B " + preset.name + "\n" + std::to_string(preset.processes) +
                              " processes of "),
              std::string::npos)
        << preset.name;
  }
}

}  // namespace
}  // namespace hashprof::campaign
