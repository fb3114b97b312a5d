// SPDX-License-Identifier: MIT
// Catches a rule of agreement that misses the slow processes of a published campaign, or finds some
// where there are none.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>

#include "base/file.h"
#include "base/text.h"
#include "stats/agreement.h"

namespace hashprof::stats {
namespace {

/// [build][message bytes] → cycles a call of each process, in the order they ran.
using Builds = std::map<std::string, std::map<std::uint64_t, std::vector<double>>>;

Builds read_builds() {
  const auto file = std::filesystem::path(HASHPROF_FIXTURES) / "published" / "process_cycles.tsv";
  Builds builds;
  for (const std::string& line : text::split(read_file(file, Bytes{1U << 20U}), '\n')) {
    const std::vector<std::string> columns = text::split(line, '\t');
    if (columns.size() < 5 || columns[0] == "candidate") {
      continue;
    }
    std::vector<double>& values = builds[columns[1]][std::stoull(columns[2])];
    for (std::size_t i = 4; i < columns.size(); ++i) {
      values.push_back(std::stod(columns[i]) / std::stod(columns[3]));
    }
  }
  return builds;
}

/// "<build> <bytes>" of the cells of `degree` or worse.
std::vector<std::string> cells_of(Degree degree) {
  std::vector<std::string> found;
  for (const auto& [build, cells] : read_builds()) {
    std::vector<std::vector<double>> all;
    for (const auto& [bytes, values] : cells) {
      all.push_back(values);
    }
    const double scale = pooled_scale(all);
    for (const auto& [bytes, values] : cells) {
      if (judge_agreement(values, scale).degree >= degree) {
        found.push_back(build + " " + std::to_string(bytes));
      }
    }
  }
  return found;
}

TEST(PublishedProcesses, are_all_there) {
  const Builds builds = read_builds();
  EXPECT_EQ(builds.size(), 6U);
  for (const auto& [build, cells] : builds) {
    EXPECT_EQ(cells.size(), 8U) << build;
    for (const auto& [bytes, values] : cells) {
      EXPECT_EQ(values.size(), 5U) << build << " " << bytes;
    }
  }
}

TEST(PublishedProcesses, of_three_cells_of_CHIME_disagree_severely) {
  EXPECT_THAT(cells_of(Degree::severe), ::testing::UnorderedElementsAre(
                                            "CHIME-1024 16384", "CHIME-512 512", "CHIME-512 4096"));
}

TEST(PublishedProcesses, of_two_more_cells_disagree) {
  EXPECT_THAT(cells_of(Degree::notice),
              ::testing::UnorderedElementsAre("CHIME-1024 16384", "CHIME-1024 65536",
                                              "CHIME-512 512", "CHIME-512 4096", "LLH-1024 32"));
}

TEST(PublishedProcesses, say_how_far_the_slow_one_is_off) {
  const Builds builds = read_builds();
  const Agreement agreement = judge_agreement(builds.at("CHIME-1024").at(16384), 0);
  ASSERT_EQ(agreement.slow.size(), 1U);
  EXPECT_NEAR(agreement.slow[0].deviation, 0.522, 0.0005);
}

}  // namespace
}  // namespace hashprof::stats
