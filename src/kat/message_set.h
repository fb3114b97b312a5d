// SPDX-License-Identifier: MIT
// The messages of a known-answer file, and its text over the digests that a build computed. The
// messages depend on the kind alone: one set serves every build.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hashprof::kat {

/// The kinds of known-answer files that this version computes.
enum class Kind { k2_12, k2_23 };
/// "2_12" or "2_23".
[[nodiscard]] const char* kind_name(Kind kind);
[[nodiscard]] std::optional<Kind> find_kind(std::string_view name);

struct Message {
  std::uint64_t bits = 0;
  /// ceil(bits / 8) bytes, first bit = MSB of byte 0; unused low bits are 0.
  std::vector<std::uint8_t> bytes;
};

struct MessageSet {
  Kind kind = Kind::k2_12;
  /// What the generator is seeded with: the first 8 characters of the file's name, 8 times.
  std::string seed;
  std::vector<Message> messages;
};

/// 2_12: random messages of 0, 1, ..., 4096 bits. 2_23: 2^23 bits of zeros, of ones, and random.
[[nodiscard]] MessageSet make_message_set(Kind kind);

/// "KAT_2_12_LLH-512.txt"; `instance` is the submission's name of it.
[[nodiscard]] std::string file_name(Kind kind, const std::string& instance);

/// Writes the file that the official driver would write, piece by piece, LF at line ends.
/// `digests` in the order of the messages, one for each (else Error{internal}).
void write_text(const MessageSet& set, const std::vector<std::vector<std::uint8_t>>& digests,
                const std::function<void(std::string_view)>& sink);

}  // namespace hashprof::kat
