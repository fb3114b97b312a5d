// SPDX-License-Identifier: MIT
// JSON values in and out: order of keys kept, integers exact, non-finite numbers refused.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace hashprof::json {

class Value;
using Array = std::vector<Value>;
using Member = std::pair<std::string, Value>;
/// Members in the order in which they were added; the writer keeps it.
using Object = std::vector<Member>;

/// One JSON value. Reading accessors throw Error{configuration} that names the key path.
class Value {
 public:
  Value() noexcept : data_(nullptr) {}
  // Out of line: the variant's members would else be instantiated in every user.
  Value(const Value& other);
  Value(Value&& other) noexcept;
  Value& operator=(const Value& other);
  Value& operator=(Value&& other) noexcept;
  ~Value();
  Value(std::nullptr_t) noexcept : data_(nullptr) {}
  Value(bool value) : data_(value) {}
  Value(std::int64_t value) : data_(value) {}
  Value(std::uint64_t value) : data_(value) {}
  Value(int value) : data_(static_cast<std::int64_t>(value)) {}
  Value(unsigned value) : data_(static_cast<std::uint64_t>(value)) {}
  Value(double value) : data_(value) {}
  Value(const char* value) : data_(std::string(value)) {}
  Value(std::string_view value) : data_(std::string(value)) {}
  Value(std::string value) : data_(std::move(value)) {}
  Value(Array value) : data_(std::move(value)) {}
  Value(Object value) : data_(std::move(value)) {}
  /// null where there is no value.
  template <typename T>
  Value(const std::optional<T>& value) : Value() {
    if (value.has_value()) {
      *this = Value(*value);
    }
  }

  [[nodiscard]] bool is_null() const noexcept;
  [[nodiscard]] bool is_object() const noexcept;
  [[nodiscard]] bool is_array() const noexcept;
  [[nodiscard]] bool is_string() const noexcept;

  [[nodiscard]] bool as_bool() const;
  [[nodiscard]] std::uint64_t as_unsigned() const;
  [[nodiscard]] std::int64_t as_signed() const;
  /// Any number.
  [[nodiscard]] double as_double() const;
  [[nodiscard]] const std::string& as_string() const;
  [[nodiscard]] const Array& as_array() const;
  [[nodiscard]] const Object& as_object() const;

  /// The member `key`; throws Error{configuration} if this is no object or has no such member.
  [[nodiscard]] const Value& at(std::string_view key) const;
  /// The member `key`, or nullptr if it is absent or null.
  [[nodiscard]] const Value* find(std::string_view key) const;

  [[nodiscard]] bool operator==(const Value& other) const;

 private:
  std::variant<std::nullptr_t, bool, std::int64_t, std::uint64_t, double, std::string, Array,
               Object>
      data_;
  friend std::string write_compact(const Value& value);
  friend std::string write_pretty(const Value& value);
  friend class Writer;
};

/// One line without a line end, one space after ':' and ','. Throws Error{internal} for a number
/// that is not finite and for a string that is not UTF-8.
[[nodiscard]] std::string write_compact(const Value& value);
/// Indented by one space a level, one space after ':', ended by a newline. Throws as above.
[[nodiscard]] std::string write_pretty(const Value& value);
/// The whole text as one value. Throws Error{configuration} naming `source` and the byte.
[[nodiscard]] Value parse(std::string_view text, std::string_view source);

}  // namespace hashprof::json
