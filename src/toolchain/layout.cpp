// SPDX-License-Identifier: MIT
// See toolchain/layout.h.
#include "toolchain/layout.h"

#include <numeric>

#include "base/random.h"

namespace hashprof::toolchain {

namespace {

constexpr std::uint32_t kPage = 4096;
constexpr std::uint32_t kStep = 4;  // the length of an instruction of AArch64

Random generator_of(std::uint64_t seed, std::uint32_t layout) {
  return Random(seed ^ (std::uint64_t{layout} << 32U));
}

}  // namespace

const std::string& padding_text() {
  static const std::string text =
      "  .text\n  .skip HASHPROF_PADDING\n  .section .note.GNU-stack,\"\",%progbits\n";
  return text;
}

std::vector<std::size_t> link_order(std::size_t objects, std::uint64_t seed, std::uint32_t layout) {
  std::vector<std::size_t> order(objects);
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (layout > 0) {
    Random random = generator_of(seed, layout);
    (void)random.next();  // the padding's
    random.shuffle(order);
  }
  return order;
}

std::uint32_t padding_bytes(std::uint64_t seed, std::uint32_t layout) {
  return static_cast<std::uint32_t>(generator_of(seed, layout).below(kPage / kStep)) * kStep;
}

}  // namespace hashprof::toolchain
