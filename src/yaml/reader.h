// SPDX-License-Identifier: MIT
// Typed, strict reading of a Document. Every fault is Error{configuration} whose `where` is
// "file:line:column: key.path".
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.h"
#include "yaml/document.h"

namespace hashprof::yaml {

/// A key that a file may hold: the reader accepts what its table lists, and the manual page is
/// compared with the same table.
struct Key {
  std::string path;          ///< "measure.sizes", "hashes[].use", "env.NAME"
  std::string line;          ///< one line that says what it is for
  bool is_reserved = false;  ///< documented, refused as "not in this version"
};

/// What a text value may be; `later` are documented words of later versions.
struct Words {
  std::vector<std::string> allowed;
  std::vector<std::string> later;
};

struct Unit;

/// One node of a document, which must outlive it. Copying is cheap.
class Value {
 public:
  explicit Value(const Document& document, std::size_t node = 0)
      : document_(&document), node_(node) {}

  [[nodiscard]] Kind kind() const { return node().kind; }
  /// The name under which this value stands in its map; empty elsewhere.
  [[nodiscard]] const std::string& key() const { return node().key; }
  /// Line of the value, from 1.
  [[nodiscard]] std::size_t line() const { return node().place.line + 1; }

  /// A fault at the value, or at its key, to be thrown.
  [[nodiscard]] Error fault(std::string what) const;
  [[nodiscard]] Error key_fault(std::string what) const;
  /// "'<what>' is not in this version", at the value or at its key.
  [[nodiscard]] Error later(const std::string& what) const;
  [[nodiscard]] Error key_later() const;

  /// Any scalar as it reads; may be empty.
  [[nodiscard]] const std::string& text() const;
  /// A scalar of at least one byte.
  [[nodiscard]] const std::string& nonempty_text() const;
  /// 1 to `longest` bytes, all of `characters`; no leading dot.
  [[nodiscard]] const std::string& name(std::string_view characters, std::string_view pattern,
                                        std::size_t longest) const;
  /// Whether this is the plain (unquoted) scalar `word`.
  [[nodiscard]] bool is_word(std::string_view word) const;
  /// One of the words; a word of `later` is "not in this version".
  [[nodiscard]] const std::string& choice(const Words& words) const;
  /// true or false, nothing else.
  [[nodiscard]] bool boolean() const;
  /// A plain decimal number without sign, leading zero, point or exponent.
  [[nodiscard]] std::uint64_t whole(std::uint64_t least, std::uint64_t most) const;
  [[nodiscard]] Nanoseconds time(Nanoseconds least, Nanoseconds most) const;
  [[nodiscard]] Bytes size(Bytes least, Bytes most) const;
  /// A percentage, in millionths of the whole.
  [[nodiscard]] std::uint64_t share(std::uint64_t least, std::uint64_t most) const;
  /// The items of a list, perhaps none.
  [[nodiscard]] std::vector<Value> items() const;
  /// The members of a map whose keys are names of the user's choice.
  [[nodiscard]] std::vector<Value> members() const;

 private:
  friend class Map;
  [[nodiscard]] const Element& node() const { return document_->node(node_); }
  [[nodiscard]] std::string found() const;
  void expect(Kind kind, std::string_view name) const;
  [[nodiscard]] Error out_of_range(std::string least, std::string most) const;
  [[nodiscard]] std::uint64_t quantity(std::string_view noun, std::uint64_t least,
                                       std::uint64_t most, const std::vector<Unit>& units,
                                       std::string_view example) const;

  const Document* document_;
  std::size_t node_;
};

/// A map with keys of ours. The constructor refuses what is no map, unknown keys (with "did you
/// mean") and reserved ones; `finish` makes sure that no accepted key was overlooked.
class Map {
 public:
  /// `prefix` selects the keys of `table`: those "<prefix>.<name>" without a further level. An
  /// empty prefix selects the top level.
  Map(const Value& value, const std::vector<Key>& table, std::string_view prefix);

  /// The value of a key that the table lists, or nothing if it is absent.
  [[nodiscard]] std::optional<Value> find(std::string_view key);
  /// The same for a key that must be there.
  [[nodiscard]] Value require(std::string_view key);
  /// Throws Error{internal} if a key that is present was never asked for.
  void finish() const;
  [[nodiscard]] const Value& value() const noexcept { return value_; }

 private:
  Value value_;
  std::set<std::string, std::less<>> consumed_;
};

/// Refuses a root that is no map, and a file of another version than `hashprof: 1`. Called before
/// the keys are looked at, because a newer file has newer keys.
void check_version(const Value& root);

}  // namespace hashprof::yaml
