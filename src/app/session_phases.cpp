// SPDX-License-Identifier: MIT
// The phases that build and measure; see app/session.h.
#include <algorithm>
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

std::vector<std::string> names_of(const std::vector<fs::path>& files) {
  std::vector<std::string> names;
  names.reserve(files.size());
  for (const fs::path& file : files) {
    names.push_back(text::printable(file.filename().native()));
  }
  return names;
}

/// The image of a library that was built; null if there is none.
json::Value image_of(const toolchain::BuildResult& result, const fs::path& library) {
  if (!result.is_built) {
    return {};
  }
  try {
    const elf::Image image = elf::read_image(library);
    json::Object object = elf::to_json(image).as_object();
    object.emplace_back("own", elf::to_json(toolchain::own_part(image, result)));
    return object;
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

record::BuildEntry Session::entry_of(const plan::Build& build, const MadeLibrary& made) const {
  const catalog::Family& family = setup_.families[build.family];
  const bool is_object = made.result.sizes.has_value();
  record::BuildEntry entry;
  entry.family_id = build.family_id;
  entry.family_name = build.family_name;
  entry.category = family.category;
  entry.instance = build.instance;
  entry.label = build.label;
  entry.variant = build.variant;
  entry.variant_class = build.variant_class;
  entry.profile = made.result.profile;
  entry.digest_bits = build.digest_bits;
  entry.build_flags = made.flags;
  entry.vector_files = names_of(family.vector_files);
  entry.library = is_object ? "" : paths().relative(library_of(build));
  entry.log = paths().relative(made.log.empty() ? paths().build_log(build.family_id, build.label)
                                                : made.log);
  entry.result = toolchain::to_json(made.result);
  entry.image = is_object ? json::Value() : image_of(made.result, library_of(build));
  return entry;
}

void Session::build_libraries() {
  const auto by_id = [](const std::vector<record::BuildEntry>& entries) {
    std::map<std::string, toolchain::BuildResult> results;
    for (const record::BuildEntry& entry : entries) {
      results.emplace(entry.id(), toolchain::build_from_json(entry.result));
    }
    return results;
  };
  const auto show = [&](const std::string& text) { progress_.show(text); };
  MakeOptions options;
  options.jobs = jobs_;
  options.cache = cache_;
  options.has_measured = journal_lines_at_start_ != 0;
  const auto made = make_libraries(setup_, setup_.plan.builds, paths(), options,
                                   by_id(record::load_builds(paths())), show);
  options.is_objects_only = true;
  options.has_measured = false;
  const auto objects = make_libraries(setup_, setup_.plan.objects, paths(), options,
                                      by_id(record::load_objects(paths())), show);
  bool has_carried = false;
  for (std::size_t index = 0; index < made.size(); ++index) {
    const plan::Build& build = setup_.plan.builds[index];
    entries_.push_back(entry_of(build, made[index]));
    has_failures_ = has_failures_ || !made[index].result.is_built;
    has_carried = has_carried || made[index].is_carried;
    results_.push_back(made[index].result);
    requests_.push_back(made[index].request);
  }
  for (std::size_t index = 0; index < objects.size(); ++index) {
    objects_.push_back(entry_of(setup_.plan.objects[index], objects[index]));
    has_failures_ = has_failures_ || !objects[index].result.is_built;
  }
  write_file_atomically(paths().build_json(),
                        json::write_pretty(record::to_json(entries_, objects_)));
  if (journal_lines_at_start_ == 0) {
    header_.environment = environment_items(host::read_host("/", setup_.plan.core),
                                            setup_.plan.core, compiler_text(results_, has_carried));
  }
  write_header();
}

void Session::measure() {
  std::vector<bool> timed;
  std::vector<std::vector<fs::path>> libraries;
  for (std::size_t build = 0; build < setup_.plan.builds.size(); ++build) {
    timed.push_back(is_timed(build));
    libraries.push_back(layouts_of(setup_.plan.builds[build]));
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
