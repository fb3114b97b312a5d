// SPDX-License-Identifier: MIT
// Catches a wrong digit in the tables of LLH: its round constants are the digits of e, and its
// rotation amounts follow one quadratic form for each width.
#include <gtest/gtest.h>

#include <cstdint>
#include <iterator>
#include <vector>

namespace {

struct Tables {
  unsigned word_bits;
  unsigned rounds;
  std::vector<unsigned> amounts;
  std::vector<std::uint32_t> pieces;
};

// The header holds the tables of one width; each namespace includes it once.
namespace llh_256 {
#define LLH_BITS 256
#include "llh_constants.h"
Tables tables() {
  return {WORD_BITS,
          ROUNDS,
          {std::begin(SIGMA), std::end(SIGMA)},
          {std::begin(E_FRACTION), std::end(E_FRACTION)}};
}
#undef LLH_BITS
#undef LLH_CONSTANTS_H
}  // namespace llh_256

namespace llh_512 {
#define LLH_BITS 512
#include "llh_constants.h"
Tables tables() {
  return {WORD_BITS,
          ROUNDS,
          {std::begin(SIGMA), std::end(SIGMA)},
          {std::begin(E_FRACTION), std::end(E_FRACTION)}};
}
#undef LLH_BITS
#undef LLH_CONSTANTS_H
}  // namespace llh_512

namespace llh_768 {
#define LLH_BITS 768
#include "llh_constants.h"
Tables tables() {
  return {WORD_BITS,
          ROUNDS,
          {std::begin(SIGMA), std::end(SIGMA)},
          {std::begin(E_FRACTION), std::end(E_FRACTION)}};
}
#undef LLH_BITS
#undef LLH_CONSTANTS_H
}  // namespace llh_768

namespace llh_1024 {
#define LLH_BITS 1024
#include "llh_constants.h"
Tables tables() {
  return {WORD_BITS,
          ROUNDS,
          {std::begin(SIGMA), std::end(SIGMA)},
          {std::begin(E_FRACTION), std::end(E_FRACTION)}};
}
}  // namespace llh_1024

/// The first `count` pieces of 32 bits of e - 2 = 1/2! + 1/3! + ..., earliest first.
std::vector<std::uint32_t> fraction_of_e(std::size_t count) {
  const std::size_t guard = 2;  // each of about 700 terms is cut at the end, far below 2^64
  std::vector<std::uint32_t> term(1 + count + guard, 0);  // the integer part stands first
  std::vector<std::uint32_t> sum = term;
  term[0] = 1;
  bool is_zero = false;
  for (std::uint64_t k = 2; !is_zero; ++k) {
    std::uint64_t rest = 0;
    is_zero = true;
    for (std::uint32_t& digit : term) {
      const std::uint64_t value = rest << 32 | digit;
      digit = static_cast<std::uint32_t>(value / k);
      rest = value % k;
      is_zero = is_zero && digit == 0;
    }
    std::uint64_t carry = 0;
    for (std::size_t i = sum.size(); i-- > 0;) {
      carry += std::uint64_t{sum[i]} + term[i];
      sum[i] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
  }
  return {std::next(sum.begin()), std::next(sum.begin(), static_cast<std::ptrdiff_t>(1 + count))};
}

TEST(LlhTables, round_constants_are_the_binary_digits_of_e_as_far_as_the_rounds_need_them) {
  for (const Tables& tables :
       {llh_256::tables(), llh_512::tables(), llh_768::tables(), llh_1024::tables()}) {
    EXPECT_EQ(tables.rounds, 8 + tables.word_bits / 4);
    EXPECT_EQ(tables.pieces, fraction_of_e(tables.rounds * tables.word_bits / 32))
        << tables.word_bits;
  }
}

TEST(LlhTables, rotation_amounts_follow_the_quadratic_form_of_their_width) {
  struct Form {
    Tables tables;
    unsigned jj, gj, gg, j, g, one;
  };
  for (const Form& form :
       {Form{llh_256::tables(), 8, 8, 4, 5, 1, 3}, Form{llh_512::tables(), 18, 2, 4, 5, 9, 2},
        Form{llh_768::tables(), 4, 6, 8, 5, 9, 2}, Form{llh_1024::tables(), 12, 4, 8, 3, 1, 1}}) {
    std::vector<unsigned> expected;
    for (unsigned i = 0; i < 24; ++i) {
      const unsigned g = i / 4;
      const unsigned j = i % 4;
      expected.push_back((form.jj * j * j + form.gj * g * j + form.gg * g * g + form.j * j +
                          form.g * g + form.one) %
                         form.tables.word_bits);
    }
    EXPECT_EQ(form.tables.amounts, expected) << form.tables.word_bits;
  }
}

}  // namespace
