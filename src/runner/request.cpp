// SPDX-License-Identifier: MIT
// See runner/request.h.
#include "runner/request.h"

#include <sys/utsname.h>
#include <unistd.h>

#include <cstring>

#include "base/error.h"
#include "base/file.h"
#include "base/text.h"

namespace hashprof::runner {

void choose_sandbox(bool is_sandboxed, std::uint32_t uid, hashprof_request& request) {
  if (is_sandboxed) {
    request.flags |= HASHPROF_FLAG_DROP_CAPS;
  }
  if (is_sandboxed && ::geteuid() == 0) {
    request.flags |= HASHPROF_FLAG_DROP_UID;
    request.uid = uid;
    request.gid = uid;
  }
}

counters::OpenFacts read_open_facts() {
  utsname name{};
  ::uname(&name);
  const auto paranoid = find_file_text("/proc/sys/kernel/perf_event_paranoid");
  return {paranoid ? std::string(text::trim(*paranoid)) : "unknown", name.machine};
}

void set_entry(const std::string& entry, hashprof_request& request) {
  if (entry.size() >= sizeof request.entry) {
    throw Error(Fault::configuration, entry,
                "the entry's name is longer than " + std::to_string(sizeof request.entry - 1) +
                    " characters");
  }
  std::memcpy(request.entry, entry.c_str(), entry.size() + 1);
}

}  // namespace hashprof::runner
