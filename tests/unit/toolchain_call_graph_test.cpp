// SPDX-License-Identifier: MIT
// Catches a bound below what a call can take, and a bound where the compiler cannot know one.
#include "toolchain/call_graph.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "toolchain/stack_bound.h"

namespace hashprof::toolchain {
namespace {

/// One text of GCC: `lines` within a graph.
GraphText text_of(const std::string& file, const std::string& lines) {
  return {file + ".ci", "graph: { title: \"" + file + "\"\n" + lines + "}\n"};
}

std::string node(const std::string& title, std::uint64_t bytes,
                 const std::string& kind = "static") {
  return "node: { title: \"" + title + "\" label: \"" + title + "\\nx.c:1:2\\n" +
         std::to_string(bytes) + " bytes (" + kind + ")\\n0 dynamic objects\" }\n";
}

std::string outside(const std::string& title) {
  return "node: { title: \"" + title + "\" label: \"" + title +
         "\\n<built-in>\" shape : ellipse }\n";
}

std::string edge(const std::string& from, const std::string& to) {
  return "edge: { sourcename: \"" + from + "\" targetname: \"" + to + "\" label: \"x.c:1:5\" }\n";
}

StackBound bound_of(const std::vector<GraphText>& texts,
                    const std::map<std::string, std::uint64_t>& depths = {}) {
  return bound_stack(parse_call_graph(texts), "CryptHash", depths);
}

std::string fault_of(const std::string& text) {
  try {
    (void)parse_call_graph({{"x.ci", text}});
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::target);
    return error.what();
  }
  return "(none)";
}

using Path = std::vector<std::string>;

TEST(CallGraphTest, the_deepest_path_is_the_bound) {
  const StackBound bound = bound_of(
      {text_of("x.c", node("CryptHash", 100) + node("x.c:wide", 500) + node("x.c:deep", 50) +
                          node("x.c:deeper", 600) + edge("CryptHash", "x.c:wide") +
                          edge("CryptHash", "x.c:deep") + edge("x.c:deep", "x.c:deeper"))});
  EXPECT_EQ(bound.bytes, 750U);
  EXPECT_EQ(bound.path, (Path{"CryptHash", "x.c:deep", "x.c:deeper"}));
  EXPECT_EQ(bound.reason, "");
  EXPECT_TRUE(bound.externals.empty());
}

TEST(CallGraphTest, a_function_that_several_call_counts_once_on_each_path) {
  const StackBound bound = bound_of(
      {text_of("x.c", node("CryptHash", 1) + node("a", 10) + node("b", 20) + node("c", 100) +
                          edge("CryptHash", "a") + edge("CryptHash", "b") + edge("a", "c") +
                          edge("b", "c") + edge("a", "b"))});
  EXPECT_EQ(bound.bytes, 131U);
  EXPECT_EQ(bound.path, (Path{"CryptHash", "a", "b", "c"}));
}

TEST(CallGraphTest, what_figures_leave_out_is_added_to_the_frames_and_to_the_end) {
  CallGraph graph = parse_call_graph(
      {text_of("x.c", node("CryptHash", 100) + node("leaf", 8) + edge("CryptHash", "leaf"))});
  graph.red_zone_bytes = 128;
  graph.alignment_bytes = 16;
  EXPECT_EQ(bound_stack(graph, "CryptHash", {}).bytes, 100U + 16 + 8 + 16 + 128);
  EXPECT_EQ(bound_stack(graph, "leaf", {}).bytes, 8U + 16 + 128);
}

TEST(CallGraphTest, local_functions_of_one_name_in_two_files_are_two) {
  const std::vector<GraphText> texts = {
      text_of("a.c", node("CryptHash", 10) + node("a.c:step", 100) + outside("other") +
                         edge("CryptHash", "a.c:step") + edge("CryptHash", "other")),
      text_of("b.c", node("other", 20) + node("b.c:step", 300) + edge("other", "b.c:step"))};
  const StackBound bound = bound_of(texts);
  EXPECT_EQ(bound.bytes, 330U);
  EXPECT_EQ(bound.path, (Path{"CryptHash", "other", "b.c:step"}));
}

TEST(CallGraphTest, local_functions_of_one_title_in_two_texts_are_two) {
  const std::vector<GraphText> texts = {
      text_of("a.c", node("CryptHash", 10) + node("a.c:step", 100) + edge("CryptHash", "a.c:step") +
                         edge("CryptHash", "other")),
      text_of("a.c", node("other", 20) + node("a.c:step", 300) + edge("other", "a.c:step"))};
  const StackBound bound = bound_of(texts);
  EXPECT_EQ(bound.bytes, 330U);
  EXPECT_EQ(bound.path, (Path{"CryptHash", "other", "a.c:step#2"}));
}

TEST(CallGraphTest, an_inline_function_of_two_texts_has_the_most_of_both) {
  const std::vector<GraphText> texts = {
      text_of("a.cpp", node("CryptHash", 10) + node("_Z1fv", 40) + node("big", 1000) +
                           edge("CryptHash", "_Z1fv")),
      text_of("b.cpp", node("_Z1fv", 30) + edge("_Z1fv", "big"))};
  EXPECT_EQ(bound_of(texts).bytes, 1050U);
}

TEST(CallGraphTest, a_local_alias_is_the_function_itself) {
  const std::string nodes = node("CryptHash", 10) + node("f", 20) + node("x.c:g.part.0", 7);
  EXPECT_EQ(bound_of({text_of("x.c", nodes + edge("CryptHash", "x.c:f.localalias"))}).bytes, 30U);
  EXPECT_EQ(bound_of({text_of("x.c", nodes + edge("CryptHash", "x.c:g.part.0.localalias"))}).bytes,
            17U);
}

TEST(CallGraphTest, local_functions_of_the_linkers_text_have_the_name_of_their_source) {
  // The linker's text is called differently each time.
  const StackBound bound = bound_of(
      {text_of("./ccA1b2.ltrans0.o", node("CryptHash", 10) + node("./ccA1b2.ltrans0.o:step", 100) +
                                         edge("CryptHash", "./ccA1b2.ltrans0.o:step"))});
  EXPECT_EQ(bound.path, (Path{"CryptHash", "x.c:step"}));
}

TEST(CallGraphTest, recursion_has_no_bound_and_the_cycle_is_named) {
  const std::string nodes = node("CryptHash", 1) + node("x.c:a", 2) + node("b", 3) + node("c", 4);
  EXPECT_EQ(bound_of({text_of("x.c", nodes + edge("CryptHash", "x.c:a") + edge("x.c:a", "b") +
                                         edge("b", "c") + edge("c", "x.c:a"))})
                .reason,
            "x.c:a calls b calls c calls x.c:a: recursion has no bound");
  const StackBound self =
      bound_of({text_of("x.c", nodes + edge("CryptHash", "b") + edge("b", "x.c:b.localalias"))});
  EXPECT_EQ(self.reason, "b calls b: recursion has no bound");
  EXPECT_EQ(self.bytes, std::nullopt);
  EXPECT_TRUE(self.path.empty());
}

TEST(CallGraphTest, stack_of_a_variable_size_has_no_bound) {
  EXPECT_EQ(bound_of({text_of("x.c", node("CryptHash", 1) + node("x.c:v", 32, "dynamic") +
                                         edge("CryptHash", "x.c:v"))})
                .reason,
            "x.c:v takes stack of a variable size (alloca or an array of variable length)");
  EXPECT_EQ(bound_of({text_of("x.c", node("CryptHash", 1, "odd"))}).reason,
            "the compiler does not say how much stack CryptHash takes");
}

TEST(CallGraphTest, pushed_arguments_are_bounded) {
  EXPECT_EQ(bound_of({text_of("x.c", node("CryptHash", 48, "dynamic,bounded"))}).bytes, 48U);
}

TEST(CallGraphTest, a_call_through_a_pointer_has_no_bound) {
  EXPECT_EQ(
      bound_of({text_of("x.c", node("CryptHash", 1) + node("x.c:p", 2) + outside(kIndirectCall) +
                                   edge("CryptHash", "x.c:p") + edge("x.c:p", kIndirectCall))})
          .reason,
      "x.c:p calls through a pointer");
}

TEST(CallGraphTest, what_the_entry_does_not_reach_does_not_matter) {
  const StackBound bound =
      bound_of({text_of("x.c", node("CryptHash", 5) + node("f", 3, "dynamic") + edge("f", "f") +
                                   edge("f", kIndirectCall))});
  EXPECT_EQ(bound.bytes, 5U);
}

TEST(CallGraphTest, functions_of_other_libraries_have_the_depth_that_was_measured) {
  const std::vector<GraphText> texts = {
      text_of("x.c", node("CryptHash", 100) + node("x.c:f", 60) + outside("memcpy") +
                         outside("malloc") + edge("CryptHash", "memcpy") +
                         edge("CryptHash", "x.c:f") + edge("x.c:f", "malloc"))};
  const StackBound bound = bound_of(texts, {{"malloc", 300}, {"memcpy", 8}, {"unused", 9999}});
  EXPECT_EQ(bound.bytes, 460U);
  EXPECT_EQ(bound.path, (Path{"CryptHash", "x.c:f", "malloc"}));
  EXPECT_EQ(bound.externals, (std::vector<ExternalCall>{{"malloc", 300}, {"memcpy", 8}}));
  EXPECT_EQ(bound_of(texts, {{"memcpy", 8}}).reason,
            "x.c:f calls malloc of another library, whose stack is not known");
}

TEST(CallGraphTest, functions_that_never_return_need_no_depth) {
  const StackBound bound = bound_of(
      {text_of("x.c", node("CryptHash", 100) + outside("abort") + edge("CryptHash", "abort"))});
  EXPECT_EQ(bound.bytes, 100U);
  EXPECT_TRUE(bound.externals.empty());
}

TEST(CallGraphTest, a_call_that_no_text_names_may_come_from_everywhere) {
  CallGraph graph = parse_call_graph(
      {text_of("x.c", node("CryptHash", 100) + node("leaf", 8) + edge("CryptHash", "leaf"))});
  graph.unseen_calls = {"__tls_get_addr"};
  EXPECT_EQ(bound_stack(graph, "CryptHash", {}).reason,
            "the library calls __tls_get_addr of another one, whose stack is not known");
  EXPECT_EQ(bound_stack(graph, "CryptHash", {{"__tls_get_addr", 50}}).bytes, 158U);
}

TEST(CallGraphTest, an_entry_that_is_not_there_is_a_reason) {
  EXPECT_EQ(bound_of({text_of("x.c", node("f", 1))}).reason,
            "the call graph has no function 'CryptHash'");
}

TEST(CallGraphTest, a_path_of_many_functions_ends) {
  CallGraph graph;
  constexpr std::size_t kFunctions = 100'000;
  for (std::size_t i = 0; i < kFunctions; ++i) {
    graph.functions.push_back({std::to_string(i), "", 8, StackKind::fixed, {}});
    if (i + 1 < kFunctions) {
      graph.functions.back().callees = {std::to_string(i + 1)};
    }
  }
  EXPECT_EQ(bound_stack(graph, "0", {}).bytes, 8U * kFunctions);
}

TEST(CallGraphTest, a_text_that_is_no_graph_is_named_with_its_line) {
  EXPECT_EQ(fault_of(""), "x.ci:1: ends before its graph does");
  EXPECT_EQ(fault_of("graph: { title: \"a\"\n" + node("f", 1)),
            "x.ci:3: ends before its graph does");
  EXPECT_EQ(fault_of("x\n"), "x.ci:1: is no line of a call graph of GCC: 'x'");
  EXPECT_EQ(fault_of("graph: { title: \"a\"\nother: {}\n}\n"),
            "x.ci:2: is no line of a call graph of GCC: 'other: {}'");
  EXPECT_EQ(fault_of("graph: { title: \"a\"\nnode: { title: \"f\" }\n}\n"),
            "x.ci:2: has a node without title or label");
  EXPECT_EQ(fault_of("graph: { title: \"a\"\nnode: { title: \"f\" label: \"f\\nx\" }\n}\n"),
            "x.ci:2: has a function 'f' without its bytes of stack");
  EXPECT_EQ(fault_of("graph: { title: \"a\"\nnode: { title: \"f\" label: \"f\\nx\\n"
                     "many bytes (static)\" }\n}\n"),
            "x.ci:2: has a function 'f' of no number of bytes");
  EXPECT_EQ(fault_of("graph: { title: \"a\"\nedge: { sourcename: \"f\" }\n}\n"),
            "x.ci:2: has a call without caller or callee");
  EXPECT_EQ(fault_of("graph: { title: \"a\"\n" + edge("f", "g") + "}\n"),
            "x.ci: has a call by 'f', which it does not define");
}

TEST(CallGraphTest, is_the_same_after_json) {
  CallGraph graph = parse_call_graph(
      {text_of("x.c", node("CryptHash", 100) + node("x.c:v", 7, "dynamic") +
                          node("w", 9, "dynamic,bounded") + edge("CryptHash", "w"))});
  graph.unseen_calls = {"f"};
  graph.red_zone_bytes = 128;
  graph.alignment_bytes = 48;
  graph.library_sha256 = "00ff";
  EXPECT_EQ(call_graph_from_json(json::parse(json::write_pretty(to_json(graph)), "x")), graph);
}

TEST(CallGraphTest, a_bound_as_json_has_every_field) {
  EXPECT_EQ(json::write_compact(to_json(StackBound{760, "", {"f"}, {{"memcpy", 8}}})),
            R"({"bytes": 760, "reason": null, "path": ["f"], )"
            R"("externals": [{"name": "memcpy", "bytes": 8}]})");
  EXPECT_EQ(json::write_compact(to_json(StackBound{std::nullopt, "why", {}, {}})),
            R"({"bytes": null, "reason": "why", "path": [], "externals": []})");
}

TEST(CallGraphTest, alignment_of_the_stack_is_found_in_machine_code) {
  using namespace std::string_literals;
  EXPECT_EQ(stack_alignment(""), 16U);
  EXPECT_EQ(stack_alignment("\x48\x83\xe4\xf0"), 16U);
  EXPECT_EQ(stack_alignment("ab\x48\x83\xe4\xe0z"), 32U);
  EXPECT_EQ(stack_alignment("\x48\x83\xe4\xe0\x48\x83\xe4\xc0"), 64U);
  EXPECT_EQ(stack_alignment("\x48\x81\xe4\x00\xff\xff\xff"s), 256U);
  EXPECT_EQ(stack_alignment("\x48\x81\xe4\x12\x34\x56\x78"s), 16U);
  EXPECT_EQ(stack_alignment("\x48\x83\xe4"), 16U);
}

}  // namespace
}  // namespace hashprof::toolchain
