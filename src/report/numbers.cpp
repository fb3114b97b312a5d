// SPDX-License-Identifier: MIT
// See report/numbers.h. All digits come from base/text, which rounds the binary value, half to
// even, in every locale.
#include "report/numbers.h"

#include <array>
#include <cmath>

#include "base/text.h"

namespace hashprof::report {

namespace {

struct TimeUnit {
  double nanoseconds;
  const char* name;
};
constexpr std::array<TimeUnit, 4> kTimeUnits = {{{1e9, "s"}, {1e6, "ms"}, {1e3, "µs"}, {1, "ns"}}};

/// Index of the first unit in which the value is at least 1, after rounding to three digits:
/// 999.6 ns is 1 µs.
std::size_t time_unit(double nanoseconds) {
  for (std::size_t i = 0; i + 1 < kTimeUnits.size(); ++i) {
    // 0.9995 of a unit has no three digits below 1 left.
    if (nanoseconds >= 0.9995 * kTimeUnits[i].nanoseconds) {
      return i;
    }
  }
  return kTimeUnits.size() - 1;
}

/// The text of a number without the sign of a negative zero.
std::string without_negative_zero(std::string digits) {
  const bool is_zero = digits.find_first_of("123456789") == std::string::npos;
  return is_zero && digits.front() == '-' ? digits.substr(1) : digits;
}

std::string signed_text(double value, std::string (*text_of)(double)) {
  const std::string magnitude = text_of(std::abs(value));
  const bool is_zero = magnitude.find_first_of("123456789") == std::string::npos;
  return value < 0 && !is_zero ? "-" + magnitude : magnitude;
}

std::string cycles_magnitude(double cycles) {
  std::string plain = text::fixed(cycles, 0);
  if (plain.size() <= 4) {
    return plain;
  }
  const std::string kilo = text::fixed(cycles / 1e3, 1);
  if (kilo.size() < std::string_view("1000.0").size()) {
    return kilo + " k";
  }
  const std::string mega = text::fixed(cycles / 1e6, 2);
  if (mega.size() < std::string_view("1000.00").size()) {
    return mega + " M";
  }
  return text::fixed(cycles / 1e9, 2) + " G";
}

std::string time_magnitude(double nanoseconds) {
  const TimeUnit& unit = kTimeUnits[time_unit(nanoseconds)];
  const double value = nanoseconds / unit.nanoseconds;
  // %.3g writes 1000 s and more with an exponent, and what is far below 1 ns too.
  const std::string digits = value >= 999.5   ? text::fixed(value, 0)
                             : value < 0.0005 ? "0"
                                              : text::significant(value, 3);
  return digits + " " + unit.name;
}

std::string three_digits_magnitude(double value) {
  constexpr int kMostDecimals = 6;
  int decimals = 2;
  for (double scaled = value; scaled > 0 && scaled < 1 && decimals < kMostDecimals; scaled *= 10) {
    ++decimals;
  }
  for (double limit = 10; decimals > 0 && value >= limit && limit <= 100; limit *= 10) {
    --decimals;
  }
  const std::string digits = text::fixed(value, decimals);
  // Rounding may have added a digit before or behind the point: 9.996 is 10.0, 0.9996 is 1.00.
  std::size_t significant = 0;
  bool is_leading = true;
  for (const char c : digits) {
    is_leading = is_leading && (c == '0' || c == '.');
    significant += !is_leading && c != '.' ? 1U : 0U;
  }
  return text::fixed(value, significant > 3 && decimals > 0 ? decimals - 1 : decimals);
}

}  // namespace

std::string cycles_text(double cycles) { return signed_text(cycles, cycles_magnitude); }

std::string per_byte_text(double value) { return without_negative_zero(text::fixed(value, 1)); }

std::string time_text(double nanoseconds) { return signed_text(nanoseconds, time_magnitude); }

std::string three_digits_text(double value) { return signed_text(value, three_digits_magnitude); }

std::string time_range_text(double low, double high, double median) {
  const TimeUnit& unit = kTimeUnits[time_unit(std::abs(median))];
  return "[" + three_digits_text(low / unit.nanoseconds) + ", " +
         three_digits_text(high / unit.nanoseconds) + "] " + unit.name;
}

std::string coverage_text(double coverage) { return text::fixed(coverage * 100, 1) + " %"; }

std::string throughput_text(double bytes, double nanoseconds) {
  return text::fixed(bytes * 1e3 / nanoseconds, 1);
}

std::string count_text(std::uint64_t total, std::uint32_t processes, std::uint64_t calls) {
  return std::to_string(total) + " (" + std::to_string(processes) + " × " + std::to_string(calls) +
         ")";
}

std::string size_text(std::uint64_t bytes) {
  constexpr std::uint64_t kKibi = 1024;
  return bytes != 0 && bytes % kKibi == 0 ? std::to_string(bytes / kKibi) + " KiB"
                                          : std::to_string(bytes) + " B";
}

std::string ratio_text(double ratio) { return text::fixed(ratio, 2) + "×"; }

std::string share_text(double fraction) {
  const double percent = fraction * 100;
  return without_negative_zero(text::fixed(percent, percent < 9.5 ? 1 : 0)) + "%";
}

}  // namespace hashprof::report
