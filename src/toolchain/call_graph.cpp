// SPDX-License-Identifier: MIT
// See toolchain/call_graph.h.
#include "toolchain/call_graph.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "base/error.h"
#include "base/text.h"

namespace hashprof::toolchain {

namespace {

constexpr std::array<std::pair<const char*, StackKind>, 4> kKinds{{
    {"static", StackKind::fixed},
    {"dynamic,bounded", StackKind::bounded},
    {"dynamic", StackKind::unbounded},
    {"unknown", StackKind::unknown},
}};

const char* kind_name(StackKind kind) {
  return std::find_if(kKinds.begin(), kKinds.end(),
                      [&](const auto& entry) { return entry.second == kind; })
      ->first;
}

StackKind kind_of(std::string_view name) {
  const auto found = std::find_if(kKinds.begin(), kKinds.end(),
                                  [&](const auto& entry) { return entry.first == name; });
  return found == kKinds.end() ? StackKind::unknown : found->second;
}

/// The quoted text behind ` key: "` of a line; GCC escapes nothing in titles.
std::optional<std::string> quoted(std::string_view line, std::string_view key) {
  const std::string opening = " " + std::string(key) + ": \"";
  const std::size_t at = line.find(opening);
  if (at == std::string_view::npos) {
    return std::nullopt;
  }
  const std::size_t start = at + opening.size();
  const std::size_t end = line.find('"', start);
  return end == std::string_view::npos
             ? std::nullopt
             : std::optional(std::string(line.substr(start, end - start)));
}

/// The lines of a label, which GCC joins by the two characters \n.
std::vector<std::string> label_lines(std::string_view label) {
  std::vector<std::string> lines;
  for (std::size_t at = 0;;) {
    const std::size_t end = label.find("\\n", at);
    lines.emplace_back(label.substr(at, end == std::string_view::npos ? end : end - at));
    if (end == std::string_view::npos) {
      return lines;
    }
    at = end + 2;
  }
}

struct Edge {
  std::string from;
  std::string to;
};

/// One text: functions by the titles that they have in it.
struct Unit {
  std::map<std::string, StackFunction> functions;
  std::vector<Edge> edges;
};

class UnitParser {
 public:
  explicit UnitParser(const GraphText& text) : text_(text) {}

  Unit run() {
    const std::vector<std::string> lines = text::split(text_.text, '\n');
    for (const std::string& line : lines) {
      ++number_;
      take(line);
    }
    if (!is_open_ || !is_closed_) {
      throw fault("ends before its graph does");
    }
    return std::move(unit_);
  }

 private:
  [[nodiscard]] Error fault(const std::string& what) const {
    return {Fault::target, text_.name + ":" + std::to_string(number_), what};
  }

  void take(std::string_view line) {
    const std::string_view content = text::trim(line);
    if (content.empty()) {
      return;
    }
    if (!is_open_ && content.starts_with("graph:")) {
      is_open_ = true;
      return;
    }
    const bool is_within = is_open_ && !is_closed_;
    if (is_within && content == "}") {
      is_closed_ = true;
    } else if (is_within && content.starts_with("node:")) {
      take_node(content);
    } else if (is_within && content.starts_with("edge:")) {
      take_edge(content);
    } else {
      throw fault("is no line of a call graph of GCC: '" + text::printable(content) + "'");
    }
  }

  void take_node(std::string_view line) {
    const auto title = quoted(line, "title");
    const auto label = quoted(line, "label");
    if (!title || !label || title->empty()) {
      throw fault("has a node without title or label");
    }
    const std::vector<std::string> lines = label_lines(*label);
    for (std::size_t i = 1; i < lines.size(); ++i) {
      const std::size_t unit = lines[i].find(" bytes (");
      if (unit == std::string::npos || lines[i].back() != ')') {
        continue;
      }
      const auto bytes = text::parse_unsigned(std::string_view(lines[i]).substr(0, unit));
      if (!bytes) {
        throw fault("has a function '" + text::printable(*title) + "' of no number of bytes");
      }
      const std::size_t kind = unit + std::string_view(" bytes (").size();
      unit_.functions[*title] = {
          *title,
          i >= 2 ? lines[1] : "",
          *bytes,
          kind_of(std::string_view(lines[i]).substr(kind, lines[i].size() - 1 - kind)),
          {}};
      return;
    }
    // The function of another library or text, or the placeholder of indirect calls.
    if (line.find("shape : ellipse") == std::string_view::npos) {
      throw fault("has a function '" + text::printable(*title) + "' without its bytes of stack");
    }
  }

  void take_edge(std::string_view line) {
    auto from = quoted(line, "sourcename");
    auto to = quoted(line, "targetname");
    if (!from || !to || from->empty() || to->empty()) {
      throw fault("has a call without caller or callee");
    }
    unit_.edges.push_back({std::move(*from), std::move(*to)});
  }

  const GraphText& text_;
  std::size_t number_ = 0;
  bool is_open_ = false;
  bool is_closed_ = false;
  Unit unit_;
};

bool is_local(const std::string& title) { return title.find(':') != std::string::npos; }

/// The function that a local alias ("x.c:f.localalias", which GCC makes to call a function that
/// another library could replace) stands for, if the text defines it.
std::string without_alias(const std::string& title, const Unit& unit) {
  constexpr std::string_view kAlias = ".localalias";
  const std::size_t at = title.rfind(kAlias);
  if (at == std::string::npos || unit.functions.contains(title)) {
    return title;
  }
  const std::string whole = title.substr(0, at);
  const std::string name = whole.substr(whole.rfind(':') + 1);
  return !unit.functions.contains(whole) && unit.functions.contains(name) ? name : whole;
}

/// What a function is called in the graph. GCC titles the local ones of a text that the linker
/// made by a temporary file; they have the name of their source here.
std::string lasting_title(const StackFunction& function) {
  const std::size_t colon = function.title.rfind(':');
  const std::size_t end = function.place.find(':');
  const bool is_of_linker = colon != std::string::npos && end != std::string::npos &&
                            function.title.substr(0, colon).ends_with(".o");
  return is_of_linker ? function.place.substr(0, end) + function.title.substr(colon)
                      : function.title;
}

/// Less sure than every other.
StackKind weaker(StackKind left, StackKind right) { return std::max(left, right); }

}  // namespace

CallGraph parse_call_graph(const std::vector<GraphText>& texts) {
  std::map<std::string, StackFunction> all;
  std::map<std::string, std::set<std::string>> callees;
  for (const GraphText& text : texts) {
    const Unit unit = UnitParser(text).run();
    std::map<std::string, std::string> names;  // in the text -> in the graph
    for (const auto& [title, function] : unit.functions) {
      const std::string lasting = lasting_title(function);
      std::string name = lasting;
      for (unsigned n = 2; is_local(title) && all.contains(name); ++n) {
        name = lasting + "#" + std::to_string(n);
      }
      names[title] = name;
      const auto [place, is_new] = all.emplace(name, function);
      place->second.title = name;
      place->second.bytes = std::max(place->second.bytes, function.bytes);
      place->second.kind = is_new ? function.kind : weaker(place->second.kind, function.kind);
    }
    for (const Edge& edge : unit.edges) {
      const auto caller = names.find(without_alias(edge.from, unit));
      if (caller == names.end()) {
        throw Error(Fault::target, text.name,
                    "has a call by '" + text::printable(edge.from) + "', which it does not define");
      }
      const std::string to = without_alias(edge.to, unit);
      const auto callee = names.find(to);
      callees[caller->second].insert(callee == names.end() ? to : callee->second);
    }
  }
  CallGraph graph;
  for (auto& [title, function] : all) {
    const std::set<std::string>& called = callees[title];
    function.callees.assign(called.begin(), called.end());
    graph.functions.push_back(std::move(function));
  }
  return graph;
}

json::Value to_json(const CallGraph& graph) {
  const auto texts = [](const std::vector<std::string>& list) {
    json::Array array;
    for (const std::string& text : list) {
      array.emplace_back(text::printable(text, 4096));
    }
    return array;
  };
  json::Array functions;
  for (const StackFunction& function : graph.functions) {
    functions.emplace_back(json::Object{{"title", text::printable(function.title, 4096)},
                                        {"place", text::printable(function.place, 4096)},
                                        {"bytes", function.bytes},
                                        {"kind", kind_name(function.kind)},
                                        {"callees", texts(function.callees)}});
  }
  return json::Object{{"library_sha256", graph.library_sha256},
                      {"red_zone_bytes", graph.red_zone_bytes},
                      {"alignment_bytes", graph.alignment_bytes},
                      {"unseen_calls", texts(graph.unseen_calls)},
                      {"functions", std::move(functions)}};
}

CallGraph call_graph_from_json(const json::Value& value) {
  const auto texts = [](const json::Value& list) {
    std::vector<std::string> out;
    for (const json::Value& text : list.as_array()) {
      out.push_back(text.as_string());
    }
    return out;
  };
  CallGraph graph;
  graph.library_sha256 = value.at("library_sha256").as_string();
  graph.red_zone_bytes = value.at("red_zone_bytes").as_unsigned();
  graph.alignment_bytes = value.at("alignment_bytes").as_unsigned();
  graph.unseen_calls = texts(value.at("unseen_calls"));
  for (const json::Value& function : value.at("functions").as_array()) {
    graph.functions.push_back({function.at("title").as_string(), function.at("place").as_string(),
                               function.at("bytes").as_unsigned(),
                               kind_of(function.at("kind").as_string()),
                               texts(function.at("callees"))});
  }
  return graph;
}

}  // namespace hashprof::toolchain
