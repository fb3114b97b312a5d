// SPDX-License-Identifier: MIT
// See submission/submission.h: implementations are grouped to instances, then named, then joined
// with their known-answer files.
#include "submission/submission.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "base/error.h"
#include "base/text.h"
#include "submission/answers.h"
#include "submission/library.h"
#include "submission/names.h"

namespace hashprof::submission {

namespace {

namespace fs = std::filesystem;

std::vector<Implementation> read_implementations(Submission& submission) {
  Library library(submission.tree);
  std::vector<Implementation> found;
  for (const fs::path& folder : submission.tree.folders()) {
    if (auto implementation = find_implementation(library, folder, submission.notes)) {
      found.push_back(std::move(*implementation));
    }
  }
  submission.notes.insert(submission.notes.end(), library.notes().begin(), library.notes().end());
  return found;
}

bool has_usable_paths(const Implementation& implementation) {
  const auto is_usable = [](const fs::path& path) { return text::is_utf8(path.native()); };
  return std::all_of(implementation.sources.begin(), implementation.sources.end(), is_usable) &&
         std::all_of(implementation.include.begin(), implementation.include.end(), is_usable);
}

/// Implementations that one hash.yaml can hold; the others are noted.
std::vector<Implementation> keep_usable(std::vector<Implementation> found, Submission& submission) {
  const bool has_ngcc = std::any_of(
      found.begin(), found.end(), [](const Implementation& each) { return each.api == Api::ngcc; });
  submission.api = has_ngcc ? Api::ngcc : Api::supercop;
  std::vector<Implementation> kept;
  for (Implementation& each : found) {
    const std::string where = submission.tree.shown(each.folder);
    if (each.api != submission.api) {
      submission.notes.push_back(where + ": has the API of SUPERCOP, unlike the others: left out");
    } else if (!has_usable_paths(each)) {
      submission.notes.push_back(where +
                                 ": a path in it is not UTF-8, so that no hash.yaml can "
                                 "name it; rename it and begin again");
    } else if (each.sources.empty()) {
      submission.notes.push_back(where + ": no source is left to compile");
    } else {
      kept.push_back(std::move(each));
    }
  }
  return kept;
}

std::string raw_name(const Implementation& implementation) {
  if (implementation.api == Api::supercop) {
    return clean_name(implementation.folder.parent_path().filename().native());
  }
  const std::string name = clean_name(implementation.algorithm);
  return name.empty() ? name_of_folder(implementation.folder) : name;
}

bool is_reference(const Implementation& implementation, const fs::path& root) {
  if (implementation.api == Api::supercop) {
    return bare_name(implementation.folder.filename().native()).rfind("ref", 0) == 0;
  }
  return !is_optimized(root.filename() / implementation.folder.lexically_relative(root));
}

/// The name of its variant as long as no other implementation of the instance has it.
std::string variant_name(const Implementation& implementation, const fs::path& root) {
  if (is_reference(implementation, root)) {
    return "reference";
  }
  const std::string own = clean_name(implementation.folder.filename().native());
  return implementation.api == Api::supercop && !own.empty() ? own : "optimized";
}

/// The last folder name that no other implementation of the instance shares; empty if none.
std::string own_part(const fs::path& folder, const Instance& instance) {
  for (fs::path path = folder; path.has_filename() && path.has_parent_path();
       path = path.parent_path()) {
    std::string part = clean_name(path.filename().native());
    const bool is_shared = std::any_of(
        instance.variants.begin(), instance.variants.end(), [&](const InstanceVariant& other) {
          const fs::path& theirs = other.implementation.folder;
          return std::any_of(theirs.begin(), theirs.end(),
                             [&](const fs::path& word) { return word == path.filename(); });
        });
    if (!is_shared && !part.empty()) {
      return part;
    }
  }
  return "";
}

class Grouping {
 public:
  explicit Grouping(Submission& submission) : submission_(submission) {}

  void add(Implementation implementation) {
    const std::string name = raw_name(implementation);
    const std::string variant = variant_name(implementation, submission_.tree.root);
    Instance* instance = find_partner(name, implementation);
    if (instance == nullptr) {
      instance = &make_instance(name, implementation);
    }
    instance->variants.push_back(
        {free_variant(*instance, variant, implementation), std::move(implementation)});
  }

  void finish() {
    for (Instance& instance : submission_.instances) {
      std::sort(instance.variants.begin(), instance.variants.end(),
                [](const InstanceVariant& a, const InstanceVariant& b) {
                  const bool is_first = a.name == "reference";
                  const bool is_other_first = b.name == "reference";
                  return is_first != is_other_first ? is_first : a.name < b.name;
                });
      for (const InstanceVariant& own : instance.variants) {
        add_variant(own);
      }
    }
    std::sort(
        submission_.instances.begin(), submission_.instances.end(),
        [](const Instance& a, const Instance& b) { return text::natural_less(a.name, b.name); });
  }

 private:
  /// An instance of that name, up to case and separators, that this can be another variant of.
  Instance* find_partner(const std::string& name, const Implementation& implementation) {
    for (std::size_t i = 0; i < submission_.instances.size(); ++i) {
      Instance& instance = submission_.instances[i];
      const Implementation& first = instance.variants.front().implementation;
      const bool is_other_length = implementation.digest_bits && first.digest_bits &&
                                   implementation.digest_bits != first.digest_bits;
      // Another instance whose author forgot to change the name lies beside the first.
      const bool is_sibling = implementation.api == Api::ngcc &&
                              implementation.folder.parent_path() == first.folder.parent_path() &&
                              !is_optimized(implementation.folder.filename());
      if (bare_name(names_[i]) == bare_name(name) && !is_other_length && !is_sibling) {
        return &instance;
      }
    }
    return nullptr;
  }

  Instance& make_instance(const std::string& name, const Implementation& implementation) {
    std::vector<std::string> taken;
    std::transform(submission_.instances.begin(), submission_.instances.end(),
                   std::back_inserter(taken), [](const Instance& each) { return each.name; });
    Instance instance;
    instance.name = free_name(name, taken);
    instance.kat_name = instance.name;
    if (instance.name != name) {
      instance.unsure.push_back("another instance is called " + name + " too");
    }
    if (!implementation.algorithm.empty() &&
        clean_name(implementation.algorithm) != implementation.algorithm) {
      instance.unsure.push_back("ALGORITHM_INSTANCE is '" +
                                text::printable(implementation.algorithm) + "'");
    }
    submission_.instances.push_back(std::move(instance));
    names_.push_back(name);
    return submission_.instances.back();
  }

  std::string free_variant(Instance& instance, const std::string& name,
                           const Implementation& implementation) const {
    std::vector<std::string> taken;
    std::transform(instance.variants.begin(), instance.variants.end(), std::back_inserter(taken),
                   [](const InstanceVariant& each) { return each.name; });
    if (std::find(taken.begin(), taken.end(), name) == taken.end()) {
      return name;
    }
    const std::string part = own_part(implementation.folder, instance);
    instance.unsure.push_back(submission_.tree.shown(implementation.folder) + " is another " +
                              name + " of it");
    return free_name(part.empty() ? name : clean_name(name + "-" + part), taken);
  }

  void add_variant(const InstanceVariant& own) {
    auto known = std::find_if(submission_.variants.begin(), submission_.variants.end(),
                              [&](const Variant& each) { return each.name == own.name; });
    if (known == submission_.variants.end()) {
      const bool is_first = is_reference(own.implementation, submission_.tree.root);
      const Variant variant{own.name, is_first ? "reference" : "optimized", {}};
      known = submission_.variants.insert(
          own.name == "reference" ? submission_.variants.begin() : submission_.variants.end(),
          variant);
    }
    for (const std::string& feature : own.implementation.needs_cpu) {
      if (std::find(known->needs_cpu.begin(), known->needs_cpu.end(), feature) ==
          known->needs_cpu.end()) {
        known->needs_cpu.push_back(feature);
      }
    }
  }

  Submission& submission_;
  std::vector<std::string> names_;  ///< by instance: its name before a suffix
};

std::string family_id(const Submission& submission) {
  std::string id = clean_name(submission.tree.root.filename().native(), true);
  if (id.empty() || is_common_folder_name(submission.tree.root.filename().native())) {
    id = submission.instances.size() == 1 ? submission.instances.front().name
                                          : name_of_folder(submission.tree.root);
  }
  return id;
}

[[noreturn]] void throw_empty(const Submission& submission) {
  std::string what = "no source in it defines CryptHash or crypto_hash";
  constexpr std::size_t kMostShown = 3;
  if (!submission.notes.empty()) {
    const auto end = submission.notes.begin() +
                     static_cast<std::ptrdiff_t>(std::min(submission.notes.size(), kMostShown));
    what += " (" + text::join({submission.notes.begin(), end}, "; ") + ")";
  }
  throw Error(Fault::configuration, text::printable(submission.tree.root.native()), what)
      .hint(
          "name the folder that holds the implementations, or write a hash.yaml by hand: "
          "hashprof-hash(5)");
}

}  // namespace

bool Submission::has_kat_files() const {
  return std::any_of(instances.begin(), instances.end(),
                     [](const Instance& each) { return !each.kat_files.empty(); });
}

Submission read_submission(const fs::path& folder) {
  Submission submission;
  submission.tree = read_file_tree(folder);
  submission.notes = submission.tree.notes;
  auto implementations = keep_usable(read_implementations(submission), submission);
  Grouping grouping(submission);
  // References first: they name the instances.
  std::stable_partition(
      implementations.begin(), implementations.end(),
      [&](const Implementation& each) { return is_reference(each, submission.tree.root); });
  for (Implementation& each : implementations) {
    grouping.add(std::move(each));
  }
  grouping.finish();
  if (submission.instances.empty()) {
    throw_empty(submission);
  }
  join_answers(find_kat_files(submission.tree, submission.notes), submission);
  settle_lengths(submission);
  submission.id = family_id(submission);
  const std::string own = submission.tree.root.filename().native();
  submission.name = text::is_utf8(own) && !own.empty() ? text::printable(own) : submission.id;
  return submission;
}

}  // namespace hashprof::submission
