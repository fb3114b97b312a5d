// SPDX-License-Identifier: MIT
// The phases that build and measure; see app/session.h.
#include <algorithm>
#include <cerrno>
#include <filesystem>

#include "app/session.h"
#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "elf/elf_image.h"
#include "runner/carry_out.h"
#include "runner/schedule.h"

namespace hashprof::app {

namespace {

namespace fs = std::filesystem;

toolchain::BuildResult failed_build(const plan::Build& build, const std::string& reason) {
  toolchain::BuildResult result;
  result.label = build.label;
  result.profile = build.profile;
  result.compiler.command = build.compiler;
  result.reason = reason;
  return result;
}

const toolchain::Profile& find_profile(const std::string& name) {
  const auto& known = toolchain::profiles();
  const auto profile = std::find_if(known.begin(), known.end(),
                                    [&](const auto& entry) { return entry.name == name; });
  if (profile == known.end()) {
    throw Error(Fault::internal, name, "is no profile, but passed the reading of the campaign");
  }
  return *profile;
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

std::vector<std::string> names_of(const std::vector<fs::path>& files) {
  std::vector<std::string> names;
  names.reserve(files.size());
  for (const fs::path& file : files) {
    names.push_back(text::printable(file.filename().native()));
  }
  return names;
}

/// The flags of the compilation as one line, hashprof's own included.
std::string flags_of(const plan::Build& build) {
  std::vector<std::string> words{"-std=" + build.settings.language};
  const auto append = [&](const std::vector<std::string>& more) {
    words.insert(words.end(), more.begin(), more.end());
  };
  append(find_profile(build.profile).flags);
  append(toolchain::added_compile_flags());
  append(build.settings.cflags);
  constexpr std::size_t kLongestFlags = 4096;
  return text::printable(text::join(words, " "), kLongestFlags);
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

/// The image of a library that was built; null if there is none.
json::Value image_of(const toolchain::BuildResult& result, const fs::path& library) {
  if (!result.is_built) {
    return {};
  }
  try {
    return elf::to_json(elf::read_image(library));
  } catch (const Error& error) {
    return elf::absent_image(text::printable(error.message()));
  }
}

/// The first compiler that is known, and whether libraries came without it.
std::string compiler_text(const std::vector<toolchain::BuildResult>& results, bool has_carried) {
  for (const toolchain::BuildResult& result : results) {
    if (!result.compiler.version.empty()) {
      return result.compiler.version + (has_carried ? " for " + result.compiler.target +
                                                          ", not on this machine: the run "
                                                          "directory brought its libraries"
                                                    : "");
    }
  }
  return "";
}

}  // namespace

toolchain::BuildRequest Session::request_of(const plan::Build& build) const {
  toolchain::BuildRequest request;
  request.label = build.id();
  request.settings = build.settings;
  request.profile = find_profile(build.profile);
  request.compiler.command = build.compiler;
  request.library = library_of(build);
  request.log = paths().build_log(build.family_id, build.label);
  request.time_limit = setup_.campaign.limits.build;
  request.stop_fd = runner::stop_descriptor();
  return request;
}

const toolchain::CompilerIdentity& Session::compiler_of(const std::string& command) {
  const auto known = compilers_.find(command);
  return known != compilers_.end()
             ? known->second
             : compilers_.emplace(command, toolchain::identify_compiler(command)).first->second;
}

toolchain::BuildResult Session::build_one(const plan::Build& build,
                                          const toolchain::BuildResult* earlier) {
  toolchain::BuildRequest request = request_of(build);
  try {
    request.compiler = compiler_of(build.compiler);
  } catch (const Error& error) {
    return failed_build(build, std::string(error.what()) + "; " + error.hint_text());
  }
  make_directories(request.library.parent_path());
  make_directories(request.log.parent_path());
  return toolchain::build(request, earlier == nullptr
                                       ? std::optional<toolchain::BuildResult>()
                                       : std::optional<toolchain::BuildResult>(*earlier));
}

/// A library that figures were taken from is never built again: it stands, or the run cannot go on.
toolchain::BuildResult Session::measured_library(const plan::Build& build,
                                                 const toolchain::BuildResult& earlier) {
  check_unchanged(earlier, build.id());
  const toolchain::CompilerIdentity& now = compiler_of(build.compiler);
  std::string changed;
  if (now.version != earlier.compiler.version || now.target != earlier.compiler.target) {
    changed = "the compiler is another one than the measured library was built by (" +
              earlier.compiler.version + ")";
  } else if (!fs::exists(library_of(build)) ||
             sha256_of_file(library_of(build)) != earlier.library_sha256) {
    changed = "the library is not the one that was measured";
  }
  if (!changed.empty()) {
    throw Error(Fault::configuration, build.id(), changed)
        .hint("name another run directory with --out, or start anew with --fresh");
  }
  toolchain::BuildResult result = earlier;
  result.is_reused = true;
  return result;
}

void Session::build_libraries() {
  std::map<std::string, toolchain::BuildResult> earlier;
  for (const record::BuildEntry& entry : record::load_builds(paths())) {
    earlier.emplace(entry.id(), toolchain::build_from_json(entry.result));
  }
  const bool has_measured = journal_lines_at_start_ != 0;
  bool has_carried = false;
  for (const plan::Build& build : setup_.plan.builds) {
    runner::throw_if_stopped();
    progress_.show("building " + build.id());
    const auto before = earlier.find(build.id());
    const bool is_known = before != earlier.end() && before->second.is_built;
    const auto carried = is_known ? toolchain::find_carried(request_of(build), before->second)
                                  : std::optional<toolchain::BuildResult>();
    toolchain::BuildResult result =
        carried ? *carried
        : is_known && has_measured
            ? measured_library(build, before->second)
            : build_one(build, before == earlier.end() ? nullptr : &before->second);
    has_carried = has_carried || carried;
    runner::throw_if_stopped();
    if (!result.is_built) {
      throw_if_disk_is_full(paths().root, build.id());
    }
    const catalog::Family& family = setup_.families[build.family];
    entries_.push_back({build.family_id, build.family_name, family.category, build.instance,
                        build.label, build.variant, build.variant_class, build.profile,
                        build.digest_bits, flags_of(build), names_of(family.vector_files),
                        paths().relative(library_of(build)),
                        paths().relative(paths().build_log(build.family_id, build.label)),
                        toolchain::to_json(result), image_of(result, library_of(build))});
    has_failures_ = has_failures_ || !result.is_built;
    results_.push_back(std::move(result));
  }
  write_file_atomically(paths().build_json(), json::write_pretty(record::to_json(entries_)));
  if (!has_measured) {
    header_.environment = environment_items(host::read_host("/", setup_.plan.core),
                                            setup_.plan.core, compiler_text(results_, has_carried));
  }
  write_header();
}

void Session::measure() {
  std::vector<bool> timed;
  std::vector<fs::path> libraries;
  for (std::size_t build = 0; build < setup_.plan.builds.size(); ++build) {
    timed.push_back(is_timed(build));
    libraries.push_back(library_of(setup_.plan.builds[build]));
  }
  runner::Schedule schedule(setup_.campaign, setup_.plan, timed);
  for (const record::Observation& observation : journal_.observations()) {
    schedule.add(observation);
  }
  const auto show = [&](const runner::Step& step) {
    progress_.show(std::string(step.is_calibration ? "calibrating " : "measuring ") +
                   setup_.plan.cell_name(step.cell) + "  " +
                   std::to_string(schedule.finished_processes()) + " of " +
                   std::to_string(schedule.planned_processes()) + " processes, about " +
                   duration_text(schedule.remaining_ns()) + " left");
  };
  try {
    runner::carry_out(setup_.campaign, setup_.plan, libraries, schedule, *meter_, journal_, show);
  } catch (const runner::Interrupted&) {
    counts_ = schedule.counts();
    throw;
  }
  counts_ = schedule.counts();
  has_failures_ = has_failures_ || schedule.has_failures();
}

}  // namespace hashprof::app
