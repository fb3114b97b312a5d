// SPDX-License-Identifier: MIT
// The phase that proves what was built by its vectors and known-answer files; see app/session.h.
#include <algorithm>
#include <filesystem>

#include "app/kat_entry.h"
#include "app/session.h"
#include "app/verbs.h"
#include "base/error.h"
#include "base/file.h"
#include "base/sha256.h"
#include "base/text.h"
#include "runner/known_answers.h"

namespace hashprof::app {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kSecond = 1'000'000'000;
constexpr Nanoseconds kShortestVectorLimit{60 * kSecond};

const char* const kNoKat = kat::status_name(kat::Status::no_kat);

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

/// Rows that a build cannot give.
struct LeftOut {
  std::uint64_t longer = 0;   ///< than its output
  std::uint64_t partial = 0;  ///< bytes, where it takes whole ones

  [[nodiscard]] std::string text(std::uint32_t digest_bits) const {
    return sentence(longer, "for more than its " + std::to_string(digest_bits) + " bits") +
           sentence(partial, "for a part of a byte");
  }

 private:
  static std::string sentence(std::uint64_t count, const std::string& what) {
    return count == 0 ? ""
                      : "; " + std::to_string(count) +
                            (count == 1 ? " vector asks " : " vectors ask ") + what;
  }
};

/// Whether the build can give a row's output; else counts it. One of fixed length gives the first
/// bits of what it always writes. The digest of any other function has its own length: a row of
/// another would test the file, not the hash.
bool can_give(const plan::Build& build, kat::Vector& vector, LeftOut& left_out) {
  const bool is_partial = vector.message_bits % 8 != 0 || vector.output_bits % 8 != 0;
  if (build.takes_bytes && is_partial) {
    ++left_out.partial;
    return false;
  }
  if (build.xof == catalog::Xof::any) {
    return true;
  }
  if (build.xof == catalog::Xof::fixed) {
    vector.call_bits = build.digest_bits;
    left_out.longer += vector.output_bits > build.digest_bits ? 1 : 0;
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

std::optional<std::uint32_t> block_bytes_of(const catalog::Family& family,
                                            const std::string& name) {
  const auto instance =
      std::find_if(family.instances.begin(), family.instances.end(),
                   [&](const catalog::Instance& candidate) { return candidate.name == name; });
  return instance == family.instances.end() ? std::nullopt : instance->block_bytes;
}

/// What answers depend on beside the library, the vectors and the manifest.
std::string question_of(const Setup& setup, const plan::Build& build,
                        const toolchain::BuildResult& result) {
  const campaign::Campaign& campaign = setup.campaign;
  const auto block = block_bytes_of(setup.families[build.family], build.instance);
  json::Object env;
  for (const auto& [name, value] : campaign.env) {
    env.emplace_back(name, value);
  }
  json::Array libraries;
  for (const toolchain::InputFile& library : result.shared_libraries) {
    libraries.emplace_back(library.sha256);
  }
  json::Value memory;
  if (campaign.limits.memory) {
    memory = campaign.limits.memory->value;
  }
  return sha256_of(json::write_compact(json::Object{
      {"tool", version()},
      {"digest_bits", build.digest_bits},
      {"xof", build.xof ? json::Value(catalog::xof_name(*build.xof)) : json::Value()},
      {"messages", build.takes_bytes ? "bytes" : "bits"},
      {"block", block ? json::Value(*block) : json::Value()},
      {"entry", build.settings.exported()},
      {"layouts", json::Array(result.layout_sha256.begin(), result.layout_sha256.end())},
      {"shared_libraries", std::move(libraries)},
      {"env", std::move(env)},
      {"memory", std::move(memory)},
      {"stack", campaign.limits.stack.value},
      {"uid", campaign.sandbox.uid},
      {"sandbox", campaign.sandbox.enabled}}));
}

/// Passes over all builds, the cheap ones first.
std::size_t pass_of(kat::Kind kind) {
  return kind == kat::Kind::k2_33 ? 2 : kind == kat::Kind::loop ? 1 : 0;
}
constexpr std::size_t kPasses = 3;

}  // namespace

void Session::load_known_answers() {
  check_submitted_files();
  for (const plan::Build& build : setup_.plan.builds) {
    std::vector<kat::Vector> wanted;
    LeftOut left_out;
    for (const fs::path& file : setup_.families[build.family].vector_files) {
      for (kat::Vector& vector : kat::load_vectors(file)) {
        if (vector.instance != build.instance) {
          continue;
        }
        if (can_give(build, vector, left_out)) {
          wanted.push_back(std::move(vector));
        }
      }
    }
    vectors_.push_back(std::move(wanted));
    left_out_.push_back(left_out.text(build.digest_bits));
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
  entry.label = build.label;
  entry.library = paths().relative(library_of(build));
  entry.library_sha256 = results_[index].library_sha256;
  entry.question_sha256 = question_of(setup_, build, results_[index]);
  entry.layouts.resize(build.layouts - 1);
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

/// Whether an answer is wanted now: there is none, or it has to be computed again.
bool Session::is_open(const record::KatFileEntry& file) const {
  return is_wanted(file.kind) && (file.status.empty() || file.is_pending);
}

bool Session::is_wanted(const std::string& kind) const {
  const std::vector<std::string>& kinds = setup_.campaign.kat;
  return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

/// What a pass has to do of a build; nothing if all of it is answered.
std::optional<runner::KatTask> Session::make_task(std::size_t index, std::size_t pass,
                                                  const std::string& lack_of_memory) {
  const plan::Build& build = setup_.plan.builds[index];
  const record::KatEntry& entry = answers_[index];
  if (!results_[index].is_built) {
    return std::nullopt;
  }
  runner::KatTask task;
  task.has_manifest = setup_.families[build.family].manifest.has_value();
  task.digest_bits = build.digest_bits;
  task.block_bytes = block_bytes_of(setup_.families[build.family], build.instance);
  if (entry.vectors.status.empty()) {
    task.vectors = &vectors_[index];
    task.layouts = layouts_of(build);
    task.layouts.erase(task.layouts.begin());
  } else {
    task.vectors_status = vectors_verdict(entry).status;
  }
  for (const record::KatFileEntry& file : entry.files) {
    if (is_open(file) && pass_of(kind_of(file.kind)) == pass) {
      task.files.push_back(make_file(build, file, lack_of_memory));
    }
  }
  task.is_contract_wanted = pass == 0 && entry.contract.empty();
  task.job.worker = worker_;
  task.job.library = library_of(build);
  task.job.entry = build.settings.exported();
  task.job.time_limit =
      std::max(kShortestVectorLimit, setup_.campaign.limits.call.value_or(Nanoseconds{}));
  task.job.address_space =
      plan::address_space_limit(setup_.campaign, longest_message(vectors_[index]));
  task.job.stack = setup_.campaign.limits.stack;
  task.job.env = setup_.campaign.env;
  task.job.uid = setup_.campaign.sandbox.uid;
  task.job.takes_bytes = build.takes_bytes;
  task.job.is_sandboxed = setup_.campaign.sandbox.enabled;
  const bool has_work = task.vectors != nullptr || !task.files.empty() || task.is_contract_wanted;
  return has_work ? std::optional(std::move(task)) : std::nullopt;
}

/// Takes what is new of a task's answers into the build's entry, and writes its log.
void Session::store_answers(std::size_t index, const runner::KatAnswers& answers) {
  const plan::Build& build = setup_.plan.builds[index];
  record::KatEntry& entry = answers_[index];
  if (answers.vectors && entry.vectors.status.empty()) {
    store_vectors(*answers.vectors, entry);
  }
  for (std::size_t layout = 0; layout < answers.layouts.size(); ++layout) {
    if (entry.layouts.at(layout).status.empty()) {
      store_layout(layout, answers.layouts[layout], entry);
    }
  }
  for (const runner::KatFileRun& answer : answers.files) {
    store_file_answer(build, answer, entry);
  }
  if (!answers.contract.empty()) {
    store_contract(answers, entry);
  }
  write_answers(index);
}

/// What cannot be computed now does not replace what was.
void Session::store_file_answer(const plan::Build& build, const runner::KatFileRun& answer,
                                record::KatEntry& entry) {
  record::KatFileEntry& file = file_of(entry, kat::kind_name(answer.verdict.kind));
  if (!is_open(file)) {
    return;
  }
  if (file.is_pending && answer.verdict.status == kat::Status::not_run) {
    file.is_pending = false;
    return;
  }
  runner::KatFileRun run = answer;
  const auto submitted = submitted_file(build, run.verdict.kind, run.verdict.file);
  bool is_compared = false;
  if (submitted && !run.digests.empty()) {
    try {
      run.verdict = kat::compare_with_submitted(
          std::move(run.verdict), *submitted, messages_.at(answer.verdict.kind).set(), run.digests);
      is_compared = true;
    } catch (const Error& error) {
      // The answer is kept, and the fault ends the command when all the others are there too.
      run.verdict = answer.verdict;
      submitted_fault_ = submitted_fault_ ? submitted_fault_ : std::optional(error);
    }
  }
  if (!write_kat_.empty() && !run.digests.empty()) {
    keep_text(build, run);
  }
  store_file(run, meter_->simulation().empty(), entry);
  if (is_compared) {
    file.submitted_sha256 = submitted_sha256(build, run.verdict.kind, run.verdict.file);
  }
}

void Session::write_answers(std::size_t index) {
  const plan::Build& build = setup_.plan.builds[index];
  record::KatEntry& entry = answers_[index];
  settle(entry);
  entry.detail += left_out_[index];
  const fs::path log = paths().kat_log(build.family_id, build.label);
  make_directories(log.parent_path());
  write_file_atomically(log, record::kat_log_text(entry));
}

/// Leaves of what was adopted what this command would answer too.
void Session::reopen_files(const plan::Build& build, record::KatEntry& entry) const {
  for (record::KatFileEntry& file : entry.files) {
    // A kind that is not asked for now keeps what was said of it.
    if (file.status.empty() || !is_wanted(file.kind)) {
      continue;
    }
    reopen(file, setup_.families[build.family].manifest.has_value(),
           submitted_sha256(build, kind_of(file.kind), file.file));
    file.is_pending = file.is_pending || !is_answered(build, file);
  }
}

void Session::begin_answers() {
  for (std::size_t index = 0; index < setup_.plan.builds.size(); ++index) {
    const plan::Build& build = setup_.plan.builds[index];
    record::KatEntry entry = make_entry(index);
    const auto known = record::find_kat_log(paths().kat_log(build.family_id, build.label));
    if (!results_[index].is_built) {
      entry.status = "NOTBUILT";
      entry.detail = text::printable(results_[index].reason);
      entry.total = vectors_[index].size();
      for (record::KatFileEntry& file : entry.files) {
        file.status = kat::status_name(kat::Status::not_run);
        file.detail = "not built";
      }
    } else if (known) {
      adopt(*known, entry);
      reopen_files(build, entry);
    }
    answers_.push_back(std::move(entry));
  }
}

void Session::run_pass(std::size_t pass) {
  std::vector<std::uint32_t> cores = kat_cores();
  std::string lack_of_memory;
  const auto has_work = [&](std::size_t index) {
    const auto& files = answers_[index].files;
    return results_[index].is_built &&
           std::any_of(files.begin(), files.end(), [&](const record::KatFileEntry& file) {
             return is_open(file) && pass_of(kind_of(file.kind)) == pass &&
                    is_of_use(setup_.plan.builds[index], file);
           });
  };
  if (pass == pass_of(kat::Kind::k2_33)) {
    bool is_any_wanted = false;
    for (std::size_t index = 0; index < answers_.size(); ++index) {
      is_any_wanted = is_any_wanted || has_work(index);
    }
    if (!is_any_wanted) {
      return;
    }
    cores.resize(plan_memory(cores.size(), lack_of_memory));
  }
  std::vector<runner::KatTask> tasks;
  std::vector<std::size_t> builds;  // of each task
  for (std::size_t index = 0; index < setup_.plan.builds.size(); ++index) {
    if (auto task = make_task(index, pass, lack_of_memory)) {
      tasks.push_back(std::move(*task));
      builds.push_back(index);
    }
  }
  std::size_t finished = 0;
  const auto show = [&] {
    progress_.show(std::string("checking known answers") +
                   (pass == 2   ? " (2_33)"
                    : pass == 1 ? " (Loop)"
                                : "") +
                   ": " + std::to_string(finished) + " of " + std::to_string(tasks.size()) +
                   " builds");
  };
  show();
  runner::run_kat_tasks(tasks, cores, [&](std::size_t task, const runner::KatAnswers& answers) {
    store_answers(builds[task], answers);
    finished += answers.is_through ? 1 : 0;
    show();
  });
}

/// A file without a known answer is held against the same file of the reference variant.
void Session::compare_variants() {
  const auto& builds = setup_.plan.builds;
  for (std::size_t index = 0; index < builds.size(); ++index) {
    if (!results_[index].is_built) {
      continue;
    }
    for (std::size_t other = 0; other < builds.size(); ++other) {
      const bool is_variant = other != index && results_[other].is_built &&
                              builds[other].family == builds[index].family &&
                              builds[other].instance == builds[index].instance;
      if (is_variant &&
          (builds[other].variant == "reference" || builds[index].variant == "reference")) {
        compare_files(index, other);
      }
    }
    write_answers(index);
  }
}

void Session::compare_files(std::size_t index, std::size_t other) {
  const auto& builds = setup_.plan.builds;
  for (record::KatFileEntry& file : answers_[index].files) {
    for (const record::KatFileEntry& same : answers_[other].files) {
      if (same.kind != file.kind || same.sha256.empty() || file.status != kNoKat) {
        continue;
      }
      // The reference is never judged by another variant.
      if (builds[index].variant == "reference" && same.sha256 != file.sha256) {
        continue;
      }
      const kat::KindVerdict verdict =
          kat::compare_with_variant(file_verdict(file), builds[other].label, same.sha256);
      file.status = kat::status_name(verdict.status);
      file.against = verdict.against;
      file.detail = text::printable(verdict.detail);
    }
  }
}

void Session::check_known_answers() {
  begin_answers();
  for (std::size_t pass = 0; pass < kPasses; ++pass) {
    run_pass(pass);
  }
  messages_.clear();
  compare_variants();
  if (submitted_fault_) {
    throw Error(*submitted_fault_);
  }
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
