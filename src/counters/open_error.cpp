// SPDX-License-Identifier: MIT
// See counters/open_error.h. The errnos are those of perf_event_open(2).
#include "counters/open_error.h"

#include <cerrno>
#include <cstring>
#include <string>

#include "base/error.h"

namespace hashprof::counters {

namespace {

OpenError explain_missing(const std::string& event, const OpenFacts& facts) {
  return {"no hardware PMU on this machine (virtual machine?): " + event +
              " cannot be counted (ENOENT)",
          facts.architecture == "aarch64"
              ? "measure on bare metal, or give the guest a virtual PMU; on a board, describe the "
                "PMU in its device tree"
              : "measure on bare metal, or give the guest a virtual PMU"};
}

OpenError explain_paranoid(const std::string& event, const OpenFacts& facts) {
  return {"the kernel does not let this user count " + event +
              " (EACCES); perf_event_paranoid is " + facts.paranoid,
          "sysctl kernel.perf_event_paranoid=2, or run with CAP_PERFMON"};
}

std::string describe(int number) {
  const char* text = ::strerrordesc_np(number);
  return text != nullptr ? std::string(text) + " (" + errno_name(number) + ")" : errno_name(number);
}

}  // namespace

OpenError explain_open_error(int number, const std::string& event, const OpenFacts& facts) {
  switch (number) {
    case ENOENT:
      return explain_missing(event, facts);
    case EOPNOTSUPP:
      return {"the PMU of this machine cannot count " + event + " in user mode only (EOPNOTSUPP)",
              "measure on a machine whose PMU can exclude the kernel"};
    case EACCES:
      return explain_paranoid(event, facts);
    case EPERM:
      return {
          "perf_event_open is forbidden here (EPERM): a container's seccomp profile or a "
          "security module refuses " +
              event,
          "start the container with --cap-add=PERFMON or a seccomp profile that allows "
          "perf_event_open"};
    case ENOSYS:
      return {
          "perf_event_open is not there (ENOSYS): a container's seccomp profile hides it or the "
          "kernel was built without perf; " +
              event + " cannot be counted",
          "start the container with --cap-add=PERFMON or a seccomp profile that allows "
          "perf_event_open; else use a kernel with CONFIG_PERF_EVENTS"};
    case EBUSY:
      return {"another user holds the PMU exclusively (EBUSY): " + event + " cannot be counted",
              "end other profilers; the NMI watchdog takes a counter too (kernel.nmi_watchdog)"};
    case EINVAL:
      return {"the kernel does not accept the event " + event +
                  " as asked for (EINVAL): it is too old, or the event is of another PMU",
              "use a newer kernel, and pin to a core of the PMU that has the event"};
    case EMFILE:
      return {"no descriptor is left for the event " + event + " (EMFILE)",
              "raise the limit of open files (ulimit -n)"};
    case ENODEV:
      return {"the measuring core has no PMU that is switched on (ENODEV): it is offline, or " +
                  event + " needs a feature that it lacks",
              "choose another core (measure.core)"};
    case ESRCH:
      return {"the process to count " + event + " in was gone (ESRCH)", ""};
    default:
      return {"perf_event_open for " + event + " failed: " + describe(number), ""};
  }
}

}  // namespace hashprof::counters
