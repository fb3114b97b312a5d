// SPDX-License-Identifier: MIT
// See record/kat_log.h. Line-based: a keyword, then its values.
#include "record/kat_log.h"

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

bool read_line(const std::string& line, KatEntry& entry) {
  const auto [word, rest] = split_word(line);
  const auto [first, second] = split_word(rest);
  if (word == "library") {
    entry.library_sha256 = first;
    entry.library = second;
  } else if (word == "vectors") {
    entry.vector_files.emplace_back(second, first);
  } else if (word == "checked") {
    const auto checked = text::parse_unsigned(first);
    const auto total = text::parse_unsigned(split_word(second).second);
    entry.checked = checked.value_or(0);
    entry.total = total.value_or(0);
    return checked && total;
  } else if (word == "RESULT") {
    const auto [instance, result] = split_word(second);
    const auto [status, detail] = split_word(result);
    entry.family_id = first;
    entry.instance = instance;
    entry.status = status;
    entry.detail = detail;
    return !status.empty();
  }
  return word != "RESULT";
}

}  // namespace

std::string kat_log_text(const KatEntry& entry) {
  std::string out(kFirstLine);
  out += "\n";
  out += "library " + entry.library_sha256 + " " + entry.library + "\n";
  for (const auto& [name, sha256] : entry.vector_files) {
    out += "vectors " + sha256 + " " + name + "\n";
  }
  for (const auto& line : text::split(entry.library_output, '\n')) {
    if (!line.empty()) {
      out += "output " + text::printable(line) + "\n";
    }
  }
  out += "checked " + std::to_string(entry.checked) + " of " + std::to_string(entry.total) + "\n";
  out += "RESULT " + entry.family_id + " " + entry.instance + " " + entry.status;
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
