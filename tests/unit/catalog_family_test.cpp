// SPDX-License-Identifier: MIT
// Catches build settings that are merged in the wrong order, a path that is resolved against the
// wrong folder, and a hash.yaml that is accepted though it asks for what this version cannot do.
#include "catalog/family.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "temporary_folder.h"
#include "yaml_faults.h"

namespace hashprof::catalog {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

Family family_of(const std::string& text) { return parse_family(text, "/h/hash.yaml"); }

/// A refusal of a file that is right but for `rest`, which begins at line 3.
std::string refusal(const std::string& rest) {
  return fault_text([&] { (void)parse_family("hashprof: 1\nid: x\n" + rest, "h.yaml"); });
}
/// The same with one instance at line 3 and `rest` from line 4.
std::string refusal_beside(const std::string& rest) {
  return refusal("instances: {I: {digest_bits: 256, build: {sources: [i.c]}}}\n" + rest);
}
/// The same for a build mapping that begins at column 8 of line 4.
std::string build_refusal(const std::string& build) {
  return refusal_beside("build: " + build + "\n");
}

TEST(Family, the_smallest_file_has_the_defaults) {
  const Family family = family_of(
      "hashprof: 1\nid: sm3\ninstances: {SM3: {digest_bits: 256, build: {sources: [sm3.c]}}}\n");
  EXPECT_EQ(family.id, "sm3");
  EXPECT_EQ(family.name, "sm3");
  EXPECT_EQ(family.category, "cryptographic hash algorithm");
  EXPECT_EQ(family.file, "/h/hash.yaml");
  ASSERT_EQ(family.variants.size(), 1U);
  EXPECT_EQ(family.variants[0].name, "reference");
  EXPECT_EQ(family.variants[0].class_name, "reference");
  ASSERT_EQ(family.instances.size(), 1U);
  ASSERT_EQ(family.instances[0].variants.size(), 1U);
  const BuildSettings& settings = family.instances[0].variants[0].settings;
  EXPECT_THAT(settings.sources, ElementsAre("/h/sm3.c"));
  EXPECT_TRUE(settings.include.empty());
  EXPECT_EQ(settings.language, "c99");
  EXPECT_TRUE(settings.define.empty());
  EXPECT_TRUE(settings.cflags.empty());
  EXPECT_TRUE(settings.libraries.empty());
  EXPECT_EQ(settings.entry, "CryptHash");
  EXPECT_TRUE(family.vector_files.empty());
}

TEST(Family, later_layers_replace_keys_and_lists_but_single_macros) {
  const Family family = family_of(
      "hashprof: 1\nid: x\n"
      "build: {sources: [a.c], include: [one, two], language: c11, define: {A: 1, B: 1, C: 1, D: "
      "1},"
      " cflags: [-fa, -fb], libraries: [m], entry: First}\n"
      "variants:\n"
      "  reference: {class: reference}\n"
      "  fast: {class: optimized, build: {sources: [b.c], define: {B: 2, C: 2, D: 2}, cflags: "
      "[-fc]}}\n"
      "instances:\n"
      "  I:\n"
      "    digest_bits: 512\n"
      "    build: {language: gnu17, define: {C: 3, D: 3, E: 3}, entry: Second}\n"
      "    variants:\n"
      "      fast: {define: {D: 4}, include: [], libraries: []}\n"
      "      reference: {}\n");
  const Instance& instance = family.instances.at(0);
  ASSERT_EQ(instance.variants.size(), 2U);
  EXPECT_EQ(instance.variants[0].name, "reference") << "the family's order, not the instance's";
  const BuildSettings& reference = instance.variants[0].settings;
  EXPECT_THAT(reference.sources, ElementsAre("/h/a.c"));
  EXPECT_THAT(reference.include, ElementsAre("/h/one", "/h/two"));
  EXPECT_EQ(reference.language, "gnu17");
  EXPECT_THAT(reference.define, ElementsAre(Pair("A", "1"), Pair("B", "1"), Pair("C", "3"),
                                            Pair("D", "3"), Pair("E", "3")));
  EXPECT_THAT(reference.cflags, ElementsAre("-fa", "-fb"));
  EXPECT_THAT(reference.libraries, ElementsAre("m"));
  EXPECT_EQ(reference.entry, "Second");
  EXPECT_EQ(instance.variants[1].name, "fast");
  const BuildSettings& fast = instance.variants[1].settings;
  EXPECT_THAT(fast.sources, ElementsAre("/h/b.c"));
  EXPECT_TRUE(fast.include.empty());
  EXPECT_THAT(fast.define, ElementsAre(Pair("A", "1"), Pair("B", "2"), Pair("C", "3"),
                                       Pair("D", "4"), Pair("E", "3")));
  EXPECT_THAT(fast.cflags, ElementsAre("-fc"));
  EXPECT_TRUE(fast.libraries.empty());
}

TEST(Family, an_instance_has_every_variant_unless_it_names_its_own) {
  const Family family = family_of(
      "hashprof: 1\nid: x\nbuild: {sources: [a.c]}\n"
      "variants: {reference: {class: reference}, fast: {class: optimized}}\n"
      "instances: {All: {digest_bits: 8}, One: {digest_bits: 65536, variants: {fast: {}}}}\n");
  EXPECT_EQ(family.instances.at(0).variants.size(), 2U);
  ASSERT_EQ(family.instances.at(1).variants.size(), 1U);
  EXPECT_EQ(family.instances[1].variants[0].name, "fast");
  EXPECT_EQ(family.instances[1].digest_bits, 65536U);
}

TEST(Family, values_of_macros_and_flags_stand_as_they_are_written) {
  const Family family = family_of(
      "hashprof: 1\nid: x\n"
      "build: {sources: [a.c], define: {A: 0x10, B: \"a b\\\"c\", C: \"\", D: yes},"
      " cflags: [\"-DX=$(touch y) ;\", -include, conf.h]}\n"
      "instances: {I: {digest_bits: 256}}\n");
  const BuildSettings& settings = family.instances.at(0).variants.at(0).settings;
  EXPECT_THAT(settings.define,
              ElementsAre(Pair("A", "0x10"), Pair("B", "a b\"c"), Pair("C", ""), Pair("D", "yes")));
  EXPECT_THAT(settings.cflags, ElementsAre("-DX=$(touch y) ;", "-include", "conf.h"));
}

TEST(Family, paths_are_relative_to_the_file_and_nothing_is_expanded) {
  const Family family = parse_family(
      "hashprof: 1\nid: x\n"
      "build: {sources: [\"~/a.c\", \"$HOME/b.c\", \"../c d.c\", \"\\u00e9.c\", \"e\\nf.c\", "
      "/abs/g.c, ./x/../h.c]}\n"
      "instances: {I: {digest_bits: 256}}\nkat: {vectors: [v/one.tsv]}\n",
      "/odd \n folder/in/hash.yaml");
  EXPECT_THAT(family.instances.at(0).variants.at(0).settings.sources,
              ElementsAre("/odd \n folder/in/~/a.c", "/odd \n folder/in/$HOME/b.c",
                          "/odd \n folder/c d.c", "/odd \n folder/in/\u00e9.c",
                          "/odd \n folder/in/e\nf.c", "/abs/g.c", "/odd \n folder/in/h.c"));
  EXPECT_THAT(family.vector_files, ElementsAre("/odd \n folder/in/v/one.tsv"));
}

TEST(Family, a_relative_file_is_relative_to_the_current_folder) {
  const Family family = parse_family(
      "hashprof: 1\nid: x\nbuild: {sources: [a.c]}\ninstances: {I: {digest_bits: 256}}\n",
      "some/../hash.yaml");
  EXPECT_EQ(family.file, std::filesystem::current_path() / "hash.yaml");
  EXPECT_THAT(family.instances.at(0).variants.at(0).settings.sources,
              ElementsAre(std::filesystem::current_path() / "a.c"));
}

TEST(Family, is_loaded_from_a_file_with_an_odd_name) {
  std::string pattern = ::testing::TempDir() + "hashprof-catalog-XXXXXX";
  ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
  const std::filesystem::path file = std::filesystem::path(pattern) / "a b\n\xC3\xA9.yaml";
  std::ofstream(file)
      << "hashprof: 1\nid: x\nbuild: {sources: [a.c]}\ninstances: {I: {digest_bits: 256}}\n";
  const Family family = load_family(file);
  EXPECT_EQ(family.file, file);
  std::filesystem::remove_all(pattern);
  EXPECT_EQ(fault_text([&] { (void)load_family(file); }),
            file.native() + ": open: No such file or directory (ENOENT)");
}

TEST(Family, refuses_what_is_missing) {
  EXPECT_EQ(fault_text([] { (void)parse_family("id: x\n", "h.yaml"); }),
            "h.yaml:1:1: the key 'hashprof' is missing\n"
            "  hint: begin the file with 'hashprof: 1'");
  EXPECT_EQ(fault_text([] { (void)parse_family("hashprof: 1\n", "h.yaml"); }),
            "h.yaml:1:1: the key 'id' is missing\n  hint: add a line 'id: ...'");
  EXPECT_EQ(refusal(""),
            "h.yaml:1:1: the key 'instances' is missing\n"
            "  hint: add a line 'instances: ...'");
  EXPECT_EQ(refusal("instances: {}\n"),
            "h.yaml:3:12: instances: no instance is listed\n"
            "  hint: write 'NAME: {digest_bits: 256}'");
  EXPECT_EQ(refusal("instances: {I: {}}\n"),
            "h.yaml:3:16: instances.I: the key 'digest_bits' is missing\n"
            "  hint: add a line 'digest_bits: ...'");
  EXPECT_EQ(refusal("instances: {I: {digest_bits: 256}}\n"),
            "h.yaml:3:13: instances.I: no sources for the variant 'reference'\n"
            "  hint: list them as 'sources' under build, variants.reference.build, or here under "
            "build or variants.reference");
  EXPECT_EQ(refusal_beside("variants: {}\n"),
            "h.yaml:4:11: variants: no variant is listed\n"
            "  hint: write 'reference: {class: reference}', or remove the key");
  EXPECT_EQ(refusal_beside("variants: {v: {}}\n"),
            "h.yaml:4:15: variants.v: the key 'class' is missing\n"
            "  hint: add a line 'class: ...'");
  EXPECT_EQ(refusal("instances: {I: {digest_bits: 256, variants: {}}}\n"),
            "h.yaml:3:45: instances.I.variants: no variant is listed\n"
            "  hint: name the variants that this instance has, or remove the key for all of them");
}

TEST(Family, refuses_unknown_keys_and_names) {
  EXPECT_EQ(refusal_beside("catgory: x\n"),
            "h.yaml:4:1: catgory: unknown key 'catgory'\n  hint: did you mean 'category'?");
  EXPECT_EQ(refusal("instances: {I: {digest_bits: 256, blok: 64}}\n"),
            "h.yaml:3:35: instances.I.blok: unknown key 'blok'\n  hint: did you mean 'block'?");
  EXPECT_EQ(build_refusal("{source: [a.c]}"),
            "h.yaml:4:9: build.source: unknown key 'source'\n  hint: did you mean 'sources'?");
  EXPECT_EQ(refusal("instances: {I: {digest_bits: 256, variants: {refrence: {}}}}\n"),
            "h.yaml:3:46: instances.I.variants.refrence: unknown variant 'refrence'\n"
            "  hint: did you mean 'reference'?");
  EXPECT_EQ(refusal("instances: {I: {digest_bits: 256, variants: {zzz: {}}}}\n"),
            "h.yaml:3:46: instances.I.variants.zzz: unknown variant 'zzz'\n"
            "  hint: the variants of this family are reference");
  EXPECT_EQ(refusal_beside("variants: {v: {class: optimised}}\n"),
            "h.yaml:4:23: variants.v.class: unknown value 'optimised'\n"
            "  hint: did you mean 'optimized'? it is one of reference, optimized, asm");
  EXPECT_EQ(refusal_beside("api: nist\n"),
            "h.yaml:4:6: api: unknown value 'nist'\n  hint: it is one of ngcc, supercop");
  EXPECT_EQ(
      build_refusal("{language: c90}"),
      "h.yaml:4:19: build.language: unknown value 'c90'\n"
      "  hint: did you mean 'c99'? it is one of c99, c11, c17, gnu99, gnu11, gnu17, c++11, c++14, "
      "c++17, c++20, gnu++11, gnu++14, gnu++17, gnu++20");
}

TEST(Family, takes_sources_in_cxx_and_libraries_that_are_built) {
  const Family family = family_of(
      "hashprof: 1\nid: x\nvariants: {v: {class: optimized, needs_cpu: [avx2, sha_ni]}}\n"
      "build: {language: c++17, cxxflags: [-fno-rtti], header: inc/x.h}\n"
      "instances:\n"
      "  A: {digest_bits: 256, build: {sources: [a.cpp, b.c]}}\n"
      "  B: {digest_bits: 256, library: lib/b.so}\n"
      "  C: {digest_bits: 256, build: {sources: [c.c], header: auto}, variants: {v: {library: "
      "c.so}}}\n");
  EXPECT_THAT(family.variants.at(0).needs_cpu, ElementsAre("avx2", "sha_ni"));
  const BuildSettings& a = family.instances.at(0).variants.at(0).settings;
  EXPECT_EQ(a.language, "c++17");
  EXPECT_THAT(a.cxxflags, ElementsAre("-fno-rtti"));
  EXPECT_EQ(a.header, "/h/inc/x.h");
  EXPECT_EQ(a.library, "");
  const BuildSettings& b = family.instances.at(1).variants.at(0).settings;
  EXPECT_EQ(b.library, "/h/lib/b.so");
  EXPECT_TRUE(b.sources.empty());
  EXPECT_EQ(b.exported(), "CryptHash");
  const BuildSettings& c = family.instances.at(2).variants.at(0).settings;
  EXPECT_EQ(c.library, "/h/c.so");
  EXPECT_EQ(c.header, "");
}

TEST(Family, a_function_of_supercop_is_called_through_another) {
  const Family family = family_of(
      "hashprof: 1\nid: x\napi: supercop\n"
      "instances: {I: {digest_bits: 256, build: {sources: [i.c]}}}\n");
  const BuildSettings& settings = family.instances.at(0).variants.at(0).settings;
  EXPECT_EQ(settings.entry, "crypto_hash");
  EXPECT_EQ(settings.exported(), "hashprof_crypto_hash");
  EXPECT_EQ(refusal("api: supercop\ninstances: {I: {digest_bits: 256, library: l.so}}\n"),
            "h.yaml:4:13: instances.I: a library that is already built has the arguments of api "
            "ngcc\n  hint: put a function CryptHash before crypto_hash in the library, and write "
            "'api: ngcc'");
}

TEST(Family, a_folder_stands_for_its_sources) {
  const TemporaryFolder folder;
  for (const char* name : {"b.c", "a.c", "main.c", "sub/c.cpp", "sub/d.S"}) {
    std::filesystem::create_directories((folder.path() / name).parent_path());
    std::ofstream(folder.path() / name) << "int x;\n";
  }
  std::filesystem::create_directory(folder.path() / "empty");
  const auto sources = [&](const std::string& list) {
    const Family family = parse_family(
        "hashprof: 1\nid: x\ninstances: {I: {digest_bits: 256, build: {sources: " + list + "}}}\n",
        folder.path() / "hash.yaml");
    std::string out;
    for (const auto& file : family.instances.at(0).variants.at(0).settings.sources) {
      out += file.lexically_relative(folder.path()).native() + " ";
    }
    return out;
  };
  EXPECT_EQ(sources("auto"), "a.c b.c ");
  EXPECT_EQ(sources("[sub, a.c, sub/c.cpp]"), "sub/c.cpp sub/d.S a.c ");
  EXPECT_THAT(fault_text([&] { (void)sources("[empty]"); }),
              ::testing::HasSubstr("/empty: holds no source of a hash: 0 files were left out"));
}

TEST(Family, refuses_names_that_cannot_be_file_names) {
  const std::string hint = "\n  hint: a name is 1 to 64 of [A-Za-z0-9_-]: it stands in file names";
  EXPECT_EQ(refusal("instances: {a/b: {digest_bits: 256}}\n"),
            "h.yaml:3:13: instances.a/b: 'a/b' cannot be a name here" + hint);
  EXPECT_EQ(refusal("instances: {a.b: {digest_bits: 256}}\n"),
            "h.yaml:3:13: instances.a.b: 'a.b' cannot be a name here" + hint);
  EXPECT_EQ(refusal("instances: {\"\": {digest_bits: 256}}\n"),
            "h.yaml:3:13: instances.: '' cannot be a name here" + hint);
  EXPECT_EQ(refusal_beside("variants: {\"x y\": {class: reference}}\n"),
            "h.yaml:4:12: variants.x y: 'x y' cannot be a name here" + hint);
  const std::string long_name(65, 'n');
  EXPECT_EQ(
      refusal("instances: {" + long_name + ": {digest_bits: 256}}\n"),
      "h.yaml:3:13: instances." + long_name + ": '" + long_name + "' cannot be a name here" + hint);
  EXPECT_EQ(fault_text([] { (void)parse_family("hashprof: 1\nid: .x\n", "h.yaml"); }),
            "h.yaml:2:5: id: '.x' cannot be a name here\n"
            "  hint: a name is 1 to 64 of [A-Za-z0-9._-], no dot first");
}

TEST(Family, refuses_lengths_that_no_digest_has) {
  const auto bits = [](const std::string& number) {
    return refusal("instances: {I: {digest_bits: " + number + "}}\n");
  };
  EXPECT_EQ(bits("0"),
            "h.yaml:3:30: instances.I.digest_bits: 0 out of range 8…65536\n"
            "  hint: choose a value in that range");
  EXPECT_EQ(bits("65544"),
            "h.yaml:3:30: instances.I.digest_bits: 65544 out of range 8…65536\n"
            "  hint: choose a value in that range");
  EXPECT_EQ(bits("255"),
            "h.yaml:3:30: instances.I.digest_bits: 255 is no multiple of 8\n"
            "  hint: the length of a digest is a whole number of bytes");
  EXPECT_EQ(refusal("instances: {I: {digest_bits: 256, block: 0}}\n"),
            "h.yaml:3:42: instances.I.block: 0 out of range 1…65536\n"
            "  hint: choose a value in that range");
}

TEST(Family, refuses_flags_that_would_take_the_build_out_of_our_hands) {
  const auto flag = [](const std::string& text) {
    return build_refusal("{cflags: [\"" + text + "\"]}");
  };
  const std::string hint = "\n  hint: remove it; hashprof gives the flags of that kind itself";
  const std::string start = "h.yaml:4:18: build.cflags[0]: ";
  for (const std::string text : {"-o", "-oelsewhere", "-MD", "-save-temps=obj", "-dumpdir"}) {
    EXPECT_EQ(flag(text),
              start + "the flag '" + text + "' would change where the output goes" + hint);
  }
  for (const std::string text : {"-c", "-S", "-E", "-xc++", "-shared"}) {
    EXPECT_EQ(flag(text),
              start + "the flag '" + text + "' would change what the compiler makes" + hint);
  }
  EXPECT_EQ(flag("-Wl,-Map=x"),
            start + "the flag '-Wl,-Map=x' would change how the library is linked" + hint);
  EXPECT_EQ(flag("@flags"), start + "the flag '@flags' would hide flags in a file" + hint);
  EXPECT_EQ(flag("-std=gnu11"), start +
                                    "'-std=gnu11' contradicts the key 'language'\n"
                                    "  hint: write 'language: gnu11'");
  EXPECT_EQ(flag(""), start + "is empty\n  hint: write a text, or remove the key");
}

TEST(Family, refuses_build_values_that_no_compiler_takes) {
  EXPECT_EQ(build_refusal("{sources: []}"),
            "h.yaml:4:18: build.sources: no source is listed\n"
            "  hint: list the source files, or write auto");
  EXPECT_EQ(build_refusal("{sources: a.c}"),
            "h.yaml:4:18: build.sources: expected a list, found the text 'a.c'\n"
            "  hint: write '[a, b]', or each item on a line of its own after '- '");
  EXPECT_EQ(build_refusal("{sources: [a.c, ./a.c]}"),
            "h.yaml:4:24: build.sources[1]: './a.c' is listed twice, first at line 4\n"
            "  hint: remove one of the two");
  EXPECT_EQ(build_refusal("{define: {1A: 2}}"),
            "h.yaml:4:18: build.define.1A: '1A' is no name of a macro\n"
            "  hint: a macro is named by letters, digits and '_', and begins with no digit");
  EXPECT_EQ(build_refusal("{define: {A: }}"),
            "h.yaml:4:18: build.define.A: has no value\n"
            "  hint: write a text after the colon, or remove the key");
  EXPECT_EQ(build_refusal("{define: [A]}"),
            "h.yaml:4:17: build.define: expected a mapping, found a list\n"
            "  hint: write 'key: value', with a blank after the colon");
  EXPECT_EQ(build_refusal("{libraries: [-lm]}"),
            "h.yaml:4:21: build.libraries[0]: '-lm' is a flag, not the name of a library\n"
            "  hint: write the name alone: 'm' for -lm");
  EXPECT_EQ(build_refusal("{libraries: [a/b]}"),
            "h.yaml:4:21: build.libraries[0]: 'a/b' cannot be a name here\n"
            "  hint: a name is 1 to 128 of [A-Za-z0-9_+.-]");
  EXPECT_EQ(build_refusal("{entry: \"a b\"}"),
            "h.yaml:4:16: build.entry: 'a b' is no name of a C function\n"
            "  hint: name the function that computes the digest, such as CryptHash");
  EXPECT_EQ(build_refusal("{entry: " + std::string(128, 'e') + "}"),
            "h.yaml:4:16: build.entry: '" + std::string(128, 'e') +
                "' is no name of a C function\n"
                "  hint: name the function that computes the digest, such as CryptHash");
}

TEST(Family, known_answers_may_be_empty) {
  const std::string start =
      "hashprof: 1\nid: x\nbuild: {sources: [a.c]}\ninstances: {I: {digest_bits: 256}}\n";
  EXPECT_TRUE(family_of(start + "kat: {}\n").vector_files.empty());
  EXPECT_TRUE(family_of(start + "kat: {vectors: []}\n").vector_files.empty());
}

TEST(Family, a_manifest_is_a_path_and_names_are_those_of_its_files) {
  const std::string start =
      "hashprof: 1\nid: x\nbuild: {sources: [a.c]}\n"
      "instances: {I-1: {digest_bits: 256}, I-2: {digest_bits: 512}}\n";
  EXPECT_FALSE(family_of(start).manifest.has_value());
  const Family family =
      parse_family(start + "kat: {manifest: in/m.sha256, names: {I-2: i_2}}\n", "/f/hash.yaml");
  EXPECT_EQ(family.manifest, "/f/in/m.sha256");
  EXPECT_EQ(family.kat_name("I-1"), "I-1");
  EXPECT_EQ(family.kat_name("I-2"), "i_2");
}

TEST(Family, names_of_known_answer_files_belong_to_instances) {
  EXPECT_EQ(refusal_beside("kat: {names: {J: j}}\n"),
            "h.yaml:4:15: kat.names.J: unknown instance 'J'\n  hint: did you mean 'I'?");
  EXPECT_EQ(refusal_beside("kat: {names: {I: a/b}}\n"),
            "h.yaml:4:18: kat.names.I: 'a/b' cannot be a name here\n"
            "  hint: a name is 1 to 64 of [A-Za-z0-9_-]");
}

TEST(Family, an_instance_or_one_of_its_variants_says_which_outputs_it_gives) {
  const Family family = parse_family(
      "hashprof: 1\nid: f\nbuild: {sources: [a.c]}\n"
      "variants: {reference: {class: reference}, fast: {class: optimized}}\n"
      "instances:\n  A: {digest_bits: 256}\n  B: {digest_bits: 512, xof: any}\n"
      "  C: {digest_bits: 512, xof: any, variants: {reference: {xof: fixed}, fast: {}}}\n",
      "/h/hash.yaml");
  const auto xof = [&](std::size_t instance, std::size_t variant) {
    return family.instances.at(instance).variants.at(variant).xof;
  };
  EXPECT_EQ(xof(0, 0), std::nullopt);
  EXPECT_EQ(xof(1, 0), Xof::any);
  EXPECT_EQ(xof(1, 1), Xof::any);
  EXPECT_EQ(xof(2, 0), Xof::fixed);
  EXPECT_EQ(xof(2, 1), Xof::any);
}

TEST(Family, an_output_that_nobody_knows_is_refused) {
  EXPECT_EQ(fault_text([] {
              (void)parse_family(
                  "hashprof: 1\nid: f\nbuild: {sources: [a.c]}\n"
                  "instances: {A: {digest_bits: 256, xof: some}}\n",
                  "h.yaml");
            }),
            "h.yaml:4:40: instances.A.xof: unknown value 'some'\n"
            "  hint: it is one of any, fixed");
}

}  // namespace
}  // namespace hashprof::catalog
