// SPDX-License-Identifier: MIT
// From the campaign's words to the list of libraries, with unique labels.
#include <algorithm>
#include <filesystem>
#include <set>

#include "base/error.h"
#include "base/text.h"
#include "plan/plan.h"

namespace hashprof::plan {

namespace {

std::string with_clean_characters(const std::string& label) {
  constexpr std::string_view kAllowed =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-";
  std::string out = label;
  std::replace_if(
      out.begin(), out.end(), [&](char c) { return kAllowed.find(c) == std::string_view::npos; },
      '_');
  return out;
}

std::string make_label(const campaign::Campaign& campaign, const Build& build) {
  std::string label = build.instance;
  if (build.variant != "reference") {
    label += "." + build.variant;
  }
  if (!build.settings.library.empty()) {
    return with_clean_characters(label);
  }
  if (build.profile != "guide") {
    label += "." + build.profile;
  }
  if (!campaign.builds.empty() && build.compiler != campaign.builds.front().compiler) {
    label += "." + build.compiler;
  }
  return with_clean_characters(label);
}

[[noreturn]] void names_nothing(const catalog::Family& family, const char* key,
                                const std::string& word, const std::vector<std::string>& known) {
  Error error(Fault::configuration, family.file.native(),
              std::string(key) + " '" + text::printable(word) + "' names nothing in this file");
  const auto near = text::closest(word, known);
  const std::vector<std::string> shown(
      known.begin(),
      known.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(known.size(), 20)));
  throw std::move(error).hint((near ? "did you mean '" + *near + "'? " : std::string()) +
                              "it has " + text::join(shown, ", "));
}

std::vector<std::string> variant_names(const catalog::Family& family) {
  std::vector<std::string> names;
  names.reserve(family.variants.size());
  for (const auto& variant : family.variants) {
    names.push_back(variant.name);
  }
  return names;
}

std::vector<std::string> instance_names(const catalog::Family& family) {
  std::vector<std::string> names;
  names.reserve(family.instances.size());
  for (const auto& instance : family.instances) {
    names.push_back(instance.name);
  }
  return names;
}

bool fits_any(const std::string& name, const std::vector<std::string>& patterns) {
  return patterns.empty() ||
         std::any_of(patterns.begin(), patterns.end(),
                     [&](const auto& pattern) { return text::matches_pattern(name, pattern); });
}

/// A pattern with '/' is compared with "<family>/<instance>", one without with the instance.
bool is_wanted(const Build& build, const std::vector<std::string>& only) {
  return only.empty() || std::any_of(only.begin(), only.end(), [&](const std::string& pattern) {
           const bool has_family = pattern.find('/') != std::string::npos;
           return text::matches_pattern(
               has_family ? build.family_id + "/" + build.instance : build.instance, pattern);
         });
}

/// What is measured of a family that the campaign names no variants of: the reference, or all where
/// there is none.
std::vector<std::string> usual_variants(const catalog::Family& family) {
  std::vector<std::string> names = variant_names(family);
  const bool has_reference = std::find(names.begin(), names.end(), "reference") != names.end();
  return has_reference ? std::vector<std::string>{"reference"} : names;
}

void check_use(const campaign::HashUse& use, const catalog::Family& family) {
  const auto instances = instance_names(family);
  for (const auto& pattern : use.only) {
    const bool names_one = std::any_of(instances.begin(), instances.end(), [&](const auto& name) {
      return text::matches_pattern(name, pattern);
    });
    if (!names_one) {
      names_nothing(family, "only", pattern, instances);
    }
  }
  const auto variants = variant_names(family);
  for (const auto& variant : use.variants) {
    if (std::find(variants.begin(), variants.end(), variant) == variants.end()) {
      names_nothing(family, "variant", variant, variants);
    }
  }
}

/// Outputs are listed in vain where no variant that is measured is an extendable-output function.
void check_outputs(const campaign::Campaign& campaign, const campaign::HashUse& use,
                   const catalog::Family& family, bool has_xof) {
  if (!use.outputs.empty() && !has_xof) {
    throw Error(Fault::configuration,
                campaign.file.native() + ":" + std::to_string(use.outputs_line),
                "outputs are listed for " + text::printable(family.id) +
                    ", but none of its functions that are measured is an extendable-output "
                    "function")
        .hint("remove the key, or say xof: any or fixed of the instance in hash.yaml");
  }
}

/// What a variant is built with: what the campaign lists, or what the guide pairs with its class.
/// A library that is built already is what it is, once.
std::vector<campaign::BuildUse> uses_of(const campaign::Campaign& campaign,
                                        const catalog::Variant& variant, bool is_prebuilt) {
  if (is_prebuilt) {
    return {campaign::BuildUse{"prebuilt", "none"}};
  }
  if (!campaign.builds.empty()) {
    return campaign.builds;
  }
  campaign::BuildUse use;
  use.profile = variant.class_name == "optimized" ? "performance" : "guide";
  return {use};
}

/// The prefix before the file name of a compiler.
std::string with_prefix(const std::string& prefix, const std::string& compiler) {
  const std::size_t slash = compiler.rfind('/');
  const std::size_t name = slash == std::string::npos ? 0 : slash + 1;
  return compiler.substr(0, name) + prefix + compiler.substr(name);
}

class Collector {
 public:
  Collector(const campaign::Campaign& campaign, const std::vector<std::string>& only)
      : campaign_(campaign), only_(only) {}

  void add(std::size_t index, const catalog::Family& family, const catalog::Instance& instance,
           const catalog::Variant& variant, const catalog::InstanceVariant& own) {
    for (const auto& use : uses_of(campaign_, variant, !own.settings.library.empty())) {
      Build build;
      build.family = index;
      build.family_id = family.id;
      build.family_name = family.name;
      build.instance = instance.name;
      build.variant = variant.name;
      build.variant_class = variant.class_name;
      build.profile = use.profile;
      build.compiler = use.compiler;
      build.flags = use.flags;
      build.needs_cpu = variant.needs_cpu;
      build.flags_need_cpu = use.needs_cpu;
      build.fallback = use.fallback;
      build.digest_bits = instance.digest_bits;
      build.takes_bytes = instance.takes_bytes;
      build.xof = own.xof;
      if (own.xof) {
        build.outputs = campaign_.hashes[index].outputs;
      }
      build.settings = own.settings;
      build.layouts = own.settings.library.empty() ? campaign_.measure.layouts : 1;
      build.label = make_label(campaign_, build);
      if (own.settings.library.empty()) {
        build.compiler = with_prefix(campaign_.cross_prefix, build.compiler);
      }
      if (!is_wanted(build, only_)) {
        continue;
      }
      if (!ids_.insert(build.id()).second) {
        throw Error(Fault::configuration, campaign_.file.native(),
                    "two builds would both be called '" + build.id() + "'")
            .hint("name each instance once under hashes:, and give families different ids");
      }
      builds_.push_back(std::move(build));
    }
  }
  std::vector<Build> take() { return std::move(builds_); }

 private:
  const campaign::Campaign& campaign_;
  const std::vector<std::string>& only_;
  std::set<std::string> ids_;
  std::vector<Build> builds_;
};

}  // namespace

std::vector<Build> resolve_builds(const campaign::Campaign& campaign,
                                  const std::vector<catalog::Family>& families,
                                  const std::vector<std::string>& only) {
  Collector collector(campaign, only);
  for (std::size_t i = 0; i < campaign.hashes.size(); ++i) {
    const campaign::HashUse& use = campaign.hashes[i];
    const catalog::Family& family = families.at(i);
    check_use(use, family);
    const std::vector<std::string> wanted =
        use.variants.empty() ? usual_variants(family) : use.variants;
    bool has_xof = false;
    for (const auto& instance : family.instances) {
      if (!fits_any(instance.name, use.only)) {
        continue;
      }
      for (const auto& variant : family.variants) {
        const auto settings =
            std::find_if(instance.variants.begin(), instance.variants.end(),
                         [&](const auto& entry) { return entry.name == variant.name; });
        if (settings != instance.variants.end() &&
            std::find(wanted.begin(), wanted.end(), variant.name) != wanted.end()) {
          collector.add(i, family, instance, variant, *settings);
          has_xof = has_xof || settings->xof.has_value();
        }
      }
    }
    check_outputs(campaign, use, family, has_xof);
  }
  std::vector<Build> builds = collector.take();
  if (builds.empty()) {
    throw Error(only.empty() ? Fault::configuration : Fault::usage,
                only.empty() ? campaign.file.native() : "--only " + text::join(only, ","),
                "no instance is left to measure")
        .hint("'hashprof list TARGET' shows what a campaign holds");
  }
  return builds;
}

std::vector<Build> resolve_objects(const campaign::Campaign& campaign,
                                   const std::vector<Build>& builds) {
  std::vector<Build> objects;
  std::set<std::string> ids;
  const auto is_build = [&](const std::string& id) {
    return std::any_of(builds.begin(), builds.end(),
                       [&](const Build& build) { return build.id() == id; });
  };
  for (const Build& build : builds) {
    for (const campaign::TargetUse& target : campaign.targets) {
      Build object = build;
      object.label = with_clean_characters(
          build.instance + (build.variant == "reference" ? "" : "." + build.variant) + "." +
          target.name);
      object.profile = target.name;
      object.compiler = target.compiler;
      object.flags = target.flags;
      object.fallback.clear();
      object.layouts = 1;
      if (is_build(object.id())) {
        throw Error(Fault::configuration, campaign.file.native(),
                    "the target '" + target.name + "' and a build would both be called '" +
                        object.id() + "'")
            .hint("give the target another name");
      }
      if (build.settings.library.empty() && ids.insert(object.id()).second) {
        objects.push_back(std::move(object));
      }
    }
  }
  return objects;
}

void check_baselines(const campaign::Campaign& campaign, const std::vector<Build>& builds) {
  const auto has = [&](const std::string& pattern) {
    return std::any_of(builds.begin(), builds.end(),
                       [&](const Build& build) { return is_wanted(build, {pattern}); });
  };
  if (campaign.baselines.is_pseudo_xof && !has("iccs/pseudoXOF-*")) {
    throw Error(Fault::configuration, campaign.file.native(),
                "baselines: pseudoXOF is not among the hashes of the campaign")
        .hint("list hashes/iccs/hash.yaml under hashes: too; its instances are measured like any");
  }
  for (const auto& [bits, instance] : campaign.baselines.by_width) {
    const bool is_measured =
        std::any_of(builds.begin(), builds.end(), [&name = instance](const Build& build) {
          return build.instance == name || build.family_id + "/" + build.instance == name;
        });
    if (!is_measured) {
      throw Error(Fault::configuration, campaign.file.native(),
                  "baselines: '" + text::printable(instance) + "' for " + std::to_string(bits) +
                      " bits is not among the hashes of the campaign")
          .hint("list its hash.yaml under hashes: too; 'hashprof list TARGET' shows the names");
    }
  }
}

}  // namespace hashprof::plan
