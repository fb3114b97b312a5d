// SPDX-License-Identifier: MIT
// Catches an LLH instance that is wrong at some length, reads or writes past its buffers, depends
// on bits beyond the message, changes the message, or returns another value than specified.
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <memory>

#include "campaign/campaign.h"
#include "catalog/family.h"
#include "kat/vectors.h"

extern "C" {
int llh_256_crypt_hash(int digest_len_bits, const unsigned char* msg,
                       unsigned long long msg_len_bits, unsigned char* digest);
int llh_512_crypt_hash(int digest_len_bits, const unsigned char* msg,
                       unsigned long long msg_len_bits, unsigned char* digest);
int llh_768_crypt_hash(int digest_len_bits, const unsigned char* msg,
                       unsigned long long msg_len_bits, unsigned char* digest);
int llh_1024_crypt_hash(int digest_len_bits, const unsigned char* msg,
                        unsigned long long msg_len_bits, unsigned char* digest);
}

namespace hashprof {
namespace {

using Bytes = std::vector<std::uint8_t>;

struct Instance {
  const char* name;
  int digest_bits;
  int (*function)(int, const unsigned char*, unsigned long long, unsigned char*);
  std::uint64_t rows;
};

std::ostream& operator<<(std::ostream& out, const Instance& instance) {
  return out << instance.name;
}

std::vector<kat::Vector> vectors_of(const std::string& instance) {
  std::vector<kat::Vector> vectors =
      kat::load_vectors(HASHPROF_SOURCE_DIR "/hashes/hash-16/llh_vectors.tsv");
  vectors.erase(std::remove_if(vectors.begin(), vectors.end(),
                               [&](const auto& vector) { return vector.instance != instance; }),
                vectors.end());
  return vectors;
}

class Llh : public ::testing::TestWithParam<Instance> {
 protected:
  static std::size_t digest_bytes() { return static_cast<std::size_t>(GetParam().digest_bits) / 8; }
  static int call(int digest_bits, const unsigned char* message, std::uint64_t bits,
                  unsigned char* digest) {
    return GetParam().function(digest_bits, message, bits, digest);
  }
  /// Computes with buffers of exactly the size that the call may touch, so that the address
  /// sanitizer sees one byte too many.
  static Bytes digest_of(const Bytes& message, std::uint64_t bits) {
    const std::unique_ptr<std::uint8_t[]> exact(new std::uint8_t[message.size()]);
    std::copy(message.begin(), message.end(), exact.get());
    const std::unique_ptr<std::uint8_t[]> out(new std::uint8_t[digest_bytes()]);
    EXPECT_EQ(
        call(GetParam().digest_bits, message.empty() ? nullptr : exact.get(), bits, out.get()), 0);
    EXPECT_TRUE(std::equal(message.begin(), message.end(), exact.get())) << "message changed";
    return {out.get(), std::next(out.get(), static_cast<std::ptrdiff_t>(digest_bytes()))};
  }
};

TEST_P(Llh, agrees_with_every_vector_and_leaves_the_message_as_it_was) {
  const std::vector<kat::Vector> vectors = vectors_of(GetParam().name);
  std::vector<Bytes> digests;
  digests.reserve(vectors.size());
  for (const kat::Vector& vector : vectors) {
    digests.push_back(digest_of(vector.message, vector.message_bits));
  }
  const kat::Verdict verdict = kat::compare(vectors, digests);
  EXPECT_EQ(verdict.status, kat::Status::pass) << verdict.detail;
  EXPECT_EQ(verdict.checked, GetParam().rows);
}

TEST_P(Llh, ignores_bits_beyond_the_length_and_heeds_the_last_bit_within) {
  const std::uint64_t two_blocks = 2 * static_cast<std::uint64_t>(GetParam().digest_bits);
  for (std::uint64_t bits = 1; bits <= two_blocks + 9; ++bits) {
    Bytes message = kat::pattern_message((bits + 7) / 8);
    const auto surplus = static_cast<std::uint8_t>(bits % 8 == 0 ? 0U : 0xffU >> (bits % 8));
    message.back() = static_cast<std::uint8_t>(message.back() & ~surplus);
    const Bytes cleared = digest_of(message, bits);
    message.back() = static_cast<std::uint8_t>(message.back() | surplus);
    EXPECT_EQ(digest_of(message, bits), cleared) << bits << " bits";
    message.back() = static_cast<std::uint8_t>(message.back() ^ (0x80U >> ((bits - 1) % 8)));
    EXPECT_NE(digest_of(message, bits), cleared) << bits << " bits";
  }
}

TEST_P(Llh, returns_minus_one_for_another_digest_length_and_writes_nothing) {
  const int digest_bits = GetParam().digest_bits;
  for (const int bits : {0, 8, digest_bits - 1, digest_bits + 1, 2 * digest_bits, -digest_bits}) {
    Bytes digest(digest_bytes(), 0x5a);
    const unsigned char message = 0x61;
    EXPECT_EQ(call(bits, &message, 8, digest.data()), -1) << bits;
    EXPECT_EQ(call(bits, nullptr, 8, digest.data()), -1) << bits;
    EXPECT_EQ(digest, Bytes(digest_bytes(), 0x5a)) << bits;
  }
}

TEST_P(Llh, returns_minus_two_for_a_null_digest_whatever_the_length_is) {
  const unsigned char message = 0x61;
  EXPECT_EQ(call(GetParam().digest_bits, &message, 8, nullptr), -2);
  EXPECT_EQ(call(0, &message, 8, nullptr), -2);
}

TEST_P(Llh, returns_minus_two_for_a_null_message_unless_it_is_empty) {
  Bytes digest(digest_bytes(), 0x5a);
  EXPECT_EQ(call(GetParam().digest_bits, nullptr, 1, digest.data()), -2);
  EXPECT_EQ(digest, Bytes(digest_bytes(), 0x5a));
  EXPECT_EQ(call(GetParam().digest_bits, nullptr, 0, digest.data()), 0);
  EXPECT_EQ(digest, vectors_of(GetParam().name).front().digest);
}

TEST_P(Llh, allows_the_digest_to_replace_the_message) {
  Bytes buffer = kat::pattern_message(digest_bytes() + 1);
  const Bytes expected = digest_of(buffer, 8 * buffer.size());
  ASSERT_EQ(call(GetParam().digest_bits, buffer.data(), 8 * buffer.size(), buffer.data()), 0);
  buffer.pop_back();
  EXPECT_EQ(buffer, expected);
}

INSTANTIATE_TEST_SUITE_P(hashes, Llh,
                         ::testing::Values(Instance{"LLH-256", 256, llh_256_crypt_hash, 38},
                                           Instance{"LLH-512", 512, llh_512_crypt_hash, 38},
                                           Instance{"LLH-768", 768, llh_768_crypt_hash, 39},
                                           Instance{"LLH-1024", 1024, llh_1024_crypt_hash, 38}),
                         [](const auto& tested) {
                           return "llh_" + std::to_string(tested.param.digest_bits);
                         });

TEST(LlhFamily, its_file_says_name_digest_block_and_width_of_the_four_instances) {
  const catalog::Family family =
      catalog::load_family(HASHPROF_SOURCE_DIR "/hashes/hash-16/hash.yaml");
  EXPECT_EQ(family.id, "hash-16");
  ASSERT_EQ(family.instances.size(), 4U);
  std::uint32_t bits = 256;
  for (const catalog::Instance& instance : family.instances) {
    EXPECT_EQ(instance.name, "LLH-" + std::to_string(bits));
    EXPECT_EQ(instance.digest_bits, bits);
    EXPECT_EQ(instance.block_bytes, bits / 8);
    ASSERT_EQ(instance.variants.size(), 2U);
    EXPECT_EQ(instance.variants[0].name, "reference");
    EXPECT_EQ(instance.variants[1].name, "optimized");
    const std::vector<std::pair<std::string, std::string>> define{
        {"LLH_BITS", std::to_string(bits)}};
    EXPECT_EQ(instance.variants[0].settings.define, define);
    EXPECT_EQ(instance.variants[1].settings.define, define);
    bits += 256;
  }
}

TEST(LlhFamily, its_campaign_measures_every_instance_at_the_sizes_of_the_guide) {
  const campaign::Campaign campaign =
      campaign::load_campaign(HASHPROF_SOURCE_DIR "/configs/families/hash-16.yaml");
  ASSERT_EQ(campaign.hashes.size(), 1U);
  EXPECT_EQ(campaign.hashes[0].file, HASHPROF_SOURCE_DIR "/hashes/hash-16/hash.yaml");
  EXPECT_TRUE(campaign.hashes[0].only.empty());
  EXPECT_EQ(campaign.measure.sizes,
            (std::vector<std::uint64_t>{32, 128, 512, 1024, 4096, 8192, 16384, 65536}));
}

}  // namespace
}  // namespace hashprof
