// SPDX-License-Identifier: MIT
// SHA-256 of the canonical form of a known-answer file, which is what manifests hold: the same for
// CR LF and LF, for trailing blanks, and with or without empty lines.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/sha256.h"

namespace hashprof::kat {

/// How much of a file its digest covers.
struct Mode {
  bool is_without_lengths = false;       ///< "nolen": lines whose key ends in _Len are left out
  std::optional<std::uint64_t> records;  ///< ":N": only the first N records ("Count = " lines)
};
/// "strict", "nolen", "strict:10".
[[nodiscard]] std::string mode_text(const Mode& mode);
[[nodiscard]] std::optional<Mode> find_mode(std::string_view word);

/// Takes a file in pieces of any size. Trailing CR, blanks and tabs of a line and then empty lines
/// are dropped; every line left is ended by one LF.
class CanonicalDigest {
 public:
  explicit CanonicalDigest(Mode mode) : mode_(mode) {}

  void update(std::string_view piece);
  /// 64 lower-case hexadecimal digits. Call it once.
  [[nodiscard]] std::string finish();
  /// Bytes of the file so far, as it came.
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

 private:
  void end_line();

  Mode mode_;
  Sha256 hash_;
  std::string line_;
  std::uint64_t bytes_ = 0;
  std::uint64_t records_ = 0;
};

}  // namespace hashprof::kat
