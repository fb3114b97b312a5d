// SPDX-License-Identifier: MIT
// Number rules of the published report, so that pages can be laid side by side; its rough edges
// mended (9999.6 cycles print as 10.0 k, 999,950 as 1.00 M, 999.6 ns as 1 µs). hashprof(1) REPORT
// states them. Values are finite; a negative one gets a minus sign, and what rounds to nothing is
// "0", never "-0".
#pragma once

#include <cstdint>
#include <string>

namespace hashprof::report {

/// Cycles: "497", "10.0 k", "1.96 M", "48.20 G".
[[nodiscard]] std::string cycles_text(double cycles);
/// One decimal: "52.8".
[[nodiscard]] std::string per_byte_text(double value);
/// Three significant digits, trailing zeros dropped, in the first of s, ms, µs, ns that is >= 1.
[[nodiscard]] std::string time_text(double nanoseconds);
/// Exactly three significant digits, zeros kept: "0.123", "8.60", "52.8", "406", "12345" from 1000
/// on. For figures without a cell in the published report (ns/byte, ends of intervals).
[[nodiscard]] std::string three_digits_text(double value);
/// Two times in the unit of `median`, three digits each: "[8.61, 8.75] µs".
[[nodiscard]] std::string time_range_text(double low, double high, double median);
/// A coverage in percent, one decimal: "96.1 %".
[[nodiscard]] std::string coverage_text(double coverage);
/// 10^6 bytes a second, one decimal; `nanoseconds` above 0.
[[nodiscard]] std::string throughput_text(double bytes, double nanoseconds);
/// "100000 (5 × 20000)".
[[nodiscard]] std::string count_text(std::uint64_t total, std::uint32_t processes,
                                     std::uint64_t calls);
/// "32 B", "1 KiB".
[[nodiscard]] std::string size_text(std::uint64_t bytes);
/// A ratio, two decimals: "0.60×".
[[nodiscard]] std::string ratio_text(double ratio);
/// A share in percent: one decimal below 9.5 %, else an integer: "9.4%", "10%".
[[nodiscard]] std::string share_text(double fraction);

}  // namespace hashprof::report
