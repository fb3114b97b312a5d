// SPDX-License-Identifier: MIT
// Catches a ratio of figures that do not belong together, and a missing figure that becomes a
// ratio.
#include "record/baseline.h"

#include <gtest/gtest.h>

#include "json/value.h"

namespace hashprof::record {
namespace {

CellView cell(std::uint64_t bytes, double nanoseconds) {
  CellView view;
  view.message_bytes = bytes;
  view.time_ns = {stats::summarize(std::vector<double>{nanoseconds, nanoseconds, nanoseconds}), {}};
  view.cycles.reason = "no counter";
  return view;
}

BuildView build(const std::string& family, const std::string& instance, std::uint32_t bits,
                const std::vector<CellView>& cells) {
  BuildView view;
  view.family_id = family;
  view.instance = view.label = instance;
  view.variant = "reference";
  view.digest_bits = bits;
  view.cells = cells;
  return view;
}

RunView published() {
  RunView run;
  run.builds = {build("iccs", "pseudoXOF-512", 512, {cell(32, 200), cell(1024, 1000)}),
                build("hash-26", "CHIME-512", 512, {cell(32, 100), cell(1024, 2500)}),
                build("hash-16", "LLH-256", 256, {cell(32, 100)})};
  return run;
}

json::Value parsed(const std::string& text) { return json::parse(text, "test"); }

TEST(Baseline, as_published_is_the_pseudo_xof_of_the_output_length) {
  RunView run = published();
  compare_with_baselines("pseudoXOF", run);
  EXPECT_TRUE(run.has_baselines);
  EXPECT_TRUE(run.builds[0].cells[0].is_baseline);
  EXPECT_FALSE(run.builds[0].cells[0].time_ratio.value.has_value());
  const CellView& chime = run.builds[1].cells[0];
  EXPECT_EQ(chime.baseline, "pseudoXOF-512");
  EXPECT_FALSE(chime.is_baseline);
  EXPECT_EQ(chime.time_ratio.value, 0.5);
  EXPECT_EQ(run.builds[1].cells[1].time_ratio.value, 2.5);
  EXPECT_EQ(chime.cycles_ratio.value, std::nullopt);
  EXPECT_EQ(chime.cycles_ratio.reason, "no counter");
}

TEST(Baseline, that_is_not_in_the_run_leaves_the_ratio_out_with_the_reason) {
  RunView run = published();
  compare_with_baselines("pseudoXOF", run);
  const CellView& llh = run.builds[2].cells[0];
  EXPECT_EQ(llh.baseline, "");
  EXPECT_EQ(llh.time_ratio.value, std::nullopt);
  EXPECT_EQ(llh.time_ratio.reason, "the baseline iccs/pseudoXOF-256 is not part of this run");
}

TEST(Baseline, of_the_campaigns_own_choice_is_found_by_its_output_length) {
  RunView run = published();
  compare_with_baselines(parsed(R"({"512": "hash-26/CHIME-512"})"), run);
  EXPECT_TRUE(run.builds[1].cells[0].is_baseline);
  EXPECT_EQ(run.builds[0].cells[0].time_ratio.value, 2.0);
  EXPECT_EQ(run.builds[2].cells[0].time_ratio.reason,
            "the campaign names no baseline for 256 bits");
}

TEST(Baseline, without_a_figure_or_a_size_gives_its_reason) {
  RunView run = published();
  run.builds[0].cells[0].time_ns = {std::nullopt, "it crashed"};
  run.builds[1].cells.push_back(cell(4096, 1));
  compare_with_baselines("pseudoXOF", run);
  EXPECT_EQ(run.builds[1].cells[0].time_ratio.reason,
            "the baseline iccs/pseudoXOF-512 has no figure: it crashed");
  EXPECT_EQ(run.builds[1].cells[2].time_ratio.reason,
            "the baseline iccs/pseudoXOF-512 was not planned at this size");
}

TEST(Baseline, is_the_reference_variant_where_there_are_several) {
  RunView run = published();
  BuildView fast = build("iccs", "pseudoXOF-512", 512, {cell(32, 50)});
  fast.variant = "optimized";
  fast.label = "pseudoXOF-512.optimized";
  run.builds.insert(run.builds.begin(), fast);
  compare_with_baselines("pseudoXOF", run);
  EXPECT_EQ(run.builds[2].cells[0].time_ratio.value, 0.5);
  EXPECT_EQ(run.builds[0].cells[0].time_ratio.value, 0.25);
}

TEST(Baseline, none_named_compares_nothing) {
  RunView run = published();
  compare_with_baselines(parsed("{}"), run);
  EXPECT_FALSE(run.has_baselines);
  EXPECT_EQ(run.builds[1].cells[0].time_ratio.reason, "");
}

}  // namespace
}  // namespace hashprof::record
