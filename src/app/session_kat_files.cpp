// SPDX-License-Identifier: MIT
// The known-answer files of the phase in session_kat.cpp: what each is compared with, what it
// takes, and where its text is kept.
#include <algorithm>
#include <filesystem>

#include "app/kat_entry.h"
#include "app/session.h"
#include "base/error.h"
#include "base/file.h"
#include "base/sha256.h"
#include "base/text.h"
#include "kat/submitted.h"

namespace hashprof::app {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kSecond = 1'000'000'000;

/// Time for a file: what a reference of about 0.3 MB/s needs for the bytes of the kind.
Nanoseconds shortest_file_limit(kat::Kind kind) {
  switch (kind) {
    case kat::Kind::k2_33:
      return {10'800 * kSecond};
    case kat::Kind::loop:
      return {3'600 * kSecond};
    default:
      return {300 * kSecond};
  }
}

/// What a worker of 2_33 takes beside the messages, which all share: a library may copy its message
/// once or twice (design of the submissions), and needs something of its own.
constexpr std::uint64_t kCopies = 2;
constexpr Bytes kWorkerMemory{64U << 20U};
constexpr std::uint64_t kMebibyte = 1U << 20U;
constexpr Bytes kLargestKatText{64U << 20U};

/// Bounds a worker of 2_33, so that a machine with what was said beforehand does not run out.
Bytes job_memory(const campaign::Campaign& campaign) {
  return campaign.limits.memory.value_or(
      Bytes{kCopies * kat::room_bytes(kat::Kind::k2_33) + kWorkerMemory.value});
}

bool is_folder(const fs::path& path) {
  std::error_code error;
  return fs::is_directory(path, error);
}

/// Whether it is there and can be looked at.
bool is_there(const fs::path& path) {
  std::error_code error;
  return fs::exists(path, error);
}

std::string mebibytes(std::uint64_t bytes) { return std::to_string(bytes / kMebibyte) + " MiB"; }

}  // namespace

/// The submitted file of a build, or nothing.
std::optional<fs::path> Session::submitted_file(const plan::Build& build, kat::Kind kind,
                                                const std::string& name) const {
  for (const auto& [instance, path] : setup_.campaign.kat_files) {
    if (instance != build.instance) {
      continue;
    }
    if (is_folder(path)) {
      return is_there(path / name) ? std::optional(path / name) : std::nullopt;
    }
    const std::string prefix = std::string("KAT_") + kat::kind_name(kind) + "_";
    return path.filename().native().rfind(prefix, 0) == 0 ? std::optional(path) : std::nullopt;
  }
  return std::nullopt;
}

/// Empty without one.
std::string Session::submitted_sha256(const plan::Build& build, kat::Kind kind,
                                      const std::string& name) const {
  const auto file = submitted_file(build, kind, name);
  return file ? sha256_of_file(*file) : "";
}

void Session::check_submitted_files() const {
  for (const auto& [instance, path] : setup_.campaign.kat_files) {
    const auto is_of_instance = [&name = instance](const plan::Build& build) {
      return build.instance == name;
    };
    const auto& builds = setup_.plan.builds;
    if (std::none_of(builds.begin(), builds.end(), is_of_instance) &&
        setup_.overrides.only.empty()) {
      throw Error(Fault::configuration, setup_.campaign.file.native(),
                  "kat_files: '" + text::printable(instance) + "' is no instance of the campaign")
          .hint("'hashprof list TARGET' shows the names");
    }
    const std::string file = path.filename().native();
    const bool has_kind = std::any_of(
        campaign::kat_kinds().begin(), campaign::kat_kinds().end(),
        [&](const std::string& kind) { return file.rfind("KAT_" + kind + "_", 0) == 0; });
    if (!is_folder(path) && (!is_there(path) || !has_kind)) {
      throw Error(Fault::configuration, text::printable(path.native()),
                  is_there(path)
                      ? "kat_files: the name does not begin with KAT_ and a kind"
                      : "kat_files: there is no such file or folder, or it cannot be looked at")
          .hint("name a file like KAT_2_12_NAME.txt, or the folder that holds such files");
    }
  }
  std::vector<std::string> missing;
  for (const plan::Build& build : setup_.plan.builds) {
    const std::string& name = setup_.families[build.family].kat_name(build.instance);
    const bool is_named =
        std::any_of(setup_.campaign.kat_files.begin(), setup_.campaign.kat_files.end(),
                    [&](const auto& entry) { return entry.first == build.instance; });
    for (const std::string& kind : setup_.campaign.kat) {
      const std::string file = kat::file_name(kind_of(kind), name);
      if (const auto submitted = submitted_file(build, kind_of(kind), file)) {
        kat::check_submitted(*submitted, kind_of(kind));
      } else if (is_named && std::find(missing.begin(), missing.end(), file) == missing.end()) {
        missing.push_back(file);
      }
    }
  }
  if (!missing.empty()) {
    note("hashprof: kat_files: no " + text::printable(text::join(missing, ", ")) +
         " where the campaign says; nothing of that is compared");
  }
}

/// Where --write-kat keeps the text of a file.
fs::path Session::kept_text(const plan::Build& build, const std::string& name) const {
  return write_kat_ / build.family_id / build.label / name;
}

/// Whether the answer of an earlier command is enough: --write-kat wants the text too.
bool Session::is_answered(const plan::Build& build, const record::KatFileEntry& file) const {
  if (file.status.empty() || write_kat_.empty() || file.sha256.empty()) {
    return !file.status.empty();
  }
  const fs::path text = kept_text(build, file.file);
  if (!fs::exists(text)) {
    return false;
  }
  kat::CanonicalDigest canonical(kat::find_mode(file.mode).value_or(kat::Mode{}));
  canonical.update(read_file(text, kLargestKatText));
  return canonical.finish() == file.sha256;
}

const runner::MessageMemory& Session::messages_of(kat::Kind kind) {
  const auto known = messages_.find(kind);
  return known != messages_.end()
             ? known->second
             : messages_.emplace(kind, runner::MessageMemory(kind)).first->second;
}

/// Whether there is, or may be, something to compare a file with, or its text is wanted.
bool Session::is_of_use(const plan::Build& build, const record::KatFileEntry& file) const {
  return setup_.families[build.family].manifest.has_value() || !write_kat_.empty() ||
         submitted_file(build, kind_of(file.kind), file.file).has_value();
}

runner::KatFile Session::make_file(const plan::Build& build, const record::KatFileEntry& wanted,
                                   const std::string& lack_of_memory) {
  runner::KatFile file;
  file.kind = kind_of(wanted.kind);
  file.name = wanted.file;
  file.line = kat::find_line(manifests_[build.family], build.instance, file.name);
  if (!is_of_use(build, wanted)) {
    file.reason = "no manifest";
  } else if (file.kind == kat::Kind::k2_12 && build.takes_bytes) {
    file.status = kat::Status::not_run;
    file.reason = "it has every number of bits, and the hash takes whole bytes only";
  } else if (!lack_of_memory.empty()) {
    file.status = kat::Status::not_run;
    file.reason = lack_of_memory;
  } else if (file.kind == kat::Kind::loop &&
             !kat::can_chain(messages_of(file.kind).set().messages.front(), build.digest_bits)) {
    file.status = kat::Status::not_run;
    file.reason = "the digest is longer than the message";
  } else {
    file.messages = &messages_of(file.kind);
    file.address_space = kat::room_bytes(file.kind) > 0
                             ? job_memory(setup_.campaign)
                             : plan::address_space_limit(setup_.campaign, file.messages->bytes());
  }
  file.time_limit =
      std::max(shortest_file_limit(file.kind), setup_.campaign.limits.call.value_or(Nanoseconds{}));
  return file;
}

void Session::keep_text(const plan::Build& build, const runner::KatFileRun& run) const {
  const fs::path file = kept_text(build, run.verdict.file);
  make_directories(file.parent_path());
  std::string text;
  kat::write_text(messages_.at(run.verdict.kind).set(), run.digests,
                  [&](std::string_view piece) { text += piece; });
  write_file_atomically(file, text);
}

/// What 2_33 takes, said before it starts. Fills `lack` if not even one job fits; else returns how
/// many do.
std::size_t Session::plan_memory(std::size_t jobs, std::string& lack) const {
  const std::uint64_t messages = kat::room_bytes(kat::Kind::k2_33);
  const std::uint64_t job = job_memory(setup_.campaign).value;
  const auto available = host::find_available_memory("/");
  if (!available) {
    note("hashprof: KAT_2_33: " + mebibytes(messages) + " for its messages and up to " +
         mebibytes(job) +
         " for a library that copies them; the memory that is available is not "
         "known: one job at a time");
    return 1;
  }
  const std::string need = mebibytes(messages) + " for its messages and up to " + mebibytes(job) +
                           " a job for a library that copies them";
  if (*available < messages + job) {
    lack = "it needs " + need + "; " + mebibytes(*available) + " are available";
    note("hashprof: KAT_2_33 is not run: " + lack);
    return 1;
  }
  const std::size_t fitting = std::min<std::uint64_t>(jobs, (*available - messages) / job);
  note("hashprof: KAT_2_33: " + need + "; " + mebibytes(*available) + " are available: " +
       std::to_string(fitting) + (fitting == 1 ? " job" : " jobs") + " at a time");
  return fitting;
}

}  // namespace hashprof::app
