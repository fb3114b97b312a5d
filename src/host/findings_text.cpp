// SPDX-License-Identifier: MIT
// The findings for people and for programs.
#include <algorithm>

#include "base/text.h"
#include "host/findings.h"

namespace hashprof::host {

namespace {

std::string padded(std::string word, std::size_t width) {
  word.resize(std::max(width, word.size()), ' ');
  return word;
}

std::string value_text(const Fact& value) {
  return value.value.has_value() ? *value.value : "unknown (" + value.reason + ")";
}

json::Value finding_json(const Finding& finding) {
  json::Object object{{"id", finding.id}, {"severity", severity_name(finding.severity)}};
  if (finding.value.value.has_value()) {
    object.emplace_back("value", *finding.value.value);
  } else {
    object.emplace_back("value", nullptr);
    object.emplace_back("reason", finding.value.reason);
  }
  object.emplace_back("meaning", finding.meaning);
  object.emplace_back("remedy", finding.remedy);
  object.emplace_back("requirement", finding.requirement);
  return object;
}

}  // namespace

std::string severity_name(Severity severity) {
  switch (severity) {
    case Severity::ok:
      return "ok";
    case Severity::note:
      return "note";
    case Severity::warning:
      return "warning";
    case Severity::blocking:
      return "blocking";
    case Severity::unknown:
      break;
  }
  return "unknown";
}

std::string findings_text(const std::vector<Finding>& findings, std::uint32_t core) {
  constexpr std::size_t kSeverityWidth = 10;
  constexpr std::size_t kIdWidth = 21;
  std::string out = "Measuring on CPU " + std::to_string(core) + "\n\n";
  for (const Finding& finding : findings) {
    out += padded(severity_name(finding.severity), kSeverityWidth) + padded(finding.id, kIdWidth) +
           value_text(finding.value) + "\n";
    if (finding.severity != Severity::ok) {
      out += std::string(kSeverityWidth + 2, ' ') + finding.meaning + "\n";
    }
    if (!finding.remedy.empty()) {
      out += std::string(kSeverityWidth + 2, ' ') + "mend: " + finding.remedy + "\n";
    }
  }
  std::vector<std::string> words;
  for (const std::string& word : machine_requirements()) {
    words.push_back(word + (unmet(findings, word).empty() ? " met" : " not met"));
  }
  const auto reasons = orientation_reasons(findings);
  out += "\nrequire: " + text::join(words, ", ") + "\n";
  return out + "grade: " +
         (reasons.empty() ? "nothing found here speaks against PUBLISHABLE"
                          : "FOR ORIENTATION ONLY: " + text::join(reasons, "; ")) +
         "\n";
}

json::Value findings_json(const std::vector<Finding>& findings, std::uint32_t core) {
  json::Array rows;
  for (const Finding& finding : findings) {
    rows.push_back(finding_json(finding));
  }
  json::Object require;
  for (const std::string& word : machine_requirements()) {
    require.emplace_back(word, unmet(findings, word).empty());
  }
  const auto reasons = orientation_reasons(findings);
  return json::Object{{"core", core},
                      {"findings", std::move(rows)},
                      {"require", std::move(require)},
                      {"orientation_reasons", json::Array(reasons.begin(), reasons.end())}};
}

}  // namespace hashprof::host
