// SPDX-License-Identifier: MIT
// See probes/window_probe.h.
#include "probes/window_probe.h"

#include <sys/stat.h>

#include <array>
#include <cerrno>
#include <utility>

#include "base/error.h"
#include "probes/bpf_log.h"
#include "probes/refusal.h"
#include "probes/window_programs.h"

namespace hashprof::probes {

namespace {

/// Of /proc/self/ns/pid in the pid namespace that the machine booted with (PROC_PID_INIT_INO).
constexpr ino_t kFirstPidNamespace = 0xEFFFFFFCU;

using Figure = std::optional<std::uint64_t> record::WindowUse::*;

const std::map<std::string, Figure>& figures() {
  static const std::map<std::string, Figure> all{
      {"page_faults", &record::WindowUse::page_faults},
      {"anon_growth_bytes", &record::WindowUse::anon_growth_bytes},
      {"file_growth_bytes", &record::WindowUse::file_growth_bytes},
      {"mapped_bytes", &record::WindowUse::mapped_bytes},
      {"mapped_calls", &record::WindowUse::mapped_calls},
      {"unmapped_bytes", &record::WindowUse::unmapped_bytes},
      {"break_bytes", &record::WindowUse::break_bytes},
      {"switches", &record::WindowUse::switches},
      {"migrations", &record::WindowUse::migrations},
      {"interrupts", &record::WindowUse::interrupts},
      {"interrupt_ns", &record::WindowUse::interrupt_ns}};
  return all;
}

struct Drop {
  hashprof_window_drop why;
  const char* sentence;
  std::vector<const char*> figures;
};

const std::array<Drop, HASHPROF_WINDOW_DROPS>& drops() {
  static const std::array<Drop, HASHPROF_WINDOW_DROPS> all{
      {{HASHPROF_WINDOW_DROP_CALLS,
        "the table of system calls was full",
        {"mapped_bytes", "mapped_calls", "unmapped_bytes", "break_bytes"}},
       {HASHPROF_WINDOW_DROP_READ,
        "the arguments of a system call could not be read",
        {"mapped_bytes", "mapped_calls", "unmapped_bytes", "break_bytes"}},
       {HASHPROF_WINDOW_DROP_ANON,
        "no anonymous page of the process was seen before the stretch",
        {"anon_growth_bytes"}},
       {HASHPROF_WINDOW_DROP_FILE,
        "no mapped page of a file was seen in the process before the stretch",
        {"file_growth_bytes"}}}};
  return all;
}

/// Why the numbers of processes that programs see are not ours; empty if they are.
std::string find_foreign_pids() {
  struct stat status {};
  if (::stat("/proc/self/ns/pid", &status) != 0) {
    return explain_refusal("/proc/self/ns/pid", errno, {});
  }
  return status.st_ino == kFirstPidNamespace
             ? std::string()
             : "hashprof runs in a pid namespace of its own (a container), BPF programs see the "
               "machine's numbers of processes: start the container with --pid=host";
}

record::WindowUse use_of(const hashprof_window_count& count) {
  return {.page_faults = count.page_faults,
          .anon_growth_bytes = count.anon.most_bytes,
          .file_growth_bytes = count.file.most_bytes,
          .mapped_bytes = count.mapped_bytes,
          .mapped_calls = count.mapped_calls,
          .unmapped_bytes = count.unmapped_bytes,
          .break_bytes = count.heap_end.most_bytes,
          .switches = count.switches,
          .migrations = count.migrations,
          .interrupts = count.interrupts,
          .interrupt_ns = count.interrupt_ns};
}

}  // namespace

WindowProbe::WindowProbe(std::unique_ptr<Programs> programs) : programs_(std::move(programs)) {}
WindowProbe::~WindowProbe() = default;

WindowProbe::Opened WindowProbe::open() {
  const std::string foreign = find_foreign_pids();
  if (!foreign.empty()) {
    return {nullptr, foreign};
  }
  keep_bpf_log();
  static_cast<void>(take_bpf_log());
  std::unique_ptr<window_bpf, EndWindow> object(window_bpf__open());
  if (!object) {
    const int number = errno;
    return {nullptr, explain_refusal("bpf()", number, take_bpf_log())};
  }
  const int error = window_bpf__load(object.get());
  const std::string said = take_bpf_log();
  if (error != 0) {
    return {nullptr, explain_load_refusal(-error, said)};
  }
  return {
      std::unique_ptr<WindowProbe>(new WindowProbe(std::make_unique<Programs>(std::move(object)))),
      {}};
}

int WindowProbe::window_fd() const { return bpf_map__fd(programs_->object().maps.data_window); }

void WindowProbe::reset() {
  programs_->object().bss->watched = 0;
  programs_->object().bss->has_watched_mm = 0;
  programs_->object().data_window->window.stretch = HASHPROF_STRETCH_NONE;
  programs_->clear();
  programs_->note_misses();
}

void WindowProbe::watch(pid_t pid) {
  reset();
  programs_->object().bss->watched = static_cast<std::uint32_t>(pid);
}

WindowReading WindowProbe::read(std::uint32_t stretch) const {
  const hashprof_window_count count = programs_->count(stretch);
  WindowReading reading{use_of(count), programs_->absent()};
  for (AbsentFigure& missed : programs_->missed()) {
    reading.absent.push_back(std::move(missed));
  }
  for (const Drop& drop : drops()) {
    for (const char* figure : drop.figures) {
      if (count.dropped[drop.why] != 0) {
        reading.absent.push_back({figure, drop.sentence});
      }
    }
  }
  std::vector<AbsentFigure> once;
  for (const AbsentFigure& absent : reading.absent) {
    std::optional<std::uint64_t>& figure = reading.use.*figures().at(absent.figure);
    if (figure) {  // a figure has one reason, the first
      figure.reset();
      once.push_back(absent);
    }
  }
  reading.absent = std::move(once);
  return reading;
}

std::vector<AbsentFigure> WindowProbe::absent() const { return programs_->absent(); }

}  // namespace hashprof::probes
