// SPDX-License-Identifier: MIT
// Catches a gate that passes what it should not: wrong digests, too few digests, no vectors at all.
#include <gtest/gtest.h>

#include "base/error.h"
#include "kat/vectors.h"

namespace hashprof::kat {
namespace {

Vector vector_of(std::uint64_t bits, std::vector<std::uint8_t> digest, std::uint32_t line) {
  Vector vector;
  vector.instance = "A";
  vector.message_bits = bits;
  vector.digest = std::move(digest);
  vector.file = "/some/where/a.tsv";
  vector.line = line;
  return vector;
}

TEST(Verdict, equal_digests_pass) {
  const Verdict one = compare({vector_of(8, {1, 2}, 2)}, {{1, 2}});
  EXPECT_EQ(one.status, Status::pass);
  EXPECT_EQ(one.detail, "1 vector agrees");
  const Verdict two = compare({vector_of(8, {1, 2}, 2), vector_of(9, {3}, 3)}, {{1, 2}, {3}});
  EXPECT_EQ(two.detail, "2 vectors agree");
  EXPECT_EQ(two.checked, 2U);
  EXPECT_EQ(two.total, 2U);
}

TEST(Verdict, a_mismatch_names_the_first_wrong_length_in_bits_and_the_first_wrong_byte) {
  const Verdict verdict =
      compare({vector_of(0, {1, 2}, 2), vector_of(447, {1, 2, 0xa0}, 3), vector_of(448, {7}, 4)},
              {{1, 2}, {1, 2, 0xff}, {8}});
  EXPECT_EQ(verdict.status, Status::mismatch);
  EXPECT_EQ(verdict.detail,
            "2 of 3 vectors differ; first: message of 447 bits (a.tsv:3): digest byte 2 is ff, not "
            "a0");
  EXPECT_EQ(verdict.checked, 3U);
}

TEST(Verdict, a_digest_of_another_length_is_a_mismatch) {
  const Verdict verdict = compare({vector_of(8, {1, 2}, 2)}, {{1}});
  EXPECT_EQ(verdict.status, Status::mismatch);
  EXPECT_EQ(verdict.detail,
            "1 of 1 vectors differ; first: message of 8 bits (a.tsv:2): digest has 1 bytes, not 2");
}

TEST(Verdict, no_vectors_are_never_a_pass) {
  const Verdict verdict = compare({}, {});
  EXPECT_EQ(verdict.status, Status::no_vectors);
  EXPECT_EQ(
      verdict.detail,
      "no vectors for this instance; kat.vectors of its hash.yaml names none, so nothing proves "
      "it right (time_failing: true in a campaign times it all the same)");
  EXPECT_EQ(verdict.checked, 0U);
}

TEST(Verdict, a_missing_digest_is_our_own_fault) {
  try {
    (void)compare({vector_of(8, {1}, 2)}, {});
    FAIL() << "a missing digest was compared";
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::internal);
    EXPECT_STREQ(error.what(), "kat: 0 digests for 1 vectors");
  }
}

TEST(Verdict, every_status_has_a_name_that_reads_back) {
  const std::vector<std::pair<Status, std::string>> names = {
      {Status::pass, "PASS"},    {Status::mismatch, "MISMATCH"}, {Status::no_vectors, "NOVECTORS"},
      {Status::no_kat, "NOKAT"}, {Status::not_run, "NOTRUN"},    {Status::crypt_fail, "CRYPTFAIL"},
      {Status::crash, "CRASH"},  {Status::timeout, "TIMEOUT"},   {Status::load_fail, "LOADFAIL"}};
  for (const auto& [status, name] : names) {
    EXPECT_EQ(status_name(status), name);
    EXPECT_EQ(find_status(name), status);
  }
  EXPECT_EQ(find_status("pass"), std::nullopt);
}

}  // namespace
}  // namespace hashprof::kat
