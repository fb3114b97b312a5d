// SPDX-License-Identifier: MIT
// Catches cycles compared with times, and a slow process explained by what others show as well.
#include "record/agreement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hashprof::record {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// Nine processes of 16 slices, 100 cycles a call; none is odd.
class Explain : public ::testing::Test {
 protected:
  Explain() {
    for (std::uint32_t i = 0; i < 9; ++i) {
      Observation o;
      o.process = i;
      o.addresses = {256, 1024, 2048, 0, 0};
      o.baseline_file_pmd_kib = 2048;
      o.neighbours = {{1, "L3", 0, 30}};
      trials_of_.push_back(o);
      set_speed(trials_of_.back(), std::vector<std::uint64_t>(16, 100));
    }
  }

  static void set_speed(Observation& o, const std::vector<std::uint64_t>& slices) {
    o.slices.clear();
    o.calls = o.elapsed_ns = 0;
    o.cycles = 0;
    for (const std::uint64_t cycles : slices) {
      o.slices.push_back({10, 10 * cycles, std::nullopt, 5 * cycles});
      o.calls += 10;
      *o.cycles += 10 * cycles;
      o.elapsed_ns += 5 * cycles;
    }
  }

  [[nodiscard]] Trials trials() const {
    Trials trials;
    for (const Observation& o : trials_of_) {
      trials.push_back(&o);
    }
    return trials;
  }

  std::vector<Observation> trials_of_;
};

TEST_F(Explain, says_where_in_its_slices_a_process_was_slow) {
  std::vector<std::uint64_t> slices(16, 100);
  slices[3] = slices[4] = slices[5] = 400;
  set_speed(trials_of_[2], slices);
  EXPECT_THAT(explain(trials(), {2}), ElementsAre("in 3 of its 16 slices"));
}

TEST_F(Explain, says_that_it_was_slow_throughout) {
  set_speed(trials_of_[2], std::vector<std::uint64_t>(16, 150));
  EXPECT_THAT(explain(trials(), {2}), ElementsAre("throughout"));
}

TEST_F(Explain, names_what_it_alone_has) {
  set_speed(trials_of_[2], std::vector<std::uint64_t>(16, 150));
  trials_of_[2].baseline_anon_huge_kib = 2048;
  trials_of_[2].baseline_file_pmd_kib = 0;
  trials_of_[2].addresses.digest = 256 + 4096;
  trials_of_[2].neighbours[0].busy_ticks = 27;
  EXPECT_THAT(
      explain(trials(), {2}),
      ElementsAre("throughout", "the only one with memory on huge pages (AnonHugePages 2048 KiB)",
                  "the only one without code on huge pages",
                  "the only one whose message and digest begin at one offset of a page",
                  "the only one while CPU 1, which shares L3, was busy (90 %)"));
}

TEST_F(Explain, names_nothing_that_a_steady_process_has_as_well) {
  set_speed(trials_of_[2], std::vector<std::uint64_t>(16, 150));
  trials_of_[2].neighbours[0].busy_ticks = trials_of_[7].neighbours[0].busy_ticks = 27;
  trials_of_[2].baseline_anon_huge_kib = trials_of_[7].baseline_anon_huge_kib = 2048;
  EXPECT_THAT(explain(trials(), {2}), ElementsAre("throughout"));
}

TEST_F(Explain, of_several_needs_all_of_them) {
  for (const std::size_t odd : {1U, 4U}) {
    set_speed(trials_of_[odd], std::vector<std::uint64_t>(16, 150));
    trials_of_[odd].layout = 3;
  }
  EXPECT_THAT(explain(trials(), {1, 4}), ElementsAre("the only ones in layout 3"));
  trials_of_[4].layout = 0;
  EXPECT_THAT(explain(trials(), {1, 4}), IsEmpty());
}

TEST_F(Explain, an_unknown_mapping_is_not_taken_for_none) {
  set_speed(trials_of_[2], std::vector<std::uint64_t>(16, 150));
  trials_of_[2].baseline_file_pmd_kib.reset();
  EXPECT_THAT(explain(trials(), {2}), ElementsAre("throughout"));
}

TEST_F(Explain, values_are_times_as_soon_as_one_process_has_no_cycles) {
  EXPECT_THAT(headline_values(trials()), ::testing::Each(100.0));
  trials_of_[0].cycles.reset();
  EXPECT_THAT(headline_values(trials()), ::testing::Each(50.0));
}

TEST_F(Explain, slices_that_get_slower_in_every_process_are_a_drift_inside) {
  EXPECT_EQ(find_slice_drift(trials()), std::nullopt);
  for (Observation& o : trials_of_) {
    std::vector<std::uint64_t> slices;
    for (std::uint64_t i = 0; i < 16; ++i) {
      slices.push_back(100 + 2 * i);
    }
    set_speed(o, slices);
  }
  // Thirds of five slices: medians 104 and 126.
  ASSERT_TRUE(find_slice_drift(trials()).has_value());
  EXPECT_DOUBLE_EQ(*find_slice_drift(trials()), 126.0 / 104.0 - 1);
}

TEST_F(Explain, too_few_slices_have_no_thirds) {
  for (Observation& o : trials_of_) {
    set_speed(o, {100, 110, 120, 130, 140, 150, 160, 170});
  }
  EXPECT_EQ(find_slice_drift(trials()), std::nullopt);
}

TEST_F(Explain, cells_of_one_build_share_a_scale) {
  // Of a cell whose processes differ by 2 % each 8 % is nothing; alone 8 % would be a notice.
  std::vector<Observation> noisy = trials_of_;
  for (std::size_t i = 0; i < noisy.size(); ++i) {
    set_speed(noisy[i], std::vector<std::uint64_t>(16, 1000 + 20 * i));
  }
  for (std::size_t i = 0; i < trials_of_.size(); ++i) {
    set_speed(trials_of_[i], std::vector<std::uint64_t>(16, 1000 + i));
  }
  set_speed(trials_of_[0], std::vector<std::uint64_t>(16, 1085));
  Trials of_noisy;
  for (const Observation& o : noisy) {
    of_noisy.push_back(&o);
  }
  EXPECT_TRUE(judge_cells({trials()})[0].has_outliers());
  EXPECT_FALSE(judge_cells({trials(), of_noisy})[0].has_outliers());
}

TEST_F(Explain, a_cell_with_a_value_of_0_is_not_judged) {
  set_speed(trials_of_[0], std::vector<std::uint64_t>(16, 0));
  EXPECT_FALSE(judge_cells({trials()})[0].has_outliers());
}

}  // namespace
}  // namespace hashprof::record
