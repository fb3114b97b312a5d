// SPDX-License-Identifier: MIT
// See submission/answers.h.
#include "submission/answers.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "submission/names.h"

namespace hashprof::submission {

namespace {

/// A number that is a usual length of digests in a name, the last one: Toy-512.
std::uint32_t bits_in_name(const std::string& name) {
  constexpr std::uint32_t kLeast = 64;
  constexpr std::uint32_t kMost = 8192;
  constexpr std::uint32_t kStep = 32;
  std::uint32_t found = 0;
  for (std::size_t i = 0; i < name.size();) {
    std::size_t end = i;
    while (end < name.size() && name[end] >= '0' && name[end] <= '9') {
      ++end;
    }
    const auto number = text::parse_unsigned(name.substr(i, end - i));
    if (number && *number >= kLeast && *number <= kMost && *number % kStep == 0) {
      found = static_cast<std::uint32_t>(*number);
    }
    i = std::max(end, i + 1);
  }
  return found;
}

/// How well a file fits an instance: by exact name, by name, by its place; 0 is not at all.
unsigned fit(const KatFile& file, const Instance& instance) {
  constexpr unsigned kExact = 4;
  constexpr unsigned kBare = 2;
  unsigned best = 0;
  for (const InstanceVariant& own : instance.variants) {
    const Implementation& implementation = own.implementation;
    const bool is_exact = file.name == implementation.algorithm || file.name == instance.name;
    const bool is_bare = bare_name(file.name) == bare_name(instance.name) ||
                         bare_name(file.name) == bare_name(implementation.algorithm);
    const bool is_near = is_below(file.file, implementation.folder);
    best = std::max(best, (is_exact ? kExact : is_bare ? kBare : 0) + (is_near ? 1U : 0U));
  }
  return best;
}

class Answers {
 public:
  Answers(Submission& submission, std::vector<KatFile> files)
      : submission_(submission), files_(std::move(files)) {}

  void join() {
    for (const KatFile& file : files_) {
      if (submission_.api == Api::supercop && file.kind == kat::Kind::k2_12) {
        submission_.notes.push_back(submission_.tree.shown(file.file) +
                                    ": has messages of single bits, and the API of SUPERCOP has "
                                    "whole bytes only");
        continue;
      }
      Instance* best = nullptr;
      unsigned best_fit = 0;
      for (Instance& instance : submission_.instances) {
        if (fit(file, instance) > best_fit) {
          best = &instance;
          best_fit = fit(file, instance);
        }
      }
      if (best == nullptr && submission_.instances.size() == 1) {
        best = &submission_.instances.front();
        best->unsure.push_back(submission_.tree.shown(file.file) +
                               " was taken for its answers, because there is no other instance");
      }
      if (best == nullptr) {
        submission_.notes.push_back(submission_.tree.shown(file.file) +
                                    ": belongs to no instance by its name");
      } else {
        add(file, *best);
      }
    }
  }

 private:
  void add(const KatFile& file, Instance& instance) {
    const auto known = std::find_if(instance.kat_files.begin(), instance.kat_files.end(),
                                    [&](const KatFile& each) { return each.kind == file.kind; });
    if (known == instance.kat_files.end()) {
      if (is_clean_name(file.name)) {
        instance.kat_name = instance.kat_files.empty() ? file.name : instance.kat_name;
      }
      instance.kat_files.push_back(file);
    } else if (known->sha256 != file.sha256) {
      const bool is_better = fit(file, instance) > fit(*known, instance);
      instance.unsure.push_back(submission_.tree.shown(known->file) + " and " +
                                submission_.tree.shown(file.file) + " differ; the " +
                                (is_better ? "second" : "first") + " was taken");
      if (is_better) {
        *known = file;
      }
    }
  }

  Submission& submission_;
  std::vector<KatFile> files_;
};

void settle_length(Instance& instance) {
  for (const InstanceVariant& own : instance.variants) {
    if (own.implementation.digest_bits) {
      instance.digest_bits = *own.implementation.digest_bits;
      instance.digest_origin = own.implementation.digest_origin;
      break;
    }
  }
  const auto answer = std::find_if(instance.kat_files.begin(), instance.kat_files.end(),
                                   [](const KatFile& each) { return each.digest_bits != 0; });
  if (instance.digest_bits == 0 && answer != instance.kat_files.end()) {
    instance.digest_bits = answer->digest_bits;
    instance.digest_origin = "Dst_Len of its known-answer file";
  }
  if (instance.digest_bits == 0 && bits_in_name(instance.name) != 0) {
    instance.digest_bits = bits_in_name(instance.name);
    instance.digest_origin = "unsure: only the name says so";
    instance.unsure.emplace_back("no header defines the length of the digest: " +
                                 std::to_string(instance.digest_bits) + " is from the name");
  }
  if (instance.digest_bits == 0) {
    constexpr std::uint32_t kUsual = 512;
    instance.digest_bits = kUsual;
    instance.digest_origin = "unsure: nothing says it";
    instance.unsure.emplace_back("nothing says the length of the digest: correct digest_bits");
  }
}

}  // namespace

void join_answers(std::vector<KatFile> files, Submission& submission) {
  Answers(submission, std::move(files)).join();
}

void settle_lengths(Submission& submission) {
  for (Instance& instance : submission.instances) {
    settle_length(instance);
  }
}

}  // namespace hashprof::submission
