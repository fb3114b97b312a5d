// SPDX-License-Identifier: MIT
// See yaml/reader.h.
#include "yaml/reader.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "base/text.h"
#include "yaml/quantity.h"

namespace hashprof::yaml {

namespace {

constexpr std::string_view kDigits = "0123456789";

std::string shown(const std::string& text) { return "'" + text::printable(text) + "'"; }

std::string listed(const std::vector<std::string>& words) {
  return words.size() == 1 ? "it can only be " + words.front()
                           : "it is one of " + text::join(words, ", ");
}

std::string unit_names(const std::vector<Unit>& units) {
  std::vector<std::string> names;
  names.reserve(units.size());
  for (const Unit& unit : units) {
    names.emplace_back(unit.name);
  }
  return text::join(names, ", ");
}

}  // namespace

Error Value::fault(std::string what) const {
  const std::string path = document_->path_of(node_);
  std::string where = document_->location(node().place);
  if (!path.empty()) {
    where += ": " + path;
  }
  return {Fault::configuration, std::move(where), std::move(what)};
}

Error Value::key_fault(std::string what) const {
  return {Fault::configuration,
          document_->location(node().key_place) + ": " + document_->path_of(node_),
          std::move(what)};
}

Error Value::later(const std::string& what) const {
  return fault(shown(what) + " is not in this version")
      .hint("it is reserved for a later version; choose another value");
}

Error Value::key_later() const {
  return key_fault(shown(key()) + " is not in this version")
      .hint("it is reserved for a later version; remove the key");
}

std::string Value::found() const {
  switch (kind()) {
    case Kind::null:
      return "nothing";
    case Kind::text:
      return "the text " + shown(node().text);
    case Kind::list:
      return "a list";
    case Kind::map:
      break;
  }
  return "a mapping";
}

void Value::expect(Kind kind, std::string_view name) const {
  if (node().kind == kind) {
    return;
  }
  const bool has_key = !key().empty();
  if (node().kind == Kind::null && has_key) {
    throw key_fault("has no value")
        .hint("write " + std::string(name) + " after the colon, or remove the key");
  }
  throw fault("expected " + std::string(name) + ", found " + found())
      .hint(kind == Kind::list  ? "write '[a, b]', or each item on a line of its own after '- '"
            : kind == Kind::map ? "write 'key: value', with a blank after the colon"
                                : "write a single value");
}

const std::string& Value::text() const {
  expect(Kind::text, "a text");
  return node().text;
}

const std::string& Value::nonempty_text() const {
  if (text().empty()) {
    throw fault("is empty").hint("write a text, or remove the key");
  }
  return text();
}

const std::string& Value::name(std::string_view characters, std::string_view pattern,
                               std::size_t longest) const {
  const std::string& name = nonempty_text();
  if (name.size() > longest || name.front() == '.' ||
      name.find_first_not_of(characters) != std::string::npos) {
    throw fault(shown(name) + " cannot be a name here")
        .hint("a name is 1 to " + std::to_string(longest) + " of " + std::string(pattern));
  }
  return name;
}

bool Value::is_word(std::string_view word) const {
  return kind() == Kind::text && !node().is_quoted && node().text == word;
}

const std::string& Value::choice(const Words& words) const {
  const std::string& word = text();
  const auto has = [&](const std::vector<std::string>& list) {
    return std::find(list.begin(), list.end(), word) != list.end();
  };
  if (has(words.allowed)) {
    return word;
  }
  if (has(words.later)) {
    throw later(word);
  }
  const auto meant = text::closest(word, words.allowed);
  throw fault("unknown value " + shown(word))
      .hint((meant.has_value() ? "did you mean '" + *meant + "'? " : "") + listed(words.allowed));
}

bool Value::boolean() const {
  if (is_word("true") || is_word("false")) {
    return is_word("true");
  }
  throw fault("expected true or false, found " + found())
      .hint("write true or false, in lower case");
}

std::uint64_t Value::whole(std::uint64_t least, std::uint64_t most) const {
  const std::string& digits = text();
  const bool is_plain = !node().is_quoted && !digits.empty() &&
                        digits.find_first_not_of(kDigits) == std::string::npos &&
                        (digits.size() == 1 || digits.front() != '0');
  if (!is_plain) {
    throw fault("expected a whole number, found " + found())
        .hint(node().is_quoted
                  ? "write the number without quotation marks"
                  : "write decimal digits only: no sign, point, exponent or leading zero");
  }
  const auto value = text::parse_unsigned(digits);
  if (!value.has_value() || *value < least || *value > most) {
    throw out_of_range(std::to_string(least), std::to_string(most));
  }
  return *value;
}

Error Value::out_of_range(std::string least, std::string most) const {
  return fault(text::printable(node().text) + " out of range " + std::move(least) + "…" +
               std::move(most))
      .hint("choose a value in that range");
}

std::uint64_t Value::quantity(std::string_view noun, std::uint64_t least, std::uint64_t most,
                              const std::vector<Unit>& units, std::string_view example) const {
  const std::string& written = text();
  const Quantity quantity = parse_quantity(written, units);
  const std::string advice =
      "write for example '" + std::string(example) + "'; units are " + unit_names(units);
  switch (quantity.fault) {
    case QuantityFault::malformed:
      throw fault("expected " + std::string(noun) + ", found " + found()).hint(advice);
    case QuantityFault::no_unit:
      throw fault(shown(written) + " has no unit").hint(advice);
    case QuantityFault::unknown_unit:
      throw fault("unknown unit " + shown(quantity.unit)).hint(advice);
    case QuantityFault::too_fine:
      throw fault(shown(written) + " is no whole number of " + std::string(units.front().name))
          .hint("hashprof does not round; leave out the last digits");
    case QuantityFault::none:
    case QuantityFault::too_large:
      break;
  }
  if (quantity.fault == QuantityFault::too_large || quantity.value < least ||
      quantity.value > most) {
    throw out_of_range(quantity_text(least, units), quantity_text(most, units));
  }
  return quantity.value;
}

Nanoseconds Value::time(Nanoseconds least, Nanoseconds most) const {
  return {quantity("a time", least.value, most.value, time_units(), "0.25 s")};
}

Bytes Value::size(Bytes least, Bytes most) const {
  return {quantity("a size", least.value, most.value, size_units(), "4 KiB")};
}

std::uint64_t Value::share(std::uint64_t least, std::uint64_t most) const {
  return quantity("a share", least, most, share_units(), "2%");
}

std::vector<Value> Value::items() const {
  expect(Kind::list, "a list");
  std::vector<Value> out;
  out.reserve(node().children.size());
  for (const std::size_t child : node().children) {
    out.emplace_back(*document_, child);
  }
  return out;
}

std::vector<Value> Value::members() const {
  expect(Kind::map, "a mapping");
  std::vector<Value> out;
  out.reserve(node().children.size());
  for (const std::size_t child : node().children) {
    out.emplace_back(*document_, child);
  }
  return out;
}

}  // namespace hashprof::yaml
