// SPDX-License-Identifier: MIT
// See submission/kat_files.h.
#include "submission/kat_files.h"

#include <array>
#include <optional>

#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "kat/canonical.h"
#include "kat/submitted.h"

namespace hashprof::submission {

namespace {

constexpr Bytes kLargestFile{64U << 20U};
constexpr std::uint64_t kMostBits = 65536;

struct KatName {
  kat::Kind kind;
  std::string instance;
};

std::optional<KatName> kat_name_of(const std::string& file_name) {
  constexpr std::array<kat::Kind, 4> kKinds = {kat::Kind::k2_12, kat::Kind::k2_23, kat::Kind::k2_33,
                                               kat::Kind::loop};
  constexpr std::string_view kEnd = ".txt";
  for (const kat::Kind kind : kKinds) {
    const std::string begin = std::string("KAT_") + kat::kind_name(kind) + "_";
    const bool is_named = file_name.size() > begin.size() + kEnd.size() &&
                          file_name.rfind(begin, 0) == 0 &&
                          file_name.substr(file_name.size() - kEnd.size()) == kEnd;
    if (is_named) {
      return KatName{kind,
                     file_name.substr(begin.size(), file_name.size() - begin.size() - kEnd.size())};
    }
  }
  return std::nullopt;
}

/// The number behind the first "Dst_Len =" if it can be a length (else 0), and whether a digest is
/// missing.
struct Digests {
  std::uint32_t bits = 0;
  bool has_blank = false;
};

Digests digests_of(const std::string& content) {
  Digests digests;
  for (const std::string& line : text::split(content, '\n')) {
    const std::size_t equals = line.find('=');
    if (equals == std::string::npos) {
      continue;
    }
    const std::string_view key = text::trim(std::string_view(line).substr(0, equals));
    std::string value(text::trim(std::string_view(line).substr(equals + 1)));
    value.erase(value.find_last_not_of("\r \t") + 1);
    if (key == "Dst_Len" && digests.bits == 0) {
      const std::uint64_t bits = text::parse_unsigned(value).value_or(0);
      digests.bits = bits <= kMostBits && bits % 8 == 0 ? static_cast<std::uint32_t>(bits) : 0;
    }
    digests.has_blank = digests.has_blank || (key == "Dst" && value.empty());
  }
  return digests;
}

KatFile read_kat_file(const std::filesystem::path& file, KatName name) {
  kat::check_submitted(file, name.kind);
  const std::string content = read_file(file, kLargestFile, Fault::configuration);
  const Digests digests = digests_of(content);
  if (digests.has_blank) {
    throw Error(Fault::configuration, "", "a blank template without digests");
  }
  kat::CanonicalDigest digest{kat::Mode{}};
  digest.update(content);
  return {file, name.kind, std::move(name.instance), digest.finish(), digests.bits};
}

}  // namespace

std::vector<KatFile> find_kat_files(const FileTree& tree, std::vector<std::string>& notes) {
  std::vector<KatFile> found;
  for (const std::filesystem::path& file : tree.files) {
    auto name = kat_name_of(file.filename().native());
    if (!name) {
      continue;
    }
    try {
      found.push_back(read_kat_file(file, std::move(*name)));
    } catch (const Error& error) {
      notes.push_back(tree.shown(file) + ": is no answer to go by: " + error.message());
    }
  }
  return found;
}

}  // namespace hashprof::submission
