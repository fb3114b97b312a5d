// SPDX-License-Identifier: MIT
// Catches a generator that draws other messages than the official driver, and a text that the
// driver would not write. The values are those of the KAT procedure's check table.
#include "kat/message_set.h"

#include <gtest/gtest.h>

#include <numeric>

#include "base/error.h"
#include "base/sha256.h"
#include "base/text.h"
#include "kat/drbg.h"
#include "kat/sm3.h"
#include "kat/vectors.h"

namespace hashprof::kat {
namespace {

std::vector<std::uint8_t> bytes_of(const std::string& text) { return {text.begin(), text.end()}; }

std::string sm3_of(const std::string& text) { return text::hex(sm3(bytes_of(text))); }

const MessageSet& set_2_12() {
  static const MessageSet kSet = make_message_set(Kind::k2_12);
  return kSet;
}

const MessageSet& set_2_23() {
  static const MessageSet kSet = make_message_set(Kind::k2_23);
  return kSet;
}

std::string message_of(std::size_t bits) { return text::hex(set_2_12().messages.at(bits).bytes); }

std::string sha256_of_bytes(const std::vector<std::uint8_t>& bytes) {
  return sha256_of(std::string(bytes.begin(), bytes.end()));
}

TEST(Sm3, agrees_with_the_standard_for_one_and_two_blocks) {
  EXPECT_EQ(sm3_of("abc"), "66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0");
  std::string text;
  for (int i = 0; i < 16; ++i) {
    text += "abcd";
  }
  EXPECT_EQ(sm3_of(text), "debe9ff92275b8a138604889c18e5a4d6fdb70e5387e5765293dcba39c0c5732");
}

TEST(Sm3, pads_right_on_both_sides_of_the_block_edge) {
  // 55 bytes leave room for the length, 56 and 63 do not; the digests are those of OpenSSL.
  const std::vector<std::pair<std::size_t, std::string>> digests = {
      {0, "1ab21d8355cfa17f8e61194831e81a8f22bec8c728fefb747ed035eb5082aa2b"},
      {55, "263dfdb825678d741989caf65de5aca59a762a31ac9c120bbe5ae8f7b48e8e0b"},
      {56, "fa56532fb4d0c16978dca936e37c19e3474075ef015da1beaf4d1614955b2f3f"},
      {63, "2d83381bf6c907f52aebe91dc394dff0adb70cfe727bb4e7964d268dae21c3ae"},
      {64, "335cd071cb342fcced8a9f573317c422d759ed4f485708fbdb442dbdee53b6cf"}};
  for (const auto& [length, digest] : digests) {
    EXPECT_EQ(text::hex(sm3(pattern_message(length))), digest) << length;
  }
}

TEST(Drbg, is_instantiated_as_the_procedure_says) {
  const Sm3Drbg drbg(bytes_of(set_2_12().seed));
  EXPECT_EQ(text::hex(drbg.v()),
            "ff9a9d0490c986b1702a1661ba7e72ec240c77a802416e98e53ce4ee42abaf5fb6da7484ee7c5870cda624"
            "2a338d90555bdc6263fae274");
  EXPECT_EQ(text::hex(drbg.c()),
            "283fc5f39adcd7c2c7e18d7f1f7b42cee6700fba7d791c9eed7698ddd979bf07c21a971841f32108e105f1"
            "ce5b3abb979dfe6d35ced27a");
}

TEST(Drbg, stands_where_it_should_after_the_last_draw_of_2_12) {
  Sm3Drbg drbg(bytes_of(set_2_12().seed));
  for (std::uint64_t bits = 0; bits <= 4096; ++bits) {
    (void)drbg.draw(bits);
  }
  EXPECT_EQ(text::hex(drbg.v()),
            "24399ca5f9228af250e395d88e26a4220b782f3a118c7a40a8bd19723a5ade8a744d11d79bc0fcb0b8c190"
            "ae13bfa24dc105efeb1e3ea3");
}

TEST(Drbg, begins_each_draw_anew) {
  Sm3Drbg twice(bytes_of("seed"));
  Sm3Drbg once(bytes_of("seed"));
  const auto first = twice.draw(8);
  const auto second = twice.draw(8);
  const auto both = once.draw(16);
  EXPECT_EQ(first[0], both[0]);
  EXPECT_NE(second[0], both[1]);
}

TEST(MessageSet, seeds_are_the_first_8_characters_of_the_file_name_8_times) {
  EXPECT_EQ(set_2_12().seed, "KAT_2_12KAT_2_12KAT_2_12KAT_2_12KAT_2_12KAT_2_12KAT_2_12KAT_2_12");
  EXPECT_EQ(set_2_23().seed.substr(0, 16), "KAT_2_23KAT_2_23");
}

TEST(MessageSet, of_2_12_has_every_length_and_the_procedure_s_messages) {
  ASSERT_EQ(set_2_12().messages.size(), 4097U);
  EXPECT_EQ(message_of(0), "");
  EXPECT_EQ(message_of(1), "80");
  EXPECT_EQ(message_of(2), "40");
  EXPECT_EQ(message_of(7), "50");
  EXPECT_EQ(message_of(8), "3d");
  EXPECT_EQ(message_of(9), "0e00");
  EXPECT_EQ(message_of(16), "408d");
  EXPECT_EQ(message_of(64), "8e14d934989f1326");
  EXPECT_EQ(message_of(257), "b5fafefb79ad25af3fda355723739630fb99e768884e23b70692876e7b10d74280");
  std::vector<std::uint8_t> all;
  for (std::size_t bits = 0; bits < set_2_12().messages.size(); ++bits) {
    const Message& message = set_2_12().messages[bits];
    ASSERT_EQ(message.bits, bits);
    all.insert(all.end(), message.bytes.begin(), message.bytes.end());
  }
  EXPECT_EQ(all.size(), 1'050'624U);
  EXPECT_EQ(sha256_of_bytes(all),
            "0877afaacf31f3146617cc5e8b7abd7c8640cf8e3bbb48bc55dc6d2c17cb0d4e");
}

TEST(MessageSet, of_2_23_is_zeros_ones_and_one_random_mebibyte) {
  ASSERT_EQ(set_2_23().messages.size(), 3U);
  for (const Message& message : set_2_23().messages) {
    EXPECT_EQ(message.bits, 8'388'608U);
    EXPECT_EQ(message.bytes.size(), 1'048'576U);
  }
  EXPECT_EQ(set_2_23().messages[0].bytes, std::vector<std::uint8_t>(1'048'576, 0x00));
  EXPECT_EQ(set_2_23().messages[1].bytes, std::vector<std::uint8_t>(1'048'576, 0xff));
  const std::vector<std::uint8_t>& random = set_2_23().messages[2].bytes;
  EXPECT_EQ(text::hex(std::span(random).first(8)), "b6e2c825be0e7d79");
  EXPECT_EQ(text::hex(std::span(random).last(8)), "70b7d148bc6fccec");
  EXPECT_EQ(sha256_of_bytes(random),
            "66492eb919f5da36a9d3f60e8e3f34c7a31f01e9f82751b68a503314625e9265");
}

std::string text_of(const MessageSet& set, std::size_t digest_bytes) {
  std::vector<std::vector<std::uint8_t>> digests(set.messages.size());
  for (std::vector<std::uint8_t>& digest : digests) {
    digest.resize(digest_bytes);
    std::iota(digest.begin(), digest.end(), std::uint8_t{0xab});
  }
  std::string text;
  write_text(set, digests, [&](std::string_view piece) { text += piece; });
  return text;
}

TEST(KatText, of_2_12_begins_and_ends_as_the_driver_writes_it) {
  const std::string text = text_of(set_2_12(), 2);
  const std::string head =
      "Msg_Len = 0\nMsg = \nDst_Len = 16\nDst = ABAC\n\n"
      "Msg_Len = 1\nMsg = 80\nDst_Len = 16\nDst = ABAC\n\n";
  EXPECT_EQ(text.substr(0, head.size()), head);
  EXPECT_EQ(text.substr(text.size() - 26), "\nDst_Len = 16\nDst = ABAC\n\n");
}

TEST(KatText, of_2_12_has_the_size_of_the_submitted_files) {
  EXPECT_EQ(text_of(set_2_12(), 64).size(), 2'804'822U);
  EXPECT_EQ(text_of(set_2_12(), 128).size(), 2'280'406U + 4097U * 256U + 4097U)
      << "one byte more a record where the length has four digits";
}

TEST(KatText, of_2_23_is_written_as_the_driver_writes_it) {
  const std::string text = text_of(set_2_23(), 2);
  EXPECT_EQ(text,
            "Msg_Len = 8388608\nMsg_Seed = \nMsg_Exp = 0000000000000000 .... 0000000000000000\n"
            "Dst_Len = 16\nDst = ABAC\n\n"
            "Msg_Len = 8388608\nMsg_Seed = \nMsg_Exp = FFFFFFFFFFFFFFFF .... FFFFFFFFFFFFFFFF\n"
            "Dst_Len = 16\nDst = ABAC\n\n"
            "Msg_Len = 8388608\nMsg_Seed = "
            "4B41545F325F32334B41545F325F32334B41545F325F32334B41545F325F3233"
            "4B41545F325F32334B41545F325F32334B41545F325F32334B41545F325F3233\n"
            "Msg_Exp = B6E2C825BE0E7D79 .... 70B7D148BC6FCCEC\n"
            "Dst_Len = 16\nDst = ABAC\n\n");
  EXPECT_EQ(text_of(set_2_23(), 64).size(), 815U);
}

TEST(KatText, needs_one_digest_a_message) {
  try {
    write_text(set_2_23(), {}, [](std::string_view) {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "kat: 0 digests for 3 messages");
  }
}

TEST(KatMessages, the_one_of_loop_is_that_of_the_procedure) {
  const MessageSet set = make_message_set(Kind::loop);
  ASSERT_EQ(set.messages.size(), 1U);
  const std::vector<std::uint8_t>& message = set.messages[0].bytes;
  EXPECT_EQ(set.messages[0].bits, 8192U);
  EXPECT_EQ(text::hex(std::span(message).first(16)), "2d911820a8ed087902ccfeead2c91785");
  EXPECT_EQ(text::hex(std::span(message).last(8)), "e7a807dbc461377d");
  EXPECT_EQ(sha256_of_bytes(message),
            "cc95b9ceef7feff63703951ae63ba4b15c36e18d750c53cf1f81db5b25329684");
  EXPECT_EQ(chained_calls(Kind::loop), 1'000'000U);
  EXPECT_EQ(chained_calls(Kind::k2_12), 0U);
  EXPECT_TRUE(can_chain(set.messages[0], 8192));
  EXPECT_FALSE(can_chain(set.messages[0], 8200));
}

TEST(KatText, of_loop_is_a_record_like_those_of_2_12) {
  const MessageSet set = make_message_set(Kind::loop);
  std::string text;
  write_text(set, {std::vector<std::uint8_t>(64, 0x0a)},
             [&](std::string_view piece) { text += piece; });
  EXPECT_EQ(text.size(), 2220U) << "as the procedure says for 512 bits";
  EXPECT_TRUE(text.starts_with("Msg_Len = 8192\nMsg = 2D911820"));
}

TEST(KatKinds, have_names_and_files) {
  EXPECT_EQ(find_kind("2_12"), Kind::k2_12);
  EXPECT_EQ(find_kind("2_23"), Kind::k2_23);
  EXPECT_EQ(find_kind("2_33"), Kind::k2_33);
  EXPECT_EQ(find_kind("Loop"), Kind::loop);
  EXPECT_EQ(find_kind("loop"), std::nullopt);
  EXPECT_EQ(file_name(Kind::loop, "LLH-256"), "KAT_Loop_LLH-256.txt");
  EXPECT_EQ(file_name(Kind::k2_12, "laurus_512"), "KAT_2_12_laurus_512.txt");
}

}  // namespace
}  // namespace hashprof::kat
