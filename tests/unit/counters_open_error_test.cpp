// SPDX-License-Identifier: MIT
// Catches an errno of perf_event_open that is blamed on the wrong cause or loses its remedy.
#include <gtest/gtest.h>

#include <cerrno>
#include <string>
#include <vector>

#include "counters/open_error.h"

namespace hashprof::counters {
namespace {

struct Row {
  int line;
  int number;
  const char* architecture;
  const char* sentence;
  const char* remedy;
};

const std::vector<Row> kRows{
    {__LINE__, ENOENT, "x86_64",
     "no hardware PMU on this machine (virtual machine?): cycles cannot be counted (ENOENT)",
     "measure on bare metal, or give the guest a virtual PMU"},
    {__LINE__, ENOENT, "aarch64",
     "no hardware PMU on this machine (virtual machine?): cycles cannot be counted (ENOENT)",
     "measure on bare metal, or give the guest a virtual PMU; on a board, describe the PMU in its "
     "device tree"},
    {__LINE__, EOPNOTSUPP, "x86_64",
     "the PMU of this machine cannot count cycles in user mode only (EOPNOTSUPP)",
     "measure on a machine whose PMU can exclude the kernel"},
    {__LINE__, EACCES, "x86_64",
     "the kernel does not let this user count cycles (EACCES); perf_event_paranoid is 4",
     "sysctl kernel.perf_event_paranoid=2, or run with CAP_PERFMON"},
    {__LINE__, EPERM, "x86_64",
     "perf_event_open is forbidden here (EPERM): a container's seccomp profile or a security "
     "module refuses cycles",
     "start the container with --cap-add=PERFMON or a seccomp profile that allows "
     "perf_event_open"},
    {__LINE__, ENOSYS, "x86_64",
     "perf_event_open is not there (ENOSYS): a container's seccomp profile hides it or the kernel "
     "was built without perf; cycles cannot be counted",
     "start the container with --cap-add=PERFMON or a seccomp profile that allows "
     "perf_event_open; else use a kernel with CONFIG_PERF_EVENTS"},
    {__LINE__, EBUSY, "x86_64",
     "another user holds the PMU exclusively (EBUSY): cycles cannot be counted",
     "end other profilers; the NMI watchdog takes a counter too (kernel.nmi_watchdog)"},
    {__LINE__, EINVAL, "x86_64",
     "the kernel does not accept the event cycles as asked for (EINVAL): it is too old, or the "
     "event is of another PMU",
     "use a newer kernel, and pin to a core of the PMU that has the event"},
    {__LINE__, EMFILE, "x86_64", "no descriptor is left for the event cycles (EMFILE)",
     "raise the limit of open files (ulimit -n)"},
    {__LINE__, ENODEV, "x86_64",
     "the measuring core has no PMU that is switched on (ENODEV): it is offline, or cycles needs a "
     "feature that it lacks",
     "choose another core (measure.core)"},
    {__LINE__, ESRCH, "x86_64", "the process to count cycles in was gone (ESRCH)", ""},
    {__LINE__, ENOMEM, "x86_64",
     "perf_event_open for cycles failed: Cannot allocate memory (ENOMEM)", ""},
    {__LINE__, 4095, "x86_64", "perf_event_open for cycles failed: errno 4095", ""},
};

TEST(OpenError, gives_each_errno_its_own_sentence_and_remedy) {
  for (const Row& row : kRows) {
    const OpenError error = explain_open_error(row.number, "cycles", {"4", row.architecture});
    EXPECT_EQ(error.sentence, row.sentence) << "row of line " << row.line;
    EXPECT_EQ(error.remedy, row.remedy) << "row of line " << row.line;
  }
}

TEST(OpenError, names_the_event_that_was_refused) {
  EXPECT_EQ(explain_open_error(EMFILE, "instructions", {"2", "x86_64"}).sentence,
            "no descriptor is left for the event instructions (EMFILE)");
}

TEST(OpenError, blames_paranoid_for_nothing_but_EACCES) {
  for (const Row& row : kRows) {
    const OpenError error = explain_open_error(row.number, "cycles", {"4", row.architecture});
    EXPECT_EQ(error.sentence.find("paranoid") != std::string::npos, row.number == EACCES)
        << "row of line " << row.line;
  }
}

}  // namespace
}  // namespace hashprof::counters
