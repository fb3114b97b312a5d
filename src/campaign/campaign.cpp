// SPDX-License-Identifier: MIT
// A campaign file, read from the top down.
#include "campaign/campaign.h"

#include <algorithm>
#include <map>
#include <string_view>

#include "base/error.h"
#include "base/text.h"
#include "campaign/keys.h"
#include "campaign/measure.h"
#include "yaml/reader.h"

namespace hashprof::campaign {

namespace {

constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_";
constexpr std::string_view kDigits = "0123456789";
constexpr std::size_t kMaxName = 64;
constexpr std::uint64_t kMaxOutput = 8192;  // bytes: the longest digest of a hash.yaml
constexpr std::size_t kMaxWidthDigits = 9;
constexpr std::size_t kMaxEnvironmentValue = 4096;
constexpr std::uint64_t kLastUid = 0xFFFFFFFE;  // the one above means "no user" to the kernel
constexpr std::uint64_t kMinute = 60'000'000'000;
constexpr Nanoseconds kShortestLimit{1'000'000};
constexpr Nanoseconds kLongestLimit{1440 * kMinute};

const std::string& read_name(const yaml::Value& value) {
  return value.name(std::string(kLetters) + std::string(kDigits) + ".-",
                    "[A-Za-z0-9._-], no dot first", kMaxName);
}

std::vector<std::string> read_words(const yaml::Value& value, const std::string& noun) {
  std::vector<std::string> words;
  for (const yaml::Value& item : value.items()) {
    const std::string& word = item.nonempty_text();
    if (std::find(words.begin(), words.end(), word) != words.end()) {
      throw item.fault("'" + text::printable(word) + "' is listed twice")
          .hint("remove one of the two");
    }
    words.push_back(word);
  }
  if (words.empty()) {
    throw value.fault("no " + noun + " is listed").hint("list one, or remove the key");
  }
  return words;
}

/// A whole number is bytes, as in measure.sizes; a quantity has a unit.
std::uint64_t read_output(const yaml::Value& item) {
  const std::string& text = item.text();
  const bool has_unit = text.find_first_not_of(kDigits) != std::string::npos;
  return has_unit ? item.size({1}, {kMaxOutput}).value : item.whole(1, kMaxOutput);
}

std::vector<std::uint64_t> read_outputs(const yaml::Value& value) {
  std::vector<std::uint64_t> outputs;
  for (const yaml::Value& item : value.items()) {
    const std::uint64_t output = read_output(item);
    if (!outputs.empty() && output <= outputs.back()) {
      throw item
          .fault("the output of " + std::to_string(output) + " bytes follows one of " +
                 std::to_string(outputs.back()))
          .hint("list the output lengths in ascending order, each once");
    }
    outputs.push_back(output);
  }
  if (outputs.empty()) {
    throw value.fault("no output length is listed")
        .hint("list output lengths in bytes, or remove the key for digest_bits");
  }
  return outputs;
}

HashUse read_hash(const yaml::Value& item, const std::filesystem::path& folder) {
  HashUse use;
  if (item.kind() != yaml::Kind::map) {
    use.file = (folder / item.nonempty_text()).lexically_normal();
    return use;
  }
  yaml::Map map(item, documented_keys(), "hashes[]");
  use.file = (folder / map.require("use").nonempty_text()).lexically_normal();
  if (const auto only = map.find("only"); only.has_value()) {
    use.only = read_words(*only, "pattern");
  }
  if (const auto variants = map.find("variants"); variants.has_value()) {
    use.variants = read_words(*variants, "variant");
  }
  if (const auto outputs = map.find("outputs"); outputs.has_value()) {
    use.outputs = read_outputs(*outputs);
    use.outputs_line = static_cast<std::uint32_t>(outputs->line());
  }
  map.finish();
  return use;
}

/// What two entries have in common if the second adds nothing.
std::string identity(HashUse use) {
  if (use.variants.empty()) {
    use.variants = {"reference"};
  }
  std::sort(use.only.begin(), use.only.end());
  std::sort(use.variants.begin(), use.variants.end());
  const std::string nul(1, '\0');
  return use.file.native() + nul + nul + text::join(use.only, nul) + nul + nul +
         text::join(use.variants, nul);
}

void read_hashes(const yaml::Value& value, Campaign& campaign) {
  std::map<std::string, std::size_t> lines;
  for (const yaml::Value& item : value.items()) {
    HashUse use = read_hash(item, campaign.file.parent_path());
    const auto [known, is_new] = lines.emplace(identity(use), item.line());
    if (!is_new) {
      throw item
          .fault("the same hash is listed twice, first at line " + std::to_string(known->second))
          .hint("remove one of the two, or give them different 'only' or 'variants'");
    }
    campaign.hashes.push_back(std::move(use));
  }
  if (campaign.hashes.empty()) {
    throw value.fault("no hash is listed").hint("list the paths of hash.yaml files");
  }
}

bool is_guide_profile(const std::string& name) {
  const auto& names = guide_profiles();
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// A flag of a profile; what it may be is the toolchain's to say, with the build.
std::vector<std::string> read_flags(const yaml::Value& value) {
  std::vector<std::string> flags;
  for (const yaml::Value& item : value.items()) {
    const std::string& flag = item.nonempty_text();
    if (flag.rfind("-std=", 0) == 0) {
      throw item.fault("'" + text::printable(flag) + "' is the hash's to say")
          .hint("write 'language' under build in its hash.yaml");
    }
    flags.push_back(flag);
  }
  return flags;
}

/// A compiler with a slash is a path, relative to the file like any other.
std::string read_compiler(const yaml::Value& value, const std::filesystem::path& folder) {
  const std::string& compiler = value.nonempty_text();
  return compiler.find('/') == std::string::npos ? compiler
                                                 : (folder / compiler).lexically_normal().native();
}

BuildUse read_build(const yaml::Value& item, const std::filesystem::path& folder) {
  BuildUse use;
  if (item.kind() != yaml::Kind::map) {
    use.profile = item.choice({guide_profiles(), {}});
    return use;
  }
  yaml::Map map(item, documented_keys(), "builds[]");
  const yaml::Value name = map.require("name");
  use.profile = read_name(name);
  if (const auto compiler = map.find("compiler"); compiler.has_value()) {
    use.compiler = read_compiler(*compiler, folder);
  }
  if (const auto flags = map.find("flags"); flags.has_value()) {
    use.flags = read_flags(*flags);
  }
  if (const auto needs = map.find("needs_cpu"); needs.has_value()) {
    for (const yaml::Value& feature : needs->items()) {
      use.needs_cpu.push_back(
          feature.name("abcdefghijklmnopqrstuvwxyz0123456789_", "[a-z0-9_]", kMaxName));
    }
  }
  if (const auto fallback = map.find("fallback"); fallback.has_value()) {
    use.fallback = fallback->choice({guide_profiles(), {}});
  }
  map.finish();
  if (is_guide_profile(use.profile) != !use.flags.has_value()) {
    throw name
        .fault(use.flags ? "'" + use.profile + "' is the guide's, with flags of its own"
                         : "'" + text::printable(use.profile) + "' has no flags")
        .hint(use.flags ? "give the profile another name, or leave the flags away"
                        : "list its 'flags', or name one of " + text::join(guide_profiles(), ", "));
  }
  if (use.fallback == use.profile) {
    throw name.fault("'" + use.profile + "' is its own fallback").hint("remove 'fallback'");
  }
  return use;
}

void read_builds(const yaml::Value& value, Campaign& campaign) {
  for (const yaml::Value& item : value.items()) {
    BuildUse use = read_build(item, campaign.file.parent_path());
    const bool is_known =
        std::any_of(campaign.builds.begin(), campaign.builds.end(), [&](const BuildUse& known) {
          return known.profile == use.profile && known.compiler == use.compiler;
        });
    if (is_known) {
      throw item.fault("'" + text::printable(use.profile) + "' is listed twice for one compiler")
          .hint("remove one of the two, or give it another name");
    }
    campaign.builds.push_back(std::move(use));
  }
  if (campaign.builds.empty()) {
    throw value.fault("no profile is listed").hint("write '[guide]', or remove the key");
  }
}

void read_targets(const yaml::Value& value, Campaign& campaign) {
  for (const yaml::Value& item : value.items()) {
    yaml::Map map(item, documented_keys(), "targets[]");
    TargetUse use;
    const yaml::Value name = map.require("name");
    use.name = read_name(name);
    use.compiler = read_compiler(map.require("compiler"), campaign.file.parent_path());
    if (const auto flags = map.find("flags"); flags.has_value()) {
      use.flags = read_flags(*flags);
    }
    if (const auto measure = map.find("measure"); measure.has_value()) {
      for (const yaml::Value& word : measure->items()) {
        (void)word.choice({{"size"}, {"stack-bound"}});
      }
    }
    map.finish();
    const bool is_known =
        is_guide_profile(use.name) ||
        std::any_of(campaign.targets.begin(), campaign.targets.end(),
                    [&](const TargetUse& known) { return known.name == use.name; });
    if (is_known) {
      throw name.fault("'" + use.name + "' is named twice, or is a profile's name")
          .hint("give each target a name of its own");
    }
    campaign.targets.push_back(std::move(use));
  }
  if (campaign.targets.empty()) {
    throw value.fault("no target is listed").hint("list one, or remove the key");
  }
}

/// The output length that a key of `baselines` names.
std::uint32_t read_width(const yaml::Value& member) {
  const std::string& key = member.key();
  const bool is_number = !key.empty() && key.front() != '0' && key.size() <= kMaxWidthDigits &&
                         key.find_first_not_of(kDigits) == std::string::npos;
  if (!is_number) {
    throw member.key_fault("'" + text::printable(key) + "' is no output length in bits")
        .hint("write the length as the instances have it in digest_bits, like \"512\"");
  }
  return static_cast<std::uint32_t>(std::stoul(key));
}

Baselines read_baselines(const yaml::Value& value) {
  Baselines baselines;
  if (value.kind() != yaml::Kind::map) {
    (void)value.choice({{"pseudoXOF"}, {}});
    baselines.is_pseudo_xof = true;
    return baselines;
  }
  for (const yaml::Value& member : value.members()) {
    baselines.by_width.emplace_back(read_width(member), member.nonempty_text());
  }
  if (baselines.by_width.empty()) {
    throw value.fault("no baseline is named")
        .hint("name one by its output length, like {\"256\": SM3}, or remove the key");
  }
  std::sort(baselines.by_width.begin(), baselines.by_width.end());
  return baselines;
}

void read_preset(const yaml::Value& value, Campaign& campaign) {
  yaml::Words words;
  for (const Preset& preset : presets()) {
    words.allowed.push_back(preset.name);
  }
  campaign.preset = value.choice(words);
  apply_preset(*find_preset(campaign.preset), campaign);
}

void read_require(const yaml::Value& value, std::vector<std::string>& require) {
  require.clear();  // what a preset asks for
  for (const yaml::Value& item : value.items()) {
    const std::string& word =
        item.choice({{"cycles", "fixed-clock", "quiet-core", "kat", "bare-metal"}, {"bpf"}});
    if (std::find(require.begin(), require.end(), word) != require.end()) {
      throw item.fault("'" + word + "' is listed twice").hint("remove one of the two");
    }
    require.push_back(word);
  }
  if (require.empty()) {
    throw value.fault("no condition is listed").hint("list one, or remove the key");
  }
}

std::vector<std::string> read_kat(const yaml::Value& value) {
  if (value.kind() != yaml::Kind::list) {
    const std::string& word = value.choice({{"none", "all"}, {}});
    return word == "all" ? kat_kinds() : std::vector<std::string>();
  }
  std::vector<std::string> wanted;
  for (const yaml::Value& item : value.items()) {
    const std::string& kind = item.choice({kat_kinds(), {}});
    if (std::find(wanted.begin(), wanted.end(), kind) != wanted.end()) {
      throw item.fault("'" + kind + "' is listed twice").hint("remove one of the two");
    }
    wanted.push_back(kind);
  }
  if (wanted.empty()) {
    throw value.fault("no known-answer file is listed").hint("write none, or list [\"2_12\"]");
  }
  std::sort(wanted.begin(), wanted.end());
  return wanted;
}

void read_kat_files(const yaml::Value& value, Campaign& campaign) {
  for (const yaml::Value& member : value.members()) {
    campaign.kat_files.emplace_back(
        member.key(), (campaign.file.parent_path() / member.nonempty_text()).lexically_normal());
  }
}

void read_system(const yaml::Value& value, System& system) {
  yaml::Map map(value, documented_keys(), "system");
  if (const auto id = map.find("id"); id.has_value()) {
    system.id = read_name(*id);
  }
  if (const auto note = map.find("note"); note.has_value()) {
    system.note = note->text();
  }
  map.finish();
}

void read_limits(const yaml::Value& value, Limits& limits) {
  yaml::Map map(value, documented_keys(), "limits");
  if (const auto cell = map.find("cell"); cell.has_value()) {
    limits.cell = cell->time(kShortestLimit, kLongestLimit);
  }
  if (const auto call = map.find("call"); call.has_value() && !call->is_word("auto")) {
    limits.call = call->time(kShortestLimit, kLongestLimit);
  }
  if (const auto build = map.find("build"); build.has_value()) {
    limits.build = build->time(kShortestLimit, kLongestLimit);
  }
  if (const auto memory = map.find("memory"); memory.has_value() && !memory->is_word("auto")) {
    limits.memory = memory->size({16ULL << 20U}, {1024ULL << 30U});
  }
  if (const auto stack = map.find("stack"); stack.has_value()) {
    limits.stack = stack->size({64ULL << 10U}, {1ULL << 30U});
  }
  map.finish();
}

void read_env(const yaml::Value& value, Campaign& campaign) {
  for (const yaml::Value& member : value.members()) {
    const std::string& name = member.key();
    const std::string characters = std::string(kLetters) + std::string(kDigits);
    if (name.empty() || kDigits.find(name.front()) != std::string_view::npos ||
        name.find_first_not_of(characters) != std::string::npos) {
      throw member
          .key_fault("'" + text::printable(name) + "' is no name of an environment variable")
          .hint("it is named by letters, digits and '_', and begins with no digit");
    }
    if (name.rfind("LD_", 0) == 0) {
      throw member.key_fault("'" + name + "' would change what is loaded")
          .hint("remove it: a worker loads the library that was built, and nothing beside it");
    }
    if (member.text().size() > kMaxEnvironmentValue) {
      throw member.fault("longer than " + std::to_string(kMaxEnvironmentValue) + " bytes")
          .hint("give the variable a shorter value");
    }
    campaign.env.emplace_back(name, member.text());
  }
}

void read_sandbox(const yaml::Value& value, Sandbox& sandbox) {
  yaml::Map map(value, documented_keys(), "sandbox");
  if (const auto uid = map.find("uid"); uid.has_value()) {
    sandbox.uid = static_cast<std::uint32_t>(uid->whole(1, kLastUid));
  }
  if (const auto enabled = map.find("enabled"); enabled.has_value()) {
    sandbox.enabled = enabled->boolean();
  }
  map.finish();
}

void check_formats(const yaml::Value& value) {
  const auto formats = value.items();
  if (formats.empty()) {
    throw value.fault("no format is listed").hint("write '[markdown]', or remove the key");
  }
  for (const yaml::Value& format : formats) {
    (void)format.choice({{"markdown"}, {"html", "csv", "json", "latex", "man"}});
  }
  if (formats.size() > 1) {
    throw formats[1].fault("'markdown' is listed twice").hint("remove one of the two");
  }
}

void read_report(const yaml::Value& value, ReportOptions& report) {
  yaml::Map map(value, documented_keys(), "report");
  if (const auto formats = map.find("formats"); formats.has_value()) {
    check_formats(*formats);
  }
  if (const auto note = map.find("note"); note.has_value()) {
    report.note = note->text();
  }
  if (const auto links = map.find("links"); links.has_value()) {
    for (const yaml::Value& link : links->members()) {
      report.links.emplace_back(link.key(), link.nonempty_text());
    }
  }
  map.finish();
}

/// Calls `read` with the value of a key that may be absent.
template <typename Read>
void with(yaml::Map& map, std::string_view key, Read read) {
  if (const auto value = map.find(key); value.has_value()) {
    read(*value);
  }
}

void read_campaign(const yaml::Document& document, Campaign& campaign) {
  const yaml::Value root(document);
  yaml::check_version(root);
  yaml::Map map(root, documented_keys(), "");
  (void)map.require("hashprof");
  campaign.name = read_name(map.require("name"));
  campaign.title = campaign.name;
  with(map, "title", [&](const auto& value) { campaign.title = value.nonempty_text(); });
  with(map, "system", [&](const auto& value) { read_system(value, campaign.system); });
  // The preset first: the keys of `measure` are laid over it, wherever they stand in the file.
  with(map, "preset", [&](const auto& value) { read_preset(value, campaign); });
  with(map, "measure", [&](const auto& value) { read_measure(value, campaign.measure); });
  read_hashes(map.require("hashes"), campaign);
  if (const auto builds = map.find("builds"); builds.has_value()) {
    read_builds(*builds, campaign);
  }
  if (const auto targets = map.find("targets"); targets.has_value()) {
    read_targets(*targets, campaign);
  }
  with(map, "baselines", [&](const auto& value) { campaign.baselines = read_baselines(value); });
  with(map, "require", [&](const auto& value) { read_require(value, campaign.require); });
  campaign.kat = default_kat_kinds();
  with(map, "kat", [&](const auto& value) { campaign.kat = read_kat(value); });
  with(map, "kat_files", [&](const auto& value) { read_kat_files(value, campaign); });
  with(map, "time_failing", [&](const auto& value) { campaign.time_failing = value.boolean(); });
  with(map, "limits", [&](const auto& value) { read_limits(value, campaign.limits); });
  with(map, "memory", [&](const auto& value) { read_memory(value, campaign.memory); });
  with(map, "env", [&](const auto& value) { read_env(value, campaign); });
  with(map, "sandbox", [&](const auto& value) { read_sandbox(value, campaign.sandbox); });
  with(map, "report", [&](const auto& value) { read_report(value, campaign.report); });
  map.finish();
}

}  // namespace

Campaign parse_campaign(const std::string& text, const std::filesystem::path& file) {
  Campaign campaign;
  campaign.file = std::filesystem::absolute(file).lexically_normal();
  campaign.text = text;
  campaign.measure.sizes = ngcc_sizes();
  read_campaign(yaml::parse(text, file.native()), campaign);
  return campaign;
}

Campaign load_campaign(const std::filesystem::path& file) {
  return parse_campaign(yaml::read_text(file), file);
}

Campaign campaign_of_family(const std::filesystem::path& hash_yaml, const std::string& id) {
  const std::filesystem::path file = std::filesystem::absolute(hash_yaml).lexically_normal();
  if (!text::is_utf8(file.native())) {
    throw Error(Fault::configuration, text::printable(file.native()),
                "the path is not UTF-8, so that no campaign file can name it")
        .hint("rename the folder or the file");
  }
  return parse_campaign("hashprof: 1\nname: " + yaml::quoted(id) + "\nhashes:\n  - " +
                            yaml::quoted(file.native()) + "\n",
                        file);
}

}  // namespace hashprof::campaign
