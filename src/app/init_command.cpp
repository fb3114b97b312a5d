// SPDX-License-Identifier: MIT
// `hashprof init`: the hash.yaml of a folder that somebody submitted, or a campaign over hash.yaml
// files. Nothing that is in the folder is run; --check builds and proves what was written.
#include <algorithm>
#include <system_error>

#include "app/init_text.h"
#include "app/output.h"
#include "app/prepare.h"
#include "app/setup.h"
#include "app/verbs.h"
#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "record/run_directory.h"
#include "submission/campaign_yaml.h"
#include "submission/hash_yaml.h"
#include "submission/names.h"
#include "submission/yaml_words.h"
#include "yaml/document.h"

namespace hashprof::app {

namespace {

namespace fs = std::filesystem;

/// The path with the links of its folder resolved, so that ".." in the file means what it says.
fs::path file_to_write(const fs::path& file) {
  const fs::path absolute = fs::absolute(file).lexically_normal();
  std::error_code code;
  const fs::path folder = fs::canonical(absolute.parent_path(), code);
  if (code) {
    throw Error(Fault::output, text::printable(absolute.parent_path().native()),
                "the folder of the file to write")
        .os_error(code.value())
        .hint("make the folder, or name another file with --out");
  }
  return folder / absolute.filename();
}

/// Refuses a file that is there unless it may be written over, and what is no file at all.
void check_is_free(const fs::path& file, bool is_fresh) {
  std::error_code code;
  const fs::file_status status = fs::symlink_status(file, code);
  if (!fs::exists(status)) {
    return;
  }
  const std::string where = text::printable(file.native());
  if (!fs::is_regular_file(status)) {
    throw Error(Fault::output, where, "is not a regular file").hint("name another file with --out");
  }
  if (!is_fresh) {
    throw Error(Fault::usage, where, "is there already")
        .hint("name another file with --out, or write over it with --fresh");
  }
}

/// A run directory of that name may be somebody's own.
void check_measured_nothing(const fs::path& run) {
  std::error_code code;
  const fs::path journal = record::RunPaths{run}.journal();
  if (record::is_run_directory(run) && fs::file_size(journal, code) > 0 && !code) {
    throw Error(Fault::configuration, text::printable(run.native()),
                "holds a run that has measured; --check would delete it")
        .hint("move it away, or check with 'hashprof kat FILE --out DIR'");
  }
}

cli::Options check_options(const cli::Options& options, const std::string& id,
                           const std::string& kinds) {
  cli::Options check = options;
  check.verb = cli::Verb::kat;
  check.out = fs::path("runs") / (id + "-check");
  check_measured_nothing(*check.out);
  check.is_fresh = true;
  if (!kinds.empty()) {
    check.kinds = kinds;
  }
  return check;
}

/// What --check computes and compares with.
struct Answers {
  std::string kinds = "none";
  std::string kat_files;  ///< of a campaign
};

/// The quickest kind of known-answer files that the submission has answers for, and these files:
/// they tell which record is wrong.
Answers answers_of(const submission::Submission& submission, const fs::path& folder) {
  for (const kat::Kind kind : {kat::Kind::k2_12, kat::Kind::k2_23}) {
    Answers answers;
    for (const submission::Instance& instance : submission.instances) {
      for (const submission::KatFile& file : instance.kat_files) {
        if (file.kind == kind) {
          answers.kinds = kat::kind_name(kind);
          answers.kat_files += text::is_utf8(file.file.native())
                                   ? "  " + yaml::quoted(instance.name) + ": " +
                                         submission::path_word(file.file, folder) + "\n"
                                   : "";
        }
      }
    }
    if (answers.kinds != "none") {
      return answers;
    }
  }
  return {};
}

/// Prints what was written, then, if it is asked for, what became of it.
int finish(const cli::Options& options, const std::string& lines, const json::Value& value,
           const campaign::Campaign* campaign, const std::string& kinds) {
  if (campaign == nullptr) {
    print(options.is_json ? json::write_pretty(value) : lines);
    return 0;
  }
  if (!options.is_json) {
    print(lines);
  }
  const cli::Options check = check_options(options, campaign->name, kinds);
  const Setup setup = make_setup(*campaign, check);
  const Proof proof = prove(setup, check);
  note("hashprof: the check is in " + text::printable(setup.run_root.native()));
  print(options.is_json ? json::write_pretty(json::Object{
                              {"written", value}, {"check", answers_to_json(proof.answers)}})
                        : answer_lines(proof.answers));
  return proof.has_failures ? exit_code(Fault::target) : 0;
}

/// The campaign that --check carries out; every variant counts, unlike in a run of the hash.yaml.
campaign::Campaign campaign_of(const fs::path& file, const Answers& answers) {
  const catalog::Family family = catalog::load_family(file);
  std::string text = submission::campaign_yaml({family}, family.id, file);
  if (!answers.kat_files.empty()) {
    text += "kat_files:\n" + answers.kat_files;
  }
  return campaign::parse_campaign(text, file);
}

int adopt(const cli::Options& options) {
  const submission::Submission found = submission::read_submission(options.target);
  const fs::path file = file_to_write(options.out ? *options.out : found.tree.root / "hash.yaml");
  const fs::path manifest = file.parent_path() / submission::manifest_name(found);
  check_is_free(file, options.is_fresh);
  if (found.has_kat_files()) {
    check_is_free(manifest, options.is_fresh);
    write_file_atomically(manifest, submission::manifest_text(found));
  }
  write_file_atomically(file, submission::hash_yaml(found, file));
  const std::string text = init_text(found, file);
  const json::Value value = init_to_json(found, file);
  if (!options.is_checked) {
    return finish(options, text, value, nullptr, "");
  }
  const Answers answers = answers_of(found, file.parent_path());
  const campaign::Campaign campaign = campaign_of(file, answers);
  return finish(options, text, value, &campaign, answers.kinds);
}

catalog::Family load_listed(const std::string& word) {
  const std::string extension = fs::path(word).extension().native();
  if (extension != ".yaml" && extension != ".yml") {
    throw Error(Fault::usage, text::printable(word), "is neither a folder nor a hash.yaml")
        .hint("name the folder that was submitted, or hash.yaml files");
  }
  if (!text::is_utf8(fs::absolute(word).native())) {
    throw Error(Fault::usage, text::printable(word),
                "the path is not UTF-8, so that no campaign file can name it")
        .hint("rename the folder or the file");
  }
  catalog::Family family = catalog::load_family(word);
  std::error_code code;
  const fs::path canonical = fs::canonical(family.file, code);
  family.file = code ? family.file : canonical;
  return family;
}

std::string campaign_name(const fs::path& file) {
  const std::string name = submission::clean_name(file.stem().native(), true);
  return name.empty() ? "campaign" : name;
}

int compose(const cli::Options& options) {
  std::vector<catalog::Family> families;
  std::vector<std::string> lines;
  for (const std::string& word : options.targets) {
    families.push_back(load_listed(word));
    const bool is_twice = std::count_if(families.begin(), families.end(), [&](const auto& each) {
                            return each.file == families.back().file;
                          }) > 1;
    if (is_twice) {
      throw Error(Fault::usage, text::printable(word), "is named twice").hint("name it once");
    }
    lines.push_back(families.back().id + ": " + std::to_string(families.back().instances.size()) +
                    (families.back().instances.size() == 1 ? " instance" : " instances"));
  }
  const fs::path file = file_to_write(options.out ? *options.out : fs::path("campaign.yaml"));
  check_is_free(file, options.is_fresh);
  write_file_atomically(file, submission::campaign_yaml(families, campaign_name(file), file));
  const std::string text =
      "wrote " + text::printable(file.native()) + "\n  " + text::join(lines, "\n  ") + "\n";
  const json::Value value = json::Object{{"file", text::printable(file.native())},
                                         {"families", json::Array(lines.begin(), lines.end())}};
  if (!options.is_checked) {
    return finish(options, text, value, nullptr, "");
  }
  const campaign::Campaign campaign = campaign::load_campaign(file);
  return finish(options, text, value, &campaign, "");
}

}  // namespace

int initialize(const cli::Options& options) {
  const auto is_folder = [](const std::string& word) {
    std::error_code code;
    return !fs::is_regular_file(word, code);
  };
  const auto& targets = options.targets;
  if (std::none_of(targets.begin(), targets.end(), is_folder)) {
    return compose(options);
  }
  if (targets.size() > 1) {
    const auto folder = std::find_if(targets.begin(), targets.end(), is_folder);
    throw Error(Fault::usage, text::printable(*folder), "is not a hash.yaml file")
        .hint("name one folder, or hash.yaml files");
  }
  return adopt(options);
}

}  // namespace hashprof::app
