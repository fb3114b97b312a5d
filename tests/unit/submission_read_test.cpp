// SPDX-License-Identifier: MIT
// Catches implementations that are not found, told apart or joined, and includes that are lost.
#include <gtest/gtest.h>

#include <filesystem>

#include "base/error.h"
#include "base/file.h"
#include "submission/submission.h"
#include "temporary_folder.h"

namespace hashprof::submission {
namespace {

constexpr const char* kEntry = "int CryptHash(int b) { return b; }\n";

class SubmissionTest : public ::testing::Test {
 protected:
  void write(const std::string& name, const std::string& text) {
    const auto path = folder_.path() / "fam" / name;
    make_directories(path.parent_path());
    write_file_atomically(path, text);
  }
  [[nodiscard]] Submission read() const { return read_submission(folder_.path() / "fam"); }
  /// "NAME bits variant:source,source variant:..."; one line an instance.
  [[nodiscard]] std::string found() const {
    const Submission submission = read();
    std::string out;
    for (const Instance& instance : submission.instances) {
      out += instance.name + " " + std::to_string(instance.digest_bits);
      for (const InstanceVariant& own : instance.variants) {
        out += " " + own.name + ":";
        for (const auto& source : own.implementation.sources) {
          out += submission.tree.shown(source) + ",";
        }
      }
      out += "\n";
    }
    return out;
  }
  TemporaryFolder folder_;
};

std::string header(const std::string& name, unsigned bits) {
  return "#define ALGORITHM_INSTANCE \"" + name + "\"\n#define DIGEST_BIT_LENGTH " +
         std::to_string(bits) + "\n";
}

TEST_F(SubmissionTest, references_and_optimized_ones_are_joined_by_name) {
  for (const char* part : {"Reference_Implementation/A/", "Optimized_Implementation/A/"}) {
    write(std::string(part) + "x.c", kEntry);
  }
  write("Reference_Implementation/A/x.h", header("Toy-256", 256));
  write("Optimized_Implementation/A/x.h", header("toy_256", 256));
  EXPECT_EQ(found(),
            "Toy-256 256 reference:Reference_Implementation/A/x.c, "
            "optimized:Optimized_Implementation/A/x.c,\n");
}

TEST_F(SubmissionTest, one_name_with_two_lengths_is_two_instances) {
  write("a/x.c", kEntry);
  write("a/x.h", header("Toy", 256));
  write("b/x.c", kEntry);
  write("b/x.h", header("Toy", 512));
  EXPECT_EQ(found(), "Toy 256 reference:a/x.c,\nToy_2 512 reference:b/x.c,\n");
}

TEST_F(SubmissionTest, several_definitions_are_all_told) {
  write("x.c", kEntry);
  write("x.h",
        "#if W\n" + header("Toy-256", 256) + "#else\n" + header("Toy-512", 512) + "#endif\n");
  const Implementation own = read().instances.at(0).variants.at(0).implementation;
  EXPECT_EQ(own.unsure, (std::vector<std::string>{
                            "ALGORITHM_INSTANCE is Toy-256 or Toy-512; the first was taken",
                            "DIGEST_BIT_LENGTH is 256 bits or 512 bits; the first possible one "
                            "was taken"}));
}

TEST_F(SubmissionTest, a_length_that_no_header_has_is_unsure) {
  write("Toy-384/x.c", kEntry);
  const Submission submission = read();
  EXPECT_EQ(submission.instances.at(0).digest_bits, 384U);
  EXPECT_EQ(submission.instances.at(0).unsure.size(), 1U);
}

TEST_F(SubmissionTest, headers_below_and_beside_bring_their_sources) {
  write("Toy-256/x.c",
        std::string("#include \"deep/low.h\"\n#include \"../common/c.h\"\n") + kEntry);
  write("Toy-256/deep/low.h", "#include \"x.h\"\n");
  write("Toy-256/deep/low.c", "#include \"part.c\"\n");
  write("Toy-256/deep/part.c", "");
  write("Toy-256/x.h", header("Toy-256", 256));
  write("common/c.h", "");
  write("common/c.c", "");
  write("common/other.c", "");
  EXPECT_EQ(found(), "Toy-256 256 reference:Toy-256/x.c,Toy-256/deep/low.c,common/c.c,\n");
  const Implementation own = read().instances.at(0).variants.at(0).implementation;
  ASSERT_EQ(own.include.size(), 1U);
  EXPECT_EQ(own.include[0].filename(), "Toy-256");
}

TEST_F(SubmissionTest, of_several_places_above_all_are_named_and_none_is_suggested) {
  write("Toy/x.c", std::string("#include \"low.h\"\n") + kEntry);
  write("lib/avx2/low.h", "");
  write("lib/plain/low.h", "");
  const Implementation own = read().instances.at(0).variants.at(0).implementation;
  EXPECT_TRUE(own.suggested_include.empty());
  ASSERT_EQ(own.unsure.size(), 1U);
  EXPECT_EQ(own.unsure[0],
            "x.c includes \"low.h\", which is in no folder here: add what belongs to one of "
            "lib/avx2/low.h, lib/plain/low.h");
}

TEST_F(SubmissionTest, an_entry_in_an_included_source_counts) {
  write("Toy/x.c", "#include \"core.c\"\n");
  write("Toy/core.c", kEntry);
  EXPECT_EQ(found(), "Toy 512 reference:Toy/x.c,\n");
}

TEST_F(SubmissionTest, of_two_entries_in_one_folder_one_is_taken) {
  write("Toy/CryptHash_AlgorithmInstance.c", kEntry);
  write("Toy/A.c", kEntry);
  EXPECT_EQ(found(), "Toy 512 reference:Toy/CryptHash_AlgorithmInstance.c,\n");
  EXPECT_EQ(read().instances[0].variants[0].implementation.left_out.at(0).reason,
            "defines the entry that CryptHash_AlgorithmInstance.c defines");
}

TEST_F(SubmissionTest, the_layout_of_supercop) {
  for (const char* name : {"ref", "avx2"}) {
    write(std::string("crypto_hash/toy/") + name + "/api.h", "#define CRYPTO_BYTES 64\n");
    write(std::string("crypto_hash/toy/") + name + "/h.c", "int crypto_hash(void) { return 0; }");
  }
  EXPECT_EQ(found(), "toy 512 reference:crypto_hash/toy/ref/h.c, avx2:crypto_hash/toy/avx2/h.c,\n");
  EXPECT_EQ(read().api, Api::supercop);
}

TEST_F(SubmissionTest, folders_too_deep_and_links_are_noted) {
  write("x.c", kEntry);
  write("1/2/3/4/5/6/7/8/9/y.c", kEntry);
  std::filesystem::create_directory_symlink("/etc", folder_.path() / "fam/etc");
  const Submission submission = read();
  EXPECT_EQ(submission.instances.size(), 1U);
  EXPECT_EQ(submission.notes,
            (std::vector<std::string>{"1/2/3/4/5/6/7/8/9: is deeper than 8 folders: passed over",
                                      "etc: is a link out of the folder: not followed"}));
}

TEST_F(SubmissionTest, a_large_source_is_not_looked_into) {
  write("x.c", kEntry);
  write("t.c", std::string(5U << 20U, ' '));
  const Submission submission = read();
  ASSERT_EQ(submission.notes.size(), 1U);
  EXPECT_EQ(submission.notes[0].rfind("t.c: is not looked into: larger than 4194304 bytes", 0), 0U)
      << submission.notes[0];
}

TEST_F(SubmissionTest, what_is_no_submission_is_a_fault) {
  EXPECT_THROW((void)read(), Error);
  write("notes.txt", "int CryptHash(int b) { }");
  try {
    (void)read();
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::configuration);
    EXPECT_EQ(error.message(), "no source in it defines CryptHash or crypto_hash");
  }
}

}  // namespace
}  // namespace hashprof::submission
