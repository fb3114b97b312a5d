// SPDX-License-Identifier: MIT
// See app/init_text.h.
#include "app/init_text.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/text.h"
#include "submission/hash_yaml.h"

namespace hashprof::app {

namespace {

using submission::Instance;
using submission::InstanceVariant;
using submission::Submission;

/// Lines of one list that are shown; the file has the same comments.
constexpr std::size_t kMostLines = 50;

void add_list(const char* title, const std::vector<std::string>& lines, std::string& out) {
  if (lines.empty()) {
    return;
  }
  out += std::string(title) + "\n";
  for (std::size_t i = 0; i < lines.size() && i < kMostLines; ++i) {
    out += "  " + text::printable(lines[i], 400) + "\n";
  }
  if (lines.size() > kMostLines) {
    out += "  and " + std::to_string(lines.size() - kMostLines) + " more\n";
  }
}

std::string instance_line(const Instance& instance) {
  std::vector<std::string> variants;
  variants.reserve(instance.variants.size());
  for (const InstanceVariant& own : instance.variants) {
    variants.push_back(own.name + " (" + std::to_string(own.implementation.sources.size()) +
                       (own.implementation.sources.size() == 1 ? " source)" : " sources)"));
  }
  std::vector<std::string> kinds;
  kinds.reserve(instance.kat_files.size());
  for (const auto& file : instance.kat_files) {
    kinds.emplace_back(kat::kind_name(file.kind));
  }
  return instance.name + ": " + std::to_string(instance.digest_bits) + " bits; " +
         text::join(variants, ", ") + "; " +
         (kinds.empty() ? "no known answers" : "known answers " + text::join(kinds, " "));
}

std::vector<std::string> left_out_lines(const Submission& submission) {
  std::vector<std::string> lines;
  for (const Instance& instance : submission.instances) {
    for (const InstanceVariant& own : instance.variants) {
      for (const auto& each : own.implementation.left_out) {
        lines.push_back(submission.tree.shown(each.file) + ": " + each.reason);
      }
    }
  }
  lines.insert(lines.end(), submission.notes.begin(), submission.notes.end());
  return lines;
}

std::vector<std::string> unsure_lines(const Submission& submission) {
  std::vector<std::string> lines;
  for (const Instance& instance : submission.instances) {
    for (const std::string& each : instance.unsure) {
      lines.push_back(instance.name + ": " + each);
    }
    for (const InstanceVariant& own : instance.variants) {
      for (const std::string& each : own.implementation.unsure) {
        lines.push_back(instance.name + ", " + own.name + ": " + each);
      }
    }
  }
  return lines;
}

json::Array texts(const std::vector<std::string>& lines) {
  json::Array array;
  for (const std::string& each : lines) {
    array.emplace_back(text::printable(each, 400));
  }
  return array;
}

json::Array paths(const Submission& submission, const std::vector<std::filesystem::path>& list) {
  json::Array array;
  for (const auto& each : list) {
    array.emplace_back(submission.tree.shown(each));
  }
  return array;
}

json::Value variant_to_json(const Submission& submission, const InstanceVariant& own) {
  const submission::Implementation& implementation = own.implementation;
  return json::Object{{"name", own.name},
                      {"folder", submission.tree.shown(implementation.folder)},
                      {"sources", paths(submission, implementation.sources)},
                      {"include", paths(submission, implementation.include)},
                      {"language", implementation.language},
                      {"libraries", texts(implementation.libraries)},
                      {"unsure", texts(implementation.unsure)}};
}

json::Value instance_to_json(const Submission& submission, const Instance& instance) {
  json::Array variants;
  for (const InstanceVariant& own : instance.variants) {
    variants.push_back(variant_to_json(submission, own));
  }
  json::Array files;
  for (const auto& each : instance.kat_files) {
    files.push_back(json::Object{{"kind", kat::kind_name(each.kind)},
                                 {"file", submission.tree.shown(each.file)},
                                 {"sha256", each.sha256}});
  }
  return json::Object{{"name", instance.name},           {"digest_bits", instance.digest_bits},
                      {"variants", std::move(variants)}, {"kat_name", instance.kat_name},
                      {"kat_files", std::move(files)},   {"unsure", texts(instance.unsure)}};
}

}  // namespace

std::string init_text(const Submission& submission, const std::filesystem::path& file) {
  std::string out = "wrote " + text::printable(file.native()) + "\n";
  if (submission.has_kat_files()) {
    out += "wrote " +
           text::printable((file.parent_path() / submission::manifest_name(submission)).native()) +
           "\n";
  }
  std::vector<std::string> instances;
  instances.reserve(submission.instances.size());
  for (const Instance& instance : submission.instances) {
    instances.push_back(instance_line(instance));
  }
  add_list("instances", instances, out);
  add_list("left out", left_out_lines(submission), out);
  add_list("unsure", unsure_lines(submission), out);
  return out;
}

json::Value init_to_json(const Submission& submission, const std::filesystem::path& file) {
  json::Array instances;
  for (const Instance& instance : submission.instances) {
    instances.push_back(instance_to_json(submission, instance));
  }
  return json::Object{{"file", text::printable(file.native())},
                      {"id", submission.id},
                      {"api", submission::api_name(submission.api)},
                      {"instances", std::move(instances)},
                      {"left_out", texts(left_out_lines(submission))}};
}

}  // namespace hashprof::app
