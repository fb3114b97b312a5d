// SPDX-License-Identifier: MIT
// The order of one build: see what is included, reuse or compile, link, put in place.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <set>

#include "base/file.h"
#include "base/sha256.h"
#include "base/sys.h"
#include "base/text.h"
#include "toolchain/command_lines.h"
#include "toolchain/includes.h"
#include "toolchain/process.h"
#include "toolchain/standing.h"

namespace hashprof::toolchain {

namespace {

using std::filesystem::path;

/// The folder of one build beside its library. Its name is fixed, so that the next build of the
/// same library removes what a killed one left; two builds of one library at a time are not
/// possible.
class BuildFolder {
 public:
  explicit BuildFolder(const path& library) : folder_(library.native() + ".build") {
    make_directories(folder_.parent_path());
    clear();
    make_directories(folder_);
  }
  BuildFolder(const BuildFolder&) = delete;
  BuildFolder& operator=(const BuildFolder&) = delete;
  BuildFolder(BuildFolder&&) = delete;
  BuildFolder& operator=(BuildFolder&&) = delete;
  ~BuildFolder() { clear(); }

  [[nodiscard]] const path& folder() const noexcept { return folder_; }
  void fill(const CommandLines& lines) const {
    for (std::size_t i = 0; i < lines.links.size(); ++i) {
      const path link = folder_ / ("d" + std::to_string(i));
      if (::symlink(lines.links[i].c_str(), link.c_str()) != 0) {
        sys::throw_errno(Fault::output, "symlink", link.native());
      }
    }
    write_file_atomically(folder_ / kVersionScript, lines.version_script);
  }

 private:
  void clear() const noexcept {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  path folder_;
};

/// An argument as a shell would have to be given it, for readers who repeat a command by hand.
std::string shell_word(const std::string& argument) {
  const bool is_plain =
      !argument.empty() && argument.find_first_not_of(
                               "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
                               "_-+=:,./@%") == std::string::npos;
  if (is_plain) {
    return argument;
  }
  std::string word = "'";
  for (const char c : argument) {
    word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  }
  return word + "'";
}

std::string shell_line(const Arguments& arguments) {
  std::string line;
  for (const std::string& argument : arguments) {
    line += (line.empty() ? "" : " ") + shell_word(argument);
  }
  return line;
}

/// Ends a build early; the message is the result's reason.
struct Failure {
  std::string reason;
  bool is_interrupted = false;
};

Deadline deadline_after(Nanoseconds limit) {
  constexpr std::uint64_t kLongest = 365ULL * 24 * 3600 * 1'000'000'000;
  return std::chrono::steady_clock::now() +
         std::chrono::nanoseconds(std::min(limit.value, kLongest));
}

std::string seconds_text(Nanoseconds limit) {
  return text::shortest(static_cast<double>(limit.value) / 1e9) + " s";
}

class Build {
 public:
  explicit Build(const BuildRequest& request)
      : request_(request), deadline_(deadline_after(request.time_limit)) {
    result_.label = request.label;
    result_.compiler = request.compiler;
    result_.profile = request.profile.name;
  }

  BuildResult run(const std::optional<BuildResult>& earlier) {
    try {
      carry_out(earlier);
      result_.is_built = true;
    } catch (const Failure& failure) {
      result_.reason = failure.reason;
      result_.is_interrupted = failure.is_interrupted;
    }
    if (!result_.is_built && !result_.is_interrupted) {
      // What an earlier build left would not be what the request describes.
      std::error_code ignored;
      std::filesystem::remove(request_.library, ignored);
    }
    if (!result_.is_reused) {
      write_log();
    }
    return std::move(result_);
  }

 private:
  void carry_out(const std::optional<BuildResult>& earlier) {
    if (std::optional<std::string> refusal = find_refusal(request_); refusal.has_value()) {
      throw Failure{*refusal};
    }
    lines_ = make_command_lines(request_);
    const BuildFolder scratch(request_.library);
    scratch.fill(lines_);
    result_.commands = lines_.compile;
    result_.commands.push_back(lines_.link);
    result_.inputs = find_inputs(scratch.folder());
    if (earlier.has_value() && is_reusable(*earlier)) {
      result_.is_reused = true;
      result_.library_sha256 = earlier->library_sha256;
      return;
    }
    describe_folder(scratch.folder());
    for (std::size_t i = 0; i < lines_.compile.size(); ++i) {
      carry_out_command(lines_.compile[i], scratch.folder(), "could not compile " + source_name(i));
    }
    const std::vector<std::string> changed = changed_inputs(result_);
    if (!changed.empty()) {
      throw Failure{text::printable(changed.front()) + " changed while it was compiled"};
    }
    carry_out_command(lines_.link, scratch.folder(), "could not link");
    put_in_place(scratch.folder() / kBuiltLibrary);
  }

  [[nodiscard]] std::string source_name(std::size_t index) const {
    return "'" + text::printable(request_.settings.sources[index].filename().native()) + "'";
  }

  /// Runs one command and logs it with its output. Throws Failure unless it succeeds.
  void carry_out_command(const Arguments& arguments, const path& folder, const std::string& aim,
                         bool is_logged_on_success = true) {
    Command command;
    command.arguments = arguments;
    command.environment = compiler_environment(request_.compiler.path, folder);
    command.folder = folder;
    command.deadline = deadline_;
    command.stop_fd = request_.stop_fd;
    const Outcome outcome = toolchain::run(command);
    const std::string ending = describe(outcome, seconds_text(request_.time_limit));
    if (!outcome.is_success() || is_logged_on_success) {
      log_ += "\n$ " + shell_line(arguments) + "\n" + outcome.output;
      log_ += outcome.output.empty() || outcome.output.back() == '\n' ? "" : "\n";
      if (outcome.is_cut) {
        log_ += "[output cut here: more than " + std::to_string(kOutputCap) + " bytes]\n";
      }
      log_ += "[" + ending + "]\n";
    }
    if (outcome.ending == Ending::interrupted) {
      throw Failure{"interrupted", true};
    }
    if (!outcome.is_success()) {
      throw Failure{failure_text(outcome, aim, ending)};
    }
  }

  [[nodiscard]] std::string failure_text(const Outcome& outcome, const std::string& aim,
                                         const std::string& ending) const {
    std::string cause = request_.compiler.command + " " + ending;
    if (outcome.ending == Ending::exited && !outcome.first_error.empty()) {
      cause = with_real_name(outcome.first_error);
      if (cause.find("required symbol") != std::string::npos) {
        cause = "no source defines the entry '" + request_.settings.entry + "'";
      }
    }
    return text::printable(request_.compiler.command) + " " + aim + ": " + text::printable(cause) +
           "; all it said is in " + text::printable(request_.log.native());
  }

  /// A compiler's line with the link at its start replaced by the folder that it stands for.
  [[nodiscard]] std::string with_real_name(const std::string& line) const {
    const std::optional<path> real = behind_link(lines_.links, line);
    return real.has_value() ? real->native() : line;
  }

  /// Sources, then every other file that is not a system header, in the order of inclusion.
  std::vector<InputFile> find_inputs(const path& folder) {
    std::vector<path> files = request_.settings.sources;
    for (std::size_t i = 0; i < lines_.preprocess.size(); ++i) {
      carry_out_command(lines_.preprocess[i], folder, "could not compile " + source_name(i), false);
      const path preprocessed = folder / (std::to_string(i) + ".i");
      std::ifstream stream(preprocessed);
      for (const std::string& name : entered_files(stream)) {
        const std::optional<path> file = real_file(name);
        if (file.has_value()) {
          files.push_back(*file);
        }
      }
      std::error_code ignored;
      std::filesystem::remove(preprocessed, ignored);
    }
    return digests_of(files);
  }

  /// The file behind a name that the preprocessor printed; nothing for `<built-in>` and for names
  /// that #line invented.
  [[nodiscard]] std::optional<path> real_file(const std::string& name) const {
    std::optional<path> file = name.front() == '/' ? path(name) : behind_link(lines_.links, name);
    std::error_code code;
    if (!file.has_value() || !std::filesystem::is_regular_file(*file, code)) {
      return std::nullopt;
    }
    if (std::find(file->begin(), file->end(), "..") != file->end()) {
      path resolved = std::filesystem::canonical(*file, code);
      if (!code) {
        return resolved;
      }
    }
    return file;
  }

  static std::vector<InputFile> digests_of(const std::vector<path>& files) {
    std::vector<InputFile> inputs;
    std::set<std::string> seen;
    for (const path& file : files) {
      if (!seen.insert(file.native()).second) {
        continue;
      }
      if (!text::is_utf8(file.native())) {
        throw Failure{"path '" + text::printable(file.native()) +
                      "': not UTF-8, so that no record could name it"};
      }
      try {
        inputs.push_back({file.native(), sha256_of_file(file)});
      } catch (const Error& error) {
        throw Failure{error.what()};
      }
    }
    return inputs;
  }

  [[nodiscard]] bool is_reusable(const BuildResult& earlier) const {
    const CompilerIdentity& was = earlier.compiler;
    const CompilerIdentity& is = request_.compiler;
    if (!earlier.is_built || earlier.inputs != result_.inputs ||
        earlier.commands != result_.commands || earlier.profile != result_.profile ||
        was.path != is.path || was.version != is.version || was.target != is.target) {
      return false;
    }
    return is_intact(request_.library, earlier.library_sha256);
  }

  void put_in_place(const path& built) {
    const UniqueFd fd = sys::open(built, O_RDONLY, 0, Fault::output);
    if (::fchmod(fd.get(), 0644) != 0) {
      sys::throw_errno(Fault::output, "fchmod", built.native());
    }
    sys::fsync(fd.get(), built.native());
    result_.library_sha256 = sha256_of_file(built);
    if (::rename(built.c_str(), request_.library.c_str()) != 0) {
      sys::throw_errno(Fault::output, "rename", request_.library.native());
    }
  }

  /// How to come to the folder in which the commands of the log ran.
  void describe_folder(const path& folder) {
    log_ +=
        "\n$ mkdir " + shell_word(folder.native()) + " && cd " + shell_word(folder.native()) + "\n";
    for (std::size_t i = 0; i < lines_.links.size(); ++i) {
      log_ += "$ ln -s " + shell_word(lines_.links[i].native()) + " d" + std::to_string(i) + "\n";
    }
    log_ += "$ echo " + shell_word(std::string(text::trim(lines_.version_script))) + " > " +
            kVersionScript + "\n$ export";
    for (const std::string& variable : compiler_environment(request_.compiler.path, folder)) {
      log_ += " " + shell_word(variable);
    }
    log_ += "\n";
  }

  void write_log() const {
    const std::string head =
        "build: " + text::printable(request_.label) + "\ncompiler: " + request_.compiler.command +
        " = " + shell_word(request_.compiler.path) + ", " + request_.compiler.version + ", " +
        request_.compiler.target + "\nprofile: " + request_.profile.name + " (" +
        request_.profile.source + "): " + shell_line(request_.profile.flags) +
        "\nadded by hashprof: " + shell_line(added_compile_flags()) +
        "; linking: " + shell_line(added_link_flags()) + "\n";
    const std::string tail = result_.is_built
                                 ? "\nresult: built, SHA-256 " + result_.library_sha256 + "\n"
                                 : "\nresult: not built: " + result_.reason + "\n";
    make_directories(request_.log.parent_path());
    write_file_atomically(request_.log, head + log_ + tail);
  }

  const BuildRequest& request_;
  Deadline deadline_;
  CommandLines lines_;
  BuildResult result_;
  std::string log_;
};

}  // namespace

BuildResult build(const BuildRequest& request, const std::optional<BuildResult>& earlier) {
  return Build(request).run(earlier);
}

}  // namespace hashprof::toolchain
