// SPDX-License-Identifier: MIT
// See submission/campaign_yaml.h.
#include "submission/campaign_yaml.h"

#include <algorithm>

#include "base/text.h"
#include "submission/yaml_words.h"

namespace hashprof::submission {

namespace {

bool is_wanted_by_default(const catalog::Variant& variant) { return variant.name == "reference"; }

std::string item(const catalog::Family& family, const std::filesystem::path& base) {
  std::vector<std::string> variants;
  std::transform(family.variants.begin(), family.variants.end(), std::back_inserter(variants),
                 [](const catalog::Variant& each) { return name_word(each.name); });
  const bool is_default = family.variants.size() == 1 && is_wanted_by_default(family.variants[0]);
  std::string out = "  " + comment_line(family.id + ": " + family.name) + "\n";
  for (const catalog::Instance& instance : family.instances) {
    out +=
        "  " +
        comment_line("  " + instance.name + ", " + std::to_string(instance.digest_bits) + " bits") +
        "\n";
  }
  out += "  - use: " + path_word(family.file, base) + "\n";
  if (!is_default) {
    out += "    variants: [" + text::join(variants, ", ") + "]\n";
  }
  return out + "    # only: [" + name_word(family.instances.front().name) + "]\n";
}

}  // namespace

std::string campaign_yaml(const std::vector<catalog::Family>& families, const std::string& name,
                          const std::filesystem::path& file) {
  std::string out =
      "# Written by 'hashprof init'; hashprof-campaign(5) has every key.\n"
      "hashprof: 1\n"
      "name: " +
      name_word(name) +
      "\n"
      "# title: what the reports say\n"
      "# preset: quick    # or publish, published; 'hashprof list presets' shows them\n"
      "hashes:\n";
  for (const catalog::Family& family : families) {
    out += item(family, file.parent_path());
  }
  return out +
         "# builds: [guide]    # by default performance for optimized variants, guide for others\n"
         "# baselines: pseudoXOF    # needs hashes/iccs/hash.yaml among the hashes\n"
         "# kat: [\"2_12\", \"2_23\"]    # or all; \"2_33\" and \"Loop\" take minutes\n"
         "# kat_files: {" +
         name_word(families.front().instances.front().name) +
         ": FOLDER}    # as submitted: names the first wrong record\n"
         "# measure: {sizes: ngcc, processes: 9, trial: 0.25 s}\n";
}

}  // namespace hashprof::submission
