// SPDX-License-Identifier: MIT
// See submission/implementation.h.
#include "submission/implementation.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>

#include "base/error.h"
#include "base/text.h"
#include "submission/build_needs.h"
#include "submission/macros.h"

namespace hashprof::submission {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMostBits = 65536;

std::string file_name(const fs::path& file) { return text::printable(file.filename().native()); }

/// "a, b or c", the first five.
std::string one_of(std::vector<std::string> values) {
  constexpr std::size_t kMostShown = 5;
  const bool is_cut = values.size() > kMostShown;
  values.resize(std::min(values.size(), kMostShown));
  for (std::string& value : values) {
    value = text::printable(value);
  }
  const std::string last = is_cut ? "another" : values.back();
  if (!is_cut) {
    values.pop_back();
  }
  return text::join(values, ", ") + " or " + last;
}

bool defines(const SourceFacts& facts, Api api) {
  return api == Api::ngcc ? facts.defines_ngcc : facts.defines_supercop;
}

/// Files that a source includes are looked into as well: the entry may stand in one of them.
bool is_entry_here(Library& library, const catalog::SourceFolder& scan, Api api) {
  const bool in_source = std::any_of(scan.sources.begin(), scan.sources.end(),
                                     [&](const auto& f) { return defines(library.facts(f), api); });
  return in_source ||
         std::any_of(scan.left_out.begin(), scan.left_out.end(), [&](const auto& each) {
           return each.reason.rfind("is included", 0) == 0 &&
                  defines(library.facts(each.file), api);
         });
}

/// Reads one folder; each step adds what it found.
class Reading {
 public:
  Reading(Library& library, const fs::path& folder, Api api, catalog::SourceFolder scan)
      : library_(library) {
    out_.folder = folder;
    out_.api = api;
    out_.left_out = std::move(scan.left_out);
    leave_out_odd(std::move(scan.sources));
  }

  Implementation run() {
    keep_one_entry();
    const Reach reach = follow_includes(library_, out_.folder, out_.sources);
    take(reach);
    read_names(reach);
    find_needs(library_, reach, out_);
    name_unused_files();
    return std::move(out_);
  }

 private:
  void leave_out_odd(std::vector<fs::path> sources) {
    for (fs::path& source : sources) {
      if (!library_.is_file(source)) {
        out_.left_out.push_back({std::move(source), "is a link out of the folder"});
      } else if (library_.facts(source).is_binary) {
        out_.left_out.push_back({std::move(source), "holds bytes that are no text"});
      } else {
        out_.sources.push_back(std::move(source));
      }
    }
  }

  /// Two files with the same entry cannot be linked into one library.
  void keep_one_entry() {
    std::vector<fs::path> entries;
    std::copy_if(out_.sources.begin(), out_.sources.end(), std::back_inserter(entries),
                 [&](const fs::path& file) { return defines(library_.facts(file), out_.api); });
    if (entries.size() < 2) {
      return;
    }
    const auto usual = std::find_if(entries.begin(), entries.end(), [](const fs::path& file) {
      return file.stem() == "CryptHash_AlgorithmInstance";
    });
    const fs::path kept = usual != entries.end() ? *usual : entries.front();
    for (const fs::path& entry : entries) {
      if (entry != kept) {
        out_.sources.erase(std::find(out_.sources.begin(), out_.sources.end(), entry));
        out_.left_out.push_back({entry, "defines the entry that " + file_name(kept) + " defines"});
      }
    }
    unsure(std::to_string(entries.size()) + " files define the entry; " + file_name(kept) +
           " was taken");
  }

  void take(const Reach& reach) {
    out_.include = reach.include;
    out_.suggested_include = reach.suggested_include;
    out_.suggested_sources = reach.suggested_sources;
    for (const fs::path& source : reach.more_sources) {
      if (std::find(out_.sources.begin(), out_.sources.end(), source) == out_.sources.end()) {
        out_.sources.push_back(source);
        unsure(library_.tree().shown(source) + " was added because a header beside it is included");
      }
    }
    for (const MissingInclude& missing : reach.missing) {
      if (out_.api == Api::ngcc || !is_generated(missing.name)) {
        say_missing(missing);
      }
    }
  }

  /// A header that SUPERCOP, and hashprof in its place, makes.
  static bool is_generated(const std::string& name) {
    return name == "crypto_hash.h" || name.rfind("crypto_int", 0) == 0 ||
           name.rfind("crypto_uint", 0) == 0;
  }

  void say_missing(const MissingInclude& missing) {
    constexpr std::size_t kMostShown = 4;
    const std::string line = file_name(missing.from) + " includes \"" +
                             text::printable(missing.name) + "\", which is in no folder here";
    if (missing.nearby.empty()) {
      unsure(line + " nor up to three above: add its folder to include");
      return;
    }
    std::vector<std::string> places;
    for (const fs::path& place : missing.nearby) {
      if (places.size() == kMostShown) {
        places.emplace_back("...");
        break;
      }
      places.push_back(library_.tree().shown(place));
    }
    unsure(line +
           (places.size() == 1 ? ": add what belongs to " : ": add what belongs to one of ") +
           text::join(places, ", "));
  }

  void read_names(const Reach& reach) {
    std::vector<fs::path> files;
    for (const fs::path& file : library_.tree().files_in(out_.folder)) {
      if (is_header(file)) {
        files.push_back(file);
      }
    }
    files.insert(files.end(), reach.files.begin(), reach.files.end());
    Macros macros;
    for (const fs::path& file : files) {
      macros.add(library_.facts(file).macros);
    }
    const auto names = macros.strings("ALGORITHM_INSTANCE");
    if (!names.empty()) {
      out_.algorithm = names.front();
    }
    if (names.size() > 1) {
      unsure("ALGORITHM_INSTANCE is " + one_of(names) + "; the first was taken");
    }
    read_digest(macros, files);
  }

  void read_digest(const Macros& macros, const std::vector<fs::path>& files) {
    constexpr std::uint64_t kBitsPerByte = 8;
    const bool is_ngcc = out_.api == Api::ngcc;
    const char* name = is_ngcc ? "DIGEST_BIT_LENGTH" : "CRYPTO_BYTES";
    auto values = macros.numbers(name);
    for (std::uint64_t& value : values) {
      value *= is_ngcc ? 1 : kBitsPerByte;
    }
    const auto possible = std::find_if(values.begin(), values.end(), [](std::uint64_t bits) {
      return bits >= kBitsPerByte && bits <= kMostBits && bits % kBitsPerByte == 0;
    });
    if (possible == values.end()) {
      return;
    }
    out_.digest_bits = static_cast<std::uint32_t>(*possible);
    out_.digest_origin = name;
    for (const fs::path& file : files) {
      const auto& own = library_.facts(file).macros;
      if (std::any_of(own.begin(), own.end(),
                      [&](const Macro& each) { return each.name == name; })) {
        out_.digest_origin += " of " + file_name(file);
        break;
      }
    }
    if (values.size() > 1) {
      std::vector<std::string> words;
      std::transform(values.begin(), values.end(), std::back_inserter(words),
                     [](std::uint64_t bits) { return std::to_string(bits) + " bits"; });
      unsure(std::string(name) + " is " + one_of(words) + "; the first possible one was taken");
    }
  }

  /// Prebuilt files and build scripts: named, so that nobody thinks they were used.
  void name_unused_files() {
    static constexpr std::array<std::string_view, 9> kKinds = {
        ".o", ".a", ".so", ".obj", ".dll", ".lib", ".exe", ".sh", ".mk"};
    for (const fs::path& file : library_.tree().files_in(out_.folder)) {
      const std::string extension = file.extension().native();
      const std::string name = file.filename().native();
      if (std::find(kKinds.begin(), kKinds.end(), extension) != kKinds.end() ||
          name.find(".so.") != std::string::npos) {
        out_.left_out.push_back({file, "is never run or linked"});
      } else if (name == "Makefile" || name == "makefile" || name == "GNUmakefile" ||
                 name == "CMakeLists.txt") {
        out_.left_out.push_back({file, "is never run"});
      }
    }
    std::sort(out_.left_out.begin(), out_.left_out.end(),
              [](const auto& a, const auto& b) { return a.file < b.file; });
  }

  void unsure(std::string line) { out_.unsure.push_back(std::move(line)); }

  Library& library_;
  Implementation out_;
};

}  // namespace

const char* api_name(Api api) { return api == Api::ngcc ? "ngcc" : "supercop"; }

std::optional<Implementation> find_implementation(Library& library, const fs::path& folder,
                                                  std::vector<std::string>& notes) {
  catalog::SourceFolder scan;
  try {
    scan = catalog::scan_source_folder(folder);
  } catch (const Error& error) {
    notes.push_back(library.tree().shown(folder) + ": is passed over: " + error.what());
    return std::nullopt;
  }
  for (const Api api : {Api::ngcc, Api::supercop}) {
    if (is_entry_here(library, scan, api)) {
      return Reading(library, folder, api, std::move(scan)).run();
    }
  }
  return std::nullopt;
}

}  // namespace hashprof::submission
