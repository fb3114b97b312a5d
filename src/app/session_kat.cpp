// SPDX-License-Identifier: MIT
// The phase that proves what was built by its vectors and known-answer files; see app/session.h.
#include <algorithm>
#include <filesystem>

#include "app/session.h"
#include "base/error.h"
#include "base/file.h"
#include "base/sha256.h"
#include "base/text.h"
#include "runner/known_answers.h"

namespace hashprof::app {

namespace {

namespace fs = std::filesystem;

constexpr Nanoseconds kShortestVectorLimit{60'000'000'000};
/// Enough for what a mismatch has to say.
constexpr std::size_t kLongestDetail = 1000;
/// A reference of 15 KB/s hashes the 3 MiB of the largest file in this time.
constexpr Nanoseconds kShortestFileLimit{300'000'000'000};

std::vector<std::pair<std::string, std::string>> vector_digests(const catalog::Family& family) {
  std::vector<std::pair<std::string, std::string>> digests;
  digests.reserve(family.vector_files.size());
  for (const fs::path& file : family.vector_files) {
    digests.emplace_back(text::printable(file.filename().native()), sha256_of_file(file));
  }
  return digests;
}

std::uint64_t longest_message(const std::vector<kat::Vector>& vectors) {
  std::uint64_t longest = 0;
  for (const kat::Vector& vector : vectors) {
    longest = std::max<std::uint64_t>(longest, vector.message.size());
  }
  return longest;
}

/// Whether another try could not end otherwise: time-outs and crashes, also those of a contract
/// check, may come from the machine or from limits that were raised since.
bool is_final(const record::KatEntry& entry) {
  return !entry.contract.empty() && (entry.status == kat::status_name(kat::Status::pass) ||
                                     entry.status == kat::status_name(kat::Status::mismatch));
}

/// Whether the build can give a row's output. One of fixed length gives the first bits of what it
/// always writes. The digest of any other function has its own length: a row of another would test
/// the file, not the hash.
bool can_give(const plan::Build& build, kat::Vector& vector) {
  if (build.xof == catalog::Xof::any) {
    return true;
  }
  if (build.xof == catalog::Xof::fixed) {
    vector.call_bits = build.digest_bits;
    return vector.output_bits <= build.digest_bits;
  }
  if (vector.output_bits != build.digest_bits) {
    throw Error(Fault::configuration, vector.file + ":" + std::to_string(vector.line),
                "the digest has " + std::to_string(vector.output_bits) + " bits, but instance " +
                    vector.instance + " has " + std::to_string(build.digest_bits))
        .hint("mend the row, or digest_bits in hash.yaml; an extendable-output function has xof:");
  }
  return true;
}

kat::Kind kind_of(const std::string& name) {
  const auto kind = kat::find_kind(name);
  if (!kind) {
    throw Error(Fault::internal, name, "is no kind, but passed the reading of the campaign");
  }
  return *kind;
}

std::optional<std::uint32_t> block_bytes_of(const catalog::Family& family,
                                            const std::string& name) {
  const auto instance =
      std::find_if(family.instances.begin(), family.instances.end(),
                   [&](const catalog::Instance& candidate) { return candidate.name == name; });
  return instance == family.instances.end() ? std::nullopt : instance->block_bytes;
}

record::KatFileEntry file_entry(const runner::KatFileRun& run, bool has_times) {
  const kat::KindVerdict& verdict = run.verdict;
  record::KatFileEntry entry{kat::kind_name(verdict.kind),
                             kat::status_name(verdict.status),
                             verdict.sha256,
                             verdict.mode,
                             verdict.file,
                             text::printable(verdict.detail),
                             {},
                             {}};
  if (!verdict.sha256.empty()) {
    entry.bytes = verdict.bytes;
  }
  if (has_times && run.elapsed) {
    entry.elapsed_ns = run.elapsed->value;
  }
  return entry;
}

std::vector<record::ContractEntry> contract_entries(const std::vector<kat::CheckResult>& results) {
  std::vector<record::ContractEntry> entries;
  entries.reserve(results.size());
  for (const kat::CheckResult& result : results) {
    entries.push_back({kat::row_of(result.check).name, kat::standing_name(result.standing),
                       text::printable(result.detail, kLongestDetail)});
  }
  return entries;
}

}  // namespace

void Session::load_known_answers() {
  for (const plan::Build& build : setup_.plan.builds) {
    std::vector<kat::Vector> wanted;
    std::uint64_t left_out = 0;
    for (const fs::path& file : setup_.families[build.family].vector_files) {
      for (kat::Vector& vector : kat::load_vectors(file)) {
        if (vector.instance != build.instance) {
          continue;
        }
        if (can_give(build, vector)) {
          wanted.push_back(std::move(vector));
        } else {
          ++left_out;
        }
      }
    }
    vectors_.push_back(std::move(wanted));
    left_out_.push_back(left_out);
  }
  for (const catalog::Family& family : setup_.families) {
    manifests_.push_back(family.manifest ? kat::load_manifest(*family.manifest)
                                         : std::vector<kat::ManifestLine>());
  }
}

record::KatEntry Session::make_entry(std::size_t index) const {
  const plan::Build& build = setup_.plan.builds[index];
  const catalog::Family& family = setup_.families[build.family];
  record::KatEntry entry;
  entry.family_id = build.family_id;
  entry.instance = build.instance;
  entry.library = paths().relative(library_of(build));
  entry.library_sha256 = results_[index].library_sha256;
  entry.vector_files = vector_digests(family);
  if (family.manifest) {
    entry.manifest = text::printable(family.manifest->filename().native());
    entry.manifest_sha256 = sha256_of_file(*family.manifest);
  }
  for (const std::string& kind : setup_.campaign.kat) {
    record::KatFileEntry file;
    file.kind = kind;
    file.file = kat::file_name(kind_of(kind), family.kat_name(build.instance));
    entry.files.push_back(std::move(file));
  }
  return entry;
}

runner::KatTask Session::make_task(std::size_t index) {
  const plan::Build& build = setup_.plan.builds[index];
  const catalog::Family& family = setup_.families[build.family];
  runner::KatTask task;
  std::uint64_t longest = longest_message(vectors_[index]);
  task.vectors = &vectors_[index];
  task.has_manifest = family.manifest.has_value();
  task.digest_bits = build.digest_bits;
  task.block_bytes = block_bytes_of(family, build.instance);
  for (const std::string& name : setup_.campaign.kat) {
    runner::KatFile file;
    file.kind = kind_of(name);
    file.name = kat::file_name(file.kind, family.kat_name(build.instance));
    file.line = kat::find_line(manifests_[build.family], build.instance, file.name);
    if (file.line != nullptr) {
      const auto known = messages_.find(file.kind);
      file.messages =
          known != messages_.end()
              ? &known->second
              : &messages_.emplace(file.kind, kat::make_message_set(file.kind)).first->second;
      for (const kat::Message& message : file.messages->messages) {
        longest = std::max<std::uint64_t>(longest, message.bytes.size());
      }
    }
    task.files.push_back(std::move(file));
  }
  const Nanoseconds call = setup_.campaign.limits.call.value_or(Nanoseconds{});
  task.job.worker = worker_;
  task.job.library = library_of(build);
  task.job.entry = build.settings.entry;
  task.job.time_limit = std::max(kShortestVectorLimit, call);
  task.file_time_limit = std::max(kShortestFileLimit, call);
  task.job.address_space = plan::address_space_limit(setup_.campaign, longest);
  task.job.stack = setup_.campaign.limits.stack;
  task.job.env = setup_.campaign.env;
  task.job.uid = setup_.campaign.sandbox.uid;
  task.job.is_sandboxed = setup_.campaign.sandbox.enabled;
  return task;
}

void Session::store_answers(std::size_t index, runner::KatAnswers&& answers) {
  const plan::Build& build = setup_.plan.builds[index];
  std::vector<kat::KindVerdict> files;
  record::KatEntry& entry = answers_[index];
  entry.files.clear();
  entry.library_output = answers.vectors.output.tail + answers.vectors.errors.tail;
  for (const runner::KatFileRun& run : answers.files) {
    entry.files.push_back(file_entry(run, meter_->simulation().empty()));
    entry.library_output += run.output.tail + run.errors.tail;
    files.push_back(run.verdict);
  }
  entry.library_output += answers.contract_output;
  entry.contract = contract_entries(answers.contract);
  const kat::Verdict verdict =
      kat::with_contract(kat::combine(answers.vectors.verdict, files), answers.contract);
  entry.checked = verdict.checked;
  entry.total = verdict.total;
  entry.status = kat::status_name(verdict.status);
  entry.detail = text::printable(verdict.detail, kLongestDetail);
  if (left_out_[index] > 0) {
    entry.detail += "; " + std::to_string(left_out_[index]) +
                    (left_out_[index] == 1 ? " vector asks" : " vectors ask") +
                    " for more than its " + std::to_string(build.digest_bits) + " bits";
  }
  const fs::path log = paths().kat_log(build.family_id, build.label);
  make_directories(log.parent_path());
  write_file_atomically(log, record::kat_log_text(entry));
}

void Session::check_known_answers() {
  std::vector<runner::KatTask> tasks;
  std::vector<std::size_t> builds;  // of each task
  for (std::size_t index = 0; index < setup_.plan.builds.size(); ++index) {
    const plan::Build& build = setup_.plan.builds[index];
    record::KatEntry entry = make_entry(index);
    if (!results_[index].is_built) {
      entry.status = "NOTBUILT";
      entry.detail = text::printable(results_[index].reason);
      entry.total = vectors_[index].size();
      for (record::KatFileEntry& file : entry.files) {
        file.status = kat::status_name(kat::Status::not_run);
        file.detail = "not built";
      }
    } else if (const auto known =
                   record::find_kat_log(paths().kat_log(build.family_id, build.label));
               known && record::is_same_question(*known, entry) && is_final(*known)) {
      entry = *known;
    } else {
      tasks.push_back(make_task(index));
      builds.push_back(index);
    }
    answers_.push_back(std::move(entry));
  }
  std::size_t finished = 0;
  const auto show = [&] {
    progress_.show("checking known answers: " + std::to_string(finished) + " of " +
                   std::to_string(tasks.size()) + " builds");
  };
  show();
  runner::run_kat_tasks(tasks, kat_cores(), [&](std::size_t task, runner::KatAnswers&& answers) {
    store_answers(builds[task], std::move(answers));
    ++finished;
    show();
  });
  for (std::size_t index = 0; index < answers_.size(); ++index) {
    has_failures_ =
        has_failures_ ||
        (results_[index].is_built && answers_[index].status != kat::status_name(kat::Status::pass));
  }
}

/// The core of the campaign first: with one job nothing differs from a measurement.
std::vector<std::uint32_t> Session::kat_cores() const {
  std::vector<std::uint32_t> cores{setup_.plan.core};
  for (const std::uint32_t core : host::allowed_cpus()) {
    if (cores.size() < jobs_ && core != setup_.plan.core) {
      cores.push_back(core);
    }
  }
  return cores;
}

}  // namespace hashprof::app
