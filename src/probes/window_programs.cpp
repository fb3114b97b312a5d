// SPDX-License-Identifier: MIT
// See probes/window_programs.h.
#include "probes/window_programs.h"

#include <bpf/bpf.h>

#include <array>
#include <cerrno>
#include <utility>

#include "base/error.h"
#include "probes/bpf_log.h"
#include "probes/refusal.h"
#include "probes/tracepoint.h"

namespace hashprof::probes {

namespace {

/// Interrupts that come without a handler of a device. Those that the kernel was not built with are
/// not there; the timer's always is.
#if defined(__x86_64__)
constexpr const char* kTimer = "local_timer";
constexpr std::array kVectors{
    "spurious_apic",       "error_apic",    "x86_platform_ipi",     "irq_work",
    "reschedule",          "call_function", "call_function_single", "threshold_apic",
    "deferred_error_apic", "thermal_apic"};
#else
// On AArch64 the timer and the interrupts between processors have handlers as those of devices.
constexpr const char* kTimer = nullptr;
constexpr std::array<const char*, 0> kVectors{};
#endif

}  // namespace

WindowProbe::Programs::Programs(std::unique_ptr<window_bpf, EndWindow> object)
    : object_(std::move(object)) {
  const auto& programs = object_->progs;
  attach({{programs.count_fault}, {"page_faults"}, 0}, {{"page_fault_user", programs.count_fault}});
  attach({{programs.enter_call, programs.leave_call},
          {"mapped_bytes", "mapped_calls", "unmapped_bytes", "break_bytes"},
          0},
         {{"sys_enter", programs.enter_call}, {"sys_exit", programs.leave_call}});
  attach({{programs.count_switch}, {"switches"}, 0}, {{"sched_switch", programs.count_switch}});
  attach({{programs.count_migration}, {"migrations"}, 0},
         {{"sched_migrate_task", programs.count_migration}});
  attach_interrupts();
  attach_growth();
}

std::string WindowProbe::Programs::attach_raw(const bpf_program* program,
                                              const std::string& tracepoint) {
  std::unique_ptr<bpf_link, EndLink> link(
      bpf_program__attach_raw_tracepoint(program, tracepoint.c_str()));
  const int number = errno;
  const std::string said = take_bpf_log();
  if (link) {
    links_.push_back(std::move(link));
    return {};
  }
  return number == ENOENT ? "this kernel has no tracepoint " + tracepoint
                          : explain_refusal("tracepoint " + tracepoint, number, said);
}

void WindowProbe::Programs::give_up(const Group& group, const std::string& reason) {
  for (const std::string& figure : group.figures) {
    absent_.push_back({figure, reason});
  }
}

void WindowProbe::Programs::attach(const Group& group,
                                   const std::map<std::string, const bpf_program*>& places) {
  for (const auto& [tracepoint, program] : places) {
    const std::string reason = attach_raw(program, tracepoint);
    if (!reason.empty()) {
      give_up(group, reason);
      return;
    }
  }
  groups_.push_back(group);
}

void WindowProbe::Programs::attach_interrupts() {
  const bpf_program* begin = object_->progs.begin_interrupt;
  const bpf_program* end = object_->progs.end_interrupt;
  std::map<std::string, const bpf_program*> places{{"irq_handler_entry", begin},
                                                   {"irq_handler_exit", end}};
  if (kTimer != nullptr) {
    places.emplace(std::string(kTimer) + "_entry", begin);
    places.emplace(std::string(kTimer) + "_exit", end);
  }
  attach({{begin, end}, {"interrupts", "interrupt_ns"}, 0}, places);
  for (const char* vector : kVectors) {
    // Without its begin an end counts nothing.
    if (attach_raw(begin, std::string(vector) + "_entry").empty()) {
      static_cast<void>(attach_raw(end, std::string(vector) + "_exit"));
    }
  }
}

void WindowProbe::Programs::attach_growth() {
  const Group group{{object_->progs.change_space}, {"anon_growth_bytes", "file_growth_bytes"}, 0};
  OpenedEvent event = open_rss_stat();
  if (!event.reason.empty()) {
    give_up(group, event.reason);
    return;
  }
  std::unique_ptr<bpf_link, EndLink> link(
      bpf_program__attach_perf_event(object_->progs.change_space, event.fd.get()));
  const int number = errno;
  const std::string said = take_bpf_log();
  if (!link) {
    give_up(group, explain_refusal("tracepoint kmem:rss_stat", number, said));
    return;
  }
  static_cast<void>(event.fd.release());  // the link owns it
  links_.push_back(std::move(link));
  groups_.push_back(group);
}

hashprof_window_count WindowProbe::Programs::count(std::uint32_t stretch) const {
  hashprof_window_count count{};
  const int error =
      bpf_map__lookup_elem(object_->maps.counts, &stretch, sizeof stretch, &count, sizeof count, 0);
  if (error != 0) {
    throw Error(Fault::internal, "counts of stretch " + std::to_string(stretch),
                "bpf_map__lookup_elem")
        .os_error(-error);
  }
  return count;
}

void WindowProbe::Programs::clear() {
  const hashprof_window_count zero{};
  for (std::uint32_t stretch = 0; stretch < HASHPROF_STRETCHES; ++stretch) {
    const int error = bpf_map__update_elem(object_->maps.counts, &stretch, sizeof stretch, &zero,
                                           sizeof zero, BPF_ANY);
    if (error != 0) {
      throw Error(Fault::internal, "counts of stretch " + std::to_string(stretch),
                  "bpf_map__update_elem")
          .os_error(-error);
    }
  }
  std::uint64_t thread = 0;
  while (bpf_map__get_next_key(object_->maps.calls, nullptr, &thread, sizeof thread) == 0) {
    const int error = bpf_map__delete_elem(object_->maps.calls, &thread, sizeof thread, 0);
    if (error != 0 && error != -ENOENT) {
      throw Error(Fault::internal, "table of system calls", "bpf_map__delete_elem")
          .os_error(-error);
    }
  }
}

std::uint64_t WindowProbe::Programs::misses_of(const Group& group) {
  std::uint64_t misses = 0;
  for (const bpf_program* program : group.programs) {
    bpf_prog_info info{};
    __u32 bytes = sizeof info;
    if (bpf_obj_get_info_by_fd(bpf_program__fd(program), &info, &bytes) != 0) {
      throw Error(Fault::internal, bpf_program__name(program), "BPF_OBJ_GET_INFO_BY_FD")
          .os_error(errno);
    }
    misses += info.recursion_misses;
  }
  return misses;
}

void WindowProbe::Programs::note_misses() {
  for (Group& group : groups_) {
    group.misses_before = misses_of(group);
  }
}

std::vector<AbsentFigure> WindowProbe::Programs::missed() const {
  std::vector<AbsentFigure> figures;
  for (const Group& group : groups_) {
    const std::uint64_t misses = misses_of(group) - group.misses_before;
    for (const std::string& figure : group.figures) {
      if (misses != 0) {
        figures.push_back({figure, "the kernel did not show the probe " + std::to_string(misses) +
                                       " events while it was busy"});
      }
    }
  }
  return figures;
}

}  // namespace hashprof::probes
