// SPDX-License-Identifier: MIT
// See runner/computation.h.
#include "runner/computation.h"

#include <chrono>
#include <span>

#include "base/sys.h"
#include "base/text.h"
#include "runner/library_file.h"
#include "runner/outcome.h"
#include "runner/request.h"
#include "runner/worker_file.h"

namespace hashprof::runner {

namespace {

constexpr std::uint64_t kAlignment = 64;
/// Room behind the last digest for a hash that ignores the length it is asked for.
constexpr std::uint64_t kDigestSlack = 4096;

/// Distance of digests of a file, which have one length.
std::uint32_t stride_of(std::uint32_t digest_bits) {
  return static_cast<std::uint32_t>(((digest_bits + 7) / 8 + kAlignment - 1) / kAlignment *
                                    kAlignment);
}

WorkerSpec make_spec(const KatJob& job, const MessageMemory& messages, std::uint32_t digest_bits) {
  const std::uint64_t digests =
      kDigestSlack + (messages.digest_bytes() > 0
                          ? messages.digest_bytes()
                          : messages.items().size() * std::uint64_t{stride_of(digest_bits)});
  WorkerSpec spec;
  spec.worker = job.worker;
  spec.library = open_library(job.library);
  spec.message = sys::duplicate(messages.fd());
  spec.digest = sys::writable_memory("hashprof-digests", digests);
  spec.core = job.core;
  spec.address_space = {job.address_space.value + messages.mapped_bytes() + digests};
  spec.stack = job.stack;
  spec.time_limit = job.time_limit;
  spec.env = job.env;
  spec.request.kind = HASHPROF_KIND_KAT;
  spec.request.items = static_cast<std::uint32_t>(messages.items().size());
  spec.request.message_map_bytes = messages.bytes();
  spec.request.digest_map_bytes = digests;
  spec.request.digest_bits = digest_bits;
  spec.request.digest_offset = stride_of(digest_bits);
  choose_sandbox(job.is_sandboxed, job.uid, spec.request);
  set_entry(job.entry, spec.request);
  return spec;
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

/// " in chained call 7 of 1000000", which the worker says itself.
std::string place_of(const hashprof_event& error) {
  const std::string place = text::printable(std::string(error.text));
  return place.empty() ? "" : " " + place;
}

std::uint64_t now_ns() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
}

}  // namespace

Computation::Computation(const KatJob& job, const MessageMemory& messages,
                         std::uint32_t digest_bits, std::string noun)
    : job_(job), messages_(messages), digest_bits_(digest_bits), noun_(std::move(noun)) {
  check_worker(job.worker);
  spec_ = make_spec(job, messages, digest_bits);
  refusal_ = find_refusal(spec_.library, job.library);
  start_ns_ = now_ns();
  if (refusal_.empty()) {
    worker_.emplace(spec_);
  }
}

std::vector<std::uint8_t> Computation::read_digest(std::size_t index) const {
  const hashprof_item& item = messages_.items()[index];
  const bool is_own = item.digest_bits != HASHPROF_OF_REQUEST;
  std::vector<std::uint8_t> digest(((is_own ? item.digest_bits : digest_bits_) + 7) / 8);
  const std::uint64_t at = is_own ? item.digest_at : index * std::uint64_t{stride_of(digest_bits_)};
  sys::read_at(spec_.digest.get(), at, std::as_writable_bytes(std::span(digest)),
               "hashprof-digests");
  return digest;
}

Answers Computation::finish() {
  const std::size_t count = messages_.items().size();
  Answers answers;
  if (!worker_) {
    answers.status = kat::Status::load_fail;
    answers.detail = refusal_;
    return answers;
  }
  WorkerEnd end = worker_->finish();
  answers.elapsed = {now_ns() - start_ns_};
  const bool is_whole = end.kind == WorkerEnd::Kind::exited && end.code == 0 && end.result &&
                        !end.error && !end.is_garbled && end.result->items_done == count;
  if (is_whole) {
    answers.done = count;
    answers.digests.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
      answers.digests.push_back(read_digest(i));
    }
  } else {
    Named named = name_end(end, job_.time_limit, job_.library.filename().native());
    // From the loading on, the library shares the process: what the worker says may be its doing.
    const bool is_our_fault = end.step < HASHPROF_STEP_LOAD;
    if (named.outcome == record::Outcome::worker_failed && is_our_fault) {
      throw Error(Fault::environment, job_.worker.native(), named.detail);
    }
    answers.status = status_of(named.outcome);
    if (end.step == HASHPROF_STEP_CALL && end.step_detail < count) {
      answers.done = end.step_detail;
      const bool has_returned = named.outcome == record::Outcome::failed_call && end.error;
      named.detail = charged(
          end, has_returned ? "returned " + std::to_string(end.error->number) + place_of(*end.error)
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
         std::to_string(messages_.items().size()) + " (message of " +
         std::to_string(messages_.items()[item].message_bits) + " bits)";
}

}  // namespace hashprof::runner
