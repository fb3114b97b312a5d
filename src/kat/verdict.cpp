// SPDX-License-Identifier: MIT
// Names of statuses and the verdicts over computed digests; see kat/vectors.h, kat/verdict.h.
#include "kat/verdict.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "base/error.h"
#include "base/text.h"
#include "kat/canonical.h"
#include "kat/submitted.h"

namespace hashprof::kat {

namespace {

constexpr std::array<std::pair<Status, const char*>, 10> kStatuses = {{
    {Status::pass, "PASS"},
    {Status::mismatch, "MISMATCH"},
    {Status::no_vectors, "NOVECTORS"},
    {Status::no_kat, "NOKAT"},
    {Status::not_run, "NOTRUN"},
    {Status::crypt_fail, "CRYPTFAIL"},
    {Status::crash, "CRASH"},
    {Status::timeout, "TIMEOUT"},
    {Status::load_fail, "LOADFAIL"},
    {Status::contract, "CONTRACT"},
}};

/// "message of 447 bits (sm3_vectors.tsv:12): digest byte 3 is a0, not ff".
std::string first_difference(const Vector& vector, const std::vector<std::uint8_t>& digest) {
  const std::string name = std::filesystem::path(vector.file).filename().native();
  const std::string sentence = "message of " + std::to_string(vector.message_bits) + " bits (" +
                               text::printable(name) + ":" + std::to_string(vector.line) + "): ";
  if (digest.size() != vector.digest.size()) {
    return sentence + "digest has " + std::to_string(digest.size()) + " bytes, not " +
           std::to_string(vector.digest.size());
  }
  const auto [computed, expected] =
      std::mismatch(digest.begin(), digest.end(), vector.digest.begin());
  return sentence + "digest byte " + std::to_string(computed - digest.begin()) + " is " +
         text::hex({&*computed, 1}) + ", not " + text::hex({&*expected, 1});
}

/// "2_12 2_23" of the kinds with a status that were compared with the same thing.
std::string kinds_with(const std::vector<KindVerdict>& kinds, Status status,
                       const std::string& against) {
  std::vector<std::string> names;
  for (const KindVerdict& kind : kinds) {
    if (kind.status == status && kind.against == against) {
      names.emplace_back(kind_name(kind.kind));
    }
  }
  return text::join(names, " ");
}

/// "2_12 2_23 equal the manifest; Loop equals the submitted file": `verb` for several kinds, and
/// `verb`s for one. Empty if no kind has the status.
std::string comparisons(const std::vector<KindVerdict>& kinds, Status status,
                        const std::string& verb, const std::string& preposition) {
  std::vector<std::string> parts;
  for (const KindVerdict& kind : kinds) {
    const std::string names = kinds_with(kinds, status, kind.against);
    const bool is_one = names.find(' ') == std::string::npos;
    std::string part = names;
    part.append(" ")
        .append(verb)
        .append(is_one ? "s " : " ")
        .append(preposition)
        .append(kind.against);
    if (kind.status == status && std::find(parts.begin(), parts.end(), part) == parts.end()) {
      parts.push_back(part);
    }
  }
  return text::join(parts, "; ");
}

/// What has to be said of a file that counts neither for nor against its build.
std::string remark(const KindVerdict& kind) {
  switch (kind.status) {
    case Status::no_kat:
      return kind.sha256.empty() ? "" : kind.detail;
    case Status::not_run:
      return "not run: " + kind.detail;
    case Status::pass:
      return kind.detail;
    default:
      return "";
  }
}

/// "2_33 not in the manifest; Loop not in the manifest, the same text as X" of the files with a
/// remark, those with the same words together.
std::string remarks(const std::vector<KindVerdict>& kinds) {
  std::vector<std::pair<std::string, std::string>> groups;  // words, names
  for (const KindVerdict& kind : kinds) {
    const std::string words = remark(kind);
    if (words.empty()) {
      continue;
    }
    const auto group = std::find_if(groups.begin(), groups.end(),
                                    [&](const auto& each) { return each.first == words; });
    if (group == groups.end()) {
      groups.emplace_back(words, kind_name(kind.kind));
    } else {
      group->second.append(" ").append(kind_name(kind.kind));
    }
  }
  std::vector<std::string> parts;
  parts.reserve(groups.size());
  for (const auto& [words, names] : groups) {
    parts.push_back(text::join({names, words}, " "));
  }
  return text::join(parts, "; ");
}

/// Where the first wrong length is, as far as the vectors can tell.
std::string localise(const Verdict& vectors, const std::string& differ) {
  if (vectors.first_wrong_bits) {
    return "first wrong length " + std::to_string(*vectors.first_wrong_bits) + " bits; " +
           (differ.empty() ? "" : differ + "; ") + vectors.detail;
  }
  return differ + (vectors.status == Status::no_vectors
                       ? "; no vectors that could name the first wrong length"
                       : ", but " + vectors.detail + ": the first wrong length is none of theirs");
}

}  // namespace

const char* status_name(Status status) {
  const auto* const entry = std::find_if(kStatuses.begin(), kStatuses.end(),
                                         [&](const auto& pair) { return pair.first == status; });
  if (entry == kStatuses.end()) {
    throw Error(Fault::internal, "kat", "a status without a name");
  }
  return entry->second;
}

std::optional<Status> find_status(const std::string& name) {
  for (const auto& [status, text] : kStatuses) {
    if (name == text) {
      return status;
    }
  }
  return std::nullopt;
}

Verdict compare(const std::vector<Vector>& vectors,
                const std::vector<std::vector<std::uint8_t>>& digests) {
  if (digests.size() != vectors.size()) {
    throw Error(Fault::internal, "kat",
                std::to_string(digests.size()) + " digests for " + std::to_string(vectors.size()) +
                    " vectors");
  }
  Verdict verdict;
  verdict.total = vectors.size();
  verdict.checked = digests.size();
  if (vectors.empty()) {
    verdict.detail =
        "no vectors for this instance; kat.vectors of its hash.yaml names none, so nothing proves "
        "it "
        "right (time_failing: true in a campaign times it all the same)";
    return verdict;
  }
  std::uint64_t wrong = 0;
  for (std::size_t i = 0; i < vectors.size(); ++i) {
    const Vector& vector = vectors[i];
    const std::vector<std::uint8_t> digest = vector.call_bits == vector.output_bits
                                                 ? digests[i]
                                                 : first_bits(digests[i], vector.output_bits);
    if (digest == vector.digest) {
      continue;
    }
    if (wrong == 0) {
      verdict.detail = first_difference(vector, digest);
    }
    verdict.first_wrong_bits = std::min(verdict.first_wrong_bits.value_or(vectors[i].message_bits),
                                        vectors[i].message_bits);
    ++wrong;
  }
  const std::string total = std::to_string(vectors.size());
  if (wrong != 0) {
    verdict.status = Status::mismatch;
    verdict.detail =
        std::to_string(wrong) + " of " + total + " vectors differ; first: " + verdict.detail;
    return verdict;
  }
  verdict.status = Status::pass;
  verdict.detail = total + (vectors.size() == 1 ? " vector agrees" : " vectors agree");
  return verdict;
}

KindVerdict without_line(Kind kind, const std::string& file, bool has_manifest) {
  KindVerdict verdict;
  verdict.kind = kind;
  verdict.status = Status::no_kat;
  verdict.file = file;
  verdict.detail = has_manifest ? "not in the manifest" : "no manifest";
  return verdict;
}

KindVerdict judge(const MessageSet& set, const std::string& file, const ManifestLine* line,
                  bool has_manifest, const std::vector<std::vector<std::uint8_t>>& digests) {
  KindVerdict verdict = without_line(set.kind, file, has_manifest);
  CanonicalDigest canonical(line == nullptr ? Mode{} : line->mode);
  write_text(set, digests, [&](std::string_view piece) { canonical.update(piece); });
  verdict.bytes = canonical.bytes();
  verdict.sha256 = canonical.finish();
  if (line == nullptr) {
    return verdict;
  }
  verdict.mode = mode_text(line->mode);
  verdict.against = "the manifest";
  const bool is_equal = verdict.sha256 == line->sha256;
  verdict.status = is_equal ? Status::pass : Status::mismatch;
  verdict.detail =
      is_equal ? "" : "the manifest has " + line->sha256 + " at line " + std::to_string(line->line);
  return verdict;
}

KindVerdict compare_with_submitted(KindVerdict verdict, const std::filesystem::path& submitted,
                                   const MessageSet& set,
                                   const std::vector<std::vector<std::uint8_t>>& digests) {
  const std::string difference = find_difference(submitted, set, digests);
  const std::string name = text::printable(submitted.filename().native());
  if (verdict.status == Status::mismatch) {
    verdict.detail = (difference.empty() ? "the submitted file " + name +
                                               " has what was computed, and not what the manifest "
                                               "is made of"
                                         : name + " " + difference) +
                     "; " + verdict.detail;
  } else if (verdict.status == Status::no_kat) {
    verdict.status = difference.empty() ? Status::pass : Status::mismatch;
    verdict.against = "the submitted file";
    verdict.detail = difference.empty() ? "" : name + " " + difference;
  } else if (verdict.status == Status::pass && !difference.empty()) {
    // The manifest is the answer; that the file is not what it is made of is said.
    verdict.detail = "is not as submitted: " + name + " " + difference;
  }
  return verdict;
}

KindVerdict compare_with_variant(KindVerdict verdict, const std::string& other,
                                 const std::string& other_sha256) {
  if (verdict.status != Status::no_kat || verdict.sha256.empty()) {
    return verdict;
  }
  if (verdict.sha256 == other_sha256) {
    verdict.detail += ", the same text as " + other;
    return verdict;
  }
  verdict.status = Status::mismatch;
  verdict.against = other;
  verdict.detail += "; the text of " + other + " has " + other_sha256;
  return verdict;
}

Verdict combine(const Verdict& vectors, const std::vector<KindVerdict>& kinds) {
  Verdict verdict = vectors;
  const auto broken = std::find_if(kinds.begin(), kinds.end(), [](const KindVerdict& kind) {
    return kind.status == Status::crypt_fail || kind.status == Status::crash ||
           kind.status == Status::timeout || kind.status == Status::load_fail;
  });
  const std::string wrong = comparisons(kinds, Status::mismatch, "differ", "from ");
  const std::string right = comparisons(kinds, Status::pass, "equal", "");
  if (broken != kinds.end()) {
    verdict.status = broken->status;
    verdict.detail = std::string(kind_name(broken->kind)) + ": " + broken->detail;
  } else if (!wrong.empty() || vectors.status == Status::mismatch) {
    verdict.status = Status::mismatch;
    verdict.detail = localise(vectors, wrong);
  } else if (!right.empty() &&
             (vectors.status == Status::pass || vectors.status == Status::no_vectors)) {
    const bool has_vectors = vectors.status == Status::pass;
    verdict.status = Status::pass;
    verdict.detail = (has_vectors ? vectors.detail + "; " : "") + right;
  }
  const std::string open = remarks(kinds);
  if (verdict.status == Status::pass && !open.empty()) {
    verdict.detail += "; " + open;
  }
  return verdict;
}

}  // namespace hashprof::kat
