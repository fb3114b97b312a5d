// SPDX-License-Identifier: MIT
// Names of statuses and the verdict over computed digests; see kat/vectors.h.
#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "base/error.h"
#include "base/text.h"
#include "kat/vectors.h"

namespace hashprof::kat {

namespace {

constexpr std::array<std::pair<Status, const char*>, 7> kStatuses = {{
    {Status::pass, "PASS"},
    {Status::mismatch, "MISMATCH"},
    {Status::no_vectors, "NOVECTORS"},
    {Status::crypt_fail, "CRYPTFAIL"},
    {Status::crash, "CRASH"},
    {Status::timeout, "TIMEOUT"},
    {Status::load_fail, "LOADFAIL"},
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
    verdict.detail = "no vectors for this instance";
    return verdict;
  }
  std::uint64_t wrong = 0;
  for (std::size_t i = 0; i < vectors.size(); ++i) {
    if (digests[i] == vectors[i].digest) {
      continue;
    }
    if (wrong == 0) {
      verdict.detail = first_difference(vectors[i], digests[i]);
    }
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

}  // namespace hashprof::kat
