// SPDX-License-Identifier: MIT
// Catches a helper function that is wrong at some length of message or output, reads or writes past
// its buffers, depends on bits beyond the message, or accepts a width that it does not have.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <memory>

#include "auxfunc.h"
#include "campaign/campaign.h"
#include "catalog/family.h"
#include "kat/vectors.h"

#define ICCS_FUNCTION pseudoXOF
#define ICCS_BITS 384
#include "iccs/reference/CryptHash_AlgorithmInstance.h"

extern "C" {
using CryptHashFunction = int(int, const unsigned char*, unsigned long long, unsigned char*);
CryptHashFunction sm3hash_256_crypt_hash;
CryptHashFunction pseudohash_512_crypt_hash;
CryptHashFunction pseudohash_768_crypt_hash;
CryptHashFunction pseudohash_1024_crypt_hash;
CryptHashFunction pseudoxof_256_crypt_hash;
CryptHashFunction pseudoxof_384_crypt_hash;
CryptHashFunction pseudoxof_512_crypt_hash;
CryptHashFunction pseudoxof_768_crypt_hash;
CryptHashFunction pseudoxof_1024_crypt_hash;
CryptHashFunction pseudoxof_1152_crypt_hash;
CryptHashFunction pseudoxof_1280_crypt_hash;
CryptHashFunction pseudoxof_2048_crypt_hash;
}

namespace hashprof {
namespace {

using Bytes = std::vector<std::uint8_t>;

struct Instance {
  const char* function;
  int bits;
  CryptHashFunction* crypt_hash;
  [[nodiscard]] std::string name() const {
    return std::string(function) + "-" + std::to_string(bits);
  }
};

std::ostream& operator<<(std::ostream& out, const Instance& instance) {
  return out << instance.name();
}

const std::vector<Instance> kInstances = {{"sm3hash", 256, sm3hash_256_crypt_hash},
                                          {"pseudohash", 512, pseudohash_512_crypt_hash},
                                          {"pseudohash", 768, pseudohash_768_crypt_hash},
                                          {"pseudohash", 1024, pseudohash_1024_crypt_hash},
                                          {"pseudoXOF", 256, pseudoxof_256_crypt_hash},
                                          {"pseudoXOF", 384, pseudoxof_384_crypt_hash},
                                          {"pseudoXOF", 512, pseudoxof_512_crypt_hash},
                                          {"pseudoXOF", 768, pseudoxof_768_crypt_hash},
                                          {"pseudoXOF", 1024, pseudoxof_1024_crypt_hash},
                                          {"pseudoXOF", 1152, pseudoxof_1152_crypt_hash},
                                          {"pseudoXOF", 1280, pseudoxof_1280_crypt_hash},
                                          {"pseudoXOF", 2048, pseudoxof_2048_crypt_hash}};

/// The rows of both vector files for one name.
std::vector<kat::Vector> rows_of(const std::string& name) {
  std::vector<kat::Vector> rows;
  for (const char* file : {"iccs_vectors.tsv", "iccs_extra_vectors.tsv"}) {
    for (kat::Vector& row :
         kat::load_vectors(std::string(HASHPROF_SOURCE_DIR "/hashes/iccs/") + file)) {
      if (row.instance == name) {
        rows.push_back(std::move(row));
      }
    }
  }
  return rows;
}

/// Calls with buffers of exactly the size that the call may touch, so that the address sanitizer
/// sees one byte too many; an empty message is null.
template <typename Width>
Bytes output_of(int (*function)(Width, const unsigned char*, unsigned long long, unsigned char*),
                Width width, const Bytes& message, std::uint64_t message_bits) {
  const std::unique_ptr<std::uint8_t[]> exact(new std::uint8_t[message.size()]);
  std::copy(message.begin(), message.end(), exact.get());
  const std::size_t bytes = (static_cast<std::size_t>(width) + 7) / 8;
  const std::unique_ptr<std::uint8_t[]> out(new std::uint8_t[bytes]);
  EXPECT_EQ(function(width, message.empty() ? nullptr : exact.get(), message_bits, out.get()), 0);
  EXPECT_TRUE(std::equal(message.begin(), message.end(), exact.get())) << "message changed";
  return {out.get(), std::next(out.get(), static_cast<std::ptrdiff_t>(bytes))};
}

class Iccs : public ::testing::TestWithParam<Instance> {
 protected:
  static Bytes digest_of(const Bytes& message, std::uint64_t bits) {
    return output_of(GetParam().crypt_hash, GetParam().bits, message, bits);
  }
};

TEST_P(Iccs, agrees_with_every_vector) {
  const std::vector<kat::Vector> rows = rows_of(GetParam().name());
  EXPECT_EQ(rows.size(), 43U);
  for (const kat::Vector& row : rows) {
    ASSERT_EQ(row.output_bits, static_cast<std::uint32_t>(GetParam().bits));
    EXPECT_EQ(digest_of(row.message, row.message_bits), row.digest) << row.message_bits << " bits";
  }
}

TEST_P(Iccs, ignores_bits_beyond_the_length_and_heeds_the_last_bit_within) {
  for (std::uint64_t bits = 1; bits <= 521; ++bits) {
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

TEST_P(Iccs, returns_minus_four_for_a_width_that_is_not_its_own_and_writes_nothing) {
  for (const int bits : {0, 8, 255, 256, 512, 768, 1024, 2048, 4096, -256}) {
    if (bits == GetParam().bits) {
      continue;
    }
    Bytes digest(512, 0x5a);
    const unsigned char message = 0x61;
    EXPECT_EQ(GetParam().crypt_hash(bits, &message, 8, digest.data()), -4) << bits;
    EXPECT_EQ(digest, Bytes(512, 0x5a)) << bits;
  }
}

TEST_P(Iccs, allows_the_digest_to_replace_the_message) {
  const std::size_t bytes = static_cast<std::size_t>(GetParam().bits) / 8;
  Bytes buffer = kat::pattern_message(bytes + 1);
  const Bytes expected = digest_of(buffer, 8 * buffer.size());
  ASSERT_EQ(GetParam().crypt_hash(GetParam().bits, buffer.data(), 8 * buffer.size(), buffer.data()),
            0);
  buffer.pop_back();
  EXPECT_EQ(buffer, expected);
}

INSTANTIATE_TEST_SUITE_P(hashes, Iccs, ::testing::ValuesIn(kInstances), [](const auto& tested) {
  return tested.param.function + std::string("_") + std::to_string(tested.param.bits);
});

TEST(IccsPseudoXof, agrees_with_every_vector_of_any_output_length) {
  const std::vector<kat::Vector> rows = rows_of("pseudoXOF-any");
  EXPECT_EQ(rows.size(), 42U);
  for (const kat::Vector& row : rows) {
    EXPECT_EQ(output_of(pseudoXOF, static_cast<unsigned long long>(row.output_bits), row.message,
                        row.message_bits),
              row.digest)
        << row.output_bits << " bits of output";
  }
}

TEST(IccsPseudoXof, writes_nothing_for_an_output_of_no_bits) {
  EXPECT_EQ(pseudoXOF(0, nullptr, 0, nullptr), 0);
}

TEST(IccsFamily, the_official_header_names_the_instance_that_its_macros_select) {
  EXPECT_STREQ(ALGORITHM_INSTANCE, "pseudoXOF-384");
  EXPECT_EQ(DIGEST_BIT_LENGTH, 384);
}

TEST(IccsFamily, its_file_says_name_digest_block_and_macros_of_the_twelve_instances) {
  const catalog::Family family = catalog::load_family(HASHPROF_SOURCE_DIR "/hashes/iccs/hash.yaml");
  EXPECT_EQ(family.id, "iccs");
  EXPECT_EQ(family.category, "reference functions of the programme");
  ASSERT_EQ(family.variants.size(), 1U);
  EXPECT_EQ(family.variants[0].class_name, "reference");
  const std::vector<std::filesystem::path> vectors{
      HASHPROF_SOURCE_DIR "/hashes/iccs/iccs_vectors.tsv",
      HASHPROF_SOURCE_DIR "/hashes/iccs/iccs_extra_vectors.tsv"};
  EXPECT_EQ(family.vector_files, vectors);
  ASSERT_EQ(family.instances.size(), kInstances.size());
  for (std::size_t i = 0; i < kInstances.size(); ++i) {
    const catalog::Instance& instance = family.instances[i];
    EXPECT_EQ(instance.name, kInstances[i].name());
    EXPECT_EQ(instance.digest_bits, static_cast<std::uint32_t>(kInstances[i].bits));
    EXPECT_EQ(instance.block_bytes, 64U);
    const std::vector<std::pair<std::string, std::string>> define{
        {"ICCS_FUNCTION", kInstances[i].function},
        {"ICCS_BITS", std::to_string(kInstances[i].bits)}};
    EXPECT_EQ(instance.variants.at(0).settings.define, define);
  }
}

TEST(IccsFamily, its_campaign_measures_every_instance_at_the_sizes_of_the_guide) {
  const campaign::Campaign campaign =
      campaign::load_campaign(HASHPROF_SOURCE_DIR "/configs/families/iccs.yaml");
  ASSERT_EQ(campaign.hashes.size(), 1U);
  EXPECT_EQ(campaign.hashes[0].file, HASHPROF_SOURCE_DIR "/hashes/iccs/hash.yaml");
  EXPECT_TRUE(campaign.hashes[0].only.empty());
  EXPECT_EQ(campaign.measure.sizes,
            (std::vector<std::uint64_t>{32, 128, 512, 1024, 4096, 8192, 16384, 65536}));
}

}  // namespace
}  // namespace hashprof
