// SPDX-License-Identifier: MIT
// See app/kat_entry.h.
#include "app/kat_entry.h"

#include <algorithm>

#include "base/error.h"
#include "base/text.h"

namespace hashprof::app {

namespace {

/// Enough for what a mismatch has to say.
constexpr std::size_t kLongestDetail = 1000;

kat::Status status_of(const std::string& name) {
  const auto status = kat::find_status(name);
  if (!status) {
    throw Error(Fault::internal, "kat", "a log holds the status '" + text::printable(name) + "'");
  }
  return *status;
}

std::vector<kat::CheckResult> contract_results(const record::KatEntry& entry) {
  std::vector<kat::CheckResult> results;
  for (const record::ContractEntry& check : entry.contract) {
    const kat::CheckRow* row = kat::find_row(check.step);
    const auto standing = kat::find_standing(check.standing);
    if (row != nullptr && standing) {
      results.push_back({row->check, *standing, check.detail, false});
    }
  }
  return results;
}

bool is_final(const std::string& status) {
  return status == kat::status_name(kat::Status::pass) ||
         status == kat::status_name(kat::Status::mismatch) ||
         status == kat::status_name(kat::Status::no_vectors);
}

/// Vectors and layouts stand together.
bool has_final_vectors(const record::KatEntry& entry) {
  return is_final(entry.vectors.status) &&
         std::all_of(entry.layouts.begin(), entry.layouts.end(),
                     [](const record::VectorEntry& layout) { return is_final(layout.status); });
}

bool has_all_vectors(const record::KatEntry& entry) {
  return !entry.vectors.status.empty() &&
         std::none_of(entry.layouts.begin(), entry.layouts.end(),
                      [](const record::VectorEntry& layout) { return layout.status.empty(); });
}

bool is_final(const record::KatFileEntry& file) {
  return is_final(file.status) ||
         (file.status == kat::status_name(kat::Status::no_kat) && !file.sha256.empty());
}

/// A check that ended in a time-out leaves the others NOTRUN; one that was killed, as the kernel
/// does where memory runs out, may say nothing of the hash.
bool is_final(const std::vector<record::ContractEntry>& contract) {
  return contract.size() == kat::kChecks &&
         std::none_of(contract.begin(), contract.end(), [](const record::ContractEntry& check) {
           return (check.standing == kat::standing_name(kat::Standing::not_run) &&
                   check.detail != kat::kTakesBytes) ||
                  check.detail.find("SIGKILL") != std::string::npos;
         });
}

/// What is still to be done: "2_33 Loop", "contract".
std::string missing_parts(const record::KatEntry& entry) {
  std::vector<std::string> parts;
  if (!has_all_vectors(entry)) {
    parts.emplace_back("vectors");
  }
  for (const record::KatFileEntry& file : entry.files) {
    if (file.status.empty()) {
      parts.push_back(file.kind);
    }
  }
  if (entry.contract.empty()) {
    parts.emplace_back("contract");
  }
  return text::join(parts, " ");
}

/// A build is right if all its layouts are.
kat::Verdict with_layouts(kat::Verdict verdict, const std::vector<record::VectorEntry>& layouts) {
  if (layouts.empty() || verdict.status != kat::Status::pass) {
    return verdict;
  }
  for (std::size_t i = 0; i < layouts.size(); ++i) {
    const kat::Status status = status_of(layouts[i].status);
    if (status != kat::Status::pass && status != kat::Status::no_vectors) {
      verdict.status = status;
      verdict.detail = "layout " + std::to_string(i + 1) + ": " + layouts[i].detail;
      return verdict;
    }
  }
  verdict.detail += "; in each of " + std::to_string(layouts.size() + 1) + " layouts";
  return verdict;
}

}  // namespace

kat::Kind kind_of(const std::string& name) {
  const auto kind = kat::find_kind(name);
  if (!kind) {
    throw Error(Fault::internal, "kat", "'" + text::printable(name) + "' is no kind");
  }
  return *kind;
}

void store_vectors(const runner::KatRun& run, record::KatEntry& entry) {
  const kat::Verdict& verdict = run.verdict;
  entry.vectors = {kat::status_name(verdict.status),
                   text::printable(verdict.detail, kLongestDetail), verdict.first_wrong_bits};
  entry.checked = verdict.checked;
  entry.total = verdict.total;
  entry.library_output += run.output.tail + run.errors.tail;
}

void store_layout(std::size_t layout, const runner::KatRun& run, record::KatEntry& entry) {
  const kat::Verdict& verdict = run.verdict;
  entry.layouts.at(layout) = {kat::status_name(verdict.status),
                              text::printable(verdict.detail, kLongestDetail),
                              verdict.first_wrong_bits};
  entry.library_output += run.output.tail + run.errors.tail;
}

void store_file(const runner::KatFileRun& run, bool has_times, record::KatEntry& entry) {
  const kat::KindVerdict& verdict = run.verdict;
  record::KatFileEntry& file = file_of(entry, kat::kind_name(verdict.kind));
  file.status = kat::status_name(verdict.status);
  file.sha256 = verdict.sha256;
  file.mode = verdict.mode;
  file.file = verdict.file;
  file.against = verdict.against;
  file.detail = text::printable(verdict.detail, kLongestDetail);
  file.submitted_sha256.clear();
  file.is_pending = false;
  file.bytes.reset();
  if (!verdict.sha256.empty()) {
    file.bytes = verdict.bytes;
  }
  file.elapsed_ns.reset();
  if (has_times && run.elapsed) {
    file.elapsed_ns = run.elapsed->value;
  }
  entry.library_output += run.output.tail + run.errors.tail;
}

void store_contract(const runner::KatAnswers& answers, record::KatEntry& entry) {
  entry.contract.clear();
  for (const kat::CheckResult& result : answers.contract) {
    entry.contract.push_back({kat::row_of(result.check).name, kat::standing_name(result.standing),
                              text::printable(result.detail, kLongestDetail)});
  }
  entry.library_output += answers.contract_output;
}

record::KatFileEntry& file_of(record::KatEntry& entry, const std::string& kind) {
  const auto file =
      std::find_if(entry.files.begin(), entry.files.end(),
                   [&](const record::KatFileEntry& each) { return each.kind == kind; });
  if (file == entry.files.end()) {
    throw Error(Fault::internal, "kat", "an answer that was not wanted");
  }
  return *file;
}

kat::Verdict vectors_verdict(const record::KatEntry& entry) {
  return {status_of(entry.vectors.status), entry.vectors.detail, entry.checked, entry.total,
          entry.vectors.first_wrong_bits};
}

kat::KindVerdict file_verdict(const record::KatFileEntry& file) {
  return {
      kind_of(file.kind), status_of(file.status), file.file, file.detail, file.sha256, file.mode,
      file.against,       file.bytes.value_or(0)};
}

void adopt(const record::KatEntry& earlier, record::KatEntry& entry) {
  if (!record::is_same_question(earlier, entry)) {
    return;
  }
  if (has_final_vectors(earlier) && earlier.layouts.size() == entry.layouts.size()) {
    entry.vectors = earlier.vectors;
    entry.layouts = earlier.layouts;
    entry.checked = earlier.checked;
    entry.total = earlier.total;
    entry.library_output = earlier.library_output;
  }
  if (is_final(earlier.contract)) {
    entry.contract = earlier.contract;
  }
  for (const record::KatFileEntry& known : earlier.files) {
    const auto wanted =
        std::find_if(entry.files.begin(), entry.files.end(),
                     [&](const record::KatFileEntry& file) { return file.kind == known.kind; });
    if (!is_final(known)) {
      continue;
    }
    if (wanted == entry.files.end()) {
      entry.files.push_back(known);
    } else if (wanted->file == known.file) {
      *wanted = known;
    }
  }
  std::sort(
      entry.files.begin(), entry.files.end(),
      [](const record::KatFileEntry& a, const record::KatFileEntry& b) { return a.kind < b.kind; });
}

void reopen(record::KatFileEntry& file, bool has_manifest, const std::string& submitted_sha256) {
  const bool is_listed = !file.mode.empty();
  if (file.sha256.empty()) {
    return;
  }
  const bool is_same = file.submitted_sha256 == submitted_sha256;
  file.is_pending = !is_same && !submitted_sha256.empty();
  if (is_listed && file.status == kat::status_name(kat::Status::pass)) {
    if (!is_same) {
      file.detail.clear();
      file.submitted_sha256.clear();
    }
  } else if (is_listed) {
    if (!is_same) {
      // What the manifest says stands last in the detail; what another file said is before it.
      const std::size_t at = file.detail.rfind("the manifest has ");
      file.detail = at == std::string::npos ? file.detail : file.detail.substr(at);
      file.submitted_sha256.clear();
    }
  } else if (!is_same || submitted_sha256.empty()) {
    const kat::KindVerdict verdict = kat::without_line(kind_of(file.kind), file.file, has_manifest);
    file.status = kat::status_name(verdict.status);
    file.detail = verdict.detail;
    file.against.clear();
    file.submitted_sha256.clear();
  }
}

void settle(record::KatEntry& entry) {
  const std::string missing = missing_parts(entry);
  if (!missing.empty()) {
    entry.status = kat::status_name(kat::Status::not_run);
    entry.detail = "not finished: " + missing;
    return;
  }
  std::vector<kat::KindVerdict> files;
  files.reserve(entry.files.size());
  for (const record::KatFileEntry& file : entry.files) {
    files.push_back(file_verdict(file));
  }
  const kat::Verdict verdict =
      kat::with_contract(with_layouts(kat::combine(vectors_verdict(entry), files), entry.layouts),
                         contract_results(entry));
  entry.status = kat::status_name(verdict.status);
  entry.detail = text::printable(verdict.detail, kLongestDetail);
}

}  // namespace hashprof::app
