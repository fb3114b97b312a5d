// SPDX-License-Identifier: MIT
// Catches a manual page hashprof-doctor(1) that describes other findings than there are, another
// order, or another condition of `require` for one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "base/text.h"
#include "host/findings.h"

namespace hashprof::host {
namespace {

/// The entries of a section: name and whole text.
std::vector<std::pair<std::string, std::string>> entries_of(const std::string& section) {
  const std::string page =
      find_file_text(std::string(HASHPROF_SOURCE_DIR) + "/man/hashprof-doctor.1").value_or("");
  const std::size_t begin = page.find("\n.SH " + section + "\n");
  const std::string text = page.substr(begin, page.find("\n.SH ", begin + 1) - begin);
  std::vector<std::pair<std::string, std::string>> out;
  for (std::size_t at = text.find(".TP\n"); at != std::string::npos;) {
    const std::size_t next = text.find(".TP\n", at + 1);
    const std::string entry = text.substr(at, next - at);
    constexpr std::size_t kHead = std::string_view(".TP\n.B ").size();
    out.emplace_back(entry.substr(kHead, entry.find('\n', kHead) - kHead), entry);
    at = next;
  }
  return out;
}

std::vector<std::string> names_of(const std::vector<std::pair<std::string, std::string>>& entries) {
  std::vector<std::string> names;
  names.reserve(entries.size());
  for (const auto& [name, text] : entries) {
    names.push_back(name);
  }
  return names;
}

/// Findings of a machine with cpufreq, or without.
std::vector<Finding> findings_with(bool has_cpufreq) {
  const HostFacts facts;
  Surroundings surroundings;
  surroundings.has_cpufreq = has_cpufreq;
  surroundings.allowed = Fact::known("0");
  return make_findings(facts, surroundings, {});
}

TEST(DoctorManual, describes_every_finding_in_its_order) {
  std::vector<std::string> ids;
  for (const Finding& finding : findings_with(true)) {
    ids.push_back(finding.id);
  }
  EXPECT_EQ(names_of(entries_of("FINDINGS")), ids);
}

TEST(DoctorManual, names_the_condition_that_a_finding_belongs_to) {
  const auto entries = entries_of("FINDINGS");
  const auto with = findings_with(true);
  const auto without = findings_with(false);
  ASSERT_EQ(entries.size(), with.size());
  for (std::size_t i = 0; i < with.size(); ++i) {
    const std::string& word = with[i].requirement.empty() && with[i].id == "clock_probe"
                                  ? without[i].requirement
                                  : with[i].requirement;
    for (const std::string& known : machine_requirements()) {
      std::string escaped;
      for (const std::string& part : text::split(known, '-')) {
        escaped += (escaped.empty() ? "" : "\\-") + part;
      }
      const bool is_named = entries[i].second.find("[ " + escaped + " ]") != std::string::npos;
      EXPECT_EQ(is_named, word == known) << with[i].id << " " << known;
    }
  }
}

TEST(DoctorManual, describes_every_severity) {
  std::vector<std::string> names;
  for (const Severity severity :
       {Severity::ok, Severity::note, Severity::warning, Severity::blocking, Severity::unknown}) {
    names.push_back(severity_name(severity));
  }
  EXPECT_EQ(names_of(entries_of("SEVERITIES")), names);
}

}  // namespace
}  // namespace hashprof::host
