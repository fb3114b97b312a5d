// SPDX-License-Identifier: MIT
// Catches a record of a tracepoint that is read at other places than the kernel writes it.
#include "probes/tracepoint.h"

#include <gtest/gtest.h>

namespace hashprof::probes {
namespace {

constexpr const char* kFormat =
    "name: rss_stat\nID: 4711\nformat:\n"
    "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\n"
    "\tfield:unsigned int mm_id;\toffset:8;\tsize:4;\tsigned:0;\n"
    "\tfield:long size;\toffset:24;\tsize:8;\tsigned:1;\n";

TEST(Tracepoint, has_a_field_at_its_place_only) {
  EXPECT_TRUE(has_field(kFormat, {"mm_id", 8, 4}));
  EXPECT_TRUE(has_field(kFormat, {"size", 24, 8}));
  EXPECT_FALSE(has_field(kFormat, {"size", 16, 8}));
  EXPECT_FALSE(has_field(kFormat, {"size", 24, 4}));
  EXPECT_FALSE(has_field(kFormat, {"member", 16, 4}));
  EXPECT_FALSE(has_field("", {"size", 24, 8}));
}

}  // namespace
}  // namespace hashprof::probes
