// SPDX-License-Identifier: MIT
// See kat/message_set.h.
#include "kat/message_set.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "base/error.h"
#include "base/text.h"
#include "kat/drbg.h"

namespace hashprof::kat {

namespace {

constexpr std::array<std::pair<Kind, const char*>, 4> kKinds = {
    {{Kind::k2_12, "2_12"}, {Kind::k2_23, "2_23"}, {Kind::k2_33, "2_33"}, {Kind::loop, "Loop"}}};
constexpr std::uint64_t kLongestOfShort = std::uint64_t{1} << 12U;  // bits
constexpr std::uint64_t kLengthOfMiddle = std::uint64_t{1} << 23U;  // bits
constexpr std::uint64_t kLengthOfLong = std::uint64_t{1} << 33U;    // bits
constexpr std::uint64_t kLengthOfLoop = std::uint64_t{1} << 13U;    // bits
constexpr std::uint32_t kChainedCalls = 1'000'000;
constexpr int kSeedRepeats = 8;
constexpr std::size_t kShownBytes = 8;

std::string seed_of(Kind kind) {
  const std::string stem = std::string("KAT_") + kind_name(kind);
  std::string seed;
  for (int i = 0; i < kSeedRepeats; ++i) {
    seed += stem;
  }
  return seed;
}

std::vector<std::uint8_t> bytes_of(const std::string& text) { return {text.begin(), text.end()}; }

std::string upper_hex(std::span<const std::uint8_t> bytes) {
  std::string out = text::hex(bytes);
  std::transform(out.begin(), out.end(), out.begin(), [](char c) {
    return c >= 'a' && c <= 'f' ? static_cast<char>(c - 'a' + 'A') : c;
  });
  return out;
}

std::vector<std::uint8_t> ends_of(std::span<const std::uint8_t> message) {
  const auto first = message.first(kShownBytes);
  const auto last = message.last(kShownBytes);
  std::vector<std::uint8_t> ends(first.begin(), first.end());
  ends.insert(ends.end(), last.begin(), last.end());
  return ends;
}

/// The lines that tell the message; `is_random` of a long one, which is told by its seed.
std::string message_lines(const MessageSet& set, const Message& message, bool is_random) {
  if (!is_told_by_seed(set.kind)) {
    return "Msg = " + upper_hex(message.bytes) + "\n";
  }
  const std::span<const std::uint8_t> bytes(message.bytes);
  return "Msg_Seed = " + (is_random ? upper_hex(bytes_of(set.seed)) : "") + "\n" +
         "Msg_Exp = " + upper_hex(bytes.first(kShownBytes)) + " .... " +
         upper_hex(bytes.last(kShownBytes)) + "\n";
}

}  // namespace

const char* kind_name(Kind kind) {
  const auto* const entry = std::find_if(kKinds.begin(), kKinds.end(),
                                         [&](const auto& pair) { return pair.first == kind; });
  if (entry == kKinds.end()) {
    throw Error(Fault::internal, "kat", "a kind without a name");
  }
  return entry->second;
}

std::optional<Kind> find_kind(std::string_view name) {
  for (const auto& [kind, text] : kKinds) {
    if (name == text) {
      return kind;
    }
  }
  return std::nullopt;
}

std::uint64_t room_bytes(Kind kind) { return kind == Kind::k2_33 ? kLengthOfLong / 8 : 0; }

std::size_t record_count(Kind kind) {
  return kind == Kind::k2_12 ? kLongestOfShort + 1 : kind == Kind::loop ? 1 : 3;
}

bool is_told_by_seed(Kind kind) { return kind == Kind::k2_23 || kind == Kind::k2_33; }

std::uint32_t chained_calls(Kind kind) { return kind == Kind::loop ? kChainedCalls : 0; }

bool can_chain(const Message& message, std::uint32_t digest_bits) {
  return digest_bits % 8 == 0 && digest_bits <= message.bits;
}

MessageSet make_message_set(Kind kind, std::span<std::uint8_t> room) {
  if (room.size() != room_bytes(kind)) {
    throw Error(Fault::internal, "kat", "room for another number of bytes than is drawn");
  }
  MessageSet set{kind, seed_of(kind), {}};
  Sm3Drbg generator(bytes_of(set.seed));
  if (kind == Kind::k2_12) {
    for (std::uint64_t bits = 0; bits <= kLongestOfShort; ++bits) {
      set.messages.push_back({bits, generator.draw(bits), {}});
    }
    return set;
  }
  if (kind == Kind::loop) {
    set.messages.push_back({kLengthOfLoop, generator.draw(kLengthOfLoop), {}});
    return set;
  }
  const std::uint64_t bits = kind == Kind::k2_23 ? kLengthOfMiddle : kLengthOfLong;
  const std::uint64_t held = kind == Kind::k2_23 ? bits / 8 : 2 * kShownBytes;
  for (const auto byte : {std::uint8_t{0x00}, std::uint8_t{0xff}}) {
    set.messages.push_back({bits, std::vector<std::uint8_t>(held, byte), byte});
  }
  if (kind == Kind::k2_23) {
    set.messages.push_back({bits, generator.draw(bits), {}});
  } else {
    generator.draw(bits, room);
    set.messages.push_back({bits, ends_of(room), {}});
  }
  return set;
}

std::string file_name(Kind kind, const std::string& instance) {
  return std::string("KAT_") + kind_name(kind) + "_" + instance + ".txt";
}

void write_text(const MessageSet& set, const std::vector<std::vector<std::uint8_t>>& digests,
                const std::function<void(std::string_view)>& sink) {
  if (digests.size() != set.messages.size()) {
    throw Error(Fault::internal, "kat",
                std::to_string(digests.size()) + " digests for " +
                    std::to_string(set.messages.size()) + " messages");
  }
  for (std::size_t i = 0; i < digests.size(); ++i) {
    const Message& message = set.messages[i];
    sink("Msg_Len = " + std::to_string(message.bits) + "\n" +
         message_lines(set, message, i + 1 == digests.size()) + "Dst_Len = " +
         std::to_string(digests[i].size() * 8) + "\n" + "Dst = " + upper_hex(digests[i]) + "\n\n");
  }
}

}  // namespace hashprof::kat
