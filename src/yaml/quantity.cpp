// SPDX-License-Identifier: MIT
// See yaml/quantity.h. Integers only: a double cannot hold every nanosecond of a day's limit.
#include "yaml/quantity.h"

#include <algorithm>

#include "base/text.h"

namespace hashprof::yaml {

namespace {

constexpr std::string_view kDigits = "0123456789";

std::string_view take_digits(std::string_view& rest) {
  const std::string_view digits = rest.substr(0, rest.find_first_not_of(kDigits));
  rest.remove_prefix(digits.size());
  return digits;
}

Quantity fault_of(QuantityFault fault, std::string_view unit = {}) {
  return {fault, 0, std::string(unit)};
}

/// `whole`.`fraction` × factor, exact.
Quantity scale(std::string_view whole, std::string_view fraction, std::uint64_t factor) {
  while (!fraction.empty() && fraction.back() == '0') {
    fraction.remove_suffix(1);
  }
  std::uint64_t value = 0;
  const auto units = text::parse_unsigned(whole);
  if (!units.has_value() || __builtin_mul_overflow(*units, factor, &value)) {
    return fault_of(QuantityFault::too_large);
  }
  // From the last digit on: 0.d1d2 × factor = (d1 × factor + (d2 × factor) / 10) / 10. If the whole
  // is an integer, so is every step, because the inner one is 10 × outer − digit × factor.
  std::uint64_t part = 0;
  for (auto digit = fraction.rbegin(); digit != fraction.rend(); ++digit) {
    part += static_cast<std::uint64_t>(*digit - '0') * factor;
    if (part % 10 != 0) {
      return fault_of(QuantityFault::too_fine);
    }
    part /= 10;
  }
  if (__builtin_add_overflow(value, part, &value)) {
    return fault_of(QuantityFault::too_large);
  }
  return {QuantityFault::none, value, {}};
}

}  // namespace

const std::vector<Unit>& time_units() {
  static const std::vector<Unit> units = {
      {"ns", 1}, {"us", 1'000}, {"ms", 1'000'000}, {"s", 1'000'000'000}, {"min", 60'000'000'000}};
  return units;
}

const std::vector<Unit>& size_units() {
  static const std::vector<Unit> units = {
      {"B", 1}, {"KiB", 1U << 10U}, {"MiB", 1U << 20U}, {"GiB", 1U << 30U}};
  return units;
}

const std::vector<Unit>& share_units() {
  static const std::vector<Unit> units = {{"%", 10'000}};
  return units;
}

Quantity parse_quantity(std::string_view text, const std::vector<Unit>& units) {
  std::string_view rest = text;
  const std::string_view whole = take_digits(rest);
  std::string_view fraction;
  bool is_number = !whole.empty() && (whole.size() == 1 || whole[0] != '0');
  if (is_number && !rest.empty() && rest[0] == '.') {
    rest.remove_prefix(1);
    fraction = take_digits(rest);
    is_number = !fraction.empty();
  }
  if (!is_number) {
    return fault_of(QuantityFault::malformed);
  }
  if (rest.empty()) {
    return fault_of(QuantityFault::no_unit);
  }
  if (rest[0] == ' ') {
    rest.remove_prefix(1);
  }
  const bool is_word = !rest.empty() && rest.find_first_of(" \t.,+-0123456789") == rest.npos;
  const auto unit = std::find_if(units.begin(), units.end(),
                                 [&](const Unit& known) { return known.name == rest; });
  if (unit == units.end()) {
    return is_word ? fault_of(QuantityFault::unknown_unit, rest)
                   : fault_of(QuantityFault::malformed);
  }
  return scale(whole, fraction, unit->factor);
}

std::string quantity_text(std::uint64_t value, const std::vector<Unit>& units) {
  const Unit* best = &units.front();
  for (const Unit& unit : units) {
    if (value != 0 && value % unit.factor == 0) {
      best = &unit;
    }
  }
  return std::to_string(value / best->factor) + " " + std::string(best->name);
}

}  // namespace hashprof::yaml
