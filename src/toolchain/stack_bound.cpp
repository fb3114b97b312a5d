// SPDX-License-Identifier: MIT
// The deepest path of a call graph; see toolchain/stack_bound.h.
#include "toolchain/stack_bound.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include "base/text.h"

namespace hashprof::toolchain {

namespace {

constexpr std::array<std::string_view, 9> kNoReturn{
    "abort",      "exit",          "_exit",    "_Exit",
    "quick_exit", "__assert_fail", "__assert", "__stack_chk_fail",
    "__chk_fail"};

bool never_returns(const std::string& name) {
  return std::find(kNoReturn.begin(), kNoReturn.end(), name) != kNoReturn.end();
}

/// What is known of a function once all its callees are.
struct Depth {
  std::uint64_t bytes = 0;
  std::string deepest;  ///< the callee on the deepest path; empty at its end
};

class Search {
 public:
  Search(const CallGraph& graph, const std::map<std::string, std::uint64_t>& depths)
      : graph_(graph), depths_(depths) {
    for (const StackFunction& function : graph.functions) {
      functions_.emplace(function.title, &function);
    }
  }

  StackBound run(const std::string& entry) {
    const auto found = functions_.find(entry);
    if (found == functions_.end()) {
      return absent("the call graph has no function '" + text::printable(entry) + "'");
    }
    for (const std::string& name : graph_.unseen_calls) {
      if (!never_returns(name) && !depths_.contains(name)) {
        return absent("the library calls " + text::printable(name) +
                      " of another one, whose stack is not known");
      }
    }
    std::string reason = enter(*found->second);
    while (reason.empty() && !open_.empty()) {
      reason = step();
    }
    if (!reason.empty()) {
      return absent(std::move(reason));
    }
    StackBound bound;
    bound.bytes = known_.at(entry).bytes;
    for (std::string at = entry; !at.empty();
         at = known_.contains(at) ? known_.at(at).deepest : "") {
      bound.path.push_back(at);
    }
    for (const std::string& name : externals_) {
      bound.externals.push_back({name, depths_.at(name)});
    }
    return bound;
  }

 private:
  /// A function on the path that is looked at, and the callee that is next.
  struct Open {
    const StackFunction* function;
    std::vector<std::string> callees;
    std::size_t next = 0;
    Depth below;
  };

  static StackBound absent(std::string reason) {
    StackBound bound;
    bound.reason = std::move(reason);
    return bound;
  }

  /// Begins a function; says why there is no bound.
  std::string enter(const StackFunction& function) {
    const std::string title = text::printable(function.title);
    if (function.kind == StackKind::unbounded) {
      return title + " takes stack of a variable size (alloca or an array of variable length)";
    }
    if (function.kind == StackKind::unknown) {
      return "the compiler does not say how much stack " + title + " takes";
    }
    Open open{&function, function.callees, 0, {graph_.red_zone_bytes, ""}};
    open.callees.insert(open.callees.end(), graph_.unseen_calls.begin(), graph_.unseen_calls.end());
    open_.push_back(std::move(open));
    on_path_.insert(function.title);
    return "";
  }

  /// Takes one callee of the innermost function, or ends it.
  std::string step() {
    Open& open = open_.back();
    if (open.next == open.callees.size()) {
      leave();
      return "";
    }
    const std::string callee = open.callees[open.next];
    if (callee == kIndirectCall) {
      return text::printable(open.function->title) + " calls through a pointer";
    }
    const auto function = functions_.find(callee);
    if (function == functions_.end()) {
      ++open.next;
      return take_external(callee, open);
    }
    if (on_path_.contains(callee)) {
      return cycle(callee);
    }
    const auto known = known_.find(callee);
    if (known == known_.end()) {
      return enter(*function->second);
    }
    take(callee, known->second.bytes, open);
    ++open.next;
    return "";
  }

  static void take(const std::string& callee, std::uint64_t bytes, Open& open) {
    if (bytes > open.below.bytes) {
      open.below = {bytes, callee};
    }
  }

  std::string take_external(const std::string& name, Open& open) {
    if (never_returns(name)) {
      return "";
    }
    const auto depth = depths_.find(name);
    if (depth == depths_.end()) {
      return text::printable(open.function->title) + " calls " + text::printable(name) +
             " of another library, whose stack is not known";
    }
    externals_.insert(name);
    take(name, depth->second, open);
    return "";
  }

  void leave() {
    const Open& open = open_.back();
    known_[open.function->title] = {
        open.function->bytes + graph_.alignment_bytes + open.below.bytes, open.below.deepest};
    on_path_.erase(open.function->title);
    open_.pop_back();
  }

  [[nodiscard]] std::string cycle(const std::string& title) const {
    const auto start = std::find_if(open_.begin(), open_.end(), [&](const Open& open) {
      return open.function->title == title;
    });
    std::string text;
    for (auto at = start; at != open_.end(); ++at) {
      text += text::printable(at->function->title) + " calls ";
    }
    return text + text::printable(title) + ": recursion has no bound";
  }

  const CallGraph& graph_;
  const std::map<std::string, std::uint64_t>& depths_;
  std::map<std::string, const StackFunction*> functions_;
  std::map<std::string, Depth> known_;
  std::set<std::string> externals_;
  std::set<std::string> on_path_;
  std::vector<Open> open_;
};

}  // namespace

StackBound bound_stack(const CallGraph& graph, const std::string& entry,
                       const std::map<std::string, std::uint64_t>& depths) {
  return Search(graph, depths).run(entry);
}

std::uint64_t stack_alignment(const std::string& content) {
  // Opcodes of `and` with a sign-extended immediate of 8 or 32 bits and %rsp as operand.
  constexpr std::string_view kByte = "\x48\x83\xe4";
  constexpr std::string_view kWord = "\x48\x81\xe4";
  std::uint64_t largest = 16;
  const auto look_for = [&](std::string_view opcode, std::size_t width) {
    for (std::size_t at = content.find(opcode); at != std::string::npos;
         at = content.find(opcode, at + 1)) {
      if (at + opcode.size() + width > content.size()) {
        return;
      }
      std::uint64_t mask = ~std::uint64_t{0};
      for (std::size_t i = width; i-- > 0;) {
        mask = mask << 8U | static_cast<unsigned char>(content[at + opcode.size() + i]);
      }
      const std::uint64_t alignment = ~mask + 1;
      // Other bytes that look like it are no power of two, or beyond a page.
      constexpr std::uint64_t kMost = 4096;
      if (alignment != 0 && (alignment & (alignment - 1)) == 0 && alignment <= kMost) {
        largest = std::max(largest, alignment);
      }
    }
  };
  look_for(kByte, 1);
  look_for(kWord, 4);
  return largest;
}

json::Value to_json(const StackBound& bound) {
  json::Array path;
  for (const std::string& title : bound.path) {
    path.emplace_back(text::printable(title, 4096));
  }
  json::Array externals;
  for (const ExternalCall& external : bound.externals) {
    externals.emplace_back(
        json::Object{{"name", text::printable(external.name, 4096)}, {"bytes", external.bytes}});
  }
  return json::Object{{"bytes", bound.bytes},
                      {"reason", bound.reason.empty() ? json::Value() : json::Value(bound.reason)},
                      {"path", std::move(path)},
                      {"externals", std::move(externals)}};
}

}  // namespace hashprof::toolchain
