// SPDX-License-Identifier: MIT
// See kat/manifest.h.
#include "kat/manifest.h"

#include <algorithm>
#include <map>

#include "base/file.h"
#include "base/text.h"

namespace hashprof::kat {

namespace {

constexpr Bytes kFileCap{4U << 20U};
constexpr std::size_t kDigestDigits = 64;
constexpr const char* kHint = "a line is: <64 hexadecimal digits> <mode> <label>/<file>";

std::string lower(std::string word) {
  std::transform(word.begin(), word.end(), word.begin(), [](char c) {
    return c >= 'A' && c <= 'F' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return word;
}

std::vector<std::string> words_of(const std::string& line) {
  std::vector<std::string> words;
  for (std::string& word : text::split(line, ' ')) {
    if (!word.empty()) {
      words.push_back(std::move(word));
    }
  }
  return words;
}

bool is_name(const std::string& name) {
  return text::is_utf8(name) && name.front() != '/' && name.back() != '/' &&
         std::count(name.begin(), name.end(), '/') <= 1;
}

ManifestLine parse_line(const std::vector<std::string>& words, const std::string& where) {
  const auto fault = [&](const std::string& what) {
    return Error(Fault::configuration, where, what).hint(kHint);
  };
  if (words.size() != 3) {
    throw fault("line has " + std::to_string(words.size()) +
                (words.size() == 1 ? " word, not 3" : " words, not 3"));
  }
  if (words[0].size() != kDigestDigits || !text::parse_hex(words[0])) {
    throw fault("'" + text::printable(words[0]) + "' is no SHA-256");
  }
  const std::optional<Mode> mode = find_mode(words[1]);
  if (!mode) {
    throw fault("'" + text::printable(words[1]) +
                "' is no mode: strict or nolen, :N behind it for the first N records");
  }
  if (!is_name(words[2])) {
    throw fault("'" + text::printable(words[2]) + "' is neither <label>/<file> nor a file name");
  }
  return {lower(words[0]), *mode, words[2], 0};
}

}  // namespace

std::vector<ManifestLine> load_manifest(const std::filesystem::path& file) {
  return parse_manifest(read_file(file, kFileCap, Fault::configuration), file.native());
}

std::vector<ManifestLine> parse_manifest(const std::string& text, const std::string& file) {
  std::vector<ManifestLine> manifest;
  std::map<std::string, std::uint32_t> lines;
  std::uint32_t number = 0;
  for (std::string& line : text::split(text, '\n')) {
    ++number;
    line.erase(line.find_last_not_of("\r \t") + 1);
    if (line.empty()) {
      continue;
    }
    const std::string where = file + ":" + std::to_string(number);
    ManifestLine parsed = parse_line(words_of(line), where);
    parsed.line = number;
    const auto [known, is_new] = lines.emplace(parsed.name, number);
    if (!is_new) {
      throw Error(Fault::configuration, where,
                  "'" + text::printable(parsed.name) + "' stands twice, first at line " +
                      std::to_string(known->second))
          .hint("remove one of the two");
    }
    manifest.push_back(std::move(parsed));
  }
  if (manifest.empty()) {
    throw Error(Fault::configuration, file, "no line: it would prove nothing").hint(kHint);
  }
  return manifest;
}

const ManifestLine* find_line(const std::vector<ManifestLine>& manifest, const std::string& label,
                              const std::string& file) {
  for (const std::string& name : {label + "/" + file, file}) {
    const auto line = std::find_if(manifest.begin(), manifest.end(),
                                   [&](const ManifestLine& entry) { return entry.name == name; });
    if (line != manifest.end()) {
      return &*line;
    }
  }
  return nullptr;
}

}  // namespace hashprof::kat
