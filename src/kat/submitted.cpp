// SPDX-License-Identifier: MIT
// See kat/submitted.h.
#include "kat/submitted.h"

#include <string_view>

#include "base/error.h"
#include "base/file.h"
#include "base/text.h"

namespace hashprof::kat {

namespace {

constexpr Bytes kLargestFile{64U << 20U};
/// Enough of a value to find it in the file.
constexpr std::size_t kShownDigits = 64;

/// The next line that is not empty, without what the canonical form drops.
class Lines {
 public:
  explicit Lines(std::string_view text) : rest_(text) {}

  /// False at the end.
  [[nodiscard]] bool advance() {
    while (!rest_.empty()) {
      const std::size_t end = rest_.find('\n');
      line_ = rest_.substr(0, end);
      rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
      ++number_;
      const std::size_t last = line_.find_last_not_of("\r \t");
      line_ = line_.substr(0, last + 1);
      if (!line_.empty()) {
        return true;
      }
    }
    line_ = {};
    return false;
  }
  [[nodiscard]] std::string_view line() const { return line_; }
  [[nodiscard]] std::uint64_t number() const { return number_; }

 private:
  std::string_view rest_;
  std::string_view line_;
  std::uint64_t number_ = 0;
};

std::string key_of(std::string_view line) {
  return std::string(text::trim(line.substr(0, line.find('='))));
}

std::string value_of(std::string_view line) {
  const std::size_t at = line.find('=');
  const std::string value(at == std::string_view::npos ? line : text::trim(line.substr(at + 1)));
  if (value.empty()) {
    return "nothing";
  }
  return text::printable(value.substr(0, kShownDigits)) +
         (value.size() > kShownDigits ? "..." : "");
}

Error fault(const std::filesystem::path& file, std::uint64_t line, std::string what) {
  return Error(Fault::configuration, text::printable(file.native()) + ":" + std::to_string(line),
               std::move(what))
      .hint("kat_files names the file as it was submitted");
}

/// Goes to the line of `key` in record `record` of `records`.
void advance_to(Lines& lines, const std::string& key, std::size_t record, std::size_t records,
                const std::filesystem::path& file) {
  if (!lines.advance()) {
    throw fault(
        file, lines.number(),
        "the file ends in record " + std::to_string(record) + " of " + std::to_string(records));
  }
  if (key_of(lines.line()) != key) {
    throw fault(file, lines.number(),
                "'" + text::printable(std::string(lines.line().substr(0, kShownDigits))) +
                    "' where '" + key + " =' belongs");
  }
}

void check_end(Lines& lines, Kind kind, const std::filesystem::path& file) {
  if (lines.advance()) {
    throw fault(file, lines.number(),
                "more than the " + std::to_string(record_count(kind)) + " records of KAT_" +
                    kind_name(kind));
  }
}

std::string read_submitted(const std::filesystem::path& file) {
  return read_file(file, kLargestFile, Fault::configuration);
}

/// The place of the first difference between two values of a key, and both around it.
std::string difference_of(std::string_view expected, std::string_view computed) {
  return "expected " + key_of(computed) + " " + value_of(expected) + ", got " + value_of(computed);
}

}  // namespace

void check_submitted(const std::filesystem::path& submitted, Kind kind) {
  const std::string content = read_submitted(submitted);
  const std::vector<std::string> keys =
      is_told_by_seed(kind)
          ? std::vector<std::string>{"Msg_Len", "Msg_Seed", "Msg_Exp", "Dst_Len", "Dst"}
          : std::vector<std::string>{"Msg_Len", "Msg", "Dst_Len", "Dst"};
  Lines lines(content);
  for (std::size_t record = 1; record <= record_count(kind); ++record) {
    for (const std::string& key : keys) {
      advance_to(lines, key, record, record_count(kind), submitted);
    }
  }
  check_end(lines, kind, submitted);
}

std::string find_difference(const std::filesystem::path& submitted, const MessageSet& set,
                            const std::vector<std::vector<std::uint8_t>>& digests) {
  const std::string content = read_submitted(submitted);
  std::string own;
  write_text(set, digests, [&](std::string_view piece) { own += piece; });
  Lines expected(content);
  Lines computed(own);
  std::size_t record = 0;
  while (computed.advance()) {
    const std::string key = key_of(computed.line());
    record += key == "Msg_Len" ? 1 : 0;
    advance_to(expected, key, record, digests.size(), submitted);
    if (expected.line() == computed.line()) {
      continue;
    }
    if (key.rfind("Msg", 0) == 0) {
      throw fault(submitted, expected.number(),
                  "the message of record " + std::to_string(record) + " is not that of KAT_" +
                      kind_name(set.kind));
    }
    return "differs first at record " + std::to_string(record) + ", " +
           std::to_string(set.messages[record - 1].bits) + " bits (line " +
           std::to_string(expected.number()) +
           "): " + difference_of(expected.line(), computed.line());
  }
  check_end(expected, set.kind, submitted);
  return "";
}

}  // namespace hashprof::kat
