// SPDX-License-Identifier: MIT
// Messages that workers hash, in sealed memory that any number of them may share: descriptor 5 of
// the protocol, and where each digest goes in descriptor 7.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/unique_fd.h"
#include "kat/message_set.h"
#include "worker/protocol.h"

namespace hashprof::runner {

/// One message to hash.
struct Item {
  std::uint64_t bits = 0;
  std::span<const std::uint8_t> message;
  std::uint32_t digest_bits = 0;  ///< that it is asked for
  /// Of the buffer, where that is more: a hash may ignore what it is asked for.
  std::uint32_t room_bits = 0;
};

/// Immutable once made; safe to read in several threads.
class MessageMemory {
 public:
  /// Of a list: at least one item, not needed any more afterwards.
  explicit MessageMemory(std::span<const Item> items);
  /// Of a set that holds all its messages, for digests of any length.
  explicit MessageMemory(kat::MessageSet set);
  /// Of a known-answer file, for digests of any length. Takes as long as the generator: half a
  /// minute for the gigabyte of 2_33, which is drawn in place, and a stop that is asked for
  /// meanwhile waits for it. Throws Error{environment} if memory is short.
  explicit MessageMemory(kat::Kind kind);

  [[nodiscard]] int fd() const { return memory_.get(); }
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
  /// Address space that a worker maps for them: more than bytes() where a message repeats.
  [[nodiscard]] std::uint64_t mapped_bytes() const { return mapped_bytes_; }
  /// Room of descriptor 7 for a list; 0 for a known-answer file, whose items have no digest length.
  [[nodiscard]] std::uint64_t digest_bytes() const { return digest_bytes_; }
  [[nodiscard]] const std::vector<hashprof_item>& items() const { return items_; }
  /// Of a known-answer file; without messages of a list.
  [[nodiscard]] const kat::MessageSet& set() const { return set_; }

 private:
  void hold(kat::MessageSet set);
  void make_long(kat::Kind kind);

  kat::MessageSet set_;
  std::vector<hashprof_item> items_;
  std::uint64_t bytes_ = 0;
  std::uint64_t mapped_bytes_ = 0;
  std::uint64_t digest_bytes_ = 0;
  UniqueFd memory_;
};

}  // namespace hashprof::runner
