// SPDX-License-Identifier: MIT
// See runner/known_answers.h. Each build is a chain of processes: its vectors, its files, its
// checks.
#include "runner/known_answers.h"

#include <algorithm>
#include <memory>

#include "runner/contract.h"
#include "runner/library_file.h"

namespace hashprof::runner {

namespace {

std::vector<Item> items_of(const std::vector<kat::Vector>& vectors, std::uint32_t digest_bits) {
  std::vector<Item> items;
  items.reserve(vectors.size());
  for (const kat::Vector& vector : vectors) {
    items.push_back({vector.message_bits, vector.message, vector.call_bits, digest_bits});
  }
  return items;
}

KatRun judge(const std::vector<kat::Vector>& vectors, Answers answers) {
  KatRun run;
  run.verdict = answers.status == kat::Status::pass
                    ? kat::compare(vectors, answers.digests)
                    : kat::Verdict{answers.status, std::move(answers.detail), answers.done,
                                   vectors.size(), std::nullopt};
  run.output = std::move(answers.output);
  run.errors = std::move(answers.errors);
  return run;
}

KatFileRun judge(const KatFile& file, bool has_manifest, Answers answers) {
  KatFileRun run;
  if (answers.status == kat::Status::pass) {
    run.verdict =
        kat::judge(file.messages->set(), file.name, file.line, has_manifest, answers.digests);
    run.digests = std::move(answers.digests);
  } else {
    run.verdict = kat::without_line(file.kind, file.name, has_manifest);
    run.verdict.status = answers.status;
    run.verdict.detail = std::move(answers.detail);
    run.verdict.mode = file.line == nullptr ? "" : kat::mode_text(file.line->mode);
  }
  run.elapsed = answers.elapsed;
  run.output = std::move(answers.output);
  run.errors = std::move(answers.errors);
  return run;
}

/// Of a file that was not to be computed, or that its build does not come to.
KatFileRun skipped(const KatFile& file, bool has_manifest, kat::Status vectors) {
  KatFileRun run;
  run.verdict = kat::without_line(file.kind, file.name, has_manifest);
  if (file.messages == nullptr) {
    run.verdict.status = file.status;
    run.verdict.detail = file.reason;
  } else {
    run.verdict.status = kat::Status::not_run;
    run.verdict.detail = std::string("the vectors ended with ") + kat::status_name(vectors);
  }
  return run;
}

bool is_unusable(kat::Status status) {
  return status == kat::Status::crash || status == kat::Status::timeout ||
         status == kat::Status::load_fail;
}

/// Why the contract of a build is not checked: it does not get through its known answers. Empty if
/// it is. A wrong digest or a failed call is no reason: the checks may say where it comes from.
std::string find_contract_obstacle(kat::Status vectors, const KatAnswers& answers) {
  if (is_unusable(vectors)) {
    return std::string("the vectors ended with ") + kat::status_name(vectors);
  }
  for (const KatFileRun& file : answers.files) {
    if (is_unusable(file.verdict.status)) {
      return std::string(kat::kind_name(file.verdict.kind)) + " ended with " +
             kat::status_name(file.verdict.status);
    }
  }
  return "";
}

/// The processes of one build, one after the other.
class Chain {
 public:
  Chain(std::size_t number, const KatTask& task, std::uint32_t core)
      : number_(number), task_(task), job_(task.job), has_vectors_(task.vectors == nullptr) {
    job_.core = core;
  }

  /// Starts the next process; false if there is none left.
  [[nodiscard]] bool advance() {
    if (!has_vectors_) {
      if (!task_.vectors->empty()) {
        start_vectors();
        return true;
      }
      KatRun none{kat::compare(*task_.vectors, {}), {}, {}};
      // Nothing else would say that the library is none of this machine.
      const std::string refusal = find_refusal(open_library(job_.library), job_.library);
      if (!refusal.empty()) {
        none.verdict.status = kat::Status::load_fail;
        none.verdict.detail = refusal;
      }
      answers_.layouts.assign(task_.layouts.size(), none);
      answers_.vectors = std::move(none);
      has_vectors_ = true;
    }
    if (task_.vectors != nullptr && answers_.layouts.size() < task_.layouts.size()) {
      start_layout();
      return true;
    }
    const kat::Status status = vectors_status();
    const bool is_sound = status == kat::Status::pass || status == kat::Status::mismatch ||
                          status == kat::Status::no_vectors;
    while (answers_.files.size() < task_.files.size()) {
      const KatFile& file = task_.files[answers_.files.size()];
      if (file.messages != nullptr && is_sound) {
        start_file(file);
        return true;
      }
      answers_.files.push_back(skipped(file, task_.has_manifest, status));
    }
    return task_.is_contract_wanted && advance_contract();
  }

  /// Judges the process that was started last; whether that is an answer to tell of.
  [[nodiscard]] bool take() {
    if (contract_) {
      contract_->take();
      return false;
    }
    if (!has_vectors_) {
      answers_.vectors = judge(*task_.vectors, current_->finish());
      has_vectors_ = true;
    } else if (is_layout_) {
      answers_.layouts.push_back(judge(*task_.vectors, current_->finish()));
      is_layout_ = false;
    } else {
      answers_.files.push_back(
          judge(task_.files[answers_.files.size()], task_.has_manifest, current_->finish()));
    }
    current_.reset();
    return true;
  }

  [[nodiscard]] RunningWorker* worker() {
    return contract_ ? contract_->worker() : current_->worker();
  }
  [[nodiscard]] std::size_t number() const { return number_; }
  [[nodiscard]] std::uint32_t core() const { return job_.core; }
  [[nodiscard]] KatAnswers& answers() { return answers_; }

 private:
  [[nodiscard]] kat::Status vectors_status() const {
    return answers_.vectors ? answers_.vectors->verdict.status : task_.vectors_status;
  }

  void start_vectors() {
    messages_.emplace(items_of(*task_.vectors, task_.digest_bits));
    current_ = std::make_unique<Computation>(job_, *messages_, task_.digest_bits, "vector");
  }

  void start_layout() {
    file_job_ = job_;
    file_job_.library = task_.layouts[answers_.layouts.size()];
    is_layout_ = true;
    // Held since the vectors of layout 0.
    current_ =
        std::make_unique<Computation>(file_job_, messages_.value(), task_.digest_bits, "vector");
  }

  void start_file(const KatFile& file) {
    file_job_ = job_;
    file_job_.time_limit = file.time_limit;
    file_job_.address_space = file.address_space;
    current_ =
        std::make_unique<Computation>(file_job_, *file.messages, task_.digest_bits, "record");
  }

  [[nodiscard]] bool advance_contract() {
    if (!contract_) {
      const std::string obstacle = find_contract_obstacle(vectors_status(), answers_);
      if (!obstacle.empty()) {
        answers_.contract = kat::none_run(obstacle);
        return false;
      }
      contract_ = std::make_unique<ContractRun>(job_, task_.digest_bits,
                                                kat::dense_bits(task_.block_bytes));
    }
    if (contract_->advance()) {
      return true;
    }
    answers_.contract = contract_->results();
    answers_.contract_output = contract_->output();
    return false;
  }

  std::size_t number_;
  const KatTask& task_;
  KatJob job_;
  KatJob file_job_;
  bool has_vectors_;
  bool is_layout_ = false;  ///< what runs is the vectors of a further layout
  KatAnswers answers_;
  std::optional<MessageMemory> messages_;  ///< the vectors
  std::unique_ptr<Computation> current_;
  std::unique_ptr<ContractRun> contract_;
};

/// Index of a chain whose process is over.
std::size_t wait_for_chain(const std::vector<std::unique_ptr<Chain>>& chains) {
  std::vector<RunningWorker*> workers;
  for (std::size_t i = 0; i < chains.size(); ++i) {
    if (chains[i]->worker() == nullptr) {
      return i;
    }
    workers.push_back(chains[i]->worker());
  }
  return wait_any(workers);
}

}  // namespace

KatRun run_known_answers(const KatJob& job, const std::vector<kat::Vector>& vectors,
                         std::uint32_t digest_bits) {
  if (vectors.empty()) {
    return {kat::compare(vectors, {}), {}, {}};
  }
  const MessageMemory messages(items_of(vectors, digest_bits));
  Computation computation(job, messages, digest_bits, "vector");
  if (RunningWorker* worker = computation.worker()) {
    static_cast<void>(wait_any({worker}));
  }
  return judge(vectors, computation.finish());
}

void run_kat_tasks(const std::vector<KatTask>& tasks, const std::vector<std::uint32_t>& cores,
                   const std::function<void(std::size_t, const KatAnswers&)>& step) {
  std::vector<std::unique_ptr<Chain>> chains;
  std::vector<std::uint32_t> free_cores(cores.rbegin(), cores.rend());
  std::size_t next = 0;
  // Takes the chain at `index` one step on; one that is through leaves its core.
  const auto advance = [&](std::size_t index) {
    Chain& chain = *chains[index];
    if (chain.advance()) {
      return;
    }
    chain.answers().is_through = true;
    step(chain.number(), chain.answers());
    free_cores.push_back(chain.core());
    chains.erase(chains.begin() + static_cast<std::ptrdiff_t>(index));
  };
  while (next < tasks.size() || !chains.empty()) {
    if (next < tasks.size() && !free_cores.empty()) {
      chains.push_back(std::make_unique<Chain>(next, tasks[next], free_cores.back()));
      free_cores.pop_back();
      ++next;
      advance(chains.size() - 1);
      continue;
    }
    const std::size_t index = wait_for_chain(chains);
    if (chains[index]->take()) {
      step(chains[index]->number(), chains[index]->answers());
    }
    advance(index);
  }
}

}  // namespace hashprof::runner
