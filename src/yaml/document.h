// SPDX-License-Identifier: MIT
// One YAML document as a tree that still knows where each part stood in its file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/units.h"

namespace hashprof::yaml {

/// Caps of what is read; a file beyond one is refused, never cut.
constexpr Bytes kMaxFile{1U << 20U};
constexpr std::size_t kMaxDepth = 32;
constexpr std::size_t kMaxKey = 200;  ///< bytes

enum class Kind : std::uint8_t { null, text, list, map };

/// A place in the text: line from 0, and the byte offset of its character.
struct Place {
  std::size_t line = 0;
  std::size_t offset = 0;
};

constexpr std::size_t kNoNode = static_cast<std::size_t>(-1);

/// A null, a scalar, a list or a map. Aliases, anchors, tags and merge keys do not exist here: the
/// reader refuses them.
struct Element {
  Kind kind = Kind::null;
  std::string text;        ///< of a scalar, escapes resolved; UTF-8 without NUL
  bool is_quoted = false;  ///< quoted or a block scalar: never a number or a word of ours
  Place place;
  std::size_t parent = kNoNode;
  std::string key;  ///< where the parent is a map
  Place key_place;
  std::size_t position = 0;           ///< where the parent is a list, from 0
  std::vector<std::size_t> children;  ///< in file order; keys of a map are unique
};

/// A parsed document. Immutable; nodes are named by their index, 0 is the root.
class Document {
 public:
  Document(std::string name, std::string text, std::vector<Element> nodes);

  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  [[nodiscard]] const Element& node(std::size_t index) const { return nodes_.at(index); }
  /// "measure.sizes[2]"; empty for the root.
  [[nodiscard]] std::string path_of(std::size_t index) const;
  /// "file:line:column", both from 1; the column counts characters.
  [[nodiscard]] std::string location(const Place& place) const;

 private:
  std::string name_;
  std::string text_;
  std::vector<Element> nodes_;
};

/// Parses one document. `name` stands in messages. Throws Error{configuration} with
/// file:line:column for text that is not UTF-8, holds control characters, is empty, is not YAML,
/// or holds more than one document, a duplicate key, a merge key, an alias, an anchor or a tag.
[[nodiscard]] Document parse(const std::string& text, const std::string& name);
/// Text of a file, at most kMaxFile; throws Error{configuration} if it cannot be read.
[[nodiscard]] std::string read_text(const std::filesystem::path& file);

/// "name:line:column" of a place in `text`; the column counts characters.
[[nodiscard]] std::string location_in(const std::string& name, const std::string& text,
                                      const Place& place);

/// `text` as a double-quoted YAML scalar that reads back as `text`, which must be UTF-8.
[[nodiscard]] std::string quoted(const std::string& text);

}  // namespace hashprof::yaml
