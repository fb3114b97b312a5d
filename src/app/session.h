// SPDX-License-Identifier: MIT
// The phases of a run, each resumable: build, known answers, measure, finish. A session holds the
// run directory's lock for its life.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/libraries.h"
#include "app/output.h"
#include "app/setup.h"
#include "base/error.h"
#include "cli/options.h"
#include "host/findings.h"
#include "kat/manifest.h"
#include "kat/message_set.h"
#include "kat/vectors.h"
#include "probes/window_probe.h"
#include "record/journal.h"
#include "record/kat_log.h"
#include "record/run_directory.h"
#include "record/run_files.h"
#include "runner/known_answers.h"
#include "runner/memory_process.h"
#include "runner/meter.h"
#include "runner/signals.h"
#include "toolchain/toolchain.h"

namespace hashprof::app {

class Session {
 public:
  /// Opens or resumes the run directory. `setup` must outlive the session; `findings` of the
  /// machine go into the grade. Throws
  /// Error{configuration} naming what changed since the run was begun, and Error{environment} if
  /// the worker cannot be used.
  Session(const Setup& setup, const cli::Options& options,
          const std::vector<host::Finding>& findings);

  /// Makes every library; a failure is in build.json and ends nothing. Throws Interrupted, and
  /// Error{configuration} if sources changed under a run that has measured already.
  void build_libraries();
  /// Proves every library by its vectors and known-answer files; what was proved with the same
  /// library, vectors and manifest stands.
  void check_known_answers();
  /// Calibrates and measures every cell that may be timed.
  void measure();
  /// Measures the memory of the calls of every build that may be timed; what was measured of the
  /// same library under the same conditions stands. Nothing of a simulated run.
  void measure_memory();
  /// Runs `phases` and keeps what is finished when a signal, or a fault of a file of the user's,
  /// ends them.
  void carry_out(const std::function<void()>& phases);
  /// Writes records, report, campaign.json and SHA256SUMS: the run as it stands. A run that was
  /// complete stays so.
  void finish(record::RunStatus status);

  [[nodiscard]] const record::RunPaths& paths() const { return directory_.paths(); }
  [[nodiscard]] const std::vector<record::BuildEntry>& builds() const { return entries_; }
  /// What was compiled for the sizes of targets.
  [[nodiscard]] const std::vector<record::BuildEntry>& objects() const { return objects_; }
  [[nodiscard]] const std::vector<record::KatEntry>& known_answers() const { return answers_; }
  /// Whether a build, a known answer or a process failed.
  [[nodiscard]] bool has_failures() const { return has_failures_; }

 private:
  [[nodiscard]] record::RunHeader make_header() const;
  void load_known_answers();
  void open_campaign();
  void keep_conditions(const record::RunHeader& earlier);
  void add_reasons_of_now();
  void write_header() const;
  [[nodiscard]] record::BuildEntry entry_of(const plan::Build& build,
                                            const MadeLibrary& made) const;
  [[nodiscard]] record::KatEntry make_entry(std::size_t build) const;
  [[nodiscard]] std::optional<std::filesystem::path> submitted_file(const plan::Build& build,
                                                                    kat::Kind kind,
                                                                    const std::string& name) const;
  [[nodiscard]] std::string submitted_sha256(const plan::Build& build, kat::Kind kind,
                                             const std::string& name) const;
  void check_submitted_files() const;
  [[nodiscard]] std::filesystem::path kept_text(const plan::Build& build,
                                                const std::string& name) const;
  [[nodiscard]] bool is_wanted(const std::string& kind) const;
  [[nodiscard]] bool is_open(const record::KatFileEntry& file) const;
  [[nodiscard]] bool is_of_use(const plan::Build& build, const record::KatFileEntry& file) const;
  void store_file_answer(const plan::Build& build, const runner::KatFileRun& answer,
                         record::KatEntry& entry);
  [[nodiscard]] bool is_answered(const plan::Build& build, const record::KatFileEntry& file) const;
  [[nodiscard]] const runner::MessageMemory& messages_of(kat::Kind kind);
  [[nodiscard]] runner::KatFile make_file(const plan::Build& build,
                                          const record::KatFileEntry& wanted,
                                          const std::string& lack_of_memory);
  [[nodiscard]] std::optional<runner::KatTask> make_task(std::size_t build, std::size_t pass,
                                                         const std::string& lack_of_memory);
  void reopen_files(const plan::Build& build, record::KatEntry& entry) const;
  void begin_answers();
  [[nodiscard]] std::size_t plan_memory(std::size_t jobs, std::string& lack) const;
  void run_pass(std::size_t pass);
  void keep_text(const plan::Build& build, const runner::KatFileRun& run) const;
  void store_answers(std::size_t build, const runner::KatAnswers& answers);
  void write_answers(std::size_t build);
  [[nodiscard]] std::string memory_question(
      const plan::Build& build, const std::vector<record::MemoryOperation>& operations) const;
  [[nodiscard]] runner::MemoryJob memory_job(
      const plan::Build& build, const std::vector<record::MemoryOperation>& operations) const;
  void open_witness();
  [[nodiscard]] bool is_cross_checked(const std::vector<record::MemoryOperation>& operations,
                                      std::size_t operation) const;
  void cross_check(const runner::MemoryJob& job, record::MemoryEntry& entry);
  void measure_build_memory(std::size_t build, record::MemoryEntry& entry);
  [[nodiscard]] record::StackBoundEntry bound_of(std::size_t build, const runner::MemoryJob& job);
  void compare_variants();
  void compare_files(std::size_t build, std::size_t other);
  [[nodiscard]] std::vector<std::uint32_t> kat_cores() const;
  [[nodiscard]] bool is_timed(std::size_t build) const;
  [[nodiscard]] std::filesystem::path library_of(const plan::Build& build) const;
  [[nodiscard]] std::vector<std::filesystem::path> layouts_of(const plan::Build& build) const;

  const Setup& setup_;
  std::vector<std::string> host_reasons_;
  runner::SignalGuard signals_;
  std::filesystem::path worker_;
  std::unique_ptr<runner::Meter> meter_;
  record::RunDirectory directory_;
  record::Journal journal_;
  record::RunHeader header_;
  std::vector<std::string> reasons_now_;  ///< of the machine now, where an earlier part has its own
  std::size_t journal_lines_at_start_ = 0;
  bool was_complete_ = false;
  std::filesystem::path write_kat_;  ///< keeps the texts of the files; may be empty
  std::uint32_t jobs_ = 1;           ///< builds, and then processes that prove, at a time
  std::filesystem::path cache_;      ///< of builds; empty = none
  std::vector<std::vector<kat::Vector>> vectors_;  ///< by build
  std::vector<std::string> left_out_;              ///< by build: rows that it cannot give, in words
  std::vector<std::vector<kat::ManifestLine>> manifests_;  ///< by family; empty without one
  std::map<kat::Kind, runner::MessageMemory> messages_;    ///< made when the first build needs them
  std::vector<toolchain::BuildResult> results_;            ///< by build
  std::vector<std::optional<toolchain::BuildRequest>> requests_;  ///< by build; what built it
  /// Opened when the first build is watched; null where the machine refuses.
  std::unique_ptr<probes::WindowProbe> window_probe_;
  std::string no_window_;  ///< why it is null; empty before it was tried
  /// Stack of the C library's functions, measured when the first build needs it.
  std::optional<std::map<std::string, std::uint64_t>> depths_;
  std::vector<record::BuildEntry> entries_;  ///< by build
  std::vector<record::BuildEntry> objects_;
  std::vector<record::KatEntry> answers_;       ///< by build
  std::map<std::size_t, plan::Counts> counts_;  ///< by cell
  std::optional<Error> submitted_fault_;  ///< the first of a submitted file that cannot be compared
  bool has_failures_ = false;
  Progress progress_;
};

}  // namespace hashprof::app
