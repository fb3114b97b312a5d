// SPDX-License-Identifier: MIT
// See runner/computation.h.
#include "runner/computation.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>

#include "base/sys.h"
#include "runner/library_file.h"
#include "runner/outcome.h"
#include "runner/request.h"
#include "runner/worker_file.h"

namespace hashprof::runner {

namespace {

constexpr std::uint64_t kAlignment = 64;
/// Room behind the last digest for a hash that ignores the length it is asked for.
constexpr std::uint64_t kDigestSlack = 4096;

std::uint64_t align(std::uint64_t size) {
  return (size + kAlignment - 1) / kAlignment * kAlignment;
}

/// Table and messages as descriptor 5 holds them, and the size of descriptor 7.
struct Packed {
  std::string content;
  std::vector<hashprof_item> items;
  std::uint64_t digest_bytes = 0;
};

Packed pack(const std::vector<Item>& items) {
  Packed packed;
  std::uint64_t at = align(items.size() * sizeof(hashprof_item));
  for (const Item& item : items) {
    packed.items.push_back({item.bits, at, packed.digest_bytes, item.digest_bits, 0});
    at = align(at + item.message.size());
    packed.digest_bytes =
        align(packed.digest_bytes + (std::max(item.digest_bits, item.room_bits) + 7) / 8);
  }
  packed.digest_bytes += kDigestSlack;
  packed.content.resize(at);
  std::memcpy(packed.content.data(), packed.items.data(),
              packed.items.size() * sizeof(hashprof_item));
  for (std::size_t i = 0; i < items.size(); ++i) {
    std::copy(items[i].message.begin(), items[i].message.end(),
              packed.content.begin() + static_cast<std::ptrdiff_t>(packed.items[i].message_at));
  }
  return packed;
}

WorkerSpec make_spec(const KatJob& job, const Packed& packed) {
  WorkerSpec spec;
  spec.worker = job.worker;
  spec.library = open_library(job.library);
  spec.message = sys::sealed_memory("hashprof-kat", packed.content);
  spec.digest = sys::writable_memory("hashprof-digests", packed.digest_bytes);
  spec.core = job.core;
  spec.address_space = {job.address_space.value + packed.content.size() + packed.digest_bytes};
  spec.stack = job.stack;
  spec.time_limit = job.time_limit;
  spec.env = job.env;
  spec.request.kind = HASHPROF_KIND_KAT;
  spec.request.items = static_cast<std::uint32_t>(packed.items.size());
  spec.request.message_map_bytes = packed.content.size();
  spec.request.digest_map_bytes = packed.digest_bytes;
  choose_sandbox(job.is_sandboxed, job.uid, spec.request);
  set_entry(job.entry, spec.request);
  return spec;
}

std::vector<std::uint8_t> read_digest(int fd, const hashprof_item& item) {
  std::vector<std::uint8_t> digest((item.digest_bits + 7) / 8);
  std::size_t done = 0;
  while (done < digest.size()) {
    const ssize_t count = ::pread(fd, digest.data() + done, digest.size() - done,
                                  static_cast<off_t>(item.digest_at + done));
    if (count < 0 && errno == EINTR) {
      continue;
    }
    if (count <= 0) {
      sys::throw_errno(Fault::internal, "pread", "hashprof-digests");
    }
    done += static_cast<std::size_t>(count);
  }
  return digest;
}

kat::Status status_of(record::Outcome outcome) {
  switch (outcome) {
    case record::Outcome::timed_out:
      return kat::Status::timeout;
    case record::Outcome::failed_call:
      return kat::Status::crypt_fail;
    case record::Outcome::load_failed:
      return kat::Status::load_fail;
    default:
      return kat::Status::crash;
  }
}

std::uint64_t now_ns() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
}

}  // namespace

Computation::Computation(const KatJob& job, const std::vector<Item>& items, std::string noun)
    : job_(job), noun_(std::move(noun)) {
  check_worker(job.worker);
  Packed packed = pack(items);
  spec_ = make_spec(job, packed);
  items_ = std::move(packed.items);
  refusal_ = find_refusal(spec_.library, job.library);
  start_ns_ = now_ns();
  if (refusal_.empty()) {
    worker_.emplace(spec_);
  }
}

Answers Computation::finish() {
  Answers answers;
  if (!worker_) {
    answers.status = kat::Status::load_fail;
    answers.detail = refusal_;
    return answers;
  }
  WorkerEnd end = worker_->finish();
  answers.elapsed = {now_ns() - start_ns_};
  const bool is_whole = end.kind == WorkerEnd::Kind::exited && end.code == 0 && end.result &&
                        !end.error && !end.is_garbled && end.result->items_done == items_.size();
  if (is_whole) {
    answers.done = items_.size();
    answers.digests.reserve(items_.size());
    for (const hashprof_item& item : items_) {
      answers.digests.push_back(read_digest(spec_.digest.get(), item));
    }
  } else {
    Named named = name_end(end, job_.time_limit, job_.library.filename().native());
    // From the loading on, the library shares the process: what the worker says may be its doing.
    const bool is_our_fault = end.step < HASHPROF_STEP_LOAD;
    if (named.outcome == record::Outcome::worker_failed && is_our_fault) {
      throw Error(Fault::environment, job_.worker.native(), named.detail);
    }
    answers.status = status_of(named.outcome);
    if (end.step == HASHPROF_STEP_CALL && end.step_detail < items_.size()) {
      answers.done = end.step_detail;
      const bool has_returned = named.outcome == record::Outcome::failed_call && end.error;
      named.detail = charged(end, has_returned ? "returned " + std::to_string(end.error->number)
                                               : std::move(named.detail));
    }
    answers.detail = std::move(named.detail);
  }
  answers.output = std::move(end.output);
  answers.errors = std::move(end.errors);
  return answers;
}

std::string Computation::charged(const WorkerEnd& end, std::string detail) const {
  const std::uint64_t item = end.step_detail;
  return std::move(detail) + ", " + noun_ + " " + std::to_string(item + 1) + " of " +
         std::to_string(items_.size()) + " (message of " +
         std::to_string(items_[item].message_bits) + " bits)";
}

}  // namespace hashprof::runner
