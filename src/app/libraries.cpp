// SPDX-License-Identifier: MIT
// See app/libraries.h. What is to be built is settled first, in this thread; the builds themselves
// may then run several at a time.
#include "app/libraries.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>

#include "base/error.h"
#include "base/file.h"
#include "base/sha256.h"
#include "base/text.h"
#include "host/host_facts.h"
#include "runner/signals.h"

namespace hashprof::app {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongestFlags = 4096;

toolchain::BuildResult failed_build(const plan::Build& build, const std::string& reason) {
  toolchain::BuildResult result;
  result.label = build.id();
  result.profile = build.profile;
  result.compiler.command = build.compiler;
  result.reason = reason;
  return result;
}

/// Sources must stay as they were once something has been measured from them.
void check_unchanged(const toolchain::BuildResult& earlier, const std::string& id) {
  const auto changed = toolchain::changed_inputs(earlier);
  if (!changed.empty()) {
    throw Error(Fault::configuration, id,
                "sources changed since the run was begun: " + text::join(changed, ", "))
        .hint("name another run directory with --out, or start anew with --fresh");
  }
}

/// A compiler on a full disk fails with whatever words it finds; the cause is the disk.
void throw_if_disk_is_full(const fs::path& folder, const std::string& id) {
  constexpr std::uintmax_t kFull = std::uintmax_t{64} << 10U;
  std::error_code code;
  const fs::space_info space = fs::space(folder, code);
  if (!code && space.available < kFull) {
    throw Error(Fault::output, folder.native(), "building " + id).os_error(ENOSPC);
  }
}

bool is_prebuilt(const plan::Build& build) { return !build.settings.library.empty(); }

/// One build that is to be carried out, with the profile to fall back on.
struct Job {
  std::size_t index = 0;
  toolchain::BuildRequest request;
  std::optional<toolchain::BuildRequest> fallback;
  std::string refusal;  ///< why the request is not built at all; empty if it is
  std::optional<toolchain::BuildResult> earlier;
};

toolchain::BuildResult carry_out(const Job& job, const plan::Build& build) {
  toolchain::BuildResult result = job.refusal.empty() ? toolchain::build(job.request, job.earlier)
                                                      : failed_build(build, job.refusal);
  if (result.is_built || result.is_interrupted || !job.fallback) {
    return result;
  }
  const toolchain::GuideResult wanted{result.profile, result.reason};
  toolchain::BuildResult other = toolchain::build(*job.fallback, job.earlier);
  other.guide_result = wanted;
  return other;
}

class Maker {
 public:
  Maker(const Setup& setup, const std::vector<plan::Build>& builds, const record::RunPaths& paths,
        const MakeOptions& options, const std::map<std::string, toolchain::BuildResult>& earlier)
      : setup_(setup),
        builds_(builds),
        paths_(paths),
        options_(options),
        earlier_(earlier),
        features_(host::find_cpu_features("/", setup.plan.core)) {
    made_.resize(builds.size());
  }

  std::vector<MadeLibrary> run(const std::function<void(const std::string&)>& show) {
    for (std::size_t index = 0; index < made_.size(); ++index) {
      settle(index);
    }
    if (options_.jobs <= 1) {
      for (const Job& job : jobs_) {
        runner::throw_if_stopped();
        show("building " + build_of(job).id());
        finish(job, carry_out(job, build_of(job)));
      }
    } else {
      run_at_a_time(show);
    }
    runner::throw_if_stopped();
    return std::move(made_);
  }

 private:
  [[nodiscard]] const plan::Build& build_of(const Job& job) const { return builds_[job.index]; }

  [[nodiscard]] fs::path library_of(const plan::Build& build) const {
    return paths_.library(build.family_id, build.label);
  }

  [[nodiscard]] const toolchain::BuildResult* find_earlier(const plan::Build& build) const {
    const auto found = earlier_.find(build.id());
    return found == earlier_.end() ? nullptr : &found->second;
  }

  const toolchain::CompilerIdentity& compiler_of(const std::string& command, bool with_cxx) {
    const auto key = std::pair(command, with_cxx);
    const auto known = compilers_.find(key);
    return known != compilers_.end()
               ? known->second
               : compilers_.emplace(key, toolchain::identify_compiler(command, with_cxx))
                     .first->second;
  }

  /// A profile of the guide or of the campaign's own; nothing if its flags are not known.
  [[nodiscard]] std::optional<toolchain::Profile> profile_of(const plan::Build& build,
                                                             const std::string& name,
                                                             const std::string& target) const {
    if (name == build.profile && build.flags) {
      return toolchain::Profile{
          name, *build.flags,
          options_.is_objects_only ? "targets of the campaign" : "builds of the campaign", "",
          build.flags_need_cpu};
    }
    return is_prebuilt(build) ? toolchain::Profile{name, {}, "built already"}
                              : toolchain::find_profile(name, target);
  }

  /// Features that a build needs and this machine's CPU lacks, as a sentence; empty if none, or if
  /// it is not built for this machine.
  [[nodiscard]] std::string lack_of_cpu(const plan::Build& build, const toolchain::Profile& profile,
                                        const std::string& target) const {
    if (!features_ || options_.is_objects_only ||
        (!target.empty() && !toolchain::is_for_this_machine(target))) {
      return "";
    }
    std::vector<std::string> missing;
    std::vector<std::string> needs = build.needs_cpu;
    needs.insert(needs.end(), profile.needs_cpu.begin(), profile.needs_cpu.end());
    for (const std::string& feature : needs) {
      const bool is_there =
          std::find(features_->begin(), features_->end(), feature) != features_->end();
      if (!is_there && std::find(missing.begin(), missing.end(), feature) == missing.end()) {
        missing.push_back(feature);
      }
    }
    return missing.empty() ? ""
                           : "needs " + text::join(missing, ", ") +
                                 ", which the CPU of this machine does not have (variant " +
                                 build.variant + ", profile " + profile.name +
                                 "); name another profile or variant in the campaign";
  }

  [[nodiscard]] toolchain::BuildRequest request_of(const plan::Build& build,
                                                   const toolchain::Profile& profile) const {
    toolchain::BuildRequest request;
    request.label = build.id();
    request.settings = build.settings;
    request.digest_bits = build.digest_bits;
    request.profile = profile;
    request.compiler.command = build.compiler;
    request.is_objects_only = options_.is_objects_only;
    request.layouts = build.layouts;
    request.seed = setup_.campaign.measure.seed;
    request.library = options_.is_objects_only
                          ? paths_.root / "objects" / build.family_id / build.label
                          : library_of(build);
    request.log = paths_.build_log(build.family_id, build.label);
    request.time_limit = setup_.campaign.limits.build;
    request.cache = options_.is_objects_only ? fs::path() : options_.cache;
    request.stop_fd = runner::stop_descriptor();
    return request;
  }

  /// What an earlier command left, if it stands; or the job that makes it.
  void settle(std::size_t index) {
    const plan::Build& build = builds_[index];
    const toolchain::BuildResult* before = find_earlier(build);
    if (before != nullptr && before->is_built &&
        (take_carried(index, *before) || take_measured(index, *before))) {
      return;
    }
    try {
      add_job(index);
    } catch (const Error& error) {
      if (error.fault() != Fault::environment) {
        throw;
      }
      made_[index].result =
          failed_build(build, std::string(error.what()) +
                                  (error.hint_text().empty() ? "" : "; " + error.hint_text()));
    }
  }

  bool take_carried(std::size_t index, const toolchain::BuildResult& before) {
    const plan::Build& build = builds_[index];
    const auto profile = profile_of(build, before.profile, before.compiler.target);
    if (!profile) {
      return false;
    }
    const toolchain::BuildRequest request = request_of(build, *profile);
    auto carried = toolchain::find_carried(request, before);
    if (!carried) {
      return false;
    }
    const std::string lack = lack_of_cpu(build, *profile, before.compiler.target);
    made_[index].result = lack.empty() ? std::move(*carried) : failed_build(build, lack);
    made_[index].flags = flags_of(build, request);
    made_[index].log = request.log;
    made_[index].request = request;
    made_[index].is_carried = true;
    return true;
  }

  /// A library that figures were taken from is never built again: it stands, or the run cannot go
  /// on.
  bool take_measured(std::size_t index, const toolchain::BuildResult& before) {
    if (!options_.has_measured) {
      return false;
    }
    const plan::Build& build = builds_[index];
    check_unchanged(before, build.id());
    std::string changed;
    if (!is_prebuilt(build)) {
      const toolchain::CompilerIdentity& now =
          compiler_of(build.compiler, !before.compiler.cxx_path.empty());
      if (now.version != before.compiler.version || now.target != before.compiler.target ||
          now.sha256 != before.compiler.sha256) {
        changed = "the compiler is another one than the measured library was built by (" +
                  before.compiler.version + ")";
      }
    }
    const auto profile = profile_of(build, before.profile, before.compiler.target);
    toolchain::BuildRequest request =
        request_of(build, profile.value_or(toolchain::Profile{before.profile, {}, ""}));
    if (!is_prebuilt(build)) {
      complete(build, compiler_of(build.compiler, !before.compiler.cxx_path.empty()), request);
    }
    const auto other = toolchain::changed_libraries(before);
    if (changed.empty() && !other.empty()) {
      changed = "it is linked with another library now: " + text::join(other, ", ");
    }
    if (changed.empty() && !toolchain::stands(before, request)) {
      changed = "the library is not the one that was measured";
    }
    if (!changed.empty()) {
      throw Error(Fault::configuration, build.id(), changed)
          .hint("name another run directory with --out, or start anew with --fresh");
    }
    made_[index].result = before;
    made_[index].result.is_reused = true;
    made_[index].flags = flags_of(build, request);
    made_[index].log = request.log;
    made_[index].request = std::move(request);
    return true;
  }

  /// Everything of a compilation that the compiler decides.
  void complete(const plan::Build& build, const toolchain::CompilerIdentity& compiler,
                toolchain::BuildRequest& request) {
    std::vector<std::string> flags = request.profile.flags;
    flags.insert(flags.end(), build.settings.cflags.begin(), build.settings.cflags.end());
    flags.insert(flags.end(), build.settings.cxxflags.begin(), build.settings.cxxflags.end());
    request.compiler = compiler;
    request.native = native_of(compiler, flags);
    request.compiler.linker = toolchain::linker_for(request);
  }

  void add_job(std::size_t index) {
    const plan::Build& build = builds_[index];
    toolchain::CompilerIdentity compiler{build.compiler, "", "", ""};
    if (!is_prebuilt(build)) {
      compiler = compiler_of(build.compiler, toolchain::needs_cxx(build.settings));
    }
    Job job;
    job.index = index;
    if (const toolchain::BuildResult* before = find_earlier(build)) {
      job.earlier = *before;
    }
    const auto make = [&](const std::string& name, std::string& refusal) {
      const auto profile = profile_of(build, name, compiler.target);
      toolchain::BuildRequest request =
          request_of(build, profile.value_or(toolchain::Profile{name, {}, ""}));
      request.compiler = compiler;
      if (!profile) {
        refusal = "the guide's flags of the profile " + name + " are not known for " +
                  compiler.target + "; name another profile in the campaign";
        return request;
      }
      refusal = lack_of_cpu(build, *profile, compiler.target);
      if (!is_prebuilt(build)) {
        complete(build, compiler, request);
      }
      return request;
    };
    job.request = make(build.profile, job.refusal);
    if (!build.fallback.empty()) {
      std::string refusal;
      toolchain::BuildRequest fallback = make(build.fallback, refusal);
      fallback.log = paths_.build_log(build.family_id, build.label + ".fallback");
      if (refusal.empty()) {
        job.request.keeps_library = true;
        job.fallback = std::move(fallback);
      }
    }
    jobs_.push_back(std::move(job));
  }

  const std::string& native_of(const toolchain::CompilerIdentity& compiler,
                               const std::vector<std::string>& flags) {
    const auto key = std::pair(compiler.path, text::join(flags, " "));
    const auto known = natives_.find(key);
    return known != natives_.end()
               ? known->second
               : natives_.emplace(key, toolchain::resolve_native(compiler, flags)).first->second;
  }

  void finish(const Job& job, toolchain::BuildResult result) {
    const plan::Build& build = build_of(job);
    if (!result.is_built && !result.is_interrupted) {
      throw_if_disk_is_full(paths_.root, build.id());
    }
    const bool is_fallback = !result.guide_result.profile.empty() && job.fallback;
    MadeLibrary& made = made_[job.index];
    made.flags = flags_of(build, is_fallback ? *job.fallback : job.request);
    made.log = is_fallback ? job.fallback->log : job.request.log;
    made.request = is_fallback ? *job.fallback : job.request;
    made.result = std::move(result);
  }

  /// Of what hashprof compiled.
  static std::string flags_of(const plan::Build& build, const toolchain::BuildRequest& request) {
    return is_prebuilt(build) ? "" : text::printable(toolchain::flags_text(request), kLongestFlags);
  }

  /// Each thread takes the next job until none is left; the first that throws keeps the others from
  /// beginning another.
  void run_at_a_time(const std::function<void(const std::string&)>& show) {
    std::atomic<std::size_t> next{0};
    std::mutex mutex;
    std::size_t finished = 0;
    std::exception_ptr failure;
    const auto work = [&] {
      for (std::size_t at = next++; at < jobs_.size(); at = next++) {
        try {
          runner::throw_if_stopped();
          toolchain::BuildResult result = carry_out(jobs_[at], build_of(jobs_[at]));
          const std::lock_guard<std::mutex> guard(mutex);
          finish(jobs_[at], std::move(result));
          show("building: " + std::to_string(++finished) + " of " + std::to_string(jobs_.size()));
        } catch (...) {
          const std::lock_guard<std::mutex> guard(mutex);
          failure = failure ? failure : std::current_exception();
          next = jobs_.size();
        }
      }
    };
    std::vector<std::thread> threads;
    const std::size_t count = std::min<std::size_t>(options_.jobs, jobs_.size());
    threads.reserve(count);
    try {
      // This thread works too.
      for (std::size_t i = 1; i < count; ++i) {
        threads.emplace_back(work);
      }
    } catch (const std::system_error&) {
      // The machine gives no more threads; those that are there do all the work.
    }
    work();
    for (std::thread& thread : threads) {
      thread.join();
    }
    if (failure) {
      std::rethrow_exception(failure);
    }
  }

  const Setup& setup_;
  const std::vector<plan::Build>& builds_;
  const record::RunPaths& paths_;
  const MakeOptions& options_;
  const std::map<std::string, toolchain::BuildResult>& earlier_;
  std::optional<std::vector<std::string>> features_;  ///< of the measured core's CPU
  std::map<std::pair<std::string, bool>, toolchain::CompilerIdentity> compilers_;
  std::map<std::pair<std::string, std::string>, std::string> natives_;
  std::vector<Job> jobs_;
  std::vector<MadeLibrary> made_;
};

}  // namespace

fs::path default_cache() {
  const auto absolute = [](const char* variable) {
    const char* const value = std::getenv(variable);
    return value != nullptr && *value == '/' ? fs::path(value) : fs::path();
  };
  if (const fs::path cache = absolute("XDG_CACHE_HOME"); !cache.empty()) {
    return cache / "hashprof";
  }
  const fs::path home = absolute("HOME");
  return home.empty() ? home : home / ".cache" / "hashprof";
}

std::vector<MadeLibrary> make_libraries(
    const Setup& setup, const std::vector<plan::Build>& builds, const record::RunPaths& paths,
    const MakeOptions& options, const std::map<std::string, toolchain::BuildResult>& earlier,
    const std::function<void(const std::string&)>& show) {
  return Maker(setup, builds, paths, options, earlier).run(show);
}

}  // namespace hashprof::app
