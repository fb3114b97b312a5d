// SPDX-License-Identifier: MIT
// Catches a manual page hashprof-hash(5) that says other keys than are read, or an example that is
// not accepted.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "catalog/family.h"
#include "catalog/keys.h"
#include "manual_page.h"

namespace hashprof::catalog {
namespace {

TEST(CatalogManual, describes_every_key_in_the_order_of_the_table_and_no_other) {
  const ManualPage page = read_manual_page("hashprof-hash.5");
  EXPECT_THAT(page.keys, ::testing::ElementsAreArray(paths_of(documented_keys(), false)));
  EXPECT_THAT(page.reserved, ::testing::ElementsAreArray(paths_of(documented_keys(), true)));
}

TEST(CatalogManual, every_key_has_one_line) {
  for (const yaml::Key& key : documented_keys()) {
    EXPECT_FALSE(key.line.empty()) << key.path;
    EXPECT_EQ(key.line.find('\n'), std::string::npos) << key.path;
  }
}

TEST(CatalogManual, its_example_is_read_as_it_says) {
  const ManualPage page = read_manual_page("hashprof-hash.5");
  ASSERT_EQ(page.examples.size(), 1U);
  const Family family = parse_family(page.examples[0], "/h/hash.yaml");
  EXPECT_EQ(family.id, "hash-33");
  EXPECT_EQ(family.name, "Thunder Hash Family");
  ASSERT_EQ(family.instances.size(), 3U);
  EXPECT_EQ(family.instances[2].variants.at(0).settings.library, "/h/prebuilt/libthunder768.so");
  EXPECT_THAT(family.variants.at(1).needs_cpu, ::testing::ElementsAre("avx2"));
  const Instance& small = family.instances[0];
  EXPECT_EQ(small.name, "Thunder-256");
  EXPECT_EQ(small.digest_bits, 256U);
  EXPECT_FALSE(small.block_bytes.has_value());
  ASSERT_EQ(small.variants.size(), 1U);
  EXPECT_EQ(small.variants[0].name, "reference");
  const Instance& large = family.instances[1];
  EXPECT_EQ(large.block_bytes, 128U);
  ASSERT_EQ(large.variants.size(), 2U);
  const BuildSettings& optimized = large.variants[1].settings;
  EXPECT_EQ(optimized.language, "c11");
  EXPECT_THAT(optimized.cflags, ::testing::ElementsAre("-funroll-loops"));
  EXPECT_THAT(optimized.define, ::testing::ElementsAre(::testing::Pair("THUNDER_BITS", "512")));
  EXPECT_THAT(optimized.sources,
              ::testing::ElementsAre("/h/optimized/thunder.c", "/h/optimized/rounds.c"));
  EXPECT_THAT(family.vector_files, ::testing::ElementsAre("/h/thunder_vectors.tsv"));
}

TEST(CatalogManual, its_example_holds_every_key_that_is_read) {
  const std::string example = read_manual_page("hashprof-hash.5").examples.at(0);
  for (const std::string& path : paths_of(documented_keys(), false)) {
    const std::string last = path.substr(path.rfind('.') + 1);
    EXPECT_NE(example.find(last + ":"), std::string::npos) << path;
  }
}

}  // namespace
}  // namespace hashprof::catalog
