// SPDX-License-Identifier: MIT
// See runner/known_answers.h.
#include "runner/known_answers.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
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

Packed pack(const std::vector<kat::Vector>& vectors) {
  Packed packed;
  std::uint64_t at = align(vectors.size() * sizeof(hashprof_item));
  for (const kat::Vector& vector : vectors) {
    packed.items.push_back({vector.message_bits, at, packed.digest_bytes,
                            static_cast<std::uint32_t>(vector.digest.size() * 8), 0});
    at = align(at + vector.message.size());
    packed.digest_bytes = align(packed.digest_bytes + vector.digest.size());
  }
  packed.digest_bytes += kDigestSlack;
  packed.content.resize(at);
  std::memcpy(packed.content.data(), packed.items.data(),
              packed.items.size() * sizeof(hashprof_item));
  for (std::size_t i = 0; i < vectors.size(); ++i) {
    std::copy(vectors[i].message.begin(), vectors[i].message.end(),
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
  std::vector<std::uint8_t> digest(item.digest_bits / 8);
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

/// An end that is not complete, with the vector it is charged to.
kat::Verdict charge(const KatJob& job, const std::vector<kat::Vector>& vectors,
                    const WorkerEnd& end) {
  Named named = name_end(end, job.time_limit, job.library.filename().native());
  if (named.outcome == record::Outcome::worker_failed) {
    throw Error(Fault::environment, job.worker.native(), named.detail);
  }
  kat::Verdict verdict{status_of(named.outcome), std::move(named.detail), 0, vectors.size()};
  const std::uint64_t item = end.step_detail;
  if (end.step == HASHPROF_STEP_CALL && item < vectors.size()) {
    if (named.outcome == record::Outcome::failed_call && end.error) {
      verdict.detail = "returned " + std::to_string(end.error->number);
    }
    verdict.checked = item;
    verdict.detail += ", vector " + std::to_string(item + 1) + " of " +
                      std::to_string(vectors.size()) + " (message of " +
                      std::to_string(vectors[item].message_bits) + " bits)";
  }
  return verdict;
}

}  // namespace

KatRun run_known_answers(const KatJob& job, const std::vector<kat::Vector>& vectors) {
  if (vectors.empty()) {
    return {kat::compare(vectors, {}), {}, {}};
  }
  check_worker(job.worker);
  const Packed packed = pack(vectors);
  const WorkerSpec spec = make_spec(job, packed);
  std::string refusal = find_refusal(spec.library, job.library);
  if (!refusal.empty()) {
    return {{kat::Status::load_fail, std::move(refusal), 0, vectors.size()}, {}, {}};
  }
  WorkerEnd end = run_worker(spec);
  KatRun run;
  const bool is_whole = end.kind == WorkerEnd::Kind::exited && end.code == 0 && end.result &&
                        !end.error && !end.is_garbled && end.result->items_done == vectors.size();
  if (is_whole) {
    std::vector<std::vector<std::uint8_t>> digests;
    digests.reserve(packed.items.size());
    for (const hashprof_item& item : packed.items) {
      digests.push_back(read_digest(spec.digest.get(), item));
    }
    run.verdict = kat::compare(vectors, digests);
  } else {
    run.verdict = charge(job, vectors, end);
  }
  run.output = std::move(end.output);
  run.errors = std::move(end.errors);
  return run;
}

}  // namespace hashprof::runner
