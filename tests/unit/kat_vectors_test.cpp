// SPDX-License-Identifier: MIT
// Catches a vector file that is read wrongly or leniently: a row that silently proves nothing, a
// message of another length than the one named, an error that does not say where.
#include "kat/vectors.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "base/error.h"
#include "base/file.h"

namespace hashprof::kat {
namespace {

const std::string kHeader = "instance\tmessage_bits\tmessage\tdigest\n";

std::string error_of(const std::string& content) {
  try {
    (void)parse_vectors(content, "v.tsv");
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::configuration);
    return error.render();
  }
  return "no error";
}

TEST(Vectors, a_row_is_read_with_its_place) {
  const std::vector<Vector> rows =
      parse_vectors(kHeader + "SM3\t24\t616263\t66c7\nSHA-256\t0\t\tAB\n", "v.tsv");
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].instance, "SM3");
  EXPECT_EQ(rows[0].message_bits, 24U);
  EXPECT_EQ(rows[0].message, (std::vector<std::uint8_t>{0x61, 0x62, 0x63}));
  EXPECT_EQ(rows[0].digest, (std::vector<std::uint8_t>{0x66, 0xc7}));
  EXPECT_EQ(rows[0].file, "v.tsv");
  EXPECT_EQ(rows[0].line, 2U);
  EXPECT_EQ(rows[1].instance, "SHA-256");
  EXPECT_TRUE(rows[1].message.empty());
  EXPECT_EQ(rows[1].digest, (std::vector<std::uint8_t>{0xab}));
  EXPECT_EQ(rows[1].line, 3U);
}

TEST(Vectors, crlf_other_header_names_and_a_missing_last_line_end_are_accepted) {
  const std::vector<Vector> rows = parse_vectors(
      "instance\tmessage_bits\tmessage_rule_or_hex\tdigest_hex\r\nA\t8\tff\t00\r\nB\t1\t80\t01",
      "v.tsv");
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].digest, (std::vector<std::uint8_t>{0x00}));
  EXPECT_EQ(rows[1].digest, (std::vector<std::uint8_t>{0x01}));
}

TEST(Vectors, a_row_may_name_its_output_length) {
  const std::vector<Vector> rows = parse_vectors(
      "instance\tmessage_bits\tmessage_rule_or_hex\toutput_bits\toutput_hex\n"
      "X\t0\tpattern\t0\t\nX\t8\tff\t1\t80\nX\t8\tff\t24\t010203\n",
      "x.tsv");
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[0].output_bits, 0U);
  EXPECT_TRUE(rows[0].digest.empty());
  EXPECT_EQ(rows[1].output_bits, 1U);
  EXPECT_EQ(rows[1].digest, (std::vector<std::uint8_t>{0x80}));
  EXPECT_EQ(rows[2].output_bits, 24U);
  EXPECT_EQ(rows[2].call_bits, 24U);
  EXPECT_EQ(parse_vectors(kHeader + "A\t0\t\tabcd\n", "v")[0].output_bits, 16U);
}

TEST(Vectors, an_output_that_is_not_of_its_length_is_refused) {
  const std::string header = "instance\tmessage_bits\tmessage\toutput_bits\tdigest\n";
  EXPECT_EQ(error_of(header + "X\t0\t\t9\t80\n"),
            "hashprof: error: v.tsv:2:8: digest has 1 bytes, but 9 bits need 2\n");
  EXPECT_EQ(error_of(header + "X\t0\t\t1\tc0\n"),
            "hashprof: error: v.tsv:2:8: digest has bits set beyond its 1\n");
  EXPECT_EQ(error_of(header + "X\t0\t\tall\tc0\n"),
            "hashprof: error: v.tsv:2:6: output_bits 'all' is no decimal number up to 65536\n");
  EXPECT_EQ(error_of(header + "X\t0\t\tc0\n"),
            "hashprof: error: v.tsv:2:8: row has 4 columns separated by tabs, not 5\n");
}

TEST(Vectors, of_a_longer_output_the_first_bits_count) {
  Vector row;
  row.output_bits = 12;
  row.call_bits = 24;
  row.digest = {0xab, 0xc0};
  EXPECT_EQ(compare({row}, {{0xab, 0xcd, 0xef}}).status, Status::pass);
  EXPECT_EQ(compare({row}, {{0xab, 0xdd, 0xef}}).status, Status::mismatch);
  row.call_bits = 12;
  EXPECT_EQ(compare({row}, {{0xab, 0xcd}}).status, Status::mismatch) << "bits beyond must be 0";
  EXPECT_EQ(compare({row}, {{0xab, 0xc0}}).status, Status::pass);
}

TEST(Vectors, surplus_bits_of_a_partial_byte_are_kept) {
  const std::vector<Vector> rows =
      parse_vectors(kHeader + "A\t1\t22\t00\nA\t9\tpattern\t00\n", "v");
  EXPECT_EQ(rows[0].message, (std::vector<std::uint8_t>{0x22}));
  EXPECT_EQ(rows[1].message, (std::vector<std::uint8_t>{0x02, 0x85}));
}

TEST(Vectors, the_pattern_is_the_one_of_the_published_campaign) {
  EXPECT_TRUE(pattern_message(0).empty());
  EXPECT_EQ(pattern_message(4), (std::vector<std::uint8_t>{4, 135, 10, 141}));
  const std::vector<std::uint8_t> longer = pattern_message(70000);
  EXPECT_EQ(longer[0], 70000 % 256);
  EXPECT_EQ(longer[69999], (131 * 69999 + 70000) % 256);
  EXPECT_EQ(parse_vectors(kHeader + "A\t32\tpattern\t00\n", "v")[0].message, pattern_message(4));
}

TEST(Vectors, a_wrong_header_is_refused_with_the_right_one) {
  const std::string hint =
      "  hint: the first line is: "
      "instance<TAB>message_bits<TAB>message[<TAB>output_bits]<TAB>digest\n";
  EXPECT_EQ(error_of(""), "hashprof: error: v.tsv:1:1: empty file\n" + hint);
  EXPECT_EQ(error_of("A\t8\tff\t00\n"),
            "hashprof: error: v.tsv:1:1: header has 'A' where 'instance' belongs\n" + hint);
  EXPECT_EQ(error_of("instance\tbits\tmessage\tdigest\n"),
            "hashprof: error: v.tsv:1:10: header has 'bits' where 'message_bits' belongs\n" + hint);
  EXPECT_EQ(error_of("instance\tmessage_bits\n"),
            "hashprof: error: v.tsv:1:22: header lacks column 'message'\n" + hint);
  EXPECT_EQ(error_of("instance\tmessage_bits\tmessage\tdigest\tnote\n"),
            "hashprof: error: v.tsv:1:38: header has more than 4 columns\n" + hint);
}

TEST(Vectors, a_file_without_rows_is_an_error) {
  EXPECT_EQ(error_of(kHeader),
            "hashprof: error: v.tsv:1:1: no rows after the header: it would prove nothing\n");
}

TEST(Vectors, a_row_of_another_width_is_refused_where_it_ends_or_goes_on) {
  EXPECT_EQ(error_of(kHeader + "A\t8\tff\n"),
            "hashprof: error: v.tsv:2:7: row has 3 columns separated by tabs, not 4\n");
  EXPECT_EQ(error_of(kHeader + "A\t8\tff\t00\textra\n"),
            "hashprof: error: v.tsv:2:11: row has 5 columns separated by tabs, not 4\n");
  EXPECT_EQ(error_of(kHeader + "\n"),
            "hashprof: error: v.tsv:2:1: row has 1 column separated by tabs, not 4\n");
}

TEST(Vectors, a_wrong_field_is_named_with_its_column) {
  EXPECT_EQ(error_of(kHeader + "A B\t8\tff\t00\n"),
            "hashprof: error: v.tsv:2:1: 'A B' is no instance name: 1 to 64 characters of "
            "A-Z a-z 0-9 _ -\n");
  EXPECT_EQ(error_of(kHeader + "A\t-8\tff\t00\n"),
            "hashprof: error: v.tsv:2:3: message_bits '-8' is no decimal number\n");
  EXPECT_EQ(error_of(kHeader + "A\t536870913\tpattern\t00\n"),
            "hashprof: error: v.tsv:2:3: message_bits 536870913 is above 536870912, the longest "
            "message\n");
  EXPECT_EQ(error_of(kHeader + "A\t8\tfg\t00\n"),
            "hashprof: error: v.tsv:2:5: message 'fg' is no hexadecimal text of whole bytes\n");
  EXPECT_EQ(error_of(kHeader + "A\t8\tff\t0\n"),
            "hashprof: error: v.tsv:2:8: digest '0' is no hexadecimal text of whole bytes\n");
  EXPECT_EQ(error_of(kHeader + "A\t8\tff\t\n"),
            "hashprof: error: v.tsv:2:8: digest has 0 bytes; 1 to 8192 are possible\n");
}

TEST(Vectors, a_message_of_another_length_than_named_is_refused) {
  EXPECT_EQ(error_of(kHeader + "A\t9\tff\t00\n"),
            "hashprof: error: v.tsv:2:5: message has 1 bytes, but 9 bits need 2\n");
  EXPECT_EQ(error_of(kHeader + "A\t8\tff00\t00\n"),
            "hashprof: error: v.tsv:2:5: message has 2 bytes, but 8 bits need 1\n");
  EXPECT_EQ(error_of(kHeader + "A\t0\t00\t00\n"),
            "hashprof: error: v.tsv:2:5: message has 1 bytes, but 0 bits need 0\n");
}

TEST(Vectors, files_are_loaded_by_name_and_a_missing_one_is_a_configuration_fault) {
  std::string folder = ::testing::TempDir() + "hashprof-kat-XXXXXX";
  ASSERT_NE(::mkdtemp(folder.data()), nullptr);
  write_file_atomically(folder + "/v.tsv", kHeader + "A\t8\tff\t00\n");
  EXPECT_EQ(load_vectors(folder + "/v.tsv")[0].file, folder + "/v.tsv");
  try {
    (void)load_vectors(folder + "/none.tsv");
    FAIL() << "a missing file was read";
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::configuration);
    EXPECT_EQ(error.what(), folder + "/none.tsv: open: No such file or directory (ENOENT)");
  }
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace hashprof::kat
