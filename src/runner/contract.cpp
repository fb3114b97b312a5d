// SPDX-License-Identifier: MIT
// See runner/contract.h.
#include "runner/contract.h"

#include <utility>

#include "base/error.h"
#include "runner/library_file.h"
#include "runner/outcome.h"
#include "runner/request.h"
#include "runner/worker_file.h"

namespace hashprof::runner {

namespace {

using kat::Check;
using Seen = kat::Finding::Kind;

template <typename Enum>
constexpr bool is_number(Enum value, int number) {
  return static_cast<std::uint32_t>(value) == static_cast<std::uint32_t>(number);
}
static_assert(is_number(Check::returns, HASHPROF_CHECK_RETURNS) &&
              is_number(Check::repeat, HASHPROF_CHECK_REPEAT) &&
              is_number(Check::input, HASHPROF_CHECK_INPUT) &&
              is_number(Check::digest_guard, HASHPROF_CHECK_DIGEST_GUARD) &&
              is_number(Check::digest_whole, HASHPROF_CHECK_DIGEST_WHOLE) &&
              is_number(Check::unused_bits, HASHPROF_CHECK_UNUSED_BITS) &&
              is_number(Check::message_alignment, HASHPROF_CHECK_MESSAGE_ALIGNMENT) &&
              is_number(Check::digest_alignment, HASHPROF_CHECK_DIGEST_ALIGNMENT) &&
              is_number(Check::message_end, HASHPROF_CHECK_MESSAGE_END) &&
              is_number(Check::digest_end, HASHPROF_CHECK_DIGEST_END) &&
              is_number(Check::overlap, HASHPROF_CHECK_OVERLAP) &&
              is_number(Check::digest_length, HASHPROF_CHECK_DIGEST_LENGTH) &&
              is_number(Check::null_message, HASHPROF_CHECK_NULL_MESSAGE));
static_assert(is_number(Seen::returned, HASHPROF_FINDING_RETURNED) &&
              is_number(Seen::other_digest, HASHPROF_FINDING_OTHER_DIGEST) &&
              is_number(Seen::input_changed, HASHPROF_FINDING_INPUT_CHANGED) &&
              is_number(Seen::wrote_outside, HASHPROF_FINDING_WROTE_OUTSIDE) &&
              is_number(Seen::not_written, HASHPROF_FINDING_NOT_WRITTEN) &&
              is_number(Seen::wrote, HASHPROF_FINDING_WROTE) &&
              is_number(Seen::same_digest, HASHPROF_FINDING_SAME_DIGEST));

std::uint64_t message_bits_of(std::uint64_t detail) { return detail & 0xffffffffU; }
std::uint32_t beside_of(std::uint64_t detail) { return static_cast<std::uint32_t>(detail >> 32U); }

/// Empty if the process came to its end.
std::string fault_of(const WorkerEnd& end, Nanoseconds time_limit, const std::string& library) {
  const bool is_whole = end.kind == WorkerEnd::Kind::exited && end.code == 0 && end.result &&
                        !end.error && !end.is_garbled;
  if (is_whole) {
    return "";
  }
  const bool has_ended_itself =
      end.kind == WorkerEnd::Kind::signalled ||
      (end.kind == WorkerEnd::Kind::exited && !end.error && !end.is_garbled);
  return has_ended_itself ? describe_end(end) : name_end(end, time_limit, library).detail;
}

bool is_known(std::uint32_t finding) {
  return finding >= HASHPROF_FINDING_RETURNED && finding <= HASHPROF_FINDING_SAME_DIGEST;
}

}  // namespace

kat::Sighting sighting_of(const WorkerEnd& end, Nanoseconds time_limit,
                          const std::string& library) {
  kat::Sighting sighting;
  for (const hashprof_event& event : end.findings) {
    if (is_known(event.error)) {
      sighting.findings.push_back({static_cast<Seen>(event.error), event.number,
                                   message_bits_of(event.detail), beside_of(event.detail)});
    }
  }
  sighting.fault = fault_of(end, time_limit, library);
  sighting.is_in_call = end.step == HASHPROF_STEP_CALL;
  if (sighting.is_in_call) {
    sighting.message_bits = message_bits_of(end.step_detail);
    sighting.beside = beside_of(end.step_detail);
  } else if (!sighting.fault.empty() && end.kind != WorkerEnd::Kind::timed_out && !end.error) {
    sighting.fault += " at step " + step_name(end.step);
  }
  if (end.result) {
    sighting.judged = end.result->items_done;
  }
  return sighting;
}

ContractRun::ContractRun(KatJob job, std::uint32_t digest_bits, std::uint64_t dense_bits)
    : job_(std::move(job)), digest_bits_(digest_bits), dense_bits_(dense_bits) {
  check_worker(job_.worker);
}

WorkerSpec ContractRun::make_spec(Check check) const {
  WorkerSpec spec;
  spec.worker = job_.worker;
  spec.library = open_library(job_.library);
  spec.core = job_.core;
  spec.address_space = job_.address_space;
  spec.stack = job_.stack;
  spec.time_limit = job_.time_limit;
  spec.env = job_.env;
  spec.request.kind = HASHPROF_KIND_CONTRACT;
  spec.request.check = static_cast<std::uint32_t>(check);
  spec.request.digest_bits = digest_bits_;
  spec.request.message_bits = dense_bits_;
  spec.request.message_offset = kat::length_step(check, results_);
  spec.request.flags = job_.takes_bytes ? HASHPROF_FLAG_WHOLE_BYTES : 0;
  choose_sandbox(job_.is_sandboxed, job_.uid, spec.request);
  set_entry(job_.entry, spec.request);
  return spec;
}

bool ContractRun::advance() {
  while (results_.size() < kat::kChecks) {
    const Check check = kat::check_table()[results_.size()].check;
    std::string obstacle =
        stop_.empty() ? kat::find_obstacle(check, results_, digest_bits_, job_.takes_bytes) : stop_;
    if (!obstacle.empty()) {
      results_.push_back(kat::not_run(check, std::move(obstacle)));
      continue;
    }
    const WorkerSpec spec = make_spec(check);
    if (std::string refusal = find_refusal(spec.library, job_.library); !refusal.empty()) {
      stop_ = std::move(refusal);
      continue;
    }
    worker_ = std::make_unique<RunningWorker>(spec);
    return true;
  }
  return false;
}

void ContractRun::take() {
  const WorkerEnd end = worker_->finish();
  worker_.reset();
  const std::string library = job_.library.filename().native();
  // From the loading on, the library shares the process: what the worker says may be its doing.
  if (end.error && end.step < HASHPROF_STEP_LOAD) {
    throw Error(Fault::environment, job_.worker.native(),
                name_end(end, job_.time_limit, library).detail);
  }
  const Check check = kat::check_table()[results_.size()].check;
  const kat::Sighting sighting = sighting_of(end, job_.time_limit, library);
  results_.push_back(kat::judge(check, sighting, digest_bits_));
  if (sighting.fault.empty()) {
    return;
  }
  output_ += end.output.tail + end.errors.tail;
  // What is only reported must not keep a promise from being checked.
  if (end.kind == WorkerEnd::Kind::timed_out && kat::row_of(check).is_promise) {
    stop_ = std::string("the check ") + kat::row_of(check).name + " did not end in time";
  } else if (!sighting.is_in_call) {
    stop_ = std::string("the check ") + kat::row_of(check).name + " did not come to a call";
  }
}

std::vector<kat::CheckResult> run_contract(const KatJob& job, std::uint32_t digest_bits,
                                           std::uint64_t dense_bits) {
  ContractRun run(job, digest_bits, dense_bits);
  while (run.advance()) {
    static_cast<void>(wait_any({run.worker()}));
    run.take();
  }
  return run.results();
}

}  // namespace hashprof::runner
