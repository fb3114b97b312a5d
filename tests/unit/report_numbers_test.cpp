// SPDX-License-Identifier: MIT
// Catches a cell that cannot be laid beside the published page, and its rough edges coming back:
// "1000.0 k", "1e+03 ns", 10000 beside 10.0 k, "-0.0".
#include "report/numbers.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/text.h"

namespace hashprof::report {
namespace {

struct Row {
  double value;
  const char* text;
};

TEST(Numbers, cycles_of_the_published_page) {
  for (const Row& row : std::vector<Row>{{497, "497"},
                                         {9999, "9999"},
                                         {1e4, "10.0 k"},
                                         {743'700, "743.7 k"},
                                         {1.96e6, "1.96 M"},
                                         {48.2e9, "48.20 G"},
                                         {0, "0"},
                                         {496.5, "496"},
                                         {497.5, "498"},
                                         {12'345, "12.3 k"},
                                         {1e6, "1.00 M"},
                                         {1e9, "1.00 G"},
                                         {1.5e12, "1500.00 G"}}) {
    EXPECT_EQ(cycles_text(row.value), row.text);
  }
}

TEST(Numbers, cycles_at_the_rough_edges) {
  for (const Row& row : std::vector<Row>{{9999.4, "9999"},
                                         {9999.6, "10.0 k"},
                                         {999'949, "999.9 k"},
                                         {999'951, "1.00 M"},
                                         {999'999, "1.00 M"},
                                         {999'994'000, "999.99 M"},
                                         {999'996'000, "1.00 G"},
                                         {-0.4, "0"},
                                         {-12'345, "-12.3 k"}}) {
    EXPECT_EQ(cycles_text(row.value), row.text);
  }
}

TEST(Numbers, times_of_the_published_page) {
  for (const Row& row : std::vector<Row>{{629, "629 ns"},
                                         {2010, "2.01 µs"},
                                         {52'000, "52 µs"},
                                         {8700, "8.7 µs"},
                                         {1e6, "1 ms"},
                                         {1.01e6, "1.01 ms"},
                                         {0.25e9, "250 ms"},
                                         {2.5e9, "2.5 s"},
                                         {0.52, "0.52 ns"},
                                         {0, "0 ns"}}) {
    EXPECT_EQ(time_text(row.value), row.text);
  }
}

TEST(Numbers, times_at_the_rough_edges) {
  for (const Row& row : std::vector<Row>{{999.4, "999 ns"},
                                         {999.49, "999 ns"},
                                         {999.5, "1 µs"},
                                         {999.6, "1 µs"},
                                         {999'600, "1 ms"},
                                         {999.6e6, "1 s"},
                                         {999.6e9, "1000 s"},
                                         {12345e9, "12345 s"},
                                         {1e-9, "0 ns"},
                                         {-1e-9, "0 ns"},
                                         {-45.2, "-45.2 ns"}}) {
    EXPECT_EQ(time_text(row.value), row.text);
  }
}

TEST(Numbers, no_time_has_an_exponent) {
  for (double value = 1e-6; value < 1e15; value *= 1.0007) {
    const std::string text = time_text(value);
    EXPECT_EQ(text.find("e+"), std::string::npos) << value;
    EXPECT_EQ(text.find("e-"), std::string::npos) << value;
  }
}

/// Totals of a published campaign on an AArch64 system and the cells that its page shows for them.
TEST(Numbers, reproduce_every_cell_of_the_published_pages) {
  const std::filesystem::path file =
      std::filesystem::path(HASHPROF_FIXTURES) / "records" / "published_cells.tsv";
  std::size_t rows = 0;
  for (const std::string& line : text::split(read_file(file, Bytes{1U << 20U}), '\n')) {
    const std::vector<std::string> cells = text::split(line, '\t');
    if (cells.size() < 13 || cells[0] == "candidate") {
      continue;
    }
    const auto number = [&cells](std::size_t i) { return std::stoull(cells[i]); };
    const auto bytes = static_cast<double>(number(2));
    const double cycles = static_cast<double>(number(3)) / static_cast<double>(number(5));
    const double time = static_cast<double>(number(4)) / static_cast<double>(number(5));
    EXPECT_EQ(cycles_text(cycles), cells[8]) << line;
    EXPECT_EQ(per_byte_text(cycles / bytes), cells[9]) << line;
    EXPECT_EQ(time_text(time), cells[10]) << line;
    EXPECT_EQ(throughput_text(bytes, time), cells[11]) << line;
    EXPECT_EQ(count_text(number(5), static_cast<std::uint32_t>(number(6)), number(7)), cells[12])
        << line;
    ++rows;
  }
  EXPECT_EQ(rows, 48U);
}

TEST(Numbers, per_byte) {
  EXPECT_EQ(per_byte_text(52.8), "52.8");
  EXPECT_EQ(per_byte_text(406.4), "406.4");
  EXPECT_EQ(per_byte_text(0.04), "0.0");
  EXPECT_EQ(per_byte_text(-0.04), "0.0");
}

TEST(Numbers, three_digits_whatever_the_size) {
  for (const Row& row : std::vector<Row>{{0.123, "0.123"},
                                         {0.0123, "0.0123"},
                                         {0.9996, "1.00"},
                                         {0.09996, "0.100"},
                                         {8.6, "8.60"},
                                         {9.994, "9.99"},
                                         {9.996, "10.0"},
                                         {52.8, "52.8"},
                                         {99.96, "100"},
                                         {406.4, "406"},
                                         {12'345.4, "12345"},
                                         {0, "0.00"},
                                         {-0.0, "0.00"},
                                         {-2.5, "-2.50"}}) {
    EXPECT_EQ(three_digits_text(row.value), row.text);
  }
}

TEST(Numbers, ranges_use_the_unit_of_the_median) {
  EXPECT_EQ(time_range_text(8610, 8750, 8700), "[8.61, 8.75] µs");
  EXPECT_EQ(time_range_text(990, 1020, 1001), "[0.990, 1.02] µs");
  EXPECT_EQ(time_range_text(629, 1500, 640), "[629, 1500] ns");
}

TEST(Numbers, coverage) {
  EXPECT_EQ(coverage_text(0.9609375), "96.1 %");
  EXPECT_EQ(coverage_text(0.96875), "96.9 %");
}

TEST(Numbers, throughput_is_decimal) {
  EXPECT_EQ(throughput_text(32, 629), "50.9");
  EXPECT_EQ(ratio_text(0.598), "0.60×");
  EXPECT_EQ(ratio_text(12.0), "12.00×");
  EXPECT_EQ(throughput_text(65536, 533'246.5), "122.9");
}

TEST(Numbers, counts) {
  EXPECT_EQ(count_text(100'000, 5, 20'000), "100000 (5 × 20000)");
  EXPECT_EQ(count_text(0, 0, 0), "0 (0 × 0)");
}

TEST(Numbers, sizes) {
  EXPECT_EQ(size_text(0), "0 B");
  EXPECT_EQ(size_text(32), "32 B");
  EXPECT_EQ(size_text(1000), "1000 B");
  EXPECT_EQ(size_text(1024), "1 KiB");
  EXPECT_EQ(size_text(65'536), "64 KiB");
}

TEST(Numbers, shares) {
  EXPECT_EQ(share_text(0.094), "9.4%");
  EXPECT_EQ(share_text(0.0949), "9.5%");
  EXPECT_EQ(share_text(0.1), "10%");
  EXPECT_EQ(share_text(0.97), "97%");
  EXPECT_EQ(share_text(0), "0.0%");
}

}  // namespace
}  // namespace hashprof::report
