// SPDX-License-Identifier: MIT
// See probes/refusal.h. The errnos are those of bpf(2) and perf_event_open(2).
#include "probes/refusal.h"

#include <cerrno>
#include <cstring>

#include "base/error.h"

namespace hashprof::probes {

namespace {

/// What to do; empty where nothing is known to help.
std::string remedy_of(int number) {
  switch (number) {
    case EPERM:
    case EACCES:
      return "needs root, or CAP_BPF and CAP_PERFMON; a container's seccomp profile, a security "
             "module or kernel lockdown may refuse it to root too";
    case ENOSYS:
      return "the kernel was built without CONFIG_BPF_SYSCALL, or a container's seccomp profile "
             "hides the call";
    case ENOENT:
    case EOPNOTSUPP:
      return "the kernel was built without what the program needs (CONFIG_UPROBE_EVENTS, "
             "CONFIG_BPF_EVENTS)";
    case ESRCH:
      return "the process is gone";
    case EMFILE:
      return "raise the limit of open files (ulimit -n)";
    case ENOMEM:
      return "the machine has no memory left for the program's tables";
    default:
      return {};
  }
}

}  // namespace

std::string explain_refusal(const std::string& what, int number, const std::string& said) {
  const char* sentence = ::strerrordesc_np(number);
  std::string text = what + ": ";
  if (sentence != nullptr) {
    text += std::string(sentence) + " (" + errno_name(number) + ")";
  } else {
    text += "error " + std::to_string(number);
  }
  const std::string remedy = remedy_of(number);
  if (!remedy.empty()) {
    return text + ": " + remedy;
  }
  return said.empty() ? text : text + "; libbpf: " + said;
}

std::string explain_load_refusal(int number, const std::string& said) {
  if (number == ESRCH) {
    return "bpf(): this kernel has no types of its own in /sys/kernel/btf/vmlinux: needs "
           "CONFIG_DEBUG_INFO_BTF, and /sys";
  }
  return explain_refusal("bpf()", number, said);
}

}  // namespace hashprof::probes
