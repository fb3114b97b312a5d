// SPDX-License-Identifier: MIT
// See json/value.h. Reading and the escaping of strings are nlohmann-json's.
#include "json/value.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/text.h"

namespace hashprof::json {

namespace {

constexpr std::size_t kMaxDepth = 64;

[[noreturn]] void wrong_type(const char* wanted) {
  throw Error(Fault::configuration, "JSON", std::string("expected ") + wanted);
}

/// Builds Values from nlohmann's events, so that order and integer types are kept.
class Builder : public nlohmann::json_sax<nlohmann::json> {
 public:
  bool null() override { return add(Value()); }
  bool boolean(bool value) override { return add(Value(value)); }
  bool number_integer(number_integer_t value) override {
    return add(Value(static_cast<std::int64_t>(value)));
  }
  bool number_unsigned(number_unsigned_t value) override {
    return add(Value(static_cast<std::uint64_t>(value)));
  }
  bool number_float(number_float_t value, const string_t& /*text*/) override {
    return add(Value(value));
  }
  bool string(string_t& value) override { return add(Value(std::move(value))); }
  bool binary(binary_t& /*value*/) override { return false; }
  bool start_object(std::size_t /*count*/) override { return open(true); }
  bool key(string_t& value) override {
    levels_.back().key = std::move(value);
    return true;
  }
  bool end_object() override { return close(); }
  bool start_array(std::size_t /*count*/) override { return open(false); }
  bool end_array() override { return close(); }
  bool parse_error(std::size_t position, const std::string& /*token*/,
                   const nlohmann::detail::exception& /*reason*/) override {
    position_ = position;
    return false;
  }
  [[nodiscard]] std::size_t position() const { return position_; }
  [[nodiscard]] bool is_too_deep() const { return too_deep_; }
  Value take() { return std::move(root_); }

 private:
  struct Level {
    bool is_object = false;
    std::string key;
    Object members;
    Array items;
  };
  bool open(bool is_object) {
    too_deep_ = levels_.size() >= kMaxDepth;
    levels_.push_back({is_object, {}, {}, {}});
    return !too_deep_;
  }
  bool close() {
    Level level = std::move(levels_.back());
    levels_.pop_back();
    return add(level.is_object ? Value(std::move(level.members)) : Value(std::move(level.items)));
  }
  bool add(Value value) {
    if (levels_.empty()) {
      root_ = std::move(value);
    } else if (levels_.back().is_object) {
      levels_.back().members.emplace_back(std::move(levels_.back().key), std::move(value));
    } else {
      levels_.back().items.push_back(std::move(value));
    }
    return true;
  }

  std::vector<Level> levels_;
  Value root_;
  std::size_t position_ = 0;
  bool too_deep_ = false;
};

std::string quoted(const std::string& raw) {
  if (!text::is_utf8(raw)) {
    throw Error(Fault::internal, "JSON", "a string is not UTF-8: " + text::printable(raw));
  }
  return nlohmann::json(raw).dump();
}

}  // namespace

Value::Value(const Value& other) = default;
Value::Value(Value&& other) noexcept = default;
Value& Value::operator=(const Value& other) = default;
Value& Value::operator=(Value&& other) noexcept = default;
Value::~Value() = default;

bool Value::operator==(const Value& other) const { return data_ == other.data_; }

bool Value::is_null() const noexcept { return std::holds_alternative<std::nullptr_t>(data_); }
bool Value::is_object() const noexcept { return std::holds_alternative<Object>(data_); }
bool Value::is_array() const noexcept { return std::holds_alternative<Array>(data_); }
bool Value::is_string() const noexcept { return std::holds_alternative<std::string>(data_); }

bool Value::as_bool() const {
  if (const auto* value = std::get_if<bool>(&data_)) {
    return *value;
  }
  wrong_type("true or false");
}

std::uint64_t Value::as_unsigned() const {
  if (const auto* value = std::get_if<std::uint64_t>(&data_)) {
    return *value;
  }
  if (const auto* value = std::get_if<std::int64_t>(&data_); value != nullptr && *value >= 0) {
    return static_cast<std::uint64_t>(*value);
  }
  wrong_type("a whole number that is not negative");
}

std::int64_t Value::as_signed() const {
  if (const auto* value = std::get_if<std::int64_t>(&data_)) {
    return *value;
  }
  if (const auto* value = std::get_if<std::uint64_t>(&data_);
      value != nullptr && *value <= static_cast<std::uint64_t>(INT64_MAX)) {
    return static_cast<std::int64_t>(*value);
  }
  wrong_type("a whole number");
}

double Value::as_double() const {
  if (const auto* value = std::get_if<double>(&data_)) {
    return *value;
  }
  if (const auto* value = std::get_if<std::uint64_t>(&data_)) {
    return static_cast<double>(*value);
  }
  if (const auto* value = std::get_if<std::int64_t>(&data_)) {
    return static_cast<double>(*value);
  }
  wrong_type("a number");
}

const std::string& Value::as_string() const {
  if (const auto* value = std::get_if<std::string>(&data_)) {
    return *value;
  }
  wrong_type("a string");
}

const Array& Value::as_array() const {
  if (const auto* value = std::get_if<Array>(&data_)) {
    return *value;
  }
  wrong_type("an array");
}

const Object& Value::as_object() const {
  if (const auto* value = std::get_if<Object>(&data_)) {
    return *value;
  }
  wrong_type("an object");
}

const Value& Value::at(std::string_view key) const {
  for (const auto& [name, value] : as_object()) {
    if (name == key) {
      return value;
    }
  }
  throw Error(Fault::configuration, "JSON", "member '" + std::string(key) + "' is missing");
}

const Value* Value::find(std::string_view key) const {
  for (const auto& [name, value] : as_object()) {
    if (name == key) {
      return value.is_null() ? nullptr : &value;
    }
  }
  return nullptr;
}

/// Writes with or without line breaks; the separators differ, the rules do not.
class Writer {
 public:
  explicit Writer(bool is_pretty) : is_pretty_(is_pretty) {}

  void write(const Value& value, std::size_t depth) {
    if (const auto* flag = std::get_if<bool>(&value.data_)) {
      out_ += *flag ? "true" : "false";
    } else if (const auto* whole = std::get_if<std::int64_t>(&value.data_)) {
      out_ += std::to_string(*whole);
    } else if (const auto* natural = std::get_if<std::uint64_t>(&value.data_)) {
      out_ += std::to_string(*natural);
    } else if (const auto* number = std::get_if<double>(&value.data_)) {
      if (!std::isfinite(*number)) {
        throw Error(Fault::internal, "JSON", "a number that is not finite cannot be written");
      }
      out_ += text::shortest(*number);
    } else if (const auto* string = std::get_if<std::string>(&value.data_)) {
      out_ += quoted(*string);
    } else if (const auto* items = std::get_if<Array>(&value.data_)) {
      sequence('[', ']', items->size(), depth,
               [&](std::size_t i) { write((*items)[i], depth + 1); });
    } else if (const auto* members = std::get_if<Object>(&value.data_)) {
      sequence('{', '}', members->size(), depth, [&](std::size_t i) {
        out_ += quoted((*members)[i].first) + ": ";
        write((*members)[i].second, depth + 1);
      });
    } else {
      out_ += "null";
    }
  }
  std::string take() { return std::move(out_); }

 private:
  template <typename Item>
  void sequence(char open, char close, std::size_t count, std::size_t depth, Item item) {
    out_ += open;
    for (std::size_t i = 0; i < count; ++i) {
      out_ += i == 0 ? "" : ",";
      line_break(depth + 1, i != 0);
      item(i);
    }
    if (count != 0) {
      line_break(depth, false);
    }
    out_ += close;
  }
  void line_break(std::size_t depth, bool is_between) {
    if (is_pretty_) {
      out_ += "\n" + std::string(depth, ' ');
    } else if (is_between) {
      out_ += ' ';
    }
  }

  bool is_pretty_;
  std::string out_;
};

std::string write_compact(const Value& value) {
  Writer writer(false);
  writer.write(value, 0);
  return writer.take();
}

std::string write_pretty(const Value& value) {
  Writer writer(true);
  writer.write(value, 0);
  return writer.take() + "\n";
}

Value parse(std::string_view text, std::string_view source) {
  Builder builder;
  if (!nlohmann::json::sax_parse(text, &builder)) {
    if (builder.is_too_deep()) {
      throw Error(Fault::configuration, std::string(source),
                  "nested more than " + std::to_string(kMaxDepth) + " levels deep");
    }
    throw Error(Fault::configuration, std::string(source),
                "not valid JSON at byte " + std::to_string(builder.position()));
  }
  return builder.take();
}

}  // namespace hashprof::json
