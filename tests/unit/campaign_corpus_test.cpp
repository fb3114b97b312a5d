// SPDX-License-Identifier: MIT
// Catches a crash, a hang or a foreign exception of the campaign reader on damaged files.
#include <gtest/gtest.h>

#include "campaign/campaign.h"
#include "manual_page.h"
#include "yaml_faults.h"

namespace hashprof::campaign {
namespace {

TEST(CampaignCorpus, a_damaged_file_is_read_or_refused_with_its_place) {
  const std::string good = read_manual_page("hashprof-campaign.5").examples.at(1);
  unsigned refused = 0;
  constexpr unsigned kFiles = 4000;
  for (unsigned seed = 0; seed < kFiles; ++seed) {
    const std::string bad = damaged(good, seed);
    try {
      const Campaign campaign = parse_campaign(bad, "/h/c.yaml");
      EXPECT_FALSE(campaign.hashes.empty());
    } catch (const Error& error) {
      ++refused;
      EXPECT_EQ(error.fault(), Fault::configuration) << error.render() << bad;
      EXPECT_EQ(error.where().rfind("/h/c.yaml:", 0), 0U) << error.render() << bad;
      EXPECT_FALSE(error.hint_text().empty()) << error.render() << bad;
      EXPECT_TRUE(text::is_utf8(error.render())) << bad;
    }
  }
  EXPECT_GT(refused, kFiles / 2);
  EXPECT_LT(refused, kFiles);
}

}  // namespace
}  // namespace hashprof::campaign
