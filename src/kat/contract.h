// SPDX-License-Identifier: MIT
// What the API promises beside right digests, as a table of checks, and what each came to in words.
// A broken promise fails the gate; what the API leaves open is reported and fails nothing. Pure:
// the calls are made by a worker (worker/contract.h says how).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kat/vectors.h"

namespace hashprof::kat {

/// In the order in which they are made, which is the order in which a broken one is named.
enum class Check : std::uint32_t {
  returns = 1,
  repeat,
  input,
  digest_guard,
  digest_whole,
  unused_bits,
  message_alignment,
  digest_alignment,
  message_end,
  digest_end,
  overlap,
  digest_length,
  null_message
};
inline constexpr std::size_t kChecks = 13;

struct CheckRow {
  Check check;
  const char* name;      ///< "message_end"
  const char* question;  ///< one line for people
  bool is_promise;       ///< else it is reported
  bool is_comparison;    ///< compares digests, so that it needs a hash that repeats itself
};
[[nodiscard]] const std::array<CheckRow, kChecks>& check_table();
[[nodiscard]] const CheckRow& row_of(Check check);
/// By its name; null if there is none.
[[nodiscard]] const CheckRow* find_row(const std::string& name);

/// One thing that a worker saw; the numbers are those of the protocol's enum hashprof_finding.
struct Finding {
  enum class Kind : std::uint32_t {
    returned = 1,
    other_digest,
    input_changed,
    wrote_outside,
    not_written,
    wrote,
    same_digest
  };
  Kind kind = Kind::returned;
  std::int64_t number = 0;         ///< value, byte or bits, by the kind
  std::uint64_t message_bits = 0;  ///< of the call
  std::uint32_t beside = 0;        ///< its offset in bytes, or the digest length it was asked for
};

/// How a check's process ended, with what it saw until then.
struct Sighting {
  std::vector<Finding> findings;
  std::string fault;        ///< "SIGSEGV", "no end within 60 s"; empty if it came to its end
  bool is_in_call = false;  ///< of a fault: in a call of the hash, which the next two name
  std::uint64_t message_bits = 0;
  std::uint32_t beside = 0;
  std::uint64_t judged = 0;  ///< lengths that could be judged
};

enum class Standing { kept, broken, reported, not_run };
/// "kept", "BROKEN", "reported" or "NOTRUN".
[[nodiscard]] const char* standing_name(Standing standing);
[[nodiscard]] std::optional<Standing> find_standing(const std::string& name);

struct CheckResult {
  Check check = Check::returns;
  Standing standing = Standing::not_run;
  std::string detail;  ///< one line: what, and at which length; why it was not run; empty if kept
  bool is_fault = false;  ///< it ended in a fault and not by a finding; no part of the log
};

/// NOTRUN if no length could be judged: a hash that refuses every call shows nothing.
[[nodiscard]] CheckResult judge(Check check, const Sighting& sighting, std::uint32_t digest_bits);
[[nodiscard]] CheckResult not_run(Check check, std::string reason);
/// Every check of the table, for one reason.
[[nodiscard]] std::vector<CheckResult> none_run(const std::string& reason);

/// Why unused_bits is not checked of a hash that is never given a part of a byte.
inline constexpr const char* kTakesBytes = "it takes whole bytes only";

/// Why `check` cannot be made after what came before it: comparisons need a hash that repeats
/// itself, a digest at the end of a page needs one that bears its address, and one that takes whole
/// bytes has no bits that it does not use. Empty if it can.
[[nodiscard]] std::string find_obstacle(Check check, const std::vector<CheckResult>& before,
                                        std::uint32_t digest_bits, bool takes_bytes = false);

/// What the message lengths in bytes must be multiples of: 1, or 64 for a message at the end of a
/// page where the hash was seen to fault on messages that are not aligned.
[[nodiscard]] std::uint32_t length_step(Check check, const std::vector<CheckResult>& before);

/// Every bit length up to this one is tried: two blocks and the padding, at least 1100 and at most
/// 2400 bits.
[[nodiscard]] std::uint64_t dense_bits(std::optional<std::uint32_t> block_bytes);

/// The gate: PASS and NOVECTORS become CONTRACT where a promise is broken, with the first one and
/// the names of the others as the detail. Another failure stays what it is and gets the names: a
/// short write, for one, explains a mismatch.
[[nodiscard]] Verdict with_contract(Verdict verdict, const std::vector<CheckResult>& results);

}  // namespace hashprof::kat
