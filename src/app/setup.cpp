// SPDX-License-Identifier: MIT
// See app/setup.h.
#include "app/setup.h"

#include <algorithm>

#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "record/run_directory.h"

namespace hashprof::app {

namespace {

namespace fs = std::filesystem;

constexpr Bytes kLargestYaml{1U << 20U};

enum class TargetKind { campaign, hash, run };

struct Target {
  TargetKind kind;
  fs::path path;  ///< absolute: the file, or the run directory
};

/// Whether a YAML text is a hash.yaml: only that has instances.
bool looks_like_hash(const std::string& text) {
  const auto lines = text::split(text, '\n');
  return std::any_of(lines.begin(), lines.end(),
                     [](const std::string& line) { return line.rfind("instances:", 0) == 0; });
}

Target folder_target(const fs::path& path) {
  if (record::is_run_directory(path)) {
    return {TargetKind::run, path};
  }
  if (fs::exists(path / "hash.yaml")) {
    return {TargetKind::hash, path / "hash.yaml"};
  }
  throw Error(Fault::usage, path.native(), "holds neither a hash.yaml nor a run")
      .hint("name a campaign file, a hash.yaml, a folder with one, or a run directory");
}

Target find_target(const std::string& word) {
  const fs::path path = fs::absolute(word).lexically_normal();
  std::error_code code;
  const fs::file_status status = fs::status(path, code);
  if (!fs::exists(status)) {
    throw Error(Fault::usage, text::printable(word), "no such file or folder")
        .hint("name a campaign file, a hash.yaml, a folder with one, or a run directory");
  }
  if (fs::is_directory(status)) {
    const bool ends_in_separator = !path.has_filename();
    return folder_target(ends_in_separator ? path.parent_path() : path);
  }
  if (path.extension() == ".so") {
    throw Error(Fault::usage, text::printable(word), "a library as target is not in this version")
        .hint("write a hash.yaml that names its sources; hashprof-hash(5)");
  }
  const bool is_hash = looks_like_hash(read_file(path, kLargestYaml, Fault::configuration));
  return {is_hash ? TargetKind::hash : TargetKind::campaign, path};
}

/// Overrides of the command line that change what is measured.
bool has_overrides(const cli::Options& options) {
  return !options.only.empty() || options.sizes || options.processes || options.preset ||
         options.kinds || options.cross_target;
}

campaign::Overrides overrides_of(const cli::Options& options) {
  campaign::Overrides overrides;
  overrides.only = options.only;
  overrides.preset = options.preset;
  overrides.processes = options.processes;
  if (options.sizes) {
    overrides.sizes = campaign::parse_size_list(*options.sizes);
  }
  if (options.kinds) {
    overrides.kinds = campaign::parse_kind_list(*options.kinds);
  }
  overrides.target = options.cross_target;
  return overrides;
}

/// "quiet, seed 1", as a header has it, as the option says it: "quiet,1".
std::string simulation_spec(std::string simulation) {
  constexpr std::string_view kSeed = ", seed ";
  const std::size_t at = simulation.find(kSeed);
  return at == std::string::npos ? simulation : simulation.replace(at, kSeed.size(), ",");
}

/// The campaign and overrides that began a run.
void load_from_run(const Target& target, const cli::Options& options, Setup& setup) {
  if (has_overrides(options) || options.out) {
    throw Error(Fault::usage, target.path.native(), "a run goes on as it was begun")
        .hint(
            "leave --only, --sizes, --processes, --preset, --kinds, --target and --out away, or "
            "name the "
            "campaign");
  }
  const record::RunPaths paths{target.path};
  const record::RunHeader header = record::load_header(paths);
  const std::string text = read_file(paths.campaign_yaml(), kLargestYaml, Fault::configuration);
  setup.campaign = campaign::parse_campaign(text, header.campaign_file);
  setup.overrides = overrides_from_json(header.overrides);
  setup.run_root = target.path;
  if (!setup.simulate && !header.simulation.empty()) {
    setup.simulate = simulation_spec(header.simulation);
  }
}

void take_campaign(campaign::Campaign campaign, const cli::Options& options, Setup& setup) {
  setup.campaign = std::move(campaign);
  setup.overrides = overrides_of(options);
  setup.run_root = fs::absolute(options.out ? *options.out : fs::path("runs") / setup.campaign.name)
                       .lexically_normal();
  if (!setup.run_root.has_filename()) {
    setup.run_root = setup.run_root.parent_path();
  }
}

campaign::Campaign load_target(const Target& target) {
  return target.kind == TargetKind::campaign
             ? campaign::load_campaign(target.path)
             : campaign::campaign_of_family(target.path, catalog::load_family(target.path).id);
}

bool has_measured(const fs::path& run_root) {
  const record::RunPaths paths{run_root};
  std::error_code code;
  return record::is_run_directory(run_root) && fs::file_size(paths.journal(), code) > 0 && !code;
}

/// auto keeps the core that an earlier part of the run was measured on. Before that the machine may
/// still change: a run that was built elsewhere is measured on a core of this one.
std::optional<std::uint32_t> wanted_core(const Setup& setup, const cli::Options& options) {
  if (setup.campaign.measure.core || options.is_fresh || !has_measured(setup.run_root)) {
    return setup.campaign.measure.core;
  }
  return record::load_header({setup.run_root}).core;
}

json::Array paths_to_json(const std::vector<fs::path>& paths, const fs::path& base) {
  json::Array out;
  for (const fs::path& path : paths) {
    out.emplace_back(path.lexically_relative(base).native());
  }
  return out;
}

json::Value path_or_null(const fs::path& path, const fs::path& base) {
  return path.empty() ? json::Value() : json::Value(path.lexically_relative(base).native());
}

json::Value settings_to_json(const catalog::BuildSettings& settings, const fs::path& base) {
  json::Object define;
  for (const auto& [name, value] : settings.define) {
    define.emplace_back(name, value);
  }
  return json::Object{
      {"sources", paths_to_json(settings.sources, base)},
      {"include", paths_to_json(settings.include, base)},
      {"language", settings.language},
      {"define", std::move(define)},
      {"cflags", json::Array(settings.cflags.begin(), settings.cflags.end())},
      {"cxxflags", json::Array(settings.cxxflags.begin(), settings.cxxflags.end())},
      {"header", path_or_null(settings.header, base)},
      {"api", settings.api == catalog::Api::supercop ? "supercop" : "ngcc"},
      {"library", path_or_null(settings.library, base)},
      {"libraries", json::Array(settings.libraries.begin(), settings.libraries.end())},
      {"entry", settings.entry}};
}

/// The listed outputs of a build, each with the reason why it is not planned.
json::Array outputs_to_json(const plan::Build& build) {
  json::Array outputs;
  for (const std::uint64_t output : build.outputs) {
    const std::string why = build.why_not(output);
    outputs.push_back(json::Object{{"bytes", output},
                                   {"excluded", why.empty() ? json::Value() : json::Value(why)}});
  }
  return outputs;
}

/// Families and plan of the campaign that a setup holds.
void complete(const cli::Options& options, Setup& setup) {
  campaign::apply(setup.overrides, setup.campaign);
  for (const auto& use : setup.campaign.hashes) {
    setup.families.push_back(catalog::load_family(use.file));
  }
  if (!setup.campaign.baselines.is_empty()) {
    plan::check_baselines(setup.campaign, plan::resolve_builds(setup.campaign, setup.families, {}));
  }
  const std::uint32_t core = host::choose_core(wanted_core(setup, options), host::allowed_cpus());
  setup.plan = plan::make_plan(
      setup.campaign, plan::resolve_builds(setup.campaign, setup.families, setup.overrides.only),
      core);
}

}  // namespace

Setup load_setup(const cli::Options& options) {
  Setup setup;
  setup.simulate = options.simulate;
  const Target target = find_target(options.target);
  if (target.kind == TargetKind::run) {
    load_from_run(target, options, setup);
  } else {
    take_campaign(load_target(target), options, setup);
  }
  complete(options, setup);
  return setup;
}

Setup make_setup(campaign::Campaign campaign, const cli::Options& options) {
  Setup setup;
  setup.simulate = options.simulate;
  take_campaign(std::move(campaign), options, setup);
  complete(options, setup);
  return setup;
}

json::Value builds_to_json(const Setup& setup) {
  const fs::path base = setup.campaign.file.parent_path();
  json::Array builds;
  for (const plan::Build& build : setup.plan.builds) {
    const catalog::Family& family = setup.families[build.family];
    builds.push_back(json::Object{
        {"family", build.family_id},
        {"family_name", build.family_name},
        {"instance", build.instance},
        {"label", build.label},
        {"variant", build.variant},
        {"profile", build.profile},
        {"compiler", build.compiler},
        {"flags", build.flags ? json::Value(json::Array(build.flags->begin(), build.flags->end()))
                              : json::Value()},
        {"flags_need_cpu", json::Array(build.flags_need_cpu.begin(), build.flags_need_cpu.end())},
        {"needs_cpu", json::Array(build.needs_cpu.begin(), build.needs_cpu.end())},
        {"fallback", build.fallback.empty() ? json::Value() : json::Value(build.fallback)},
        {"layouts", build.layouts},
        {"messages", build.takes_bytes ? "bytes" : "bits"},
        {"digest_bits", build.digest_bits},
        {"xof", build.xof ? json::Value(catalog::xof_name(*build.xof)) : json::Value()},
        {"outputs", outputs_to_json(build)},
        {"settings", settings_to_json(build.settings, base)},
        {"vectors", paths_to_json(family.vector_files, base)},
        {"manifest", family.manifest ? paths_to_json({*family.manifest}, base) : json::Array()},
        {"kat_name", family.kat_name(build.instance)}});
  }
  return builds;
}

json::Value to_json(const campaign::Overrides& overrides) {
  json::Value sizes;
  if (overrides.sizes) {
    sizes = json::Array(overrides.sizes->begin(), overrides.sizes->end());
  }
  json::Value kinds;
  if (overrides.kinds) {
    kinds = json::Array(overrides.kinds->begin(), overrides.kinds->end());
  }
  return json::Object{{"only", json::Array(overrides.only.begin(), overrides.only.end())},
                      {"preset", overrides.preset},
                      {"sizes", std::move(sizes)},
                      {"processes", overrides.processes},
                      {"kinds", std::move(kinds)},
                      {"target", overrides.target}};
}

campaign::Overrides overrides_from_json(const json::Value& value) {
  campaign::Overrides overrides;
  for (const json::Value& pattern : value.at("only").as_array()) {
    overrides.only.push_back(pattern.as_string());
  }
  if (const json::Value* preset = value.find("preset")) {
    overrides.preset = preset->as_string();
  }
  if (const json::Value* sizes = value.find("sizes")) {
    overrides.sizes.emplace();
    for (const json::Value& size : sizes->as_array()) {
      overrides.sizes->push_back(size.as_unsigned());
    }
  }
  if (const json::Value* processes = value.find("processes")) {
    overrides.processes = static_cast<std::uint32_t>(processes->as_unsigned());
  }
  if (const json::Value* target = value.find("target")) {
    overrides.target = target->as_string();
  }
  if (const json::Value* kinds = value.find("kinds")) {
    overrides.kinds.emplace();
    for (const json::Value& kind : kinds->as_array()) {
      overrides.kinds->push_back(kind.as_string());
    }
  }
  return overrides;
}

}  // namespace hashprof::app
