// SPDX-License-Identifier: MIT
// See probes/heap_probe.h.
#include "probes/heap_probe.h"

#include "bpf/heap.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <heap.skel.h>

#include <array>
#include <cerrno>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/text.h"
#include "probes/bpf_log.h"
#include "probes/process_maps.h"
#include "probes/refusal.h"

namespace hashprof::probes {

namespace {

/// In the order of hashprof_heap_drop.
constexpr std::array<const char*, HASHPROF_HEAP_DROPS> kDropSentences{
    "the table of blocks was full",
    "the table of threads was full",
    "the return of a call was not seen",
    "memory of the process could not be read",
    "threads changed the peak at the same time",
    "a block was given out that nobody was seen to give back"};

struct EndObject {
  void operator()(heap_bpf* object) const noexcept { heap_bpf__destroy(object); }
};
struct EndLink {
  void operator()(bpf_link* link) const noexcept { bpf_link__destroy(link); }
};
using Link = std::unique_ptr<bpf_link, EndLink>;

}  // namespace

class HeapProbe::Programs {
 public:
  explicit Programs(heap_bpf* object) : object_(object) {}

  [[nodiscard]] heap_bpf& object() const { return *object_; }

  /// The program that belongs to the entry of a function of libc.
  [[nodiscard]] std::map<std::string, bpf_program*> entries() const {
    const auto& programs = object_->progs;
    return {{"malloc", programs.enter_malloc},
            {"valloc", programs.enter_malloc},
            {"pvalloc", programs.enter_malloc},
            {"calloc", programs.enter_calloc},
            {"realloc", programs.enter_realloc},
            {"reallocarray", programs.enter_reallocarray},
            {"memalign", programs.enter_memalign},
            {"aligned_alloc", programs.enter_memalign},
            {"posix_memalign", programs.enter_posix_memalign},
            {"free", programs.enter_free},
            {"cfree", programs.enter_free}};
  }

  /// Empty if every function has its probes; else why not, and none has.
  [[nodiscard]] std::string attach_all(pid_t pid, const MallocPlace& place) {
    std::string reason;
    for (const auto& [offset, names] : place.offsets) {
      reason = attach_function(pid, place, offset, names);
      if (!reason.empty()) {
        links_.clear();
        break;
      }
    }
    return reason;
  }

  [[nodiscard]] hashprof_heap_count count(std::uint32_t stretch) const {
    hashprof_heap_count count{};
    const int error = bpf_map__lookup_elem(object_->maps.counts, &stretch, sizeof stretch, &count,
                                           sizeof count, 0);
    if (error != 0) {
      throw Error(Fault::internal, "counts of stretch " + std::to_string(stretch),
                  "bpf_map__lookup_elem")
          .os_error(-error);
    }
    return count;
  }

 private:
  [[nodiscard]] std::string attach_function(pid_t pid, const MallocPlace& place,
                                            std::uint64_t offset,
                                            const std::set<std::string>& names) {
    const auto programs = entries();
    std::set<bpf_program*> wanted;
    for (const std::string& name : names) {
      wanted.insert(programs.at(name));
    }
    if (wanted.size() != 1) {
      return text::join({names.begin(), names.end()}, ", ") + " of " + place.name +
             " are one function";
    }
    std::string reason = attach_one(*wanted.begin(), pid, place, offset, false);
    if (reason.empty() && *wanted.begin() != object_->progs.enter_free) {
      reason = attach_one(object_->progs.leave, pid, place, offset, true);
    }
    return reason;
  }

  [[nodiscard]] std::string attach_one(const bpf_program* program, pid_t pid,
                                       const MallocPlace& place, std::uint64_t offset,
                                       bool is_return) {
    bpf_uprobe_opts options{};
    options.sz = sizeof options;
    options.retprobe = is_return;
    Link link(bpf_program__attach_uprobe_opts(program, pid, place.file.c_str(), offset, &options));
    const int number = errno;
    const std::string said = take_bpf_log();
    if (!link) {
      return explain_refusal("probe at offset " + std::to_string(offset) + " of " + place.name,
                             number, said);
    }
    links_.push_back(std::move(link));
    return {};
  }

  std::unique_ptr<heap_bpf, EndObject> object_;
  std::vector<Link> links_;  // ends before the object
};

HeapProbe::HeapProbe(std::unique_ptr<Programs> programs) : programs_(std::move(programs)) {}
HeapProbe::~HeapProbe() = default;

HeapProbe::Opened HeapProbe::open() {
  keep_bpf_log();
  static_cast<void>(take_bpf_log());
  heap_bpf* object = heap_bpf__open();
  if (object == nullptr) {
    const int number = errno;
    return {nullptr, explain_refusal("bpf()", number, take_bpf_log())};
  }
  auto programs = std::make_unique<Programs>(object);
  const int error = heap_bpf__load(object);
  const std::string said = take_bpf_log();
  if (error != 0) {
    return {nullptr, explain_load_refusal(-error, said)};
  }
  return {std::unique_ptr<HeapProbe>(new HeapProbe(std::move(programs))), {}};
}

int HeapProbe::window_fd() const { return bpf_map__fd(programs_->object().maps.data_window); }

std::string HeapProbe::attach(pid_t pid) {
  std::set<std::string> names;
  for (const auto& [name, program] : programs_->entries()) {
    names.insert(name);
  }
  try {
    const MallocPlace place = find_malloc(pid, names);
    if (!place.reason.empty()) {
      return place.reason;
    }
    const AddressRange loader = find_loader(pid);
    programs_->object().bss->loader_begin = loader.begin;
    programs_->object().bss->loader_end = loader.end;
    return programs_->attach_all(pid, place);
  } catch (const Error& error) {
    return error.what();
  }
}

record::HeapUse HeapProbe::read(std::uint32_t stretch) const {
  const hashprof_heap_count count = programs_->count(stretch);
  record::HeapUse use{.allocations = count.allocations,
                      .resizes = count.resizes,
                      .frees = count.frees,
                      .failures = count.failures,
                      .total_bytes = count.total_bytes,
                      .peak_bytes = count.peak_bytes,
                      .left_bytes = count.live_bytes,
                      .left_blocks = count.live_blocks,
                      .foreign_frees = count.foreign_frees};
  for (const std::uint64_t dropped : count.dropped) {
    use.lost += dropped;
  }
  return use;
}

std::string HeapProbe::why_lost(std::uint32_t stretch) const {
  const hashprof_heap_count count = programs_->count(stretch);
  std::vector<std::string> sentences;
  for (std::size_t i = 0; i < kDropSentences.size(); ++i) {
    if (count.dropped[i] != 0) {
      sentences.push_back(std::to_string(count.dropped[i]) + " times: " + kDropSentences[i]);
    }
  }
  return text::join(sentences, "; ");
}

}  // namespace hashprof::probes
