// SPDX-License-Identifier: MIT
// See record/run_files.h.
#include "record/run_files.h"

#include <array>
#include <utility>

#include "base/error.h"
#include "base/file.h"

namespace hashprof::record {

namespace {

constexpr Bytes kLargestFile{64U << 20U};
constexpr const char* kBuildSchema = "hashprof-build/1";

constexpr std::array<std::pair<RunStatus, const char*>, 3> kStatuses{{
    {RunStatus::running, "running"},
    {RunStatus::stopped, "stopped"},
    {RunStatus::complete, "complete"},
}};

RunStatus status_from(const std::string& name) {
  for (const auto& [status, text] : kStatuses) {
    if (name == text) {
      return status;
    }
  }
  throw Error(Fault::configuration, "campaign.json", "unknown status '" + name + "'");
}

void check_schema(const json::Value& value, const std::string& known) {
  const std::string& found = value.at("schema").as_string();
  if (found != known) {
    throw Error(Fault::configuration, "",
                "is of schema '" + found + "'; this version reads '" + known + "'")
        .hint("use the hashprof that made this run");
  }
}

std::vector<std::string> strings_from(const json::Value& value) {
  std::vector<std::string> out;
  for (const json::Value& item : value.as_array()) {
    out.push_back(item.as_string());
  }
  return out;
}

json::Array strings_to(const std::vector<std::string>& strings) {
  return {strings.begin(), strings.end()};
}

/// Parses a file of the run; its faults name the file.
template <typename Read>
auto load(const std::filesystem::path& file, Read read) {
  try {
    return read(json::parse(read_file(file, kLargestFile, Fault::configuration), file.native()));
  } catch (Error& error) {
    error.context("reading " + file.native());
    throw;
  }
}

BuildEntry entry_from_json(const json::Value& value) {
  BuildEntry entry;
  entry.family_id = value.at("family").as_string();
  entry.family_name = value.at("family_name").as_string();
  entry.category = value.at("category").as_string();
  entry.instance = value.at("instance").as_string();
  entry.label = value.at("label").as_string();
  entry.variant = value.at("variant").as_string();
  entry.variant_class = value.at("variant_class").as_string();
  entry.profile = value.at("profile").as_string();
  entry.digest_bits = static_cast<std::uint32_t>(value.at("digest_bits").as_unsigned());
  entry.build_flags = value.at("build_flags").as_string();
  entry.vector_files = strings_from(value.at("vector_files"));
  entry.library = value.at("library").as_string();
  entry.log = value.at("log").as_string();
  entry.result = value.at("result");
  if (const json::Value* image = value.find("image")) {
    entry.image = *image;
  }
  // Read once, so that a damaged file is named while it is being read.
  (void)entry.is_built();
  (void)entry.library_sha256();
  return entry;
}

json::Array entries_to_json(const std::vector<BuildEntry>& builds) {
  json::Array entries;
  for (const BuildEntry& entry : builds) {
    entries.push_back(json::Object{{"family", entry.family_id},
                                   {"family_name", entry.family_name},
                                   {"category", entry.category},
                                   {"instance", entry.instance},
                                   {"label", entry.label},
                                   {"variant", entry.variant},
                                   {"variant_class", entry.variant_class},
                                   {"profile", entry.profile},
                                   {"digest_bits", entry.digest_bits},
                                   {"build_flags", entry.build_flags},
                                   {"vector_files", strings_to(entry.vector_files)},
                                   {"library", entry.library},
                                   {"log", entry.log},
                                   {"result", entry.result},
                                   {"image", entry.image}});
  }
  return entries;
}

std::vector<BuildEntry> load_entries(const RunPaths& paths, const char* key) {
  if (!std::filesystem::exists(paths.build_json())) {
    return {};
  }
  return load(paths.build_json(), [key](const json::Value& value) {
    check_schema(value, kBuildSchema);
    std::vector<BuildEntry> entries;
    if (const json::Value* const listed = value.find(key)) {
      for (const json::Value& entry : listed->as_array()) {
        entries.push_back(entry_from_json(entry));
      }
    }
    return entries;
  });
}

}  // namespace

const char* status_name(RunStatus status) {
  for (const auto& [known, text] : kStatuses) {
    if (status == known) {
      return text;
    }
  }
  return "running";
}

json::Value to_json(const RunHeader& header) {
  json::Array items;
  for (const auto& item : header.environment) {
    items.push_back(
        json::Object{{"item", item.item},
                     {"value", item.value.empty() ? json::Value() : json::Value(item.value)},
                     {"reason", item.reason.empty() ? json::Value() : json::Value(item.reason)}});
  }
  return json::Object{
      {"schema", kRunSchema},
      {"tool", json::Object{{"name", "hashprof"}, {"version", header.tool_version}}},
      {"status", status_name(header.status)},
      {"started_utc", header.started_utc},
      {"ended_utc", header.ended_utc.empty() ? json::Value() : json::Value(header.ended_utc)},
      {"simulation", header.simulation.empty() ? json::Value() : json::Value(header.simulation)},
      {"core", header.core},
      {"architecture", header.architecture},
      {"campaign_file", header.campaign_file},
      {"overrides", header.overrides},
      {"campaign", header.campaign},
      {"builds", header.builds},
      {"host", header.host},
      {"host_reasons", strings_to(header.host_reasons)},
      {"environment", std::move(items)},
  };
}

RunHeader header_from_json(const json::Value& value) {
  check_schema(value, kRunSchema);
  RunHeader header;
  const auto text_or_empty = [&](const json::Value& object, const char* key) {
    const json::Value* member = object.find(key);
    return member == nullptr ? std::string() : member->as_string();
  };
  header.tool_version = value.at("tool").at("version").as_string();
  header.status = status_from(value.at("status").as_string());
  header.started_utc = value.at("started_utc").as_string();
  header.ended_utc = text_or_empty(value, "ended_utc");
  header.simulation = text_or_empty(value, "simulation");
  header.core = static_cast<std::uint32_t>(value.at("core").as_unsigned());
  header.architecture = value.at("architecture").as_string();
  header.campaign_file = value.at("campaign_file").as_string();
  header.overrides = value.at("overrides");
  header.campaign = value.at("campaign");
  header.builds = value.at("builds");
  header.host = value.at("host");
  header.host_reasons = strings_from(value.at("host_reasons"));
  for (const json::Value& item : value.at("environment").as_array()) {
    header.environment.push_back(
        {item.at("item").as_string(), text_or_empty(item, "value"), text_or_empty(item, "reason")});
  }
  return header;
}

RunHeader load_header(const RunPaths& paths) {
  return load(paths.campaign_json(), header_from_json);
}

std::string BuildEntry::text_or_empty(const char* key) const {
  const json::Value* value = result.find(key);
  return value == nullptr ? std::string() : value->as_string();
}

std::string BuildEntry::compiler_version() const {
  const json::Value* compiler = result.find("compiler");
  const json::Value* text = compiler == nullptr ? nullptr : compiler->find("version");
  return text == nullptr ? std::string() : text->as_string();
}

json::Value to_json(const std::vector<BuildEntry>& builds, const std::vector<BuildEntry>& objects) {
  return json::Object{{"schema", kBuildSchema},
                      {"builds", entries_to_json(builds)},
                      {"objects", entries_to_json(objects)}};
}

std::vector<BuildEntry> load_builds(const RunPaths& paths) { return load_entries(paths, "builds"); }

std::vector<BuildEntry> load_objects(const RunPaths& paths) {
  return load_entries(paths, "objects");
}

}  // namespace hashprof::record
