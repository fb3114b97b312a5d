// SPDX-License-Identifier: MIT
// Sources and a profile become one shared library that exports its entry and nothing else.
// No shell is involved; each command is an argument list.
//
// A build runs in a folder of its own beside the library, which is removed afterwards. Sources and
// include folders are reached through links d0, d1, ... in it, so that no command, and no byte of
// the library, depends on how the folders are called or where the run directory lies.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/units.h"
#include "catalog/family.h"
#include "elf/elf_image.h"
#include "elf/object_sizes.h"
#include "elf/static_use.h"
#include "json/value.h"

namespace hashprof::toolchain {

struct Profile {
  std::string name;                         ///< "guide"
  std::vector<std::string> flags;           ///< without -std=, which is the source's language
  std::string source;                       ///< where the flags come from
  std::string machine = {};                 ///< that they are for: "x86_64"; empty = any
  std::vector<std::string> needs_cpu = {};  ///< features of the CPU that it makes code for
};
/// The guide's build configurations (guide 3.2), each for the machines whose flags are known.
[[nodiscard]] const std::vector<Profile>& profiles();
/// The one of that name for a compiler's target ("x86_64-linux-gnu"); nothing if its flags are not
/// known for that machine.
[[nodiscard]] std::optional<Profile> find_profile(const std::string& name,
                                                  const std::string& target);
/// What hashprof adds to every profile when it compiles: position independence, the declarations
/// that a strict -std= hides, warnings that stay warnings, paths that stay out of the library.
[[nodiscard]] const std::vector<std::string>& added_compile_flags(bool is_cxx);
/// The same when it links: only the entry is exported, nothing stays undefined.
[[nodiscard]] const std::vector<std::string>& added_link_flags();

/// A pair of compilers, for C and for C++. "gcc" and "g++" are one pair, and so are "clang-14" and
/// "clang++-14", "aarch64-linux-gnu-gcc" and "aarch64-linux-gnu-g++".
struct CompilerIdentity {
  std::string command;        ///< as asked for: "gcc"
  std::string path;           ///< of the one for C, resolved through PATH
  std::string version;        ///< first line of --version
  std::string target;         ///< -dumpmachine
  std::string cxx_path = {};  ///< of the one for C++; empty if it was not asked for
  std::string linker = {};    ///< first line of its linker's --version; empty if it does not say
  std::string libc = {};      ///< "glibc 2.36" by its headers; empty if they do not say
  std::string sha256 = {};    ///< of the programs' files; they may be scripts that choose flags
  [[nodiscard]] bool operator==(const CompilerIdentity&) const = default;
};
/// Finds and questions a compiler; a command with a slash is a path. Relative elements of PATH are
/// passed over. Throws Error{environment} with the package to install.
[[nodiscard]] CompilerIdentity identify_compiler(const std::string& command, bool with_cxx = false);

/// What =native among the flags stands for on this machine, as the compiler resolves it:
/// "-march=x86-64 -mtune=icelake-server --param=l1-cache-size=48 ..."; empty without such a flag,
/// or if the compiler does not say.
[[nodiscard]] std::string resolve_native(const CompilerIdentity& compiler,
                                         const std::vector<std::string>& flags);

struct BuildRequest {
  std::string label;  ///< for messages
  catalog::BuildSettings settings;
  std::uint32_t digest_bits = 0;  ///< of the instance
  Profile profile;
  CompilerIdentity compiler;
  std::string native = {};  ///< resolve_native of profile and settings
  /// Objects for a machine that they are not run on: compiled for their sizes, and not linked.
  bool is_objects_only = false;
  std::uint32_t layouts = 1;      ///< libraries of the same objects; the others beside the first
  std::uint64_t seed = 1;         ///< of the layouts
  std::filesystem::path library;  ///< the .so to make, mode 0644 whatever the umask; absolute
  std::filesystem::path log;      ///< commands and compiler output
  Nanoseconds time_limit{300'000'000'000};  ///< of the whole build
  std::filesystem::path cache = {};         ///< folder that keeps builds; empty = none
  /// Leaves an earlier library where it is if the build fails: another one stands in for it.
  bool keeps_library = false;
  int stop_fd = -1;  ///< readable when a stop was asked for; -1 = there is none
};

struct InputFile {
  std::string path;  ///< absolute, UTF-8
  std::string sha256;
  [[nodiscard]] bool operator==(const InputFile&) const = default;
};

/// What became of the profile that was asked for where another one stands in for it.
struct GuideResult {
  std::string profile;  ///< empty: the one that was asked for was built
  std::string reason;   ///< why it was not
};

/// A library of a source without content, by the compiler, flags and link line of a build (of its
/// first layout): what compiler and linker bring along. Entry and `header` are no part of it.
struct EmptyLibrary {
  std::optional<elf::Parts> parts;  ///< of its image; they add up to its bytes
  std::string reason;               ///< why there are none; empty if there are
  [[nodiscard]] bool operator==(const EmptyLibrary&) const = default;
};

struct BuildResult {
  std::string label;
  bool is_built = false;
  std::string reason;           ///< why not; empty if built
  bool is_reused = false;       ///< the library of an earlier build with equal inputs stood
  bool is_from_cache = false;   ///< another run directory's build with equal inputs was copied
  bool is_interrupted = false;  ///< stop_fd ended it; an earlier library was left as it was
  /// Argument lists, in order, in the build folder: one a source, then the link. The log has the
  /// links of the folder and the environment too.
  std::vector<std::vector<std::string>> commands;
  std::vector<InputFile> inputs;  ///< sources and the headers they include, system headers apart
  /// Shared libraries that the settings name, as they were found when it was linked; their code is
  /// not in the library.
  std::vector<InputFile> shared_libraries;
  /// SHA-256 of all sources as the preprocessor leaves them, every header that they include in
  /// them.
  std::string preprocessed_sha256;
  /// An input makes the assembler read files (.incbin, .include), which no preprocessor names: such
  /// a build is made again each time.
  bool has_unseen_inputs = false;
  CompilerIdentity compiler;
  std::string profile;
  std::string native;                      ///< resolve_native
  std::string library_sha256;              ///< empty if not built, and of objects
  std::optional<elf::ObjectSizes> sizes;   ///< sums over all objects, where only these are wanted
  std::vector<std::string> layout_sha256;  ///< of the second layout and on
  GuideResult guide_result;                ///< of a build by a fallback
  /// Nothing in the result of a version that made none, until the library is built or reused here.
  std::optional<EmptyLibrary> empty;
};

/// Whether a source is compiled as C++, so that C++ links too.
[[nodiscard]] bool needs_cxx(const catalog::BuildSettings& settings);
/// "aarch64-linux-gnu" makes code for the machine that uname calls "aarch64".
[[nodiscard]] bool is_for_this_machine(const std::string& target);
/// Whether every library of an earlier build stands where the request wants it.
[[nodiscard]] bool stands(const BuildResult& earlier, const BuildRequest& request);

/// The library of a layout: `library` itself, or "<its stem>.layout<n>.so" beside it.
[[nodiscard]] std::filesystem::path layout_library(const std::filesystem::path& library,
                                                   std::uint32_t layout);

/// The flags of the compilation as one line, hashprof's own included.
[[nodiscard]] std::string flags_text(const BuildRequest& request);

/// Builds, or reuses what `earlier` or the cache describes if commands, compiler and every input
/// are unchanged and the library still has its digest and mode. Sources are preprocessed each time:
/// what the preprocessor makes of them, system headers included, tells whether they changed. A
/// library that is built already (settings.library) is copied. A failing, missing or endless
/// compiler is a result with a reason, not an exception, and then no library stands at `library`.
/// Throws Error{output} if library, log or build folder cannot be written; a cache that cannot be
/// used is passed over. Threads may build different libraries at a time.
[[nodiscard]] BuildResult build(const BuildRequest& request,
                                const std::optional<BuildResult>& earlier);

/// An earlier build that this machine cannot repeat, because its compiler or a source is not here,
/// and whose library stands all the same: `earlier`, marked as reused. It stands if it is what the
/// request asks for (commands, profile, command of the compiler; the rest of request.compiler is
/// not looked at), no input that is here differs, the library has its digest and mode, and its
/// compiler makes code for this machine. Nothing if any of this is not so: then `build` decides.
[[nodiscard]] std::optional<BuildResult> find_carried(const BuildRequest& request,
                                                      const BuildResult& earlier);

/// Shared libraries of `result` whose content is no longer what it was linked with.
[[nodiscard]] std::vector<std::string> changed_libraries(const BuildResult& result);

/// First line of --version of the linker that a request's commands use; that of its compiler where
/// it is the usual one.
[[nodiscard]] std::string linker_for(const BuildRequest& request);

/// Inputs of `result` whose content is no longer what was built, as they are named in it.
[[nodiscard]] std::vector<std::string> changed_inputs(const BuildResult& result);

/// What the library of `result`, whose image it is, occupies beyond the empty one. Wholly absent,
/// with the reason, where one of the two has no classes.
[[nodiscard]] elf::StaticUse own_part(const elf::Image& image, const BuildResult& result);

[[nodiscard]] json::Value to_json(const BuildResult& result);
[[nodiscard]] BuildResult build_from_json(const json::Value& value);

}  // namespace hashprof::toolchain
