// SPDX-License-Identifier: MIT
// See toolchain/command_lines.h.
#include "toolchain/command_lines.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "base/text.h"
#include "catalog/source_folder.h"
#include "toolchain/layout.h"
#include "toolchain/supercop.h"

namespace hashprof::toolchain {

namespace {

using std::filesystem::path;

/// Folders behind links, each once.
class Links {
 public:
  std::string name_of(const path& folder) {
    auto found = std::find(folders_.begin(), folders_.end(), folder);
    if (found == folders_.end()) {
      found = folders_.insert(folders_.end(), folder);
    }
    return "d" + std::to_string(found - folders_.begin());
  }
  [[nodiscard]] const std::vector<path>& folders() const { return folders_; }

 private:
  std::vector<path> folders_;
};

void append(Arguments& list, const std::vector<std::string>& more) {
  list.insert(list.end(), more.begin(), more.end());
}

constexpr const char* kEmptyObject = "empty.o";

bool is_clang(const CompilerIdentity& compiler) {
  return compiler.version.find("clang") != std::string::npos;
}

bool is_assembler(const path& source) {
  return source.extension() == ".S" || source.extension() == ".s";
}

bool is_cxx(const catalog::BuildSettings& settings, const path& source) {
  return !is_assembler(source) &&
         (catalog::is_cxx_source(source) || catalog::is_cxx_language(settings.language));
}

std::string definition(const std::string& name, const std::string& value) {
  std::string flag = "-D";
  return flag.append(name).append("=").append(value);
}

/// -Werror=x among flags is taken back; the flag itself turns the warning on.
void append_without_demands(Arguments& list, const std::vector<std::string>& flags) {
  constexpr std::string_view kDemand = "-Werror=";
  for (const std::string& flag : flags) {
    if (flag.starts_with(kDemand)) {
      list.push_back("-Wno-error=" + flag.substr(kDemand.size()));
    }
  }
}

/// Makes the commands of one request.
class Writer {
 public:
  explicit Writer(const BuildRequest& request)
      : request_(request), settings_(request.settings), is_supercop_(has_shim(settings_)) {}

  CommandLines run() {
    std::vector<std::string> names;
    names.reserve(settings_.sources.size());
    for (const path& source : settings_.sources) {
      names.push_back(name_of(source));
    }
    for (std::size_t i = 0; i < names.size(); ++i) {
      add_source(settings_.sources[i], names[i]);
    }
    if (is_supercop_ && !request_.is_objects_only) {
      add_compilation({request_.compiler.path, "-O2", "-fPIC", bits_definition(),
                       definition("HASHPROF_ENTRY", settings_.entry)},
                      std::string(kGeneratedFolder) + "/" + kShimName);
    }
    const std::uint32_t layouts = request_.is_objects_only ? 0 : std::max(1U, request_.layouts);
    for (std::uint32_t layout = 1; layout < layouts; ++layout) {
      lines_.paddings.push_back(
          {request_.compiler.path, "-c",
           definition("HASHPROF_PADDING", std::to_string(padding_bytes(request_.seed, layout))),
           std::string(kGeneratedFolder) + "/" + kPaddingName, "-o", padding_object(layout)});
    }
    for (std::uint32_t layout = 0; layout < layouts; ++layout) {
      lines_.links.push_back(link(layout));
    }
    if (!request_.is_objects_only) {
      add_empty();
    }
    lines_.folders = links_.folders();
    lines_.version_script = "{ global: " + settings_.exported() + "; local: *; };\n";
    return std::move(lines_);
  }

 private:
  std::string name_of(const path& file) {
    return links_.name_of(file.parent_path()) + "/" + file.filename().native();
  }

  [[nodiscard]] std::string bits_definition() const {
    return definition("HASHPROF_DIGEST_BITS", std::to_string(request_.digest_bits));
  }

  static std::string padding_object(std::uint32_t layout) {
    return "padding" + std::to_string(layout) + ".o";
  }

  /// Everything between the compiler and the file names; no header if `header` is empty.
  Arguments flags_of(const path& source, const path& header) {
    const bool is_cxx_code = is_cxx(settings_, source);
    const bool is_own = is_cxx_code == catalog::is_cxx_language(settings_.language);
    Arguments flags;
    if (!is_assembler(source) || !catalog::is_cxx_language(settings_.language)) {
      flags.push_back("-std=" + (is_own || !is_cxx_code ? settings_.language
                                                        : std::string(catalog::kDefaultCxx)));
    }
    append(flags, request_.profile.flags);
    for (const auto& [name, value] : settings_.define) {
      flags.push_back(definition(name, value));
    }
    for (const path& folder : settings_.include) {
      flags.push_back("-I" + links_.name_of(folder));
    }
    if (is_supercop_) {
      append(flags, {std::string("-I") + kGeneratedFolder, bits_definition()});
    }
    append(flags, settings_.cflags);
    if (is_cxx_code) {
      append(flags, settings_.cxxflags);
    }
    if (request_.is_objects_only) {
      // Machine code as for a program of its own.
      append(flags, added_compile_flags(is_cxx_code));
      flags.erase(std::find(
          flags.end() - static_cast<std::ptrdiff_t>(added_compile_flags(is_cxx_code).size()),
          flags.end(), "-fPIC"));
      flags.emplace_back("-fno-lto");
    } else {
      append(flags, added_compile_flags(is_cxx_code));
    }
    append_without_demands(flags, request_.profile.flags);
    append_without_demands(flags, settings_.cflags);
    append_without_demands(flags, settings_.cxxflags);
    if (!header.empty() && !is_assembler(source)) {
      append(flags, {"-include", name_of(header)});
    }
    if (is_cxx_code && source.extension() == ".c") {
      append(flags, {"-x", "c++"});
    }
    return flags;
  }

  void add_source(const path& source, const std::string& name) {
    Arguments command = {is_cxx(settings_, source) ? request_.compiler.cxx_path
                                                   : request_.compiler.path};
    append(command, flags_of(source, settings_.header));
    Arguments preprocess = command;
    append(preprocess, {"-E", name, "-o", std::to_string(lines_.preprocess.size()) + ".i"});
    lines_.preprocess.push_back(std::move(preprocess));
    add_compilation(std::move(command), name);
  }

  void add_compilation(Arguments command, const std::string& name) {
    append(command, {"-c", name, "-o", std::to_string(lines_.compile.size()) + ".o"});
    lines_.compile.push_back(std::move(command));
  }

  /// Without content there is no entry that could be required.
  void add_empty() {
    const bool is_cxx_code = needs_cxx(settings_);
    const path source = is_cxx_code ? kEmptyCxxName : kEmptyName;
    Arguments compile = {is_cxx_code ? request_.compiler.cxx_path : request_.compiler.path};
    append(compile, flags_of(source, ""));
    append(compile, {"-c", (kGeneratedFolder / source).native(), "-o", kEmptyObject});
    Arguments linking = link_of({kEmptyObject}, "");
    linking.back() = kEmptyLibrary;
    lines_.empty = {std::move(compile), std::move(linking)};
  }

  [[nodiscard]] Arguments link(std::uint32_t layout) const {
    Arguments objects;
    if (layout > 0) {
      objects.push_back(padding_object(layout));
    }
    for (const std::size_t object : link_order(lines_.compile.size(), request_.seed, layout)) {
      objects.push_back(std::to_string(object) + ".o");
    }
    return link_of(objects, settings_.exported());
  }

  /// `required` is the symbol that has to be there; empty = none.
  [[nodiscard]] Arguments link_of(const Arguments& objects, const std::string& required) const {
    const bool is_cxx_code = needs_cxx(settings_);
    Arguments command = {is_cxx_code ? request_.compiler.cxx_path : request_.compiler.path};
    // With -flto code is made here, so that the flags that choose it belong here too.
    append(command, request_.profile.flags);
    append(command, settings_.cflags);
    if (is_cxx_code) {
      append(command, settings_.cxxflags);
    }
    append(command, added_link_flags());
    const bool has_lto = std::any_of(command.begin(), command.end(), [](const std::string& flag) {
      return flag.starts_with("-flto");
    });
    if (has_lto && is_clang(request_.compiler)) {
      // GNU ld has no plugin for the intermediate code of clang in Debian. This one does not know
      // --require-defined; without the entry its library is found out afterwards.
      command.emplace_back("-fuse-ld=lld");
      if (!required.empty()) {
        command.push_back("-Wl,--undefined=" + required);
      }
    } else if (!required.empty()) {
      command.push_back("-Wl,--require-defined=" + required);
    }
    append(command, objects);
    for (const std::string& library : settings_.libraries) {
      command.push_back("-l" + library);
    }
    append(command, {"-o", kBuiltLibrary});
    return command;
  }

  const BuildRequest& request_;
  const catalog::BuildSettings& settings_;
  bool is_supercop_;
  CommandLines lines_;
  Links links_;
};

}  // namespace

bool needs_cxx(const catalog::BuildSettings& settings) {
  return std::any_of(settings.sources.begin(), settings.sources.end(),
                     [&](const path& source) { return is_cxx(settings, source); });
}

bool has_shim(const catalog::BuildSettings& settings) {
  return settings.api == catalog::Api::supercop && settings.library.empty();
}

std::vector<Arguments> CommandLines::making() const {
  std::vector<Arguments> all = compile;
  all.insert(all.end(), paddings.begin(), paddings.end());
  all.insert(all.end(), links.begin(), links.end());
  return all;
}

CommandLines make_command_lines(const BuildRequest& request) { return Writer(request).run(); }

std::string flags_text(const BuildRequest& request) {
  std::vector<std::string> words;
  const CommandLines lines = make_command_lines(request);
  if (!lines.compile.empty()) {
    const Arguments& command = lines.compile.front();
    std::copy_if(command.begin() + 1, std::find(command.begin(), command.end(), "-c"),
                 std::back_inserter(words),
                 [](const std::string& word) { return !word.starts_with("-I"); });
  }
  return text::join(words, " ");
}

bool uses_lld(const BuildRequest& request) {
  const CommandLines lines = make_command_lines(request);
  return !lines.links.empty() && std::find(lines.links.front().begin(), lines.links.front().end(),
                                           "-fuse-ld=lld") != lines.links.front().end();
}

std::vector<std::string> compiler_environment(const path& compiler, const path& home) {
  // PWD: a fixed name for the folder, so that debugging information does not hold its real one.
  // SOURCE_DATE_EPOCH: a fixed __DATE__, so that equal sources give equal libraries.
  return {"PATH=" + compiler.parent_path().native() + ":/usr/local/bin:/usr/bin:/bin",
          "LC_ALL=C",
          "HOME=" + home.native(),
          "TMPDIR=.",
          "PWD=/proc/self/cwd",
          "SOURCE_DATE_EPOCH=0"};
}

std::optional<path> behind_link(const std::vector<path>& links, const std::string& name) {
  // clang and gcc put "./" before the name that -include has.
  if (name.starts_with("./")) {
    return behind_link(links, name.substr(2));
  }
  const std::size_t slash = name.find('/');
  if (slash == std::string::npos || !name.starts_with("d")) {
    return std::nullopt;
  }
  const std::optional<std::uint64_t> index = text::parse_unsigned(name.substr(1, slash - 1));
  if (!index.has_value() || *index >= links.size()) {
    return std::nullopt;
  }
  return links[*index] / name.substr(slash + 1);
}

}  // namespace hashprof::toolchain
