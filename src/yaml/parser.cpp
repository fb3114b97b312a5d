// SPDX-License-Identifier: MIT
// From text to a tree, through the events of yaml-cpp's parser: its node API hides duplicate keys,
// anchors and aliases, and turns a list into a map when asked for a key.
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <optional>
#include <sstream>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "base/text.h"
#include "yaml/document.h"

namespace hashprof::yaml {

namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

Place place_of(const YAML::Mark& mark) {
  if (mark.is_null()) {
    return {};
  }
  return {static_cast<std::size_t>(mark.line), static_cast<std::size_t>(mark.pos)};
}

/// Builds the nodes and refuses, at its place, what the two files of hashprof never hold.
class TreeBuilder final : public YAML::EventHandler {
 public:
  TreeBuilder(const std::string& name, const std::string& text) : name_(name), text_(text) {}

  [[nodiscard]] std::vector<Element> take_nodes() {
    if (first_anchor_.has_value()) {
      fail(*first_anchor_, "", "anchors are not supported",
           "write the value where it is used, without '&'");
    }
    return std::move(nodes_);
  }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (++documents_ == 1) {
      return;
    }
    const Place place = place_of(mark);
    const bool is_marked = text_.compare(std::min(place.offset, text_.size()), 3, "---") == 0;
    fail(place, "",
         is_marked ? "a second document begins here" : "text after the end of the document",
         "a file holds one document; remove what follows");
  }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t /*anchor*/) override {
    if (expects_key()) {
      fail(place_of(mark), path(), "a key is missing before ':'", "write 'key: value'");
    }
    (void)add(mark, Kind::null);
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t /*anchor*/) override {
    fail_alias(place_of(mark));
  }
  void OnAnchor(const YAML::Mark& mark, const std::string& /*anchor_name*/) override {
    // Reported last: what refers to the anchor is the better message.
    if (!first_anchor_.has_value()) {
      first_anchor_ = place_of(mark);
    }
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t /*anchor*/,
                const std::string& value) override {
    const Place place = place_of(mark);
    refuse_tag(place, tag);
    const bool is_quoted = tag == "!";  // what yaml-cpp reports for every scalar that is not plain
    if (is_quoted) {
      check_closing_quote(place);
    }
    if (value.find('\0') != std::string::npos) {
      fail(place, path(), "a text holds a NUL character", "remove the escape '\\0'");
    }
    if (expects_key()) {
      take_key(place, value);
      return;
    }
    Element& node = add(mark, Kind::text);
    node.text = value;
    node.is_quoted = is_quoted;
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t /*anchor*/,
                       YAML::EmitterStyle::value /*style*/) override {
    open(mark, tag, Kind::list);
  }
  void OnSequenceEnd() override { frames_.pop_back(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t /*anchor*/,
                  YAML::EmitterStyle::value /*style*/) override {
    open(mark, tag, Kind::map);
  }
  void OnMapEnd() override { frames_.pop_back(); }

  [[noreturn]] void fail_alias(const Place& place) const {
    fail(place, path(), "aliases are not supported", "write the value out instead of '*'");
  }
  [[noreturn]] void fail(const Place& place, const std::string& key_path, std::string what,
                         std::string hint) const {
    std::string where = location_in(name_, text_, place);
    if (!key_path.empty()) {
      where += ": " + key_path;
    }
    throw Error(Fault::configuration, std::move(where), std::move(what)).hint(std::move(hint));
  }

 private:
  struct Frame {
    std::size_t node = 0;
    bool expects_key = false;
    std::string key;
    Place key_place;
    std::unordered_map<std::string, std::size_t> lines_of_keys;
  };

  [[nodiscard]] bool expects_key() const { return !frames_.empty() && frames_.back().expects_key; }

  /// Where the next node would stand; the key alone where one was just read.
  [[nodiscard]] std::string path() const {
    std::string out;
    const auto append_key = [&](const std::string& key) {
      out += (out.empty() ? "" : ".") + text::printable(key);
    };
    for (std::size_t depth = 1; depth < frames_.size(); ++depth) {
      const Element& node = nodes_[frames_[depth].node];
      if (nodes_[node.parent].kind == Kind::list) {
        out += "[" + std::to_string(node.position) + "]";
      } else {
        append_key(node.key);
      }
    }
    if (!frames_.empty()) {
      const Frame& last = frames_.back();
      const Element& node = nodes_[last.node];
      if (node.kind == Kind::list) {
        out += "[" + std::to_string(node.children.size()) + "]";
      } else if (!last.expects_key) {
        append_key(last.key);
      }
    }
    return out;
  }

  void refuse_tag(const Place& place, const std::string& tag) const {
    const bool is_bare = place.offset < text_.size() && text_[place.offset] == '!';
    if ((tag.empty() || tag == "?" || tag == "!") && !is_bare) {
      return;
    }
    fail(place, path(), "tags are not supported", "remove the word that begins with '!'");
  }

  // yaml-cpp 0.7 ends a quoted scalar at the end of the file without a word.
  void check_closing_quote(const Place& place) const {
    const char quote = place.offset < text_.size() ? text_[place.offset] : '|';
    if (quote != '"' && quote != '\'') {
      return;
    }
    for (std::size_t i = place.offset + 1; i < text_.size(); ++i) {
      if (quote == '"' && text_[i] == '\\') {
        ++i;
      } else if (text_[i] == quote) {
        if (quote == '"' || i + 1 >= text_.size() || text_[i + 1] != quote) {
          return;
        }
        ++i;
      }
    }
    fail(place, path(), "the quotation mark that opens here is never closed",
         std::string("end the text with ") + quote);
  }

  void take_key(const Place& place, const std::string& key) {
    Frame& frame = frames_.back();
    if (key.size() > kMaxKey) {
      fail(place, path(), "a key is longer than " + std::to_string(kMaxKey) + " bytes",
           "give it a shorter name");
    }
    const auto [known, is_new] = frame.lines_of_keys.emplace(key, place.line + 1);
    frame.expects_key = false;
    frame.key = key;
    frame.key_place = place;
    if (key == "<<") {
      fail(place, path(), "merge keys ('<<') are not supported",
           "repeat here the keys it would bring in");
    }
    if (!is_new) {
      fail(place, path(),
           "key '" + text::printable(key) + "' appears twice, at line " +
               std::to_string(known->second) + " and at line " + std::to_string(place.line + 1),
           "keep one of them");
    }
  }

  Element& add(const YAML::Mark& mark, Kind kind) {
    Element node;
    node.kind = kind;
    node.place = place_of(mark);
    if (!frames_.empty()) {
      Frame& frame = frames_.back();
      Element& parent = nodes_[frame.node];
      node.parent = frame.node;
      node.position = parent.children.size();
      parent.children.push_back(nodes_.size());
      if (parent.kind == Kind::map) {
        node.key = std::move(frame.key);
        node.key_place = frame.key_place;
        frame.expects_key = true;
      }
    }
    return nodes_.emplace_back(std::move(node));
  }

  void open(const YAML::Mark& mark, const std::string& tag, Kind kind) {
    const Place place = place_of(mark);
    if (expects_key()) {
      fail(place, path(), "a key must be a plain text", "write 'key: value'");
    }
    refuse_tag(place, tag);
    if (frames_.size() >= kMaxDepth) {
      fail(place, "", "nested deeper than " + std::to_string(kMaxDepth) + " levels",
           "no key of hashprof lies that deep");
    }
    (void)add(mark, kind);
    frames_.push_back(Frame{nodes_.size() - 1, kind == Kind::map, {}, {}, {}});
  }

  const std::string& name_;
  const std::string& text_;
  std::vector<Element> nodes_;
  std::vector<Frame> frames_;
  std::optional<Place> first_anchor_;
  std::size_t documents_ = 0;
};

Place place_at(const std::string& text, std::size_t offset) {
  const auto end = text.begin() + static_cast<std::ptrdiff_t>(offset);
  return {static_cast<std::size_t>(std::count(text.begin(), end, '\n')), offset};
}

[[noreturn]] void refuse_text(const std::string& name, const std::string& text, std::size_t offset,
                              std::string what, std::string hint) {
  throw Error(Fault::configuration, location_in(name, text, place_at(text, offset)),
              std::move(what))
      .hint(std::move(hint));
}

/// Offset of the first byte that is not part of well-formed UTF-8.
std::size_t first_bad_byte(const std::string& text) {
  std::size_t line = 0;
  for (;;) {
    const std::size_t end = std::min(text.find('\n', line), text.size());
    if (!text::is_utf8(std::string_view(text).substr(line, end - line))) {
      break;
    }
    line = end + 1;
  }
  // A prefix that ends inside a character is not well-formed either: the last good one counts.
  std::size_t good = line;
  std::size_t at = line;
  while (at < text.size() && at <= good + 4) {
    ++at;
    if (text::is_utf8(std::string_view(text).substr(good, at - good))) {
      good = at;
    }
  }
  return good;
}

/// Refuses bytes that YAML forbids, before yaml-cpp, which takes some of them for its own marks.
void check_characters(const std::string& name, const std::string& text) {
  if (!text::is_utf8(text)) {
    refuse_text(name, text, first_bad_byte(text), "the file is not UTF-8 text",
                "save it as UTF-8; is it the right file?");
  }
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const bool is_line_end =
        byte == '\n' || (byte == '\r' && i + 1 < text.size() && text[i + 1] == '\n');
    if ((byte < 0x20 && byte != '\t' && !is_line_end) || byte == 0x7F) {
      const std::string shown = text::printable(std::string(1, text[i]));
      refuse_text(name, text, i, "the control character " + shown + " is not allowed",
                  byte == '\r' ? "end each line with a line feed" : "is it the right file?");
    }
  }
}

/// Whether the indentation of a line holds a tab.
bool is_indented_by_tab(const std::string& text, std::size_t line) {
  std::size_t start = 0;
  for (; line > 0; --line) {
    const std::size_t end = text.find('\n', start);
    if (end == std::string::npos) {
      return false;
    }
    start = end + 1;
  }
  const std::size_t first = text.find_first_not_of(" \t", start);
  const std::string_view indentation =
      std::string_view(text).substr(start, std::min(first, text.size()) - start);
  return indentation.find('\t') != std::string_view::npos;
}

[[noreturn]] void refuse_syntax(const TreeBuilder& builder, const std::string& text,
                                const YAML::Exception& fault) {
  const Place place = place_of(fault.mark);
  if (place.offset < text.size() && text[place.offset] == '*') {
    builder.fail_alias(place);
  }
  if (is_indented_by_tab(text, place.line)) {
    builder.fail(place, "", "tabs are not allowed for indentation", "indent with spaces");
  }
  builder.fail(place, "", "not valid YAML: " + fault.msg,
               "look at this line and the one before it: quotes, brackets, indentation, and a "
               "blank after each ':'");
}

}  // namespace

Document parse(const std::string& raw, const std::string& name) {
  if (raw.size() > kMaxFile.value) {
    throw Error(Fault::configuration, text::printable(name),
                "larger than " + std::to_string(kMaxFile.value) + " bytes, the most that is read");
  }
  const bool has_mark = raw.compare(0, kByteOrderMark.size(), kByteOrderMark) == 0;
  std::string text = has_mark ? raw.substr(kByteOrderMark.size()) : raw;
  check_characters(name, text);

  TreeBuilder builder(name, text);
  std::istringstream stream(text);
  try {
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) {
    }
  } catch (const YAML::Exception& fault) {
    refuse_syntax(builder, text, fault);
  }
  std::vector<Element> nodes = builder.take_nodes();
  if (nodes.empty() || nodes.front().kind == Kind::null) {
    throw Error(Fault::configuration, location_in(name, text, {}), "the file is empty")
        .hint("begin it with 'hashprof: 1'");
  }
  return {name, std::move(text), std::move(nodes)};
}

}  // namespace hashprof::yaml
