// SPDX-License-Identifier: MIT
// Catches an error text that loses its place, its system reason or its remedy.
#include "base/error.h"

#include <gtest/gtest.h>

#include <cerrno>

namespace hashprof {
namespace {

TEST(Error, renders_where_what_reason_context_and_hint) {
  Error error = Error(Fault::environment, "perf_event_open(cycles:u, cpu 3, pid 4711)", "refused")
                    .os_error(EACCES)
                    .hint("perf_event_paranoid is 4; needs 2 or less, or CAP_PERFMON");
  error.context("opening group 2 of run 'a/b/4096'");
  EXPECT_EQ(
      error.render(),
      "hashprof: error: perf_event_open(cycles:u, cpu 3, pid 4711): refused: Permission denied "
      "(EACCES)\n"
      "  while: opening group 2 of run 'a/b/4096'\n"
      "  hint: perf_event_paranoid is 4; needs 2 or less, or CAP_PERFMON\n");
}

TEST(Error, leaves_out_what_there_is_not) {
  EXPECT_EQ(Error(Fault::usage, "", "no target").render(), "hashprof: error: no target\n");
}

TEST(Error, exit_codes_follow_the_design) {
  EXPECT_EQ(exit_code(Fault::usage), 2);
  EXPECT_EQ(exit_code(Fault::configuration), 2);
  EXPECT_EQ(exit_code(Fault::environment), 1);
  EXPECT_EQ(exit_code(Fault::target), 1);
  EXPECT_EQ(exit_code(Fault::requirement), 3);
  EXPECT_EQ(exit_code(Fault::output), 5);
  EXPECT_EQ(exit_code(Fault::internal), 70);
}

TEST(Error, names_an_errno_that_libc_does_not_know) { EXPECT_EQ(errno_name(4095), "errno 4095"); }

}  // namespace
}  // namespace hashprof
