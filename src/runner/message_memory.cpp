// SPDX-License-Identifier: MIT
// See runner/message_memory.h. The table of items comes first, then the messages.
#include "runner/message_memory.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/sys.h"

namespace hashprof::runner {

namespace {

constexpr std::uint64_t kAlignment = 64;
/// What a message of one byte repeats, and room of the table before it: whole pages on any machine.
constexpr std::uint64_t kPiece = std::uint64_t{2} << 20U;
/// Of a long file: zeros, and ones.
constexpr std::uint64_t kRepeatedMessages = 2;
std::uint64_t align(std::uint64_t size, std::uint64_t alignment) {
  return (size + alignment - 1) / alignment * alignment;
}

std::span<std::uint8_t> at(std::span<std::uint8_t> bytes, std::uint64_t offset) {
  return bytes.subspan(static_cast<std::size_t>(offset));
}

std::uint64_t table_bytes(std::size_t items) { return items * sizeof(hashprof_item); }

void write_table(const std::vector<hashprof_item>& items, std::span<std::uint8_t> bytes) {
  std::memcpy(bytes.data(), items.data(), table_bytes(items.size()));
}

hashprof_item item_of_request(std::uint64_t bits, std::uint64_t at) {
  return {bits, at, 0, 0, HASHPROF_OF_REQUEST, 0};
}

}  // namespace

MessageMemory::MessageMemory(std::span<const Item> items) {
  bytes_ = align(table_bytes(items.size()), kAlignment);
  for (const Item& item : items) {
    items_.push_back({item.bits, bytes_, 0, digest_bytes_, item.digest_bits, 0});
    bytes_ = align(bytes_ + item.message.size(), kAlignment);
    const std::uint64_t room = std::max(item.digest_bits, item.room_bits);
    digest_bytes_ = align(digest_bytes_ + (room + 7) / 8, kAlignment);
  }
  mapped_bytes_ = bytes_;
  memory_ = sys::sealed_memory("hashprof-kat", bytes_, [&](std::span<std::uint8_t> bytes) {
    write_table(items_, bytes);
    for (std::size_t i = 0; i < items.size(); ++i) {
      std::copy(items[i].message.begin(), items[i].message.end(),
                at(bytes, items_[i].message_at).begin());
    }
  });
}

MessageMemory::MessageMemory(kat::MessageSet set) { hold(std::move(set)); }

MessageMemory::MessageMemory(kat::Kind kind) {
  if (kat::room_bytes(kind) > 0) {
    make_long(kind);
  } else {
    hold(kat::make_message_set(kind));
  }
}

void MessageMemory::hold(kat::MessageSet set) {
  set_ = std::move(set);
  bytes_ = align(table_bytes(set_.messages.size()), kAlignment);
  for (const kat::Message& message : set_.messages) {
    items_.push_back(item_of_request(message.bits, bytes_));
    items_.back().chained = kat::chained_calls(set_.kind);
    bytes_ = align(bytes_ + message.bytes.size(), kAlignment);
  }
  mapped_bytes_ = bytes_;
  memory_ = sys::sealed_memory("hashprof-kat", bytes_, [&](std::span<std::uint8_t> bytes) {
    write_table(items_, bytes);
    for (std::size_t i = 0; i < items_.size(); ++i) {
      const std::vector<std::uint8_t>& message = set_.messages[i].bytes;
      std::copy(message.begin(), message.end(), at(bytes, items_[i].message_at).begin());
    }
  });
}

/// The messages of one byte take a few MiB, which a worker maps again and again; the random one is
/// drawn where it stays.
void MessageMemory::make_long(kat::Kind kind) {
  const std::uint64_t room = kat::room_bytes(kind);
  const std::uint64_t drawn_at = kPiece * (1 + kRepeatedMessages);
  bytes_ = drawn_at + room;
  memory_ = sys::sealed_memory("hashprof-kat", bytes_, [&](std::span<std::uint8_t> bytes) {
    set_ = kat::make_message_set(kind, at(bytes, drawn_at));
    std::uint64_t piece_at = kPiece;
    for (const kat::Message& message : set_.messages) {
      items_.push_back(item_of_request(message.bits, message.repeated ? piece_at : drawn_at));
      if (message.repeated) {
        items_.back().repeat_bytes = kPiece;
        const auto piece = at(bytes, piece_at).first(kPiece);
        std::fill(piece.begin(), piece.end(), *message.repeated);
        piece_at += kPiece;
        mapped_bytes_ += room;
      }
    }
    write_table(items_, bytes);
  });
  mapped_bytes_ += bytes_;
}

}  // namespace hashprof::runner
