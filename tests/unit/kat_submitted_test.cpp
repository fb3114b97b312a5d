// SPDX-License-Identifier: MIT
// Catches a submitted file that is taken for another, or whose first wrong record is not named.
#include "kat/submitted.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/file.h"
#include "temporary_folder.h"

namespace hashprof::kat {
namespace {

using Digests = std::vector<std::vector<std::uint8_t>>;

const Digests kDigests = {{0x01, 0x02}, {0x03, 0x04}, {0x0a, 0x0b}};

std::string text_of(const MessageSet& set) {
  std::string text;
  write_text(set, kDigests, [&](std::string_view piece) { text += piece; });
  return text;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  text.replace(text.find(from), from.size(), to);
  return text;
}

class Submitted : public ::testing::Test {
 protected:
  std::filesystem::path write(const std::string& text) {
    write_file_atomically(file_, text);
    return file_;
  }
  std::string difference(const std::string& text) {
    return find_difference(write(text), set_, kDigests);
  }
  /// What check_submitted says is wrong; empty if nothing.
  std::string fault(const std::string& text) {
    try {
      check_submitted(write(text), Kind::k2_23);
    } catch (const Error& error) {
      EXPECT_EQ(error.fault(), Fault::configuration);
      return std::string(error.what()).substr(std::string(error.what()).rfind(':') + 2);
    }
    return "";
  }

  TemporaryFolder folder_;
  std::filesystem::path file_ = folder_.path() / "KAT_2_23_X.txt";
  MessageSet set_ = make_message_set(Kind::k2_23);
  std::string whole_ = text_of(set_);
};

TEST_F(Submitted, equals_whatever_its_line_ends) {
  EXPECT_EQ(difference(whole_), "");
  std::string other;
  for (const char c : whole_) {
    other += c == '\n' ? std::string(" \t\r\n\n") : std::string(1, c);
  }
  EXPECT_EQ(difference(other), "");
  EXPECT_EQ(fault(other), "");
}

TEST_F(Submitted, names_the_first_record_that_differs) {
  EXPECT_EQ(difference(replaced(whole_, "Dst = 0304", "Dst = 0305")),
            "differs first at record 2, 8388608 bits (line 11): expected Dst 0305, got 0304");
  EXPECT_EQ(difference(replaced(whole_, "Dst = 0A0B", "Dst =")),
            "differs first at record 3, 8388608 bits (line 17): expected Dst nothing, got 0A0B");
}

TEST_F(Submitted, is_refused_before_anything_is_computed) {
  EXPECT_EQ(fault(whole_), "");
  EXPECT_EQ(fault(""), "the file ends in record 1 of 3");
  EXPECT_EQ(fault(whole_.substr(0, whole_.find("Dst = 0A0B"))), "the file ends in record 3 of 3");
  EXPECT_EQ(fault(replaced(whole_, "Msg_Exp", "Msg")),
            "'Msg = 0000000000000000 .... "
            "0000000000000000' where 'Msg_Exp =' "
            "belongs");
  EXPECT_EQ(fault(whole_ + "Msg_Len = 1\n"), "more than the 3 records of KAT_2_23");
}

TEST_F(Submitted, has_the_messages_of_the_procedure) {
  EXPECT_THROW(static_cast<void>(difference(replaced(whole_, "FFFF", "FFFE"))), Error);
}

TEST(MessageSet, has_as_many_messages_as_its_file_has_records) {
  for (const Kind kind : {Kind::k2_12, Kind::k2_23, Kind::loop}) {
    EXPECT_EQ(make_message_set(kind).messages.size(), record_count(kind)) << kind_name(kind);
  }
  EXPECT_EQ(record_count(Kind::k2_33), 3U);
}

}  // namespace
}  // namespace hashprof::kat
