// SPDX-License-Identifier: MIT
// Catches a reference implementation that is wrong at some length, reads or writes past its
// buffers, or depends on bits beyond the message: every vector, and every bit length up to 2100.
#include <gtest/gtest.h>
#include <openssl/evp.h>

#include <array>
#include <cstring>
#include <memory>

#include "kat/vectors.h"

extern "C" {
int sm3_crypt_hash(int digest_len_bits, const unsigned char* msg, unsigned long long msg_len_bits,
                   unsigned char* digest);
int sha256_crypt_hash(int digest_len_bits, const unsigned char* msg,
                      unsigned long long msg_len_bits, unsigned char* digest);
}

namespace hashprof {
namespace {

using Bytes32 = std::array<std::uint8_t, 32>;

struct Hash {
  const char* name;
  int (*function)(int, const unsigned char*, unsigned long long, unsigned char*);
  const EVP_MD* (*oracle)();
  const char* vectors;
  std::size_t least_rows;
};

std::ostream& operator<<(std::ostream& out, const Hash& hash) { return out << hash.name; }

class Reference : public ::testing::TestWithParam<Hash> {
 protected:
  /// Computes with buffers of exactly the size that the call may touch, so that the address
  /// sanitizer sees one byte too many.
  static Bytes32 digest_of(const std::vector<std::uint8_t>& message, std::uint64_t bits) {
    const std::unique_ptr<std::uint8_t[]> exact(new std::uint8_t[message.size()]);
    if (!message.empty()) {
      std::memcpy(exact.get(), message.data(), message.size());
    }
    const std::unique_ptr<std::uint8_t[]> out(new std::uint8_t[32]);
    EXPECT_EQ(GetParam().function(256, message.empty() ? nullptr : exact.get(), bits, out.get()),
              0);
    Bytes32 digest{};
    std::memcpy(digest.data(), out.get(), digest.size());
    return digest;
  }
  static Bytes32 openssl_of(const std::vector<std::uint8_t>& message) {
    Bytes32 digest{};
    EXPECT_EQ(EVP_Digest(message.data(), message.size(), digest.data(), nullptr,
                         GetParam().oracle(), nullptr),
              1);
    return digest;
  }
};

TEST_P(Reference, agrees_with_every_vector_of_its_file) {
  const std::string file = std::string(HASHPROF_SOURCE_DIR "/hashes/") + GetParam().vectors;
  const std::vector<kat::Vector> vectors = kat::load_vectors(file);
  std::vector<std::vector<std::uint8_t>> digests;
  for (const kat::Vector& vector : vectors) {
    EXPECT_EQ(vector.instance, GetParam().name);
    const Bytes32 digest = digest_of(vector.message, vector.message_bits);
    digests.emplace_back(digest.begin(), digest.end());
  }
  const kat::Verdict verdict = kat::compare(vectors, digests);
  EXPECT_EQ(verdict.status, kat::Status::pass) << verdict.detail;
  EXPECT_GE(verdict.checked, GetParam().least_rows);
}

TEST_P(Reference, agrees_with_openssl_on_whole_bytes_and_ignores_bits_beyond_the_length) {
  for (std::uint64_t bits = 0; bits <= 2100; ++bits) {
    std::vector<std::uint8_t> message = kat::pattern_message((bits + 7) / 8);
    if (bits % 8 == 0) {
      EXPECT_EQ(digest_of(message, bits), openssl_of(message)) << bits << " bits";
      continue;
    }
    const auto surplus = static_cast<std::uint8_t>(0xffU >> (bits % 8));
    message.back() = static_cast<std::uint8_t>(message.back() & ~surplus);
    const Bytes32 cleared = digest_of(message, bits);
    message.back() = static_cast<std::uint8_t>(message.back() | surplus);
    EXPECT_EQ(digest_of(message, bits), cleared) << bits << " bits";
    // The last bit within the length must count.
    message.back() = static_cast<std::uint8_t>(message.back() ^ (0x80U >> ((bits - 1) % 8)));
    EXPECT_NE(digest_of(message, bits), cleared) << bits << " bits";
  }
}

TEST_P(Reference, refuses_another_digest_length_and_writes_nothing) {
  for (const int bits : {0, 8, 255, 257, 512, -256}) {
    Bytes32 digest{};
    digest.fill(0x5a);
    const Bytes32 before = digest;
    const unsigned char message = 0x61;
    EXPECT_NE(GetParam().function(bits, &message, 8, digest.data()), 0) << bits;
    EXPECT_EQ(digest, before) << bits;
  }
}

TEST_P(Reference, allows_the_digest_to_replace_the_message) {
  std::vector<std::uint8_t> buffer = kat::pattern_message(32);
  const Bytes32 expected = openssl_of(buffer);
  ASSERT_EQ(GetParam().function(256, buffer.data(), 256, buffer.data()), 0);
  EXPECT_EQ(std::memcmp(buffer.data(), expected.data(), 32), 0);
}

INSTANTIATE_TEST_SUITE_P(
    hashes, Reference,
    ::testing::Values(Hash{"SM3", sm3_crypt_hash, EVP_sm3, "sm3/sm3_vectors.tsv", 294},
                      Hash{"SHA-256", sha256_crypt_hash, EVP_sha256, "sha2/sha256_vectors.tsv",
                           265}),
    [](const auto& tested) { return std::string(tested.index == 0 ? "sm3" : "sha256"); });

}  // namespace
}  // namespace hashprof
