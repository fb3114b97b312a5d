// SPDX-License-Identifier: MIT
// Catches builds that are lost, doubled or mislabelled between the campaign's words and the plan.
#include <gtest/gtest.h>

#include "base/error.h"
#include "plan/plan.h"

namespace hashprof::plan {
namespace {

catalog::Family family(const std::string& id, const std::vector<std::string>& instances) {
  catalog::Family family;
  family.id = id;
  family.name = "Family " + id;
  family.file = "/x/" + id + "/hash.yaml";
  family.variants = {{"reference", "reference"}, {"optimized", "optimized"}};
  for (const auto& name : instances) {
    catalog::Instance instance;
    instance.name = name;
    instance.digest_bits = 256;
    instance.variants = {{"reference", {}, {}}, {"optimized", {}, {}}};
    family.instances.push_back(instance);
  }
  return family;
}

campaign::Campaign campaign_of(std::vector<campaign::HashUse> uses) {
  campaign::Campaign campaign;
  campaign.file = "/x/c.yaml";
  campaign.hashes = std::move(uses);
  campaign.builds = {{"guide", "gcc"}};
  return campaign;
}

std::vector<std::string> ids(const std::vector<Build>& builds) {
  std::vector<std::string> out;
  for (const auto& build : builds) {
    out.push_back(build.id());
  }
  return out;
}

using Ids = std::vector<std::string>;

TEST(Builds, take_every_instance_in_its_reference_variant_by_default) {
  const auto builds =
      resolve_builds(campaign_of({{"/x/f/hash.yaml", {}, {}}}), {family("f", {"A", "B"})}, {});
  EXPECT_EQ(ids(builds), (Ids{"f/A", "f/B"}));
}

TEST(Builds, are_labelled_by_what_is_not_the_default) {
  const auto builds =
      resolve_builds(campaign_of({{"/x/f/hash.yaml", {"A"}, {"reference", "optimized"}}}),
                     {family("f", {"A", "B"})}, {});
  EXPECT_EQ(ids(builds), (Ids{"f/A", "f/A.optimized"}));
}

TEST(Builds, only_on_the_command_line_narrows_by_instance_or_by_family) {
  const auto campaign = campaign_of({{"/x/f/hash.yaml", {}, {}}, {"/x/g/hash.yaml", {}, {}}});
  const std::vector<catalog::Family> families{family("f", {"A", "B"}), family("g", {"A"})};
  EXPECT_EQ(ids(resolve_builds(campaign, families, {"A"})), (Ids{"f/A", "g/A"}));
  EXPECT_EQ(ids(resolve_builds(campaign, families, {"f/*"})), (Ids{"f/A", "f/B"}));
  try {
    (void)resolve_builds(campaign, families, {"h/*"});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::usage);
    EXPECT_STREQ(error.what(), "--only h/*: no instance is left to measure");
  }
}

TEST(Builds, a_pattern_or_variant_that_names_nothing_is_an_error_with_a_suggestion) {
  try {
    (void)resolve_builds(campaign_of({{"/x/f/hash.yaml", {"LLH-265"}, {}}}),
                         {family("f", {"LLH-256", "LLH-512"})}, {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.render(),
              "hashprof: error: /x/f/hash.yaml: only 'LLH-265' names nothing in this file\n"
              "  hint: did you mean 'LLH-256'? it has LLH-256, LLH-512\n");
  }
  EXPECT_THROW((void)resolve_builds(campaign_of({{"/x/f/hash.yaml", {}, {"fast"}}}),
                                    {family("f", {"A"})}, {}),
               Error);
}

TEST(Builds, two_of_one_name_are_an_error) {
  const auto campaign = campaign_of({{"/x/f/hash.yaml", {}, {}}, {"/y/f/hash.yaml", {}, {}}});
  try {
    (void)resolve_builds(campaign, {family("f", {"A"}), family("f", {"A"})}, {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "/x/c.yaml: two builds would both be called 'f/A'");
  }
}

TEST(Builds, a_baseline_that_is_not_measured_is_an_error) {
  campaign::Campaign campaign = campaign_of({{"/x/f/hash.yaml", {}, {}}});
  const std::vector<catalog::Family> families{family("f", {"A"})};
  const std::vector<Build> builds = resolve_builds(campaign, families, {});
  campaign.baselines.by_width = {{256, "f/A"}};
  EXPECT_NO_THROW(check_baselines(campaign, builds));
  campaign.baselines.by_width = {{256, "A*"}};
  EXPECT_THROW(check_baselines(campaign, builds), Error) << "a name, and no pattern";
  campaign.baselines.by_width = {{256, "SM3"}};
  try {
    check_baselines(campaign, builds);
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(
        error.what(),
        "/x/c.yaml: baselines: 'SM3' for 256 bits is not among the hashes of the campaign");
  }
  campaign.baselines = {true, {}};
  EXPECT_THROW(check_baselines(campaign, builds), Error);
  EXPECT_NO_THROW(
      check_baselines(campaign, resolve_builds(campaign_of({{"/x/iccs/hash.yaml", {}, {}}}),
                                               {family("iccs", {"pseudoXOF-512"})}, {})));
}

}  // namespace
}  // namespace hashprof::plan
