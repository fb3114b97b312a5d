// SPDX-License-Identifier: MIT
// Maps with keys of ours: what is unknown or reserved is refused before anything is read.
#include <algorithm>
#include <utility>

#include "base/text.h"
#include "yaml/reader.h"

namespace hashprof::yaml {

namespace {

/// The keys of one level of a table, by their last name.
struct Level {
  std::vector<std::string> names;
  std::vector<std::string> reserved;
};

Level level_of(const std::vector<Key>& table, std::string_view prefix) {
  Level level;
  for (const Key& key : table) {
    std::string_view rest = key.path;
    if (!prefix.empty()) {
      if (rest.size() <= prefix.size() || rest.substr(0, prefix.size()) != prefix ||
          rest[prefix.size()] != '.') {
        continue;
      }
      rest.remove_prefix(prefix.size() + 1);
    }
    if (rest.find_first_of(".[") != std::string_view::npos) {
      continue;
    }
    level.names.emplace_back(rest);
    if (key.is_reserved) {
      level.reserved.emplace_back(rest);
    }
  }
  return level;
}

bool contains(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string hint_for_unknown(const std::string& key, const Level& level) {
  const std::size_t colon = key.find(':');
  if (colon != std::string::npos && contains(level.names, key.substr(0, colon))) {
    return "write '" + key.substr(0, colon) + ": " + text::printable(key.substr(colon + 1)) +
           "', with a blank after the colon";
  }
  const auto meant = text::closest(key, level.names);
  if (meant.has_value()) {
    return "did you mean '" + *meant + "'?";
  }
  return "the keys here are " + text::join(level.names, ", ");
}

}  // namespace

Map::Map(const Value& value, const std::vector<Key>& table, std::string_view prefix)
    : value_(value) {
  const Level level = level_of(table, prefix);
  for (const Value& member : value.members()) {
    if (!contains(level.names, member.key())) {
      throw member.key_fault("unknown key '" + text::printable(member.key()) + "'")
          .hint(hint_for_unknown(member.key(), level));
    }
    if (contains(level.reserved, member.key())) {
      throw member.key_later();
    }
  }
}

std::optional<Value> Map::find(std::string_view key) {
  consumed_.emplace(key);
  for (const Value& member : value_.members()) {
    if (member.key() == key) {
      return member;
    }
  }
  return std::nullopt;
}

Value Map::require(std::string_view key) {
  const auto found = find(key);
  if (!found.has_value()) {
    throw value_.fault("the key '" + std::string(key) + "' is missing")
        .hint("add a line '" + std::string(key) + ": ...'");
  }
  return *found;
}

void Map::finish() const {
  for (const Value& member : value_.members()) {
    if (consumed_.find(member.key()) == consumed_.end()) {
      throw Error(Fault::internal, member.key_fault("").where(),
                  "the key is accepted but nothing reads it");
    }
  }
}

void check_version(const Value& root) {
  if (root.kind() != Kind::map) {
    const std::string found =
        root.kind() == Kind::list ? "a list" : "the text '" + text::printable(root.text()) + "'";
    throw root.fault("expected a mapping at top level, found " + found)
        .hint("write 'key: value', with a blank after the colon");
  }
  for (const Value& member : root.members()) {
    if (member.key() == "hashprof") {
      const std::uint64_t version = member.whole(0, UINT64_MAX);
      if (version != 1) {
        throw member.fault("version " + std::to_string(version) + " is not read")
            .hint("this hashprof reads version 1");
      }
      return;
    }
  }
  throw root.fault("the key 'hashprof' is missing").hint("begin the file with 'hashprof: 1'");
}

}  // namespace hashprof::yaml
