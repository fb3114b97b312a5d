// SPDX-License-Identifier: MIT
// See record/kat_log.h. Line-based: a keyword, then its values.
#include "record/kat_log.h"

#include <algorithm>

#include "base/file.h"
#include "base/text.h"

namespace hashprof::record {

namespace {

constexpr std::string_view kFirstLine = "hashprof known answers 1";
constexpr Bytes kLargestLog{16U << 20U};

/// Splits "word rest" at the first blank.
std::pair<std::string, std::string> split_word(const std::string& line) {
  const std::size_t at = line.find(' ');
  return at == std::string::npos ? std::pair(line, std::string())
                                 : std::pair(line.substr(0, at), line.substr(at + 1));
}

std::string or_dash(const std::string& word) { return word.empty() ? "-" : word; }
std::string without_dash(const std::string& word) { return word == "-" ? std::string() : word; }

/// `kat <kind> <STATUS> <SHA-256> <mode> <file> <bytes>[ <ns>]`; what differs from run to run last.
std::string file_line(const KatFileEntry& file) {
  return "kat " + file.kind + " " + file.status + " " + or_dash(file.sha256) + " " +
         or_dash(file.mode) + " " + file.file + " " +
         (file.bytes ? std::to_string(*file.bytes) : "-") + " bytes" +
         (file.elapsed_ns ? " " + std::to_string(*file.elapsed_ns) + " ns" : "") + "\n" +
         (file.against.empty() ? "" : "against " + file.kind + " " + file.against + "\n") +
         (file.submitted_sha256.empty()
              ? ""
              : "submitted " + file.kind + " " + file.submitted_sha256 + "\n") +
         (file.detail.empty() ? "" : "detail " + file.kind + " " + file.detail + "\n");
}

bool read_file_line(const std::string& rest, KatEntry& entry) {
  const auto words = text::split(rest, ' ');
  if ((words.size() != 7 && words.size() != 9) || words[6] != "bytes") {
    return false;
  }
  const auto bytes = text::parse_unsigned(words[5]);
  const bool is_bytes = bytes.has_value() || words[5] == "-";
  KatFileEntry file{
      words[0], words[1], without_dash(words[2]), without_dash(words[3]), words[4], "", "", bytes,
      {},       ""};
  if (words.size() == 9) {
    file.elapsed_ns = text::parse_unsigned(words[7]);
  }
  entry.files.push_back(std::move(file));
  return is_bytes && (words.size() == 7 || (entry.files.back().elapsed_ns && words[8] == "ns"));
}

/// What a line adds to the file of the `kat` line before it.
bool read_addition(std::string KatFileEntry::*member, const std::string& kind,
                   const std::string& value, KatEntry& entry) {
  if (entry.files.empty() || entry.files.back().kind != kind) {
    return false;
  }
  entry.files.back().*member = value;
  return true;
}

/// `rows <STATUS> <first wrong length, bits>[ <detail>]`, or `layout ` and the same of a further
/// one
std::string rows_line(const char* word, const VectorEntry& vectors) {
  return std::string(word) + " " + vectors.status + " " +
         (vectors.first_wrong_bits ? std::to_string(*vectors.first_wrong_bits) : "-") +
         (vectors.detail.empty() ? "" : " " + vectors.detail) + "\n";
}

bool read_rows_line(const std::string& status, const std::string& rest, VectorEntry& entry) {
  const auto [bits, detail] = split_word(rest);
  entry = {status, detail, text::parse_unsigned(bits)};
  return entry.first_wrong_bits.has_value() || bits == "-";
}

std::string contract_line(const ContractEntry& entry) {
  return "contract " + entry.step + " " + entry.standing +
         (entry.detail.empty() ? "" : " " + entry.detail) + "\n";
}

bool read_contract_line(const std::string& step, const std::string& rest, KatEntry& entry) {
  const auto [standing, detail] = split_word(rest);
  entry.contract.push_back({step, standing, detail});
  return standing == "kept" || standing == "BROKEN" || standing == "reported" ||
         standing == "NOTRUN";
}

bool read_line(const std::string& line, KatEntry& entry) {
  const auto [word, rest] = split_word(line);
  const auto [first, second] = split_word(rest);
  if (word == "library") {
    entry.library_sha256 = first;
    entry.library = second;
  } else if (word == "question") {
    entry.question_sha256 = first;
  } else if (word == "output") {
    entry.library_output += rest + "\n";
  } else if (word == "vectors") {
    entry.vector_files.emplace_back(second, first);
  } else if (word == "manifest") {
    entry.manifest_sha256 = first;
    entry.manifest = second;
  } else if (word == "kat") {
    return read_file_line(rest, entry);
  } else if (word == "against") {
    return read_addition(&KatFileEntry::against, first, second, entry);
  } else if (word == "submitted") {
    return read_addition(&KatFileEntry::submitted_sha256, first, second, entry);
  } else if (word == "detail") {
    return read_addition(&KatFileEntry::detail, first, second, entry);
  } else if (word == "rows") {
    return read_rows_line(first, second, entry.vectors);
  } else if (word == "layout") {
    return read_rows_line(first, second, entry.layouts.emplace_back());
  } else if (word == "contract") {
    return read_contract_line(first, second, entry);
  } else if (word == "checked") {
    const auto checked = text::parse_unsigned(first);
    const auto total = text::parse_unsigned(split_word(second).second);
    entry.checked = checked.value_or(0);
    entry.total = total.value_or(0);
    return checked && total;
  } else if (word == "RESULT") {
    const auto [label, result] = split_word(second);
    const auto [status, detail] = split_word(result);
    entry.family_id = first;
    entry.label = label;
    entry.status = status;
    entry.detail = detail;
    return !status.empty();
  }
  return word != "RESULT";
}

}  // namespace

bool is_same_question(const KatEntry& left, const KatEntry& right) {
  return left.library_sha256 == right.library_sha256 &&
         left.question_sha256 == right.question_sha256 && left.vector_files == right.vector_files &&
         left.manifest == right.manifest && left.manifest_sha256 == right.manifest_sha256;
}

std::string kat_log_text(const KatEntry& entry) {
  std::string out(kFirstLine);
  out += "\n";
  out += "library " + entry.library_sha256 + " " + entry.library + "\n";
  out += entry.question_sha256.empty() ? "" : "question " + entry.question_sha256 + "\n";
  for (const auto& [name, sha256] : entry.vector_files) {
    out.append("vectors ").append(sha256).append(" ").append(name).append("\n");
  }
  if (!entry.manifest.empty()) {
    out += "manifest " + entry.manifest_sha256 + " " + entry.manifest + "\n";
  }
  for (const auto& line : text::split(entry.library_output, '\n')) {
    if (!line.empty()) {
      out += "output " + text::printable(line) + "\n";
    }
  }
  out += "checked " + std::to_string(entry.checked) + " of " + std::to_string(entry.total) + "\n";
  if (!entry.vectors.status.empty()) {
    out += rows_line("rows", entry.vectors);
  }
  for (const VectorEntry& layout : entry.layouts) {
    out += layout.status.empty() ? "" : rows_line("layout", layout);
  }
  for (const KatFileEntry& file : entry.files) {
    out += file.status.empty() ? "" : file_line(file);
  }
  for (const ContractEntry& check : entry.contract) {
    out += contract_line(check);
  }
  out += "RESULT " + entry.family_id + " " + entry.label + " " + entry.status;
  return out + (entry.detail.empty() ? "" : " " + entry.detail) + "\n";
}

std::optional<KatEntry> find_kat_log(const std::filesystem::path& file) {
  std::string content;
  try {
    content = read_file(file, kLargestLog);
  } catch (const Error&) {
    return std::nullopt;
  }
  const auto lines = text::split(content, '\n');
  if (lines.size() < 3 || lines[0] != kFirstLine || !lines.back().empty()) {
    return std::nullopt;
  }
  KatEntry entry;
  for (std::size_t i = 1; i + 1 < lines.size(); ++i) {
    if (!read_line(lines[i], entry)) {
      return std::nullopt;
    }
  }
  return entry.status.empty() ? std::nullopt : std::optional(entry);
}

}  // namespace hashprof::record
