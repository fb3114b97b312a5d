// SPDX-License-Identifier: MIT
// See kat/canonical.h.
#include "kat/canonical.h"

#include "base/text.h"

namespace hashprof::kat {

namespace {

/// The word before " =", or "=" where the blank is missing; empty if the line has no "=".
std::string_view key_of(std::string_view line) {
  const std::size_t at = line.find('=');
  return at == std::string_view::npos ? std::string_view() : text::trim(line.substr(0, at));
}

bool ends_in(std::string_view word, std::string_view end) {
  return word.size() >= end.size() && word.substr(word.size() - end.size()) == end;
}

}  // namespace

std::string mode_text(const Mode& mode) {
  return std::string(mode.is_without_lengths ? "nolen" : "strict") +
         (mode.records ? ":" + std::to_string(*mode.records) : "");
}

std::optional<Mode> find_mode(std::string_view word) {
  Mode mode;
  const std::size_t colon = word.find(':');
  const std::string_view name = word.substr(0, colon);
  if (name != "strict" && name != "nolen") {
    return std::nullopt;
  }
  mode.is_without_lengths = name == "nolen";
  if (colon != std::string_view::npos) {
    mode.records = text::parse_unsigned(word.substr(colon + 1));
    if (!mode.records || *mode.records == 0) {
      return std::nullopt;
    }
  }
  return mode;
}

void CanonicalDigest::update(std::string_view piece) {
  bytes_ += piece.size();
  while (!piece.empty()) {
    const std::size_t end = piece.find('\n');
    line_ += piece.substr(0, end);
    if (end == std::string_view::npos) {
      return;
    }
    end_line();
    piece.remove_prefix(end + 1);
  }
}

std::string CanonicalDigest::finish() {
  end_line();
  return hash_.finish();
}

void CanonicalDigest::end_line() {
  line_.erase(line_.find_last_not_of("\r \t") + 1);
  const std::string_view key = key_of(line_);
  records_ += key == "Count" ? 1 : 0;
  const bool is_beyond = mode_.records && records_ > *mode_.records;
  const bool is_length = mode_.is_without_lengths && ends_in(key, "_Len");
  if (!line_.empty() && !is_beyond && !is_length) {
    line_ += '\n';
    hash_.update(line_);
  }
  line_.clear();
}

}  // namespace hashprof::kat
