// SPDX-License-Identifier: MIT
// The most stack that a call of the entry can take, by what the compiler says of each function.
//
// What a bound is made of was found by experiment with GCC 12 on x86-64:
// - GCC's figure of a function has its return address in it (a function without a frame: 8 bytes),
//   so that the figures along a path add up to the bytes below the stack pointer before the first
//   call instruction. That is the definition of a painted stack too: the two can be compared.
// - It leaves out the red zone, 128 bytes that a function which calls nothing may use below its
//   stack pointer: each end of a path has them added.
// - It leaves out a part of what is skipped to align a stack beyond 16 bytes, as vectors of 32
//   bytes need. `and $-N, %rsp` is searched for in the whole library, and N - 16 of the largest N
//   is added to each function.
// - "dynamic,bounded" is a function that pushes arguments, and its figure is an upper bound.
// - A call by a jump is counted as an ordinary one.
// What it does not see: stack that assembler statements within C take by themselves.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "json/value.h"
#include "toolchain/call_graph.h"
#include "toolchain/toolchain.h"

namespace hashprof::toolchain {

/// A function of another library that a call may reach.
struct ExternalCall {
  std::string name;
  std::uint64_t bytes = 0;  ///< measured, return address included
  [[nodiscard]] bool operator==(const ExternalCall&) const = default;
};

struct StackBound {
  std::optional<std::uint64_t> bytes;
  std::string reason;                   ///< why there is none; empty if there is one
  std::vector<std::string> path;        ///< titles from the entry to the deepest function
  std::vector<ExternalCall> externals;  ///< that a call of the entry may reach, by name
  [[nodiscard]] bool operator==(const StackBound&) const = default;
};

/// The deepest path from `entry`. `depths` has the measured stack of functions of other libraries
/// by name, in the sense of hashprof_stack_item. Absent, naming the function, if what can be
/// reached calls itself, takes stack of a variable size, calls through a pointer, or calls another
/// library's function that is not in `depths`. Functions that never return (abort, exit) are left
/// out: a call that reaches them has no figure to compare.
[[nodiscard]] StackBound bound_stack(const CallGraph& graph, const std::string& entry,
                                     const std::map<std::string, std::uint64_t>& depths);

/// The largest alignment that code of x86-64 in `content` gives its stack pointer by
/// `and $-N, %rsp`; 16, which every call has, if there is none larger.
[[nodiscard]] std::uint64_t stack_alignment(const std::string& content);

/// A graph, or why there is none.
struct CallGraphResult {
  std::optional<CallGraph> graph;
  std::string reason;           ///< empty if there is one
  bool is_interrupted = false;  ///< request.stop_fd ended it
};

/// Builds once more what `built` describes, with -fcallgraph-info=su among the flags, in a folder
/// of its own beside the library, which is left as it is, and takes the graph only if the library
/// comes out byte by byte as the one that was built: then the bound is one of the measured code.
/// With -flto GCC writes the graph when it links. There is none, and the reason says so, for other
/// compilers than GCC, other machines than x86-64, sources in assembler, libraries that came built
/// or whose sources changed, and where the compiler fails or makes another library, as it does with
/// -g, which records the flags. Throws Error{output} if the folder cannot be written. Threads may
/// make graphs of different libraries at a time.
[[nodiscard]] CallGraphResult make_call_graph(const BuildRequest& request,
                                              const BuildResult& built);

/// {"bytes": 760, "reason": null, "path": ["CryptHash"], "externals": [{"name": "memcpy",
/// "bytes": 8}]}
[[nodiscard]] json::Value to_json(const StackBound& bound);

}  // namespace hashprof::toolchain
