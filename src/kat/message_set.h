// SPDX-License-Identifier: MIT
// The messages of a known-answer file, and its text over the digests that a build computed. The
// messages depend on the kind alone: one set serves every build.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hashprof::kat {

/// The kinds of known-answer files.
enum class Kind { k2_12, k2_23, k2_33, loop };
/// "2_12", "2_23", "2_33" or "Loop".
[[nodiscard]] const char* kind_name(Kind kind);
[[nodiscard]] std::optional<Kind> find_kind(std::string_view name);

struct Message {
  std::uint64_t bits = 0;
  /// ceil(bits / 8) bytes, first bit = MSB of byte 0; unused low bits are 0. Of a message of
  /// 2^33 bits only its first and its last 8 bytes.
  std::vector<std::uint8_t> bytes;
  std::optional<std::uint8_t> repeated;  ///< set if every byte is this one
};

struct MessageSet {
  Kind kind = Kind::k2_12;
  /// What the generator is seeded with: the first 8 characters of the file's name, 8 times.
  std::string seed;
  std::vector<Message> messages;
};

/// 2_12: random messages of 0, 1, ..., 4096 bits. 2_23 and 2_33: so many bits of zeros, of ones,
/// and random. Loop: one random message of 2^13 bits. `room` receives the random message of 2_33,
/// 2^30 bytes; for the others it is empty (else Error{internal}).
[[nodiscard]] MessageSet make_message_set(Kind kind, std::span<std::uint8_t> room = {});

/// Bytes of the random message of 2_33; 0 for the other kinds, which hold theirs.
[[nodiscard]] std::uint64_t room_bytes(Kind kind);

/// Records of a file: 4097, 3, 3 and 1.
[[nodiscard]] std::size_t record_count(Kind kind);
/// Whether a record tells its message by seed and ends (Msg_Seed, Msg_Exp) and not by Msg.
[[nodiscard]] bool is_told_by_seed(Kind kind);

/// Calls that follow the first one of a message: 1,000,000 of Loop, 0 of the others. Each turns the
/// message to the left by the length of the digest (its first bytes move to the end), XORs the
/// digest onto its beginning, and hashes it again; the last digest counts.
[[nodiscard]] std::uint32_t chained_calls(Kind kind);
/// Whether a digest can be chained: whole bytes, not longer than the message.
[[nodiscard]] bool can_chain(const Message& message, std::uint32_t digest_bits);

/// "KAT_2_12_LLH-512.txt"; `instance` is the submission's name of it.
[[nodiscard]] std::string file_name(Kind kind, const std::string& instance);

/// Writes the file that the official driver would write, piece by piece, LF at line ends.
/// `digests` in the order of the messages, one for each (else Error{internal}).
void write_text(const MessageSet& set, const std::vector<std::vector<std::uint8_t>>& digests,
                const std::function<void(std::string_view)>& sink);

}  // namespace hashprof::kat
