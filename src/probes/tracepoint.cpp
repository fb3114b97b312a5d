// SPDX-License-Identifier: MIT
// See probes/tracepoint.h.
#include "probes/tracepoint.h"

#include <bpf/btf.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>

#include "base/error.h"
#include "base/text.h"
#include "bpf/window.h"
#include "probes/refusal.h"

namespace hashprof::probes {

namespace {

constexpr const char* kFolder = "events/kmem/rss_stat/";

constexpr std::array<FieldPlace, 4> kFields{
    {{"mm_id", offsetof(hashprof_rss_stat, mm_id), sizeof(hashprof_rss_stat::mm_id)},
     {"curr", offsetof(hashprof_rss_stat, curr), sizeof(hashprof_rss_stat::curr)},
     {"member", offsetof(hashprof_rss_stat, member), sizeof(hashprof_rss_stat::member)},
     {"size", offsetof(hashprof_rss_stat, size), sizeof(hashprof_rss_stat::size)}}};

struct Tracefs {
  UniqueFd fd;
  std::string reason;
};

/// The folder of tracefs where it is mounted; else an instance that nobody else sees.
Tracefs open_tracefs() {
  UniqueFd mounted(::open("/sys/kernel/tracing", O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (mounted.is_open() && ::faccessat(mounted.get(), "events", F_OK, 0) == 0) {
    return {std::move(mounted), {}};
  }
  const UniqueFd context(::fsopen("tracefs", FSOPEN_CLOEXEC));
  if (!context.is_open()) {
    return {{}, explain_refusal("fsopen(tracefs)", errno, {})};
  }
  if (::fsconfig(context.get(), FSCONFIG_CMD_CREATE, nullptr, nullptr, 0) != 0) {
    return {{}, explain_refusal("fsconfig(tracefs)", errno, {})};
  }
  UniqueFd own(::fsmount(context.get(), FSMOUNT_CLOEXEC, MOUNT_ATTR_RDONLY));
  if (!own.is_open()) {
    return {{}, explain_refusal("fsmount(tracefs)", errno, {})};
  }
  return {std::move(own), {}};
}

/// The content of a small file below a folder; nothing if it cannot be read, with errno.
std::optional<std::string> find_text(int folder, const std::string& name) {
  const UniqueFd file(::openat(folder, name.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.is_open()) {
    return std::nullopt;
  }
  std::array<std::uint8_t, 8192> buffer{};
  const ssize_t bytes = ::read(file.get(), buffer.data(), buffer.size());
  if (bytes < 0) {
    return std::nullopt;
  }
  return std::string(buffer.begin(), buffer.begin() + bytes);
}

struct EndTypes {
  void operator()(btf* types) const noexcept { btf__free(types); }
};

/// Whether rss_stat tells a count that the kernel keeps a part of elsewhere: it then hands the
/// tracepoint a number beside space and member (Linux before 6.2, SPLIT_RSS_COUNTING).
bool tells_late() {
  const std::unique_ptr<btf, EndTypes> types(btf__load_vmlinux_btf());
  if (!types) {
    return true;
  }
  const int alias = btf__find_by_name_kind(types.get(), "btf_trace_rss_stat", BTF_KIND_TYPEDEF);
  const btf_type* type =
      alias < 0 ? nullptr : btf__type_by_id(types.get(), static_cast<__u32>(alias));
  const btf_type* pointer = type == nullptr ? nullptr : btf__type_by_id(types.get(), type->type);
  const btf_type* prototype =
      pointer == nullptr ? nullptr : btf__type_by_id(types.get(), pointer->type);
  return prototype == nullptr || !btf_is_func_proto(prototype) || btf_vlen(prototype) != 3;
}

OpenedEvent open_event(std::uint64_t id) {
  perf_event_attr attr{};
  attr.type = PERF_TYPE_TRACEPOINT;
  attr.size = sizeof attr;
  attr.config = id;
  attr.sample_period = 1;
  // A program at a tracepoint runs on every processor, whichever one its event is of.
  const int cpu = ::sched_getcpu();
  UniqueFd fd(static_cast<int>(
      ::syscall(SYS_perf_event_open, &attr, -1, cpu < 0 ? 0 : cpu, -1, PERF_FLAG_FD_CLOEXEC)));
  if (!fd.is_open()) {
    return {{}, explain_refusal("perf_event_open(kmem:rss_stat)", errno, {})};
  }
  return {std::move(fd), {}};
}

}  // namespace

bool has_field(const std::string& format, const FieldPlace& field) {
  for (const std::string& line : text::split(format, '\n')) {
    const std::vector<std::string> parts = text::split(line, ';');
    if (parts.size() > 2 && parts[0].ends_with(" " + std::string(field.name))) {
      return text::trim(parts[1]) == "offset:" + std::to_string(field.offset) &&
             text::trim(parts[2]) == "size:" + std::to_string(field.bytes);
    }
  }
  return false;
}

OpenedEvent open_rss_stat() {
  const Tracefs tracefs = open_tracefs();
  if (!tracefs.fd.is_open()) {
    return {{}, tracefs.reason};
  }
  const auto id = find_text(tracefs.fd.get(), std::string(kFolder) + "id");
  if (!id) {
    return {{}, explain_refusal("tracepoint kmem:rss_stat", errno, {})};
  }
  const std::string format =
      find_text(tracefs.fd.get(), std::string(kFolder) + "format").value_or("");
  for (const FieldPlace& field : kFields) {
    if (!has_field(format, field)) {
      return {{},
              std::string("tracepoint kmem:rss_stat: this kernel has another field ") + field.name};
    }
  }
  const auto number = text::parse_unsigned(text::trim(*id));
  if (!number) {
    return {{}, "tracepoint kmem:rss_stat: its id is no number: " + text::printable(*id)};
  }
  if (tells_late()) {
    return {
        {},
        "tracepoint kmem:rss_stat: this kernel adds up to 64 pages of a thread up before it tells "
        "them; needs Linux 6.2"};
  }
  return open_event(*number);
}

}  // namespace hashprof::probes
