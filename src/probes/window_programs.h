// SPDX-License-Identifier: MIT
// The programs of a WindowProbe, attached, and which figures hang on which. Private to the unit.
#pragma once

#include "bpf/window.h"

#include <bpf/libbpf.h>
#include <window.skel.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "probes/window_probe.h"

namespace hashprof::probes {

struct EndWindow {
  void operator()(window_bpf* object) const noexcept { window_bpf__destroy(object); }
};
struct EndLink {
  void operator()(bpf_link* link) const noexcept { bpf_link__destroy(link); }
};

class WindowProbe::Programs {
 public:
  /// Takes over a loaded object and attaches what the kernel has.
  explicit Programs(std::unique_ptr<window_bpf, EndWindow> object);

  [[nodiscard]] window_bpf& object() const { return *object_; }
  [[nodiscard]] const std::vector<AbsentFigure>& absent() const { return absent_; }
  [[nodiscard]] hashprof_window_count count(std::uint32_t stretch) const;
  /// Zeros in every stretch, no thread in a system call.
  void clear();
  /// Takes the numbers of events that the kernel left out as the state before.
  void note_misses();
  /// Figures whose programs the kernel did not run at every event since note_misses().
  [[nodiscard]] std::vector<AbsentFigure> missed() const;

 private:
  struct Group {
    std::vector<const bpf_program*> programs;
    std::vector<std::string> figures;
    std::uint64_t misses_before = 0;
  };

  void attach(const Group& group, const std::map<std::string, const bpf_program*>& places);
  void attach_interrupts();
  void attach_growth();
  void give_up(const Group& group, const std::string& reason);
  [[nodiscard]] std::string attach_raw(const bpf_program* program, const std::string& tracepoint);
  [[nodiscard]] static std::uint64_t misses_of(const Group& group);

  std::unique_ptr<window_bpf, EndWindow> object_;
  std::vector<std::unique_ptr<bpf_link, EndLink>> links_;  // end before the object
  std::vector<Group> groups_;
  std::vector<AbsentFigure> absent_;
};

}  // namespace hashprof::probes
