// SPDX-License-Identifier: MIT
// Builds a library once more to be told its call graph; see toolchain/stack_bound.h.
#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include "base/error.h"
#include "base/file.h"
#include "base/sha256.h"
#include "base/text.h"
#include "elf/symbols.h"
#include "toolchain/build_folder.h"
#include "toolchain/command_lines.h"
#include "toolchain/process.h"
#include "toolchain/stack_bound.h"

namespace hashprof::toolchain {

namespace {

using std::filesystem::path;

constexpr const char* kGraphFlag = "-fcallgraph-info=su";
constexpr std::uint64_t kRedZoneBytes = 128;  // System V ABI for AMD64, 3.2.2
constexpr std::uint64_t kCallAlignment = 16;  // the same
constexpr Bytes kLargestGraph{256U << 20U};

/// Ends the making; the message is the result's reason.
struct Refusal {
  std::string reason;
  bool is_interrupted = false;
};

/// What the linker and the start-up files bring along, called outside of every call of the entry.
bool is_of_the_start(const std::string& name) {
  constexpr std::array<std::string_view, 4> kNames{"__cxa_finalize", "__gmon_start__",
                                                   "_ITM_deregisterTMCloneTable",
                                                   "_ITM_registerTMCloneTable"};
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

/// Whether the code of an object is made when it is linked.
bool is_made_at_link(const Arguments& command) {
  bool is_lto = false;
  for (const std::string& argument : command) {
    is_lto = argument.starts_with("-flto") || (is_lto && argument != "-fno-lto");
  }
  return is_lto;
}

class Maker {
 public:
  Maker(const BuildRequest& request, const BuildResult& built)
      : request_(request), built_(built), deadline_(deadline_after(request.time_limit)) {}

  CallGraph run() {
    refuse();
    const CommandLines lines = make_command_lines(request_);
    if (lines.making() != built_.commands) {
      throw Refusal{"the library was built by other commands than those of this request"};
    }
    const BuildFolder scratch(request_.library.native() + ".graph");
    scratch.fill(lines, has_shim(request_.settings));
    const path& folder = scratch.folder();
    for (const Arguments& compile : lines.compile) {
      carry_out(compile, folder);
      if (is_made_at_link(compile)) {
        // Fat objects have code of their own, which is not that of the library.
        std::error_code ignored;
        std::filesystem::remove((folder / compile.back()).replace_extension(".ci"), ignored);
      }
    }
    carry_out(lines.links.front(), folder);
    if (sha256_of_file(folder / kBuiltLibrary) != built_.library_sha256) {
      throw Refusal{std::string(request_.compiler.command) + " makes another library with " +
                    kGraphFlag + " than without it (debugging information records the flags)"};
    }
    return graph_of(folder);
  }

 private:
  void refuse() const {
    if (!request_.settings.library.empty()) {
      throw Refusal{"the library came built: its sources are not here"};
    }
    if (request_.is_objects_only) {
      throw Refusal{"only objects were made, for another machine"};
    }
    if (!built_.is_built) {
      throw Refusal{"the library was not built"};
    }
    if (request_.compiler.path.empty() || built_.compiler.sha256 != request_.compiler.sha256 ||
        built_.compiler.path != request_.compiler.path) {
      throw Refusal{"the compiler that built the library is not here"};
    }
    if (request_.compiler.version.find("clang") != std::string::npos) {
      throw Refusal{"clang gives no call graph (-fcallgraph-info)"};
    }
    if (!request_.compiler.target.starts_with("x86_64-")) {
      throw Refusal{"what gcc's figures of the stack leave out is known for x86-64 only, not for " +
                    request_.compiler.target};
    }
    for (const path& source : request_.settings.sources) {
      if (source.extension() == ".S" || source.extension() == ".s") {
        throw Refusal{"'" + text::printable(source.filename().native()) +
                      "' is in assembler, of which the compiler knows no stack"};
      }
    }
    if (built_.has_unseen_inputs) {
      throw Refusal{"the sources make the assembler read files: their code is not known"};
    }
    if (const std::vector<std::string> changed = changed_inputs(built_); !changed.empty()) {
      throw Refusal{text::printable(changed.front()) + " changed since the library was built"};
    }
  }

  void carry_out(const Arguments& arguments, const path& folder) const {
    Command command;
    command.arguments = arguments;
    command.arguments.emplace_back(kGraphFlag);
    command.environment = compiler_environment(request_.compiler.path, folder);
    command.folder = folder;
    command.deadline = deadline_;
    command.stop_fd = request_.stop_fd;
    const Outcome outcome = toolchain::run(command);
    if (outcome.ending == Ending::interrupted) {
      throw Refusal{"interrupted", true};
    }
    if (!outcome.is_success()) {
      const std::string ending = describe(
          outcome, text::shortest(static_cast<double>(request_.time_limit.value) / 1e9) + " s");
      throw Refusal{request_.compiler.command + " gave no call graph: " +
                    text::printable(outcome.first_error.empty() ? ending : outcome.first_error)};
    }
  }

  [[nodiscard]] CallGraph graph_of(const path& folder) const {
    std::vector<path> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      if (entry.path().extension() == ".ci") {
        files.push_back(entry.path());
      }
    }
    std::sort(files.begin(), files.end());
    std::vector<GraphText> texts;
    texts.reserve(files.size());
    for (const path& file : files) {
      texts.push_back({file.filename().native(), read_file(file, kLargestGraph)});
    }
    CallGraph graph = parse_call_graph(texts);
    if (graph.functions.empty()) {
      throw Refusal{request_.compiler.command + " wrote no call graph"};
    }
    const path library = folder / kBuiltLibrary;
    graph.library_sha256 = built_.library_sha256;
    graph.red_zone_bytes = kRedZoneBytes;
    graph.alignment_bytes =
        stack_alignment(read_file(library, Bytes{kFileSizeCap})) - kCallAlignment;
    std::set<std::string> called;
    for (const StackFunction& function : graph.functions) {
      called.insert(function.callees.begin(), function.callees.end());
    }
    for (const elf::Import& import : elf::read_symbols(library).imports) {
      if (import.is_function && !called.contains(import.name) && !is_of_the_start(import.name)) {
        graph.unseen_calls.push_back(import.name);
      }
    }
    return graph;
  }

  const BuildRequest& request_;
  const BuildResult& built_;
  Deadline deadline_;
};

}  // namespace

CallGraphResult make_call_graph(const BuildRequest& request, const BuildResult& built) {
  CallGraphResult result;
  try {
    result.graph = Maker(request, built).run();
  } catch (const Refusal& refusal) {
    result.reason = refusal.reason;
    result.is_interrupted = refusal.is_interrupted;
  } catch (const Error& error) {
    if (error.fault() == Fault::output) {
      throw;
    }
    result.reason = error.what();
  }
  return result;
}

}  // namespace hashprof::toolchain
