// SPDX-License-Identifier: MIT
// Catches a manifest that is read for another one, and a fault in it without its line.
#include "kat/manifest.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace hashprof::kat {
namespace {

const std::string kA(64, 'a');
const std::string kB(64, 'b');
constexpr const char* kHint =
    "\n  hint: a line is: <64 hexadecimal digits> <mode> <label>/<file>\n";

std::string refusal(const std::string& text) {
  try {
    (void)parse_manifest(text, "m.sha256");
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::configuration);
    return error.render();
  }
  return "accepted";
}

TEST(Manifest, is_read_line_by_line) {
  const auto manifest = parse_manifest(
      kA + " strict L-1/KAT_2_12_l_1.txt\r\n\n" + std::string(64, 'B') + "  nolen:3  bare.txt\n",
      "m.sha256");
  ASSERT_EQ(manifest.size(), 2U);
  EXPECT_EQ(manifest[0].sha256, kA);
  EXPECT_EQ(mode_text(manifest[0].mode), "strict");
  EXPECT_EQ(manifest[0].name, "L-1/KAT_2_12_l_1.txt");
  EXPECT_EQ(manifest[0].line, 1U);
  EXPECT_EQ(manifest[1].sha256, kB) << "digits of either case";
  EXPECT_EQ(mode_text(manifest[1].mode), "nolen:3");
  EXPECT_EQ(manifest[1].line, 3U);
}

TEST(Manifest, a_label_wins_over_a_bare_file_name) {
  const auto manifest =
      parse_manifest(kA + " strict f.txt\n" + kB + " strict L/f.txt\n", "m.sha256");
  ASSERT_NE(find_line(manifest, "L", "f.txt"), nullptr);
  EXPECT_EQ(find_line(manifest, "L", "f.txt")->sha256, kB);
  ASSERT_NE(find_line(manifest, "M", "f.txt"), nullptr);
  EXPECT_EQ(find_line(manifest, "M", "f.txt")->sha256, kA);
  EXPECT_EQ(find_line(manifest, "L", "g.txt"), nullptr);
}

TEST(Manifest, faults_name_their_line) {
  EXPECT_EQ(refusal("\n" + kA + " strict\n"),
            std::string("hashprof: error: m.sha256:2: line has 2 words, not 3") + kHint);
  EXPECT_EQ(refusal("abc strict L/f\n"),
            std::string("hashprof: error: m.sha256:1: 'abc' is no SHA-256") + kHint);
  EXPECT_EQ(refusal(kA + " lax L/f\n"),
            std::string("hashprof: error: m.sha256:1: 'lax' is no mode: strict or nolen, :N behind "
                        "it for the first N records") +
                kHint);
  for (const char* name : {"/f", "L/", "a/b/c"}) {
    EXPECT_EQ(refusal(kA + " strict " + name + "\n"),
              std::string("hashprof: error: m.sha256:1: '") + name +
                  "' is neither <label>/<file> nor a file name" + kHint);
  }
  EXPECT_EQ(refusal(kA + " strict L/f\n" + kB + " strict L/f\n"),
            "hashprof: error: m.sha256:2: 'L/f' stands twice, first at line 1\n"
            "  hint: remove one of the two\n");
  EXPECT_EQ(refusal(" \n"),
            std::string("hashprof: error: m.sha256: no line: it would prove nothing") + kHint);
}

}  // namespace
}  // namespace hashprof::kat
