// SPDX-License-Identifier: MIT
// `hashprof list`: what there is to measure and how.
#include <algorithm>
#include <array>
#include <functional>

#include "app/output.h"
#include "app/setup.h"
#include "app/verbs.h"
#include "base/error.h"
#include "base/text.h"
#include "toolchain/toolchain.h"

namespace hashprof::app {

namespace {

namespace fs = std::filesystem;

struct Row {
  std::string name;
  std::string text;
};

/// Where the hash families that come with hashprof lie: beside the program's build or installation,
/// else below the current folder.
fs::path hashes_folder() {
  std::error_code code;
  const fs::path program = fs::read_symlink("/proc/self/exe", code).parent_path();
  const std::array<fs::path, 3> places{program / "../share/hashprof/hashes", fs::path("hashes"),
                                       program / "../../../hashes"};
  for (const fs::path& place : places) {
    if (!program.empty() && fs::is_directory(place, code)) {
      return fs::absolute(place).lexically_normal();
    }
  }
  throw Error(Fault::environment, "hashes", "the folder of hash families was not found")
      .hint("name a hash.yaml or a campaign: 'hashprof list TARGET'");
}

void add_family(const catalog::Family& family, std::vector<Row>& rows) {
  for (const auto& instance : family.instances) {
    std::vector<std::string> variants;
    variants.reserve(instance.variants.size());
    for (const auto& variant : instance.variants) {
      variants.push_back(
          variant.name +
          (variant.xof ? std::string(" (xof ") + catalog::xof_name(*variant.xof) + ")" : ""));
    }
    rows.push_back({family.id + "/" + instance.name, std::to_string(instance.digest_bits) +
                                                         " bits, " + text::join(variants, ", ") +
                                                         "; " + text::printable(family.name)});
  }
}

std::vector<Row> hash_rows() {
  std::vector<fs::path> files;
  for (const auto& folder : fs::directory_iterator(hashes_folder())) {
    if (fs::exists(folder.path() / "hash.yaml")) {
      files.push_back(folder.path() / "hash.yaml");
    }
  }
  std::sort(files.begin(), files.end());
  std::vector<Row> rows;
  for (const fs::path& file : files) {
    add_family(catalog::load_family(file), rows);
  }
  return rows;
}

std::vector<Row> preset_rows() {
  std::vector<Row> rows;
  for (const auto& preset : campaign::presets()) {
    rows.push_back({preset.name, preset.summary});
  }
  return rows;
}

std::vector<Row> profile_rows() {
  std::vector<Row> rows;
  for (const auto& profile : toolchain::profiles()) {
    rows.push_back({profile.name, text::join(profile.flags, " ") + "; " +
                                      (profile.machine.empty() ? "" : profile.machine + "; ") +
                                      profile.source});
  }
  return rows;
}

/// Builds that a TARGET names.
std::vector<Row> target_rows(const cli::Options& options) {
  std::vector<Row> rows;
  for (const plan::Build& build : load_setup(options).plan.builds) {
    rows.push_back({build.id(), std::to_string(build.digest_bits) + " bits, variant " +
                                    build.variant + ", profile " + build.profile + "; " +
                                    text::printable(build.family_name)});
  }
  return rows;
}

struct Topic {
  const char* name;
  std::function<std::vector<Row>()> rows;
};

const std::vector<Topic>& topics() {
  static const std::vector<Topic> topics{
      {"hashes", hash_rows}, {"presets", preset_rows}, {"profiles", profile_rows}};
  return topics;
}

std::string table(const std::vector<Row>& rows, const std::string& indent) {
  std::size_t width = 0;
  for (const Row& row : rows) {
    width = std::max(width, row.name.size());
  }
  std::string out;
  for (const Row& row : rows) {
    out += indent + row.name + std::string(width - row.name.size() + 2, ' ') + row.text + "\n";
  }
  return out;
}

json::Value to_json(const std::vector<Row>& rows) {
  json::Array array;
  for (const Row& row : rows) {
    array.push_back(json::Object{{"name", row.name}, {"text", row.text}});
  }
  return array;
}

int list_all(bool is_json) {
  json::Object object;
  std::string text;
  for (const Topic& topic : topics()) {
    const auto rows = topic.rows();
    object.emplace_back(topic.name, to_json(rows));
    text += std::string(topic.name) + "\n" + table(rows, "  ");
  }
  print(is_json ? json::write_pretty(object) : text);
  return 0;
}

}  // namespace

int list(const cli::Options& options) {
  if (options.target.empty()) {
    return list_all(options.is_json);
  }
  std::vector<Row> rows;
  const auto topic = std::find_if(topics().begin(), topics().end(),
                                  [&](const Topic& t) { return options.target == t.name; });
  rows = topic != topics().end() ? topic->rows() : target_rows(options);
  print(options.is_json ? json::write_pretty(to_json(rows)) : table(rows, ""));
  return 0;
}

}  // namespace hashprof::app
