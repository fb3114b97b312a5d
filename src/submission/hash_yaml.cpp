// SPDX-License-Identifier: MIT
// See submission/hash_yaml.h. Whatever bytes a name has: values are quoted, comments are printable.
#include "submission/hash_yaml.h"

#include <algorithm>
#include <iterator>

#include "base/text.h"
#include "submission/yaml_words.h"
#include "yaml/document.h"

namespace hashprof::submission {

namespace {

namespace fs = std::filesystem;

/// Left-out files that a variant lists one by one.
constexpr std::size_t kMostLeftOut = 20;

class Writer {
 public:
  Writer(const Submission& submission, const fs::path& file)
      : submission_(submission), base_(file.parent_path()) {}

  std::string run() {
    head();
    variants();
    out_ += "instances:\n";
    for (const Instance& instance : submission_.instances) {
      write(instance);
    }
    known_answers();
    return std::move(out_);
  }

 private:
  void line(unsigned level, const std::string& text) {
    out_ += std::string(std::size_t{2} * level, ' ') + text + "\n";
  }

  void comment(unsigned level, const std::string& text) { line(level, comment_line(text)); }

  [[nodiscard]] std::string path(const fs::path& file) const { return path_word(file, base_); }

  void head() {
    comment(0,
            "Written by 'hashprof init'. Read it through, settle what is marked unsure, and "
            "keep it: hashprof-hash(5).");
    for (const std::string& note : submission_.notes) {
      comment(0, "passed over: " + note);
    }
    line(0, "hashprof: 1");
    line(0, "id: " + name_word(submission_.id));
    line(0, "name: " + yaml::quoted(submission_.name));
    line(0, std::string("api: ") + api_name(submission_.api));
  }

  void variants() {
    line(0, "variants:");
    for (const Variant& variant : submission_.variants) {
      std::string words = "class: " + variant.class_name;
      if (!variant.needs_cpu.empty()) {
        words += ", needs_cpu: [" + text::join(variant.needs_cpu, ", ") + "]";
      }
      line(1, name_word(variant.name) + ": {" + words + "}" +
                  (variant.needs_cpu.empty() ? "" : "  # unsure: by the intrinsics it calls"));
    }
    if (submission_.variants.front().name != "reference") {
      comment(1, "No reference: all of these are measured.");
    }
  }

  void write(const Instance& instance) {
    line(1, name_word(instance.name) + ":");
    unsure(2, instance.unsure);
    line(2, "digest_bits: " + std::to_string(instance.digest_bits) + "  " +
                comment_line(instance.digest_origin));
    line(2, "variants:");
    for (const InstanceVariant& own : instance.variants) {
      line(3, name_word(own.name) + ":");
      write(own.implementation);
    }
  }

  void unsure(unsigned level, const std::vector<std::string>& lines) {
    for (const std::string& each : lines) {
      comment(level, "unsure: " + each);
    }
  }

  void write(const Implementation& implementation) {
    unsure(4, implementation.unsure);
    list(4, "sources", implementation.sources, implementation.suggested_sources);
    left_out(implementation);
    list(4, "include", implementation.include, implementation.suggested_include);
    line(4, "language: " + implementation.language);
    words(4, "cflags", implementation.cflags);
    words(4, "libraries", implementation.libraries);
    if (implementation.suggested_header) {
      line(4, "# header: " + path(*implementation.suggested_header));
    }
  }

  void left_out(const Implementation& implementation) {
    std::size_t count = 0;
    for (const catalog::LeftOut& each : implementation.left_out) {
      if (++count > kMostLeftOut) {
        comment(5, "left out too: " +
                       std::to_string(implementation.left_out.size() - kMostLeftOut) + " more");
        return;
      }
      comment(5, "left out: " + submission_.tree.shown(each.file) + ": " + each.reason);
    }
  }

  /// One item a line, so that a suggestion is taken by removing its '# '.
  void list(unsigned level, const std::string& key, const std::vector<fs::path>& paths,
            const std::vector<fs::path>& suggested) {
    if (!paths.empty()) {
      line(level, key + ":");
    } else if (!suggested.empty()) {
      line(level, "# " + key + ":");
    }
    for (const fs::path& each : paths) {
      line(level + 1, "- " + path(each));
    }
    for (const fs::path& each : suggested) {
      if (text::is_utf8(each.native())) {
        line(level, "#   - " + path(each));
      }
    }
  }

  void words(unsigned level, const std::string& key, const std::vector<std::string>& values) {
    if (!values.empty()) {
      line(level, key + ": [" + text::join(values, ", ") + "]");
    }
  }

  /// The folder where all of them lie under the names that are looked for there, else the first.
  static fs::path place_of_answers(const Instance& instance) {
    const fs::path first = instance.kat_files.front().file;
    const bool is_folder =
        std::all_of(instance.kat_files.begin(), instance.kat_files.end(), [&](const KatFile& each) {
          return each.file == first.parent_path() / kat::file_name(each.kind, instance.kat_name);
        });
    return is_folder && instance.kat_files.size() > 1 ? first.parent_path() : first;
  }

  void known_answers() {
    if (!submission_.has_kat_files()) {
      comment(0,
              "No known-answer file KAT_2_12_NAME.txt was found: nothing proves the digests. "
              "With one:");
      line(0, "# kat: {manifest: FILE, vectors: [FILE]}");
      return;
    }
    comment(0,
            "The manifest holds digests of the known-answer files below; a campaign names the "
            "first wrong record");
    comment(0, "where it has them, too:");
    line(0, "# kat_files:");
    for (const Instance& instance : submission_.instances) {
      if (!instance.kat_files.empty() && text::is_utf8(instance.kat_files.front().file.native())) {
        line(0, "#   " + name_word(instance.name) + ": " + path(place_of_answers(instance)));
      }
    }
    line(0, "kat:");
    line(1, "manifest: " + yaml::quoted(manifest_name(submission_)));
    const bool has_names =
        std::any_of(submission_.instances.begin(), submission_.instances.end(),
                    [](const Instance& each) { return each.kat_name != each.name; });
    if (has_names) {
      line(1, "names:");
    }
    for (const Instance& instance : submission_.instances) {
      if (instance.kat_name != instance.name) {
        line(2, name_word(instance.name) + ": " + name_word(instance.kat_name));
      }
    }
  }

  const Submission& submission_;
  fs::path base_;
  std::string out_;
};

}  // namespace

std::string hash_yaml(const Submission& submission, const fs::path& file) {
  return Writer(submission, file).run();
}

std::string manifest_name(const Submission& submission) { return submission.id + ".kat.sha256"; }

std::string manifest_text(const Submission& submission) {
  std::string out;
  for (const Instance& instance : submission.instances) {
    for (const KatFile& file : instance.kat_files) {
      out += file.sha256 + " strict " + instance.name + "/" +
             kat::file_name(file.kind, instance.kat_name) + "\n";
    }
  }
  return out;
}

}  // namespace hashprof::submission
