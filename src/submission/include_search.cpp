// SPDX-License-Identifier: MIT
// See submission/include_search.h.
#include "submission/include_search.h"

#include <algorithm>
#include <array>
#include <deque>
#include <iterator>
#include <optional>

#include "base/error.h"
#include "catalog/source_folder.h"

namespace hashprof::submission {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostReached = 2000;
constexpr unsigned kLevelsUp = 3;

template <typename T>
bool holds(const std::vector<T>& values, const T& value) {
  return std::find(values.begin(), values.end(), value) != values.end();
}

template <typename T>
void add_once(const T& value, std::vector<T>& values) {
  if (!holds(values, value)) {
    values.push_back(value);
  }
}

/// A folder whose files may be looked at though nobody named it: not / and not /tmp or /home.
bool may_be_searched(const fs::path& folder) {
  return std::distance(folder.begin(), folder.end()) > 2;
}

class Search {
 public:
  Search(Library& library, const fs::path& folder) : library_(library), folder_(folder) {}

  Reach run(const std::vector<fs::path>& sources) {
    for (const fs::path& source : sources) {
      reach(source, false);
    }
    while (!open_.empty() && reach_.files.size() <= kMostReached) {
      const Reached next = open_.front();
      open_.pop_front();
      const SourceFacts& facts = library_.facts(next.file);
      for (const std::string& name : facts.quoted_includes) {
        follow(name, next, true);
      }
      for (const std::string& name : facts.system_includes) {
        follow(name, next, false);
      }
    }
    return std::move(reach_);
  }

 private:
  struct Reached {
    fs::path file;
    bool is_guess;  ///< reached through a suggestion
  };

  void reach(const fs::path& file, bool is_guess) {
    if (seen_.insert(file).second) {
      reach_.files.push_back(file);
      open_.push_back({file, is_guess});
    }
  }

  void follow(const std::string& name, const Reached& from, bool is_quoted) {
    bool is_guess = from.is_guess;
    if (const auto file = known(name, from.file, is_quoted)) {
      found(*file, is_guess);
      return;
    }
    if (is_system_header(name) || fs::path(name).is_absolute()) {
      if (!is_system_header(name)) {
        reach_.missing.push_back({name, from.file, {}});
      }
      return;
    }
    std::vector<fs::path> places = library_.find_below(folder_, name);
    if (places.size() != 1) {
      is_guess = true;
      // What <...> names and is not here belongs to a system.
      places = places.empty() && is_quoted ? nearby(name) : places;
      if (places.empty() && !is_quoted) {
        return;
      }
      if (!is_known_missing(name)) {
        reach_.missing.push_back({name, from.file, places});
      }
    }
    if (places.size() == 1) {
      add_folder_of(places.front(), name, is_guess);
      found(places.front(), is_guess);
    }
  }

  /// Where the compiler would find it with what is there or was added.
  std::optional<fs::path> known(const std::string& name, const fs::path& from, bool is_quoted) {
    std::vector<fs::path> places;
    if (is_quoted) {
      places.push_back(from.parent_path());
    }
    places.insert(places.end(), reach_.include.begin(), reach_.include.end());
    places.insert(places.end(), reach_.suggested_include.begin(), reach_.suggested_include.end());
    for (const fs::path& place : places) {
      const fs::path file = (place / name).lexically_normal();
      if (library_.is_file(file)) {
        return file;
      }
    }
    const fs::path own = (folder_ / name).lexically_normal();
    if (library_.is_file(own)) {
      add_once(folder_, reach_.include);
      return own;
    }
    return std::nullopt;
  }

  std::vector<fs::path> nearby(const std::string& name) {
    fs::path above = folder_;
    for (unsigned level = 0; level < kLevelsUp; ++level) {
      above = above.parent_path();
      const bool is_inside = is_below(above, library_.tree().root);
      if (!is_inside && !may_be_searched(above)) {
        break;
      }
      auto places = library_.find_below(above, name);
      if (!places.empty()) {
        return places;
      }
    }
    return {};
  }

  [[nodiscard]] bool is_known_missing(const std::string& name) const {
    return std::any_of(reach_.missing.begin(), reach_.missing.end(),
                       [&](const MissingInclude& each) { return each.name == name; });
  }

  /// The folder from which `name` leads to `file`.
  void add_folder_of(const fs::path& file, const fs::path& name, bool is_guess) {
    fs::path place = file;
    const fs::path clean = name.lexically_normal();
    for (auto part = clean.begin(); part != clean.end(); ++part) {
      place = place.parent_path();
    }
    add_once(place, is_guess ? reach_.suggested_include : reach_.include);
  }

  void found(const fs::path& file, bool is_guess) {
    reach_.included.insert(file);
    if (seen_.count(file) != 0) {
      return;
    }
    reach(file, is_guess);
    const fs::path place = file.parent_path();
    if (place == folder_) {
      return;
    }
    if (is_below(place, folder_)) {
      add_sources_of(place, is_guess);
    } else {
      add_companion(file, is_guess);
    }
  }

  void add_source(const fs::path& source, bool is_guess) {
    add_once(source, is_guess ? reach_.suggested_sources : reach_.more_sources);
    reach(source, is_guess);
  }

  /// All sources of a folder below, unless it is an implementation of its own.
  void add_sources_of(const fs::path& place, bool is_guess) {
    if (!scanned_.insert(place).second) {
      return;
    }
    std::vector<fs::path> sources;
    try {
      sources = catalog::scan_source_folder(place).sources;
    } catch (const Error&) {
      return;  // what cannot be read is noted by the tree
    }
    const bool has_entry = std::any_of(sources.begin(), sources.end(), [&](const fs::path& file) {
      const SourceFacts& facts = library_.facts(file);
      return facts.defines_ngcc || facts.defines_supercop;
    });
    for (const fs::path& source : sources) {
      if (!has_entry) {
        add_source(source, is_guess);
      }
    }
  }

  /// x.c beside x.h.
  void add_companion(const fs::path& header, bool is_guess) {
    static constexpr std::array<const char*, 5> kExtensions = {".c", ".cpp", ".cc", ".cxx", ".S"};
    for (const char* extension : kExtensions) {
      const fs::path source = fs::path(header).replace_extension(extension);
      if (source != header && library_.is_file(source)) {
        add_source(source, is_guess);
        return;
      }
    }
  }

  Library& library_;
  const fs::path& folder_;
  Reach reach_;
  std::deque<Reached> open_;
  std::set<fs::path> seen_;
  std::set<fs::path> scanned_;
};

void remove_included(const std::set<fs::path>& included, std::vector<fs::path>& sources) {
  sources.erase(std::remove_if(sources.begin(), sources.end(),
                               [&](const fs::path& file) { return included.count(file) != 0; }),
                sources.end());
}

}  // namespace

Reach follow_includes(Library& library, const fs::path& folder,
                      const std::vector<fs::path>& sources) {
  Reach reach = Search(library, folder).run(sources);
  remove_included(reach.included, reach.more_sources);
  remove_included(reach.included, reach.suggested_sources);
  return reach;
}

}  // namespace hashprof::submission
