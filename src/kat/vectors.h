// SPDX-License-Identifier: MIT
// Known answers as rows of a TSV file, and the verdict over what a build computed. Calls nothing.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace hashprof::kat {

/// One row: instance, message_bits, message (hex, or "pattern"), digest; or with output_bits before
/// the digest.
struct Vector {
  std::string instance;
  std::uint64_t message_bits = 0;
  /// ceil(message_bits / 8) bytes, first bit = MSB of byte 0. The unused low bits of a partial last
  /// byte are kept as the file gives them: a hash function has to ignore them.
  std::vector<std::uint8_t> message;
  /// Without that column the length of the digest.
  std::uint32_t output_bits = 0;
  /// What the function is asked for: output_bits, or more where the row is the beginning of it.
  std::uint32_t call_bits = 0;
  /// ceil(output_bits / 8) bytes; the unused low bits of a partial last byte are 0.
  std::vector<std::uint8_t> digest;
  std::string file;  ///< for messages
  std::uint32_t line = 0;
};

/// Reads a vector file: header line, then rows; LF or CRLF; columns are counted in bytes from 1.
/// Throws Error{configuration} naming file:line:column. A file without rows is an error: it would
/// prove nothing.
[[nodiscard]] std::vector<Vector> load_vectors(const std::filesystem::path& file);
[[nodiscard]] std::vector<Vector> parse_vectors(const std::string& text, const std::string& file);

/// The message of the published campaign, which a row `pattern` stands for with length =
/// ceil(message_bits / 8): byte i = (131·i + length) mod 256.
[[nodiscard]] std::vector<std::uint8_t> pattern_message(std::uint64_t length_bytes);

/// The first `bits` of a string of bytes, the others of its last byte cleared; unchanged if it has
/// fewer.
[[nodiscard]] std::vector<std::uint8_t> first_bits(std::vector<std::uint8_t> bytes,
                                                   std::uint64_t bits);

enum class Status {
  pass,
  mismatch,
  no_vectors,
  no_kat,   ///< of a known-answer file: there is nothing to compare it with
  not_run,  ///< of a known-answer file: the library failed before
  crypt_fail,
  crash,
  timeout,
  load_fail,
  contract  ///< of a build: its answers are right, but it breaks a promise (kat/contract.h)
};
/// PASS, MISMATCH, NOVECTORS, NOKAT, NOTRUN, CRYPTFAIL, CRASH, TIMEOUT, LOADFAIL or CONTRACT.
[[nodiscard]] const char* status_name(Status status);
[[nodiscard]] std::optional<Status> find_status(const std::string& name);

/// The verdict on one build: by its vectors, or with its known-answer files (kat/verdict.h).
struct Verdict {
  Status status = Status::no_vectors;
  std::string detail;         ///< one sentence; for a mismatch the first wrong length in bits
  std::uint64_t checked = 0;  ///< vectors that were computed and compared
  std::uint64_t total = 0;
  std::optional<std::uint64_t> first_wrong_bits;  ///< of a mismatch: the shortest wrong message
};

/// Compares what the build computed with what it should; `digests` in the order of `vectors`, one
/// for each (else Error{internal}), of call_bits each. Of more bits than a row has its first ones
/// count. No vectors give NOVECTORS, never PASS.
[[nodiscard]] Verdict compare(const std::vector<Vector>& vectors,
                              const std::vector<std::vector<std::uint8_t>>& digests);

}  // namespace hashprof::kat
