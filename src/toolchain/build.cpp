// SPDX-License-Identifier: MIT
// The order of one build: see what is included, reuse or compile, link, put in place.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <sstream>

#include "base/file.h"
#include "base/sha256.h"
#include "base/sys.h"
#include "base/text.h"
#include "elf/elf_image.h"
#include "toolchain/build_folder.h"
#include "toolchain/cache.h"
#include "toolchain/command_lines.h"
#include "toolchain/exports.h"
#include "toolchain/includes.h"
#include "toolchain/input_files.h"
#include "toolchain/process.h"
#include "toolchain/standing.h"

namespace hashprof::toolchain {

namespace {

using std::filesystem::path;

/// Ends a build early; the message is the result's reason.
struct Failure {
  std::string reason;
  bool is_interrupted = false;
};

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
    result_.native = request.native;
  }

  BuildResult run(const std::optional<BuildResult>& earlier) {
    try {
      carry_out(earlier);
      result_.is_built = true;
    } catch (const Failure& failure) {
      result_.reason = failure.reason;
      result_.is_interrupted = failure.is_interrupted;
    }
    if (!result_.is_built && !result_.is_interrupted && !request_.keeps_library) {
      // What an earlier build left would not be what the request describes.
      std::error_code ignored;
      for (std::uint32_t layout = 0; layout < std::max(1U, request_.layouts); ++layout) {
        std::filesystem::remove(layout_library(request_.library, layout), ignored);
      }
    }
    if (!result_.is_reused) {
      write_log();
    }
    if (result_.is_built) {
      store_in_cache();
    }
    return std::move(result_);
  }

 private:
  void carry_out(const std::optional<BuildResult>& earlier) {
    if (std::optional<std::string> refusal = find_refusal(request_); refusal.has_value()) {
      throw Failure{*refusal};
    }
    if (!request_.settings.library.empty()) {
      take_prebuilt(earlier);
      result_.empty =
          EmptyLibrary{{}, "the library came built: no empty one can be built the same way"};
      return;
    }
    lines_ = make_command_lines(request_);
    result_.commands = lines_.making();
    const BuildFolder scratch(request_.library);
    scratch.fill(lines_, has_shim(request_.settings));
    result_.inputs = find_inputs(scratch.folder());
    if (earlier.has_value() && is_same_making(*earlier, result_) && stands(*earlier, request_)) {
      reuse(*earlier);
    } else if (!take_from_cache()) {
      make_libraries(scratch.folder());
      is_made_here_ = true;
    }
    if (!result_.empty) {
      make_empty(scratch.folder());
    }
  }

  /// A library that has none is built all the same.
  void make_empty(const path& folder) {
    result_.empty.emplace();
    if (lines_.empty.empty()) {
      result_.empty->reason = "only objects were made: no library is there to compare";
      return;
    }
    try {
      for (const Arguments& command : lines_.empty) {
        carry_out_command(command, folder, "could not make an empty library", false);
      }
      const elf::Image image = elf::read_image(folder / kEmptyLibrary);
      result_.empty->parts = image.parts;
      result_.empty->reason = image.parts_reason;
    } catch (const Failure& failure) {
      if (failure.is_interrupted) {
        throw;
      }
      result_.empty->reason = failure.reason;
    } catch (const Error& error) {
      result_.empty->reason = error.what();
    }
  }

  void make_libraries(const path& folder) {
    log_ += folder_recipe(lines_, has_shim(request_.settings), folder, request_.compiler.path);
    for (std::size_t i = 0; i < lines_.compile.size(); ++i) {
      carry_out_command(lines_.compile[i], folder, "could not compile " + source_name(i));
    }
    for (const Arguments& padding : lines_.paddings) {
      carry_out_command(padding, folder, "could not assemble the padding of a layout");
    }
    const std::vector<std::string> changed = changed_inputs(result_);
    if (!changed.empty()) {
      throw Failure{text::printable(changed.front()) + " changed while it was compiled"};
    }
    if (request_.is_objects_only) {
      result_.sizes = sizes_of_objects(folder);
    }
    remove_layouts_from(static_cast<std::uint32_t>(lines_.links.size()));
    for (std::uint32_t layout = 0; layout < lines_.links.size(); ++layout) {
      link(lines_.links[layout], folder);
      check_entry(lines_.links[layout], folder);
      const std::string sha256 = put_in_place(folder / kBuiltLibrary, layout);
      if (layout == 0) {
        result_.library_sha256 = sha256;
      } else {
        result_.layout_sha256.push_back(sha256);
      }
    }
  }

  /// Libraries of an earlier request that had more layouts.
  void remove_layouts_from(std::uint32_t layout) const {
    std::error_code ignored;
    layout = std::max(1U, layout);
    while (std::filesystem::remove(layout_library(request_.library, layout), ignored)) {
      ++layout;
    }
  }

  [[nodiscard]] elf::ObjectSizes sizes_of_objects(const path& folder) const {
    elf::ObjectSizes sum;
    for (std::size_t i = 0; i < lines_.compile.size(); ++i) {
      try {
        sum += elf::read_object_sizes(folder / (std::to_string(i) + ".o"));
      } catch (const Error& error) {
        throw Failure{"the object of " + source_name(i) + ": " + error.message()};
      }
    }
    return sum;
  }

  void link(const Arguments& command, const path& folder) {
    try {
      carry_out_command(command, folder, "could not link");
    } catch (Failure& failure) {
      if (!is_entry_missing_) {
        throw;
      }
      failure.reason.insert(failure.reason.rfind("; all it said is in "),
                            what_is_there(command, folder));
      throw;
    }
  }

  /// Some linkers make a library without the entry.
  void check_entry(const Arguments& command, const path& folder) {
    std::optional<std::vector<std::string>> exports;
    try {
      exports = elf::read_image(folder / kBuiltLibrary).exports;
    } catch (const Error& error) {
      throw Failure{text::printable(request_.compiler.command) +
                    " made no library: " + error.message() + "; all it said is in " +
                    text::printable(request_.log.native())};
    }
    const std::string& entry = request_.settings.exported();
    if (exports && std::find(exports->begin(), exports->end(), entry) == exports->end()) {
      throw Failure{text::printable(request_.compiler.command) +
                    " could not link: no source defines the entry '" + request_.settings.entry +
                    "'" + what_is_there(command, folder) + "; all it said is in " +
                    text::printable(request_.log.native())};
    }
  }

  /// What the objects define instead of the entry: they are linked once more with everything
  /// exported, and the result is only looked at.
  std::string what_is_there(Arguments command, const path& folder) {
    command.erase(std::remove_if(command.begin(), command.end(),
                                 [](const std::string& argument) {
                                   return argument.starts_with("-Wl,--require-defined=") ||
                                          argument.starts_with("-Wl,--undefined=") ||
                                          argument.starts_with("-Wl,--version-script=");
                                 }),
                  command.end());
    try {
      carry_out_command(command, folder, "could not link", false);
      const auto exports = elf::read_image(folder / kBuiltLibrary).exports;
      return exports ? "; " + describe_exports(*exports, request_.settings.entry) : "";
    } catch (const Failure& failure) {
      if (failure.is_interrupted) {
        throw;
      }
    } catch (const Error&) {
      // What cannot be looked at is not described; the failure stands without it.
    }
    return "";
  }

  void take_prebuilt(const std::optional<BuildResult>& earlier) {
    result_.inputs = digests_of({request_.settings.library});
    const std::string name = text::printable(request_.settings.library.filename().native());
    std::string content;
    try {
      content = read_file(request_.settings.library, Bytes{kFileSizeCap}, Fault::target);
      const elf::Image image = elf::read_image(request_.settings.library);
      const std::string& entry = request_.settings.entry;
      if (image.exports &&
          std::find(image.exports->begin(), image.exports->end(), entry) == image.exports->end()) {
        throw Failure{name + " exports no '" + entry + "'; " +
                      describe_exports(*image.exports, entry)};
      }
    } catch (const Error& error) {
      throw Failure{error.what()};
    }
    if (earlier.has_value() && is_same_making(*earlier, result_) && stands(*earlier, request_)) {
      reuse(*earlier);
      return;
    }
    make_directories(request_.library.parent_path());
    write_file_atomically(request_.library, content);
    log_ += "\nbuilt already: " + shell_line({request_.settings.library.native()}) + "\n";
    result_.library_sha256 = sha256_of_file(request_.library);
    if (result_.library_sha256 != result_.inputs.front().sha256) {
      throw Failure{name + " changed while it was copied"};
    }
  }

  void reuse(const BuildResult& earlier) {
    result_.is_reused = true;
    result_.is_from_cache = earlier.is_from_cache;
    result_.library_sha256 = earlier.library_sha256;
    result_.layout_sha256 = earlier.layout_sha256;
    result_.sizes = earlier.sizes;
    result_.empty = earlier.empty;
  }

  bool take_from_cache() {
    if (request_.cache.empty() || result_.has_unseen_inputs) {
      return false;
    }
    const auto stored = Cache(request_.cache).take(request_, result_);
    if (stored) {
      reuse(*stored);
      result_.is_reused = false;
      result_.is_from_cache = true;
    }
    return stored.has_value();
  }

  [[nodiscard]] std::string source_name(std::size_t index) const {
    const auto& sources = request_.settings.sources;
    return index < sources.size()
               ? "'" + text::printable(sources[index].filename().native()) + "'"
               : "the function that hashprof puts before '" + request_.settings.entry + "'";
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

  std::string failure_text(const Outcome& outcome, const std::string& aim,
                           const std::string& ending) {
    std::string cause = request_.compiler.command + " " + ending;
    if (outcome.ending == Ending::exited && !outcome.first_error.empty()) {
      cause = with_real_name(outcome.first_error);
      // Two linkers' words for --require-defined; the shim's call ends as an undefined reference.
      is_entry_missing_ =
          cause.find("required symbol") != std::string::npos ||
          cause.find("undefined symbol: " + request_.settings.entry) != std::string::npos ||
          cause.find("undefined reference to `" + request_.settings.entry + "'") !=
              std::string::npos;
      if (is_entry_missing_) {
        cause = "no source defines the entry '" + request_.settings.entry + "'";
      }
    }
    return text::printable(request_.compiler.command) + " " + aim + ": " + text::printable(cause) +
           "; all it said is in " + text::printable(request_.log.native());
  }

  /// A compiler's line with the link at its start replaced by the folder that it stands for.
  [[nodiscard]] std::string with_real_name(const std::string& line) const {
    const std::optional<path> real = behind_link(lines_.folders, line);
    return real.has_value() ? real->native() : line;
  }

  /// Sources, then every other file that is not a system header, in the order of inclusion, then
  /// static libraries. Digests what the preprocessor makes of the sources on the way.
  std::vector<InputFile> find_inputs(const path& folder) {
    std::vector<path> files = request_.settings.sources;
    std::string digests;
    for (std::size_t i = 0; i < lines_.preprocess.size(); ++i) {
      carry_out_command(lines_.preprocess[i], folder, "could not compile " + source_name(i), false);
      const path preprocessed = folder / (std::to_string(i) + ".i");
      std::istringstream stream(preprocessed_text(preprocessed, i));
      digests += sha256_of(stream.view());
      for (const std::string& name : entered_files(stream)) {
        const std::optional<path> file = real_file(lines_.folders, name);
        if (file.has_value()) {
          files.push_back(*file);
        }
      }
      std::error_code ignored;
      std::filesystem::remove(preprocessed, ignored);
    }
    result_.preprocessed_sha256 = sha256_of(digests);
    for (const std::string& library : request_.settings.libraries) {
      if (const auto shared = find_library("lib" + library + ".so", folder)) {
        const auto digests_of_it = digests_of({*shared});
        result_.shared_libraries.insert(result_.shared_libraries.end(), digests_of_it.begin(),
                                        digests_of_it.end());
      } else if (const auto archive = find_library("lib" + library + ".a", folder)) {
        files.push_back(*archive);
      }
    }
    return digests_of(files);
  }

  /// A preprocessed source; of an assembler file that is not preprocessed, the file itself.
  std::string preprocessed_text(const path& preprocessed, std::size_t index) {
    std::error_code code;
    const bool is_there = std::filesystem::is_regular_file(preprocessed, code);
    std::string text;
    try {
      text = read_file(is_there ? preprocessed : request_.settings.sources[index],
                       Bytes{kFileSizeCap}, Fault::target);
    } catch (const Error& error) {
      throw Failure{error.what()};
    }
    const auto has = [&](const char* word) { return text.find(word) != std::string::npos; };
    result_.has_unseen_inputs = result_.has_unseen_inputs || has(".incbin") || has(".include");
    return text;
  }

  /// The file that the linker finds by a name; nothing if there is none.
  std::optional<path> find_library(const std::string& file, const path& folder) {
    Command command;
    command.arguments = {request_.compiler.path, "-print-file-name=" + file};
    command.environment = compiler_environment(request_.compiler.path, folder);
    command.folder = folder;
    command.deadline = deadline_;
    command.stop_fd = request_.stop_fd;
    const Outcome outcome = toolchain::run(command);
    const path found{std::string(text::trim(outcome.output))};
    std::error_code code;
    if (!outcome.is_success() || !found.is_absolute() ||
        !std::filesystem::is_regular_file(found, code)) {
      return std::nullopt;
    }
    const path resolved = std::filesystem::canonical(found, code);
    return code ? found : resolved;
  }

  static std::vector<InputFile> digests_of(const std::vector<path>& files) {
    try {
      return digest_files(files);
    } catch (const Error& error) {
      throw Failure{error.what()};
    }
  }

  /// The digest of the library that now stands in the place of a layout.
  [[nodiscard]] std::string put_in_place(const path& built, std::uint32_t layout) const {
    const path library = layout_library(request_.library, layout);
    const UniqueFd fd = sys::open(built, O_RDONLY, 0, Fault::output);
    if (::fchmod(fd.get(), 0644) != 0) {
      sys::throw_errno(Fault::output, "fchmod", built.native());
    }
    sys::fsync(fd.get(), built.native());
    std::string sha256 = sha256_of_file(built);
    if (::rename(built.c_str(), library.c_str()) != 0) {
      sys::throw_errno(Fault::output, "rename", library.native());
    }
    return sha256;
  }

  void write_log() const {
    const bool has_cxx = needs_cxx(request_.settings);
    const std::string head =
        "build: " + text::printable(request_.label) + "\ncompiler: " + request_.compiler.command +
        " = " + shell_line({request_.compiler.path}) + ", " + request_.compiler.version + ", " +
        request_.compiler.target + "\nprofile: " + request_.profile.name + " (" +
        request_.profile.source + "): " + shell_line(request_.profile.flags) +
        (request_.native.empty() ? "" : "\nnative: " + request_.native) +
        "\nadded by hashprof: " + shell_line(added_compile_flags(has_cxx)) +
        "; linking: " + shell_line(added_link_flags()) + "\n";
    const std::string built = result_.is_from_cache
                                  ? "an earlier build with these inputs, from the cache, SHA-256 "
                                  : "built, SHA-256 ";
    std::string tail = "\nresult: not built: " + result_.reason + "\n";
    if (result_.sizes) {
      tail = "\nresult: compiled, " + json::write_compact(elf::to_json(*result_.sizes)) + "\n";
    } else if (result_.is_built) {
      tail = "\nresult: " + built + result_.library_sha256 + "\n";
    }
    make_directories(request_.log.parent_path());
    write_file_atomically(request_.log, head + log_ + tail);
  }

  /// A cache is a help, no part of the result: what it cannot take is not stored.
  void store_in_cache() const {
    if (is_made_here_ && !request_.cache.empty() && !result_.has_unseen_inputs) {
      Cache(request_.cache).store(request_, result_);
    }
  }

  const BuildRequest& request_;
  Deadline deadline_;
  CommandLines lines_;
  BuildResult result_;
  std::string log_;
  bool is_entry_missing_ = false;
  bool is_made_here_ = false;
};

}  // namespace

BuildResult build(const BuildRequest& request, const std::optional<BuildResult>& earlier) {
  return Build(request).run(earlier);
}

}  // namespace hashprof::toolchain
