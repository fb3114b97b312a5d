// SPDX-License-Identifier: MIT
// See kat/sm3.h. Letters and signs are the standard's.
#include "kat/sm3.h"

#include <algorithm>
#include <bit>

namespace hashprof::kat {

namespace {

constexpr std::size_t kBlockBytes = 64;
constexpr std::size_t kLengthBytes = 8;
constexpr int kFirstRounds = 16;
constexpr int kRounds = 64;
constexpr int kWords = 68;

using State = std::array<std::uint32_t, 8>;
using Block = std::array<std::uint8_t, kBlockBytes>;

constexpr State kStart = {0x7380166F, 0x4914B2B9, 0x172442D7, 0xDA8A0600,
                          0xA96F30BC, 0x163138AA, 0xE38DEE4D, 0xB0FB0E4E};

std::uint32_t p0(std::uint32_t x) { return x ^ std::rotl(x, 9) ^ std::rotl(x, 17); }
std::uint32_t p1(std::uint32_t x) { return x ^ std::rotl(x, 15) ^ std::rotl(x, 23); }

std::array<std::uint32_t, kWords> expand(const std::uint8_t* block) {
  std::array<std::uint32_t, kWords> w{};
  for (std::size_t i = 0; i < 16; ++i) {
    for (std::size_t byte = 0; byte < 4; ++byte) {
      w[i] = w[i] << 8U | block[4 * i + byte];
    }
  }
  for (std::size_t j = 16; j < kWords; ++j) {
    w[j] = p1(w[j - 16] ^ w[j - 9] ^ std::rotl(w[j - 3], 15)) ^ std::rotl(w[j - 13], 7) ^ w[j - 6];
  }
  return w;
}

void compress(State& state, const std::uint8_t* block) {
  const auto w = expand(block);
  auto [a, b, c, d, e, f, g, h] = state;
  for (int j = 0; j < kRounds; ++j) {
    const bool is_first = j < kFirstRounds;
    const std::uint32_t t = is_first ? 0x79CC4519U : 0x7A879D8AU;
    const std::uint32_t ff = is_first ? a ^ b ^ c : (a & b) | (a & c) | (b & c);
    const std::uint32_t gg = is_first ? e ^ f ^ g : (e & f) | (~e & g);
    const std::uint32_t ss1 = std::rotl(std::rotl(a, 12) + e + std::rotl(t, j % 32), 7);
    const std::uint32_t ss2 = ss1 ^ std::rotl(a, 12);
    const auto at = static_cast<std::size_t>(j);
    const std::uint32_t tt1 = ff + d + ss2 + (w[at] ^ w[at + 4]);
    const std::uint32_t tt2 = gg + h + ss1 + w[at];
    d = c;
    c = std::rotl(b, 9);
    b = a;
    a = tt1;
    h = g;
    g = std::rotl(f, 19);
    f = e;
    e = p0(tt2);
  }
  const State mixed = {a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < state.size(); ++i) {
    state[i] ^= mixed[i];
  }
}

}  // namespace

Sm3Digest sm3(std::span<const std::uint8_t> message) {
  State state = kStart;
  std::span<const std::uint8_t> rest = message;
  while (rest.size() >= kBlockBytes) {
    compress(state, rest.data());
    rest = rest.subspan(kBlockBytes);
  }
  Block last{};
  std::copy(rest.begin(), rest.end(), last.begin());
  last[rest.size()] = 0x80;
  if (rest.size() + 1 + kLengthBytes > kBlockBytes) {
    compress(state, last.data());
    last.fill(0);
  }
  const std::uint64_t bits = std::uint64_t{message.size()} * 8;
  for (std::size_t i = 0; i < kLengthBytes; ++i) {
    last[kBlockBytes - 1 - i] = static_cast<std::uint8_t>(bits >> (8 * i) & 0xffU);
  }
  compress(state, last.data());
  Sm3Digest digest{};
  for (std::size_t i = 0; i < digest.size(); ++i) {
    digest[i] = static_cast<std::uint8_t>(state[i / 4] >> (24 - 8 * (i % 4)) & 0xffU);
  }
  return digest;
}

}  // namespace hashprof::kat
