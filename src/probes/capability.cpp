// SPDX-License-Identifier: MIT
// See probes/capability.h.
#include "probes/capability.h"

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>

#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "base/unique_fd.h"
#include "probes/bpf_log.h"
#include "probes/process_maps.h"
#include "probes/refusal.h"
#include "probes/tracepoint.h"

namespace hashprof::probes {

namespace {

constexpr const char* kUprobeType = "/sys/bus/event_source/devices/uprobe/type";

/// The least program: returns 0.
UniqueFd load_least(bpf_prog_type type) {
  std::array<bpf_insn, 2> instructions{};
  instructions[0].code = BPF_ALU64 | BPF_MOV | BPF_K;
  instructions[1].code = BPF_JMP | BPF_EXIT;
  return UniqueFd(bpf_prog_load(type, "hashprof_least", "GPL", instructions.data(),
                                instructions.size(), nullptr));
}

std::string try_bpf() {
  const UniqueFd program = load_least(BPF_PROG_TYPE_RAW_TRACEPOINT);
  return program.is_open() ? std::string() : explain_refusal("bpf()", errno, {});
}

std::string try_btf() {
  btf* types = btf__load_vmlinux_btf();
  if (types == nullptr) {
    return explain_load_refusal(ESRCH, {});
  }
  btf__free(types);
  return {};
}

std::string try_raw_tracepoint() {
  const UniqueFd program = load_least(BPF_PROG_TYPE_RAW_TRACEPOINT);
  if (!program.is_open()) {
    return explain_refusal("bpf(BPF_PROG_LOAD)", errno, {});
  }
  const UniqueFd link(bpf_raw_tracepoint_open("sched_switch", program.get()));
  return link.is_open() ? std::string() : explain_refusal("tracepoint sched_switch", errno, {});
}

std::string try_rss_stat() { return open_rss_stat().reason; }

/// Where try_uprobe() puts a breakpoint. Nobody calls it.
[[gnu::noinline, gnu::used]] void probed() { asm volatile("nop"); }

std::string try_uprobe() {
  const auto type = text::parse_unsigned(text::trim(find_file_text(kUprobeType).value_or("")));
  if (!type) {
    return std::string(kUprobeType) +
           " is not there: needs a kernel with CONFIG_UPROBE_EVENTS, and /sys";
  }
  const FilePlace place = find_file_place(::getpid(), reinterpret_cast<std::uintptr_t>(&probed));
  const UniqueFd program = load_least(BPF_PROG_TYPE_KPROBE);
  if (!program.is_open()) {
    return explain_refusal("bpf(BPF_PROG_LOAD)", errno, {});
  }
  perf_event_attr attr{};
  attr.size = sizeof attr;
  attr.type = static_cast<std::uint32_t>(*type);
  attr.uprobe_path = reinterpret_cast<std::uintptr_t>(place.file.c_str());
  attr.probe_offset = place.offset;
  const UniqueFd event(
      static_cast<int>(::syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC)));
  if (!event.is_open()) {
    return explain_refusal("perf_event_open(uprobe)", errno, {});
  }
  return ::ioctl(event.get(), PERF_EVENT_IOC_SET_BPF, program.get()) == 0
             ? std::string()
             : explain_refusal("ioctl(PERF_EVENT_IOC_SET_BPF)", errno, {});
}

struct Attempt {
  const char* name;
  std::string (*act)();
};
constexpr std::array<Attempt, 5> kAttempts{{{"bpf", try_bpf},
                                            {"btf", try_btf},
                                            {"raw tracepoint", try_raw_tracepoint},
                                            {"kmem:rss_stat", try_rss_stat},
                                            {"uprobe", try_uprobe}}};

}  // namespace

std::vector<Capability> probe_capabilities() {
  keep_bpf_log();
  std::vector<Capability> capabilities;
  std::string refusal;
  for (const Attempt& attempt : kAttempts) {
    std::string reason = refusal;
    if (refusal.empty()) {
      try {
        reason = attempt.act();
      } catch (const Error& error) {
        reason = error.what();
      }
    }
    capabilities.push_back({attempt.name, reason.empty(), reason});
    if (capabilities.size() == 1) {
      refusal = reason;
    }
  }
  static_cast<void>(take_bpf_log());
  return capabilities;
}

}  // namespace hashprof::probes
