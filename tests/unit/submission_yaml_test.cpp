// SPDX-License-Identifier: MIT
// Catches a file that our own readers refuse, or that names other files, whatever the names hold.
#include <gtest/gtest.h>

#include <random>

#include "base/text.h"
#include "campaign/campaign.h"
#include "submission/campaign_yaml.h"
#include "submission/hash_yaml.h"

namespace hashprof::submission {
namespace {

const std::vector<std::string>& odd_words() {
  static const std::vector<std::string> words = {"a",
                                                 " ",
                                                 "'",
                                                 "\"",
                                                 "\\",
                                                 "\n",
                                                 "\t",
                                                 "\x01",
                                                 "#",
                                                 ": ",
                                                 "- ",
                                                 "[",
                                                 "{",
                                                 "&x",
                                                 "*x",
                                                 "!t",
                                                 "%",
                                                 "\x7f",
                                                 "~",
                                                 "\xc2\x85",
                                                 "\xe2\x80\xa8",
                                                 "\xef\xbb\xbf",
                                                 "null",
                                                 "true",
                                                 "\r\n",
                                                 "\xe5\xae\x9e",
                                                 "0x1",
                                                 "\xf0\x9f\x98\x80",
                                                 "---",
                                                 "..."};
  return words;
}

std::string odd_name(std::mt19937& random) {
  std::string name;
  const auto length = 1 + random() % 5;
  for (unsigned i = 0; i < length; ++i) {
    name += odd_words()[random() % odd_words().size()];
  }
  return name;
}

Submission submission_of(std::mt19937& random) {
  Submission submission;
  submission.tree.root = "/s/" + odd_name(random);
  submission.id = random() % 2 == 0 ? "null" : "-";
  submission.name = odd_name(random);
  submission.notes = {odd_name(random)};
  submission.variants = {{"reference", "reference", {}}, {"y", "optimized", {"avx2"}}};
  Instance instance;
  instance.name = random() % 2 == 0 ? "123" : "-x";
  instance.kat_name = "no";
  instance.digest_bits = 256;
  instance.digest_origin = odd_name(random);
  instance.unsure = {odd_name(random), "\xff\xfe"};
  Implementation own;
  own.sources = {submission.tree.root / (odd_name(random) + ".c")};
  own.left_out = {{submission.tree.root / "\xff.o", odd_name(random)}};
  own.include = {submission.tree.root / odd_name(random)};
  own.suggested_sources = {"/s/" + odd_name(random) + ".c"};
  own.suggested_include = {"/" + odd_name(random)};
  own.suggested_header = submission.tree.root / (odd_name(random) + ".h");
  own.language = "c99";
  own.unsure = {odd_name(random)};
  instance.variants = {{"reference", own}, {"y", own}};
  instance.kat_files = {
      {submission.tree.root / odd_name(random), kat::Kind::k2_12, "no", std::string(64, 'a'), 256}};
  submission.instances = {instance};
  return submission;
}

TEST(HashYaml, reads_back_whatever_the_names_hold) {
  std::mt19937 random(7);
  for (unsigned round = 0; round < 2000; ++round) {
    const Submission submission = submission_of(random);
    const std::filesystem::path file = submission.tree.root / "hash.yaml";
    const std::string text = hash_yaml(submission, file);
    const catalog::Family family = catalog::parse_family(text, file);
    EXPECT_EQ(family.name, submission.name) << text;
    const auto& settings = family.instances.at(0).variants.at(1).settings;
    const Implementation& own = submission.instances[0].variants[0].implementation;
    EXPECT_EQ(settings.sources.at(0), own.sources[0].lexically_normal()) << text;
    EXPECT_EQ(settings.sources.size(), 1U) << text;
    EXPECT_EQ(settings.include.at(0), own.include[0].lexically_normal()) << text;
    EXPECT_EQ(family.kat_name(family.instances[0].name), "no");
    const campaign::Campaign campaign =
        campaign::parse_campaign(campaign_yaml({family}, family.id, "/s/c.yaml"), "/s/c.yaml");
    EXPECT_EQ(campaign.hashes.at(0).file, file.lexically_normal());
  }
}

TEST(HashYaml, suggestions_read_back_without_their_marks) {
  std::mt19937 random(1);
  Submission submission = submission_of(random);
  Implementation& own = submission.instances[0].variants[0].implementation;
  submission.tree.root = "/s/f";
  own.sources = {"/s/f/a.c"};
  own.include = {};
  own.suggested_sources = {"/s/lib/b.c"};
  own.suggested_include = {"/s/lib"};
  own.suggested_header = "/s/f/t.h";
  submission.instances[0].variants = {{"reference", own}};
  std::string text = hash_yaml(submission, "/s/f/hash.yaml");
  for (const char* line :
       {"#   - \"../lib/b.c\"", "# include:", "#   - \"../lib\"", "# header: \"t.h\""}) {
    const std::size_t at = text.find(line);
    ASSERT_NE(at, std::string::npos) << line << text;
    text.erase(at, 2);
  }
  const catalog::Family family = catalog::parse_family(text, "/s/f/hash.yaml");
  const auto& settings = family.instances.at(0).variants.at(0).settings;
  EXPECT_EQ(settings.sources, (std::vector<std::filesystem::path>{"/s/f/a.c", "/s/lib/b.c"}));
  EXPECT_EQ(settings.include, (std::vector<std::filesystem::path>{"/s/lib"}));
}

TEST(HashYaml, the_manifest_names_files_as_they_are_computed) {
  std::mt19937 random(1);
  Submission submission = submission_of(random);
  submission.instances[0].name = "Toy";
  EXPECT_EQ(manifest_text(submission), std::string(64, 'a') + " strict Toy/KAT_2_12_no.txt\n");
  submission.id = "toy";
  EXPECT_EQ(manifest_name(submission), "toy.kat.sha256");
}

}  // namespace
}  // namespace hashprof::submission
