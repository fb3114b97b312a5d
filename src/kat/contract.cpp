// SPDX-License-Identifier: MIT
// See kat/contract.h.
#include "kat/contract.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/text.h"

namespace hashprof::kat {

namespace {

constexpr std::uint32_t kVectorBytes = 64;  ///< no instruction wants more than that of an address
constexpr std::uint32_t kUsualVectorBytes = 32;
constexpr std::uint64_t kShortestDense = 1100;
constexpr std::uint64_t kLongestDense = 2400;
/// The smallest padding that the families have, and a word for their lengths.
constexpr std::uint64_t kPaddingBits = 76;

std::string number(std::uint64_t value) { return std::to_string(value); }

std::string bits_text(std::uint64_t bits) { return number(bits) + (bits == 1 ? " bit" : " bits"); }

std::string place_text(Check check, std::uint64_t message_bits, std::uint32_t beside) {
  std::string length = "at " + bits_text(message_bits);
  switch (check) {
    case Check::message_alignment:
      return length + ", message at offset " + number(beside);
    case Check::digest_alignment:
      return length + ", digest at offset " + number(beside);
    case Check::digest_length:
      return "asked for " + bits_text(beside);
    default:
      return length;
  }
}

std::string what_was_seen(const Finding& finding, std::uint32_t digest_bits) {
  const std::string value = std::to_string(finding.number);
  switch (finding.kind) {
    case Finding::Kind::returned:
      return "returned " + value;
    case Finding::Kind::other_digest:
      return "another digest from byte " + value + " on";
    case Finding::Kind::input_changed:
      return "changed byte " + value + " of the message";
    case Finding::Kind::wrote_outside:
      return "wrote byte " + value + " of a digest of " + number(digest_bits / 8) + " bytes";
    case Finding::Kind::not_written:
      return "did not write byte " + value + " of the digest";
    case Finding::Kind::wrote:
      return "wrote " + bits_text(static_cast<std::uint64_t>(finding.number));
    case Finding::Kind::same_digest:
      return "the same digest";
  }
  throw Error(Fault::internal, "kat", "a finding without a sentence");
}

/// Of a fault at a guard page there is nothing to see but the signal: what the check was laid out
/// for has to be said.
const char* cause_text(Check check, const std::string& fault) {
  if (fault != "SIGSEGV" && fault != "SIGBUS") {
    return "";
  }
  return check == Check::message_end  ? " (reads behind the message, or writes to it)"
         : check == Check::digest_end ? " (needs memory behind the digest)"
                                      : "";
}

std::string fault_text(Check check, const Sighting& sighting) {
  return sighting.is_in_call ? place_text(check, sighting.message_bits, sighting.beside) + ": " +
                                   sighting.fault + cause_text(check, sighting.fault)
                             : sighting.fault;
}

/// What a hash made of a digest length that is not its own.
std::string length_text(const Finding& finding, std::uint32_t digest_bits) {
  const std::string asked = number(finding.beside) + ": ";
  if (finding.kind == Finding::Kind::returned) {
    return asked + "refused with " + std::to_string(finding.number);
  }
  const auto written = static_cast<std::uint64_t>(finding.number);
  if (written == (std::uint64_t{finding.beside} + 7) / 8 * 8) {
    return asked + "honoured";
  }
  return asked + (written == digest_bits ? "ignored, wrote " : "wrote ") + bits_text(written);
}

std::string null_text(const Finding& finding, std::uint32_t digest_bits) {
  return finding.kind == Finding::Kind::returned ? "refused with " + std::to_string(finding.number)
                                                 : what_was_seen(finding, digest_bits);
}

/// What a reported check says where nothing was odd.
const char* quiet_text(Check check) {
  switch (check) {
    case Check::message_alignment:
    case Check::digest_alignment:
      return "the same digests at offsets 1 to 15";
    default:
      return "the same digests";
  }
}

std::string report_text(Check check, const Sighting& sighting, std::uint32_t digest_bits) {
  std::vector<std::string> parts;
  parts.reserve(sighting.findings.size());
  for (const Finding& finding : sighting.findings) {
    parts.push_back(check == Check::digest_length ? length_text(finding, digest_bits)
                    : check == Check::null_message
                        ? null_text(finding, digest_bits)
                        : place_text(check, finding.message_bits, finding.beside) + ": " +
                              what_was_seen(finding, digest_bits));
  }
  if (!sighting.fault.empty()) {
    parts.push_back(fault_text(check, sighting));
  }
  return parts.empty() ? quiet_text(check) : text::join(parts, "; ");
}

const CheckResult* find_result(const std::vector<CheckResult>& results, Check check) {
  const auto found = std::find_if(results.begin(), results.end(),
                                  [&](const CheckResult& result) { return result.check == check; });
  return found == results.end() ? nullptr : &*found;
}

/// Whether the hash faulted at some address, or was not tried; a digest that differs is no fault of
/// the address's.
bool wants_alignment(const std::vector<CheckResult>& results, Check check) {
  const CheckResult* result = find_result(results, check);
  return result != nullptr && (result->is_fault || result->standing == Standing::not_run);
}

}  // namespace

const std::array<CheckRow, kChecks>& check_table() {
  static constexpr std::array<CheckRow, kChecks> kTable = {{
      {Check::returns, "returns", "returns 0", true, false},
      {Check::repeat, "repeat", "A, B, A: the digests of A are equal", true, false},
      {Check::input, "input", "the message is as it was", true, false},
      {Check::digest_guard, "digest_guard", "nothing is written beside the digest", true, false},
      {Check::digest_whole, "digest_whole", "every byte of the digest is written", true, true},
      {Check::unused_bits, "unused_bits", "bits beyond the length change nothing", true, true},
      {Check::message_alignment, "message_alignment", "message at any address", false, true},
      {Check::digest_alignment, "digest_alignment", "digest at any address", false, true},
      {Check::message_end, "message_end", "nothing is read behind the message", true, false},
      {Check::digest_end, "digest_end", "no memory is needed behind the digest", true, false},
      {Check::overlap, "overlap", "digest over the message", false, true},
      {Check::digest_length, "digest_length", "other digest lengths", false, true},
      {Check::null_message, "null_message", "null pointer with length 0", false, true},
  }};
  return kTable;
}

const CheckRow& row_of(Check check) {
  const auto index = static_cast<std::size_t>(check) - 1;
  if (index >= kChecks) {
    throw Error(Fault::internal, "kat", "a check that is not in the table");
  }
  return check_table()[index];
}

const CheckRow* find_row(const std::string& name) {
  const auto* const row = std::find_if(check_table().begin(), check_table().end(),
                                       [&](const CheckRow& each) { return each.name == name; });
  return row == check_table().end() ? nullptr : &*row;
}

std::optional<Standing> find_standing(const std::string& name) {
  for (const Standing standing :
       {Standing::kept, Standing::broken, Standing::reported, Standing::not_run}) {
    if (name == standing_name(standing)) {
      return standing;
    }
  }
  return std::nullopt;
}

const char* standing_name(Standing standing) {
  switch (standing) {
    case Standing::kept:
      return "kept";
    case Standing::broken:
      return "BROKEN";
    case Standing::reported:
      return "reported";
    case Standing::not_run:
      return "NOTRUN";
  }
  throw Error(Fault::internal, "kat", "a standing without a name");
}

CheckResult not_run(Check check, std::string reason) {
  return {check, Standing::not_run, std::move(reason), false};
}

std::vector<CheckResult> none_run(const std::string& reason) {
  std::vector<CheckResult> results;
  results.reserve(kChecks);
  for (const CheckRow& row : check_table()) {
    results.push_back(not_run(row.check, reason));
  }
  return results;
}

CheckResult judge(Check check, const Sighting& sighting, std::uint32_t digest_bits) {
  if (sighting.fault.empty() && sighting.findings.empty() && sighting.judged == 0) {
    return not_run(check, "no call returned 0");
  }
  if (!row_of(check).is_promise) {
    return {check, Standing::reported, report_text(check, sighting, digest_bits),
            !sighting.fault.empty()};
  }
  if (!sighting.findings.empty()) {
    const Finding& first = sighting.findings.front();
    return {check, Standing::broken,
            place_text(check, first.message_bits, first.beside) + ": " +
                what_was_seen(first, digest_bits),
            !sighting.fault.empty()};
  }
  if (!sighting.fault.empty()) {
    return {check, Standing::broken, fault_text(check, sighting), true};
  }
  return {check, Standing::kept, "", false};
}

std::string find_obstacle(Check check, const std::vector<CheckResult>& before,
                          std::uint32_t digest_bits, bool takes_bytes) {
  if (check == Check::unused_bits && takes_bytes) {
    return kTakesBytes;
  }
  const CheckResult* repeat = find_result(before, Check::repeat);
  if (row_of(check).is_comparison && repeat != nullptr && repeat->standing != Standing::kept) {
    return "the digests are not known to repeat, so that none can be compared";
  }
  if (check == Check::digest_end && digest_bits / 8 % kUsualVectorBytes != 0 &&
      wants_alignment(before, Check::digest_alignment)) {
    return "a digest of " + std::to_string(digest_bits / 8) +
           " bytes that ends with a page is not aligned, and the hash was not seen to bear that";
  }
  return "";
}

std::uint32_t length_step(Check check, const std::vector<CheckResult>& before) {
  const bool is_careful =
      check == Check::message_end && wants_alignment(before, Check::message_alignment);
  return is_careful ? kVectorBytes : 1;
}

std::uint64_t dense_bits(std::optional<std::uint32_t> block_bytes) {
  const std::uint64_t two_blocks = 16 * std::uint64_t{block_bytes.value_or(0)} + kPaddingBits;
  return std::clamp(two_blocks, kShortestDense, kLongestDense);
}

Verdict with_contract(Verdict verdict, const std::vector<CheckResult>& results) {
  std::vector<std::string> names;
  const CheckResult* first = nullptr;
  for (const CheckResult& result : results) {
    if (result.standing == Standing::broken) {
      first = first == nullptr ? &result : first;
      names.emplace_back(row_of(result.check).name);
    }
  }
  if (first == nullptr) {
    return verdict;
  }
  if (verdict.status != Status::pass && verdict.status != Status::no_vectors) {
    verdict.detail += "; broken promises: " + text::join(names, " ");
    return verdict;
  }
  verdict.status = Status::contract;
  verdict.detail = names.front() + ": " + first->detail;
  names.erase(names.begin());
  verdict.detail += names.empty() ? "" : "; also broken: " + text::join(names, " ");
  return verdict;
}

}  // namespace hashprof::kat
