// SPDX-License-Identifier: MIT
// The strict reader of vector files; see kat/vectors.h.
#include "kat/vectors.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "base/file.h"
#include "base/text.h"

namespace hashprof::kat {

namespace {

constexpr Bytes kFileCap{64U << 20U};
/// Longest message of one row; the `pattern` rule could otherwise ask for any amount of memory.
constexpr std::uint64_t kMessageCap = std::uint64_t{64} << 20U;
constexpr std::size_t kDigestCap = 8192;
constexpr const char* kHeaderHint =
    "the first line is: instance<TAB>message_bits<TAB>message[<TAB>output_bits]<TAB>digest";

/// One field and the byte at which it starts, counted from 1.
struct Field {
  std::string_view text;
  std::size_t column = 1;
};

struct Place {
  const std::string& file;
  std::uint32_t line;

  [[nodiscard]] Error error(std::size_t column, std::string what_happened) const {
    return {Fault::configuration, file + ":" + std::to_string(line) + ":" + std::to_string(column),
            std::move(what_happened)};
  }
};

std::string in_quotes(std::string_view raw) { return "'" + text::printable(raw) + "'"; }

std::vector<Field> fields_of(std::string_view line) {
  std::vector<Field> fields;
  std::size_t start = 0;
  for (;;) {
    const std::size_t tab = line.find('\t', start);
    fields.push_back({line.substr(start, tab - start), start + 1});
    if (tab == std::string_view::npos) {
      return fields;
    }
    start = tab + 1;
  }
}

/// Names that a column may have; the first is the one in messages.
using ColumnNames = std::vector<std::string_view>;

const std::vector<ColumnNames>& columns_of(bool has_output) {
  static const ColumnNames instance{"instance"};
  static const ColumnNames bits{"message_bits"};
  static const ColumnNames message{"message", "message_rule_or_hex"};
  static const ColumnNames output{"output_bits"};
  static const ColumnNames digest{"digest", "digest_hex", "output_hex"};
  static const std::vector<ColumnNames> four{instance, bits, message, digest};
  static const std::vector<ColumnNames> five{instance, bits, message, output, digest};
  return has_output ? five : four;
}

/// Whether the rows have a column output_bits.
bool read_header(std::string_view line, const Place& place) {
  const std::vector<Field> fields = fields_of(line);
  const bool has_output = fields.size() > 3 && fields[3].text == "output_bits";
  const std::vector<ColumnNames>& columns = columns_of(has_output);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const ColumnNames& names = columns[i];
    if (i >= fields.size()) {
      throw place.error(line.size() + 1, "header lacks column '" + std::string(names[0]) + "'")
          .hint(kHeaderHint);
    }
    if (std::find(names.begin(), names.end(), fields[i].text) == names.end()) {
      throw place
          .error(fields[i].column, "header has " + in_quotes(fields[i].text) + " where '" +
                                       std::string(names[0]) + "' belongs")
          .hint(kHeaderHint);
    }
  }
  if (fields.size() > columns.size()) {
    throw place
        .error(fields[columns.size()].column,
               "header has more than " + std::to_string(columns.size()) + " columns")
        .hint(kHeaderHint);
  }
  return has_output;
}

std::string parse_instance(const Field& field, const Place& place) {
  constexpr std::size_t kLongest = 64;
  const bool is_name = !field.text.empty() && field.text.size() <= kLongest &&
                       std::all_of(field.text.begin(), field.text.end(), [](char c) {
                         return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
                                (c >= '0' && c <= '9') || c == '_' || c == '-';
                       });
  if (!is_name) {
    throw place.error(
        field.column,
        in_quotes(field.text) + " is no instance name: 1 to 64 characters of A-Z a-z 0-9 _ -");
  }
  return std::string(field.text);
}

std::uint64_t parse_bits(const Field& field, const Place& place) {
  const std::optional<std::uint64_t> bits = text::parse_unsigned(field.text);
  if (!bits.has_value()) {
    throw place.error(field.column,
                      "message_bits " + in_quotes(field.text) + " is no decimal number");
  }
  if (*bits > kMessageCap * 8) {
    throw place.error(field.column, "message_bits " + std::to_string(*bits) + " is above " +
                                        std::to_string(kMessageCap * 8) + ", the longest message");
  }
  return *bits;
}

std::vector<std::uint8_t> parse_bytes(const Field& field, const char* name, const Place& place) {
  std::optional<std::vector<std::uint8_t>> bytes = text::parse_hex(field.text);
  if (!bytes.has_value()) {
    throw place.error(field.column, std::string(name) + " " + in_quotes(field.text) +
                                        " is no hexadecimal text of whole bytes");
  }
  return std::move(*bytes);
}

std::vector<std::uint8_t> parse_message(const Field& field, std::uint64_t bits,
                                        const Place& place) {
  const std::uint64_t length = bits / 8 + (bits % 8 != 0 ? 1 : 0);
  if (field.text == "pattern") {
    return pattern_message(length);
  }
  std::vector<std::uint8_t> message = parse_bytes(field, "message", place);
  if (message.size() != length) {
    throw place.error(field.column, "message has " + std::to_string(message.size()) +
                                        " bytes, but " + std::to_string(bits) + " bits need " +
                                        std::to_string(length));
  }
  return message;
}

std::uint32_t parse_output_bits(const Field& field, const Place& place) {
  const std::optional<std::uint64_t> bits = text::parse_unsigned(field.text);
  if (!bits.has_value() || *bits > kDigestCap * 8) {
    throw place.error(field.column, "output_bits " + in_quotes(field.text) +
                                        " is no decimal number up to " +
                                        std::to_string(kDigestCap * 8));
  }
  return static_cast<std::uint32_t>(*bits);
}

/// The output of so many bits.
std::vector<std::uint8_t> parse_output(const Field& field, std::uint32_t bits, const Place& place) {
  std::vector<std::uint8_t> output = parse_bytes(field, "digest", place);
  if (output.size() != (bits + 7) / 8) {
    throw place.error(field.column, "digest has " + std::to_string(output.size()) + " bytes, but " +
                                        std::to_string(bits) + " bits need " +
                                        std::to_string((bits + 7) / 8));
  }
  if (first_bits(output, bits) != output) {
    throw place.error(field.column, "digest has bits set beyond its " + std::to_string(bits));
  }
  return output;
}

std::vector<std::uint8_t> parse_digest(const Field& field, const Place& place) {
  std::vector<std::uint8_t> digest = parse_bytes(field, "digest", place);
  if (digest.empty() || digest.size() > kDigestCap) {
    throw place.error(field.column, "digest has " + std::to_string(digest.size()) +
                                        " bytes; 1 to " + std::to_string(kDigestCap) +
                                        " are possible");
  }
  return digest;
}

Vector parse_row(std::string_view line, bool has_output, const Place& place) {
  const std::vector<Field> fields = fields_of(line);
  const std::size_t wanted = columns_of(has_output).size();
  if (fields.size() != wanted) {
    const std::size_t column = fields.size() > wanted ? fields[wanted].column : line.size() + 1;
    throw place.error(column, "row has " + std::to_string(fields.size()) +
                                  (fields.size() == 1 ? " column" : " columns") +
                                  " separated by tabs, not " + std::to_string(wanted));
  }
  Vector vector;
  vector.instance = parse_instance(fields[0], place);
  vector.message_bits = parse_bits(fields[1], place);
  vector.message = parse_message(fields[2], vector.message_bits, place);
  if (has_output) {
    vector.output_bits = parse_output_bits(fields[3], place);
    vector.digest = parse_output(fields[4], vector.output_bits, place);
  } else {
    vector.digest = parse_digest(fields[3], place);
    vector.output_bits = static_cast<std::uint32_t>(vector.digest.size() * 8);
  }
  vector.call_bits = vector.output_bits;
  vector.file = place.file;
  vector.line = place.line;
  return vector;
}

}  // namespace

std::vector<Vector> load_vectors(const std::filesystem::path& file) {
  return parse_vectors(read_file(file, kFileCap, Fault::configuration), file.native());
}

std::vector<Vector> parse_vectors(const std::string& text, const std::string& file) {
  std::vector<Vector> vectors;
  std::string_view rest = text;
  std::uint32_t number = 0;
  bool has_output = false;
  while (!rest.empty()) {
    ++number;
    const std::size_t end = rest.find('\n');
    std::string_view line = rest.substr(0, end);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    if (!line.empty() && line.back() == '\r') {
      line.remove_suffix(1);
    }
    const Place place{file, number};
    if (number == 1) {
      has_output = read_header(line, place);
    } else {
      vectors.push_back(parse_row(line, has_output, place));
    }
  }
  if (number == 0) {
    throw Place{file, 1}.error(1, "empty file").hint(kHeaderHint);
  }
  if (vectors.empty()) {
    throw Place{file, number}.error(1, "no rows after the header: it would prove nothing");
  }
  return vectors;
}

std::vector<std::uint8_t> first_bits(std::vector<std::uint8_t> bytes, std::uint64_t bits) {
  const std::uint64_t length = bits / 8 + (bits % 8 != 0 ? 1 : 0);
  if (bytes.size() < length) {
    return bytes;
  }
  bytes.resize(length);
  if (bits % 8 != 0) {
    bytes.back() = static_cast<std::uint8_t>(bytes.back() & (0xff00U >> (bits % 8)));
  }
  return bytes;
}

std::vector<std::uint8_t> pattern_message(std::uint64_t length_bytes) {
  std::vector<std::uint8_t> message(length_bytes);
  for (std::uint64_t i = 0; i < length_bytes; ++i) {
    // Unsigned overflow drops multiples of 2^64, which are multiples of 256.
    message[i] = static_cast<std::uint8_t>((131 * i + length_bytes) & 0xffU);
  }
  return message;
}

}  // namespace hashprof::kat
