// SPDX-License-Identifier: MIT
// Which function calls which, with what each takes of the stack, as GCC writes it for
// -fcallgraph-info=su. Pure: text in, data out.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "json/value.h"

namespace hashprof::toolchain {

/// How far the compiler vouches for a function's bytes.
enum class StackKind {
  fixed,      ///< "static"
  bounded,    ///< "dynamic,bounded": arguments are pushed; the bytes are the most there can be
  unbounded,  ///< "dynamic": alloca or an array of variable length; the bytes are a part
  unknown     ///< words that this version does not know
};

/// A function whose code is in the library.
struct StackFunction {
  /// "name" of a function with external linkage, and "file.c:name" of a local one, as GCC titles
  /// it, suffixes like ".constprop.0" included; where the linker made the text, "file.c" is the
  /// source. Local functions of one title in several texts are
  /// told apart by "#2", "#3", ... behind it.
  std::string title;
  std::string place;        ///< "d0/x.c:12:5"
  std::uint64_t bytes = 0;  ///< GCC's figure; on x86-64 the return address is in it
  StackKind kind = StackKind::fixed;
  /// Titles of functions here, names of functions elsewhere, or kIndirectCall; each once, sorted.
  std::vector<std::string> callees;
  [[nodiscard]] bool operator==(const StackFunction&) const = default;
};

/// Stands for every call through a pointer, as GCC writes it.
inline constexpr const char* kIndirectCall = "__indirect_call";

struct CallGraph {
  std::vector<StackFunction> functions;  ///< by title
  /// Functions of other libraries that the library takes, but that no call of the texts names, as
  /// code of assembler and thread-local storage have them: any function may call them.
  std::vector<std::string> unseen_calls = {};
  /// What a function may write below its stack pointer without saying so: 128 on x86-64. GCC's
  /// figures leave it out.
  std::uint64_t red_zone_bytes = 0;
  /// Most that a function skips to align its stack beyond what its caller grants, on top of GCC's
  /// figure.
  std::uint64_t alignment_bytes = 0;
  std::string library_sha256 = {};  ///< of the library whose code this is
  [[nodiscard]] bool operator==(const CallGraph&) const = default;
};

/// One text of GCC (x.ci) and what to call it in faults.
struct GraphText {
  std::string name;
  std::string text;
};

/// The functions of all texts of a library as one graph. A function with external linkage that
/// several texts define, as inline ones of C++, has the most bytes and the callees of all.
/// Throws Error{target} naming text and line where a text is not as GCC 10 and later write it.
[[nodiscard]] CallGraph parse_call_graph(const std::vector<GraphText>& texts);

/// For RUN/build/<family>__<label>.callgraph.json.
[[nodiscard]] json::Value to_json(const CallGraph& graph);
/// Throws Error{configuration} naming the key that is not as to_json writes it.
[[nodiscard]] CallGraph call_graph_from_json(const json::Value& value);

}  // namespace hashprof::toolchain
