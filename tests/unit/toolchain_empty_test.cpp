// SPDX-License-Identifier: MIT
// Catches an empty library that is built otherwise than the one it is subtracted from, and an own
// part that holds what compiler and linker bring along.
#include "toolchain_fixture.h"

namespace hashprof::toolchain {
namespace {

using EmptyLibraries = Toolchain;

std::string table_of(std::size_t bytes) {
  return "static unsigned char table[" + std::to_string(bytes) +
         "] = {1};\n"
         "unsigned char *address(void);\n"
         "unsigned char *address(void) { return table; }\n";
}

/// Of an empty library that must be there.
elf::Parts empty_parts(const BuildResult& result) {
  const EmptyLibrary empty = result.empty.value_or(EmptyLibrary{{}, "none"});
  EXPECT_EQ(empty.reason, "");
  EXPECT_TRUE(empty.parts.has_value());
  return empty.parts.value_or(elf::Parts{});
}

elf::StaticUse own_part_of(const BuildRequest& request, const BuildResult& result) {
  return own_part(elf::read_image(request.library), result);
}

TEST_F(EmptyLibraries, own_bytes_are_those_of_the_source) {
  const BuildRequest made = request({write(
      "src/a.c",
      "static const int table[256] = {1};\nstatic unsigned char zero[1000];\n"
      "static int data[25] = {1};\n"
      "int CryptHash(int n, const unsigned char *m, unsigned long long l, unsigned char *d)\n"
      "{ (void)m; zero[l] = (unsigned char)n; d[0] = zero[l + 1]; data[l]++;\n"
      "  return table[l] + data[n]; }\n")});
  const BuildResult result = build(made, std::nullopt);
  ASSERT_TRUE(result.is_built) << result.reason;
  EXPECT_GT(empty_parts(result).sum(), 0U);
  const elf::StaticUse own = own_part_of(made, result);
  EXPECT_EQ(own.reason, "");
  EXPECT_GE(own.bss.value_or(0), 1000U);
  EXPECT_LT(own.bss.value_or(0), 1000U + 32);
  EXPECT_GE(own.data.value_or(0), 100U);
  EXPECT_LT(own.data.value_or(0), 100U + 64);
  EXPECT_GE(own.rodata.value_or(0), 1024U);
  EXPECT_LT(own.rodata.value_or(0), 1024U + 256) << "with the unwind table of one function";
  EXPECT_EQ(own.relro, 0U);
  EXPECT_GT(own.text.value_or(0), 20U);
  EXPECT_LT(own.text.value_or(0), 200U);
}

TEST_F(EmptyLibraries, a_source_without_content_owns_nothing) {
  const BuildRequest made = request({write("src/a.c", kEntrySource)});
  const BuildResult result = build(made, std::nullopt);
  EXPECT_GT(empty_parts(result).sum(), 0U);
  // The same source, linked by the log's line without an entry to require.
  const auto source = write("other/nothing.c", "typedef int nothing;\n");
  std::vector<std::string> compile = result.commands.front();
  std::vector<std::string> link = result.commands.back();
  const auto folder = folder_ / "other";
  (void)write("other/exports.map", "{ global: CryptHash; local: *; };\n");
  for (std::string& argument : compile) {
    argument = argument == "d0/a.c" ? source.native()
               : argument == "0.o"  ? (folder / "0.o").native()
                                    : argument;
  }
  std::erase_if(link, [](const std::string& argument) {
    return argument.starts_with("-Wl,--require-defined=");
  });
  for (std::string& argument : link) {
    argument = argument == "0.o" || argument == "library.so" ? (folder / argument).native()
               : argument == "-Wl,--version-script=exports.map"
                   ? "-Wl,--version-script=" + (folder / "exports.map").native()
                   : argument;
  }
  (void)output_of(compile);
  (void)output_of(link);
  const elf::StaticUse own = own_part(elf::read_image(folder / "library.so"), result);
  EXPECT_EQ(own, (elf::StaticUse{0, 0, 0, 0, 0, 0, 0, 0, ""}));
}

TEST_F(EmptyLibraries, a_table_that_grows_is_seen_to_the_byte) {
  const auto own_data = [&](std::size_t bytes) {
    const std::string name = std::to_string(bytes);
    BuildRequest made =
        request({write("src/a.c", kEntrySource), write("src/" + name + ".c", table_of(bytes))});
    made.library = folder_ / "run/lib" / (name + ".so");
    return own_part_of(made, build(made, std::nullopt)).data.value_or(0);
  };
  EXPECT_EQ(own_data(4096 + 320) - own_data(320), 4096U);
}

TEST_F(EmptyLibraries, are_there_for_every_language_profile_and_compiler) {
  const auto c = write("src/a.c", kEntrySource);
  const auto cxx = write("src/b.cpp", std::string("extern \"C\" ") + kEntrySource);
  for (const char* compiler : {"gcc", "clang"}) {
    for (const auto& source : {c, cxx}) {
      for (const Profile& profile : profiles()) {
        if (profile.machine == "aarch64") {
          continue;
        }
        BuildRequest made = request({source});
        made.settings.language = source == c ? "c99" : "c++17";
        made.profile = profile;
        made.compiler = identify_compiler(compiler, needs_cxx(made.settings));
        const BuildResult result = build(made, std::nullopt);
        const std::string what = std::string(compiler) + " " + profile.name + " " + source.native();
        ASSERT_TRUE(result.is_built) << what << result.reason;
        EXPECT_GT(empty_parts(result).sum(), 0U) << what;
        EXPECT_GT(own_part_of(made, result).text.value_or(0), 0U) << what;
      }
    }
  }
}

TEST_F(EmptyLibraries, the_header_of_a_build_is_content) {
  BuildRequest made = request({write("src/a.c", kEntrySource)});
  made.settings.header =
      write("src/tables.h", "static int used[100] __attribute__((used)) = {1};\n");
  const BuildResult result = build(made, std::nullopt);
  ASSERT_TRUE(result.is_built) << result.reason;
  EXPECT_GE(own_part_of(made, result).data.value_or(0), 400U);
}

TEST_F(EmptyLibraries, survive_json_reuse_and_cache) {
  BuildRequest made = request({write("src/a.c", kEntrySource)});
  made.cache = folder_ / "cache";
  const BuildResult first = build(made, std::nullopt);
  EXPECT_GT(empty_parts(first).sum(), 0U);
  const BuildResult loaded =
      build_from_json(json::parse(json::write_pretty(to_json(first)), "build.json"));
  EXPECT_EQ(loaded.empty, first.empty);
  const BuildResult reused = build(made, loaded);
  EXPECT_TRUE(reused.is_reused);
  EXPECT_EQ(reused.empty, first.empty);
  made.library = folder_ / "run/lib/b.so";
  const BuildResult cached = build(made, std::nullopt);
  EXPECT_TRUE(cached.is_from_cache);
  EXPECT_EQ(cached.empty, first.empty);
}

TEST_F(EmptyLibraries, of_a_result_without_one_are_made_when_it_is_reused) {
  const BuildRequest made = request({write("src/a.c", kEntrySource)});
  const BuildResult first = build(made, std::nullopt);
  json::Object old;
  const json::Value whole = to_json(first);
  for (const json::Member& member : whole.as_object()) {
    if (member.first != "empty") {
      old.push_back(member);
    }
  }
  const BuildResult loaded = build_from_json(old);
  EXPECT_EQ(loaded.empty, std::nullopt);
  EXPECT_EQ(own_part_of(made, loaded),
            elf::absent_use("no empty library was made when this one was built"));
  const BuildResult reused = build(made, loaded);
  EXPECT_TRUE(reused.is_reused);
  EXPECT_EQ(reused.empty, first.empty);
}

TEST_F(EmptyLibraries, of_a_library_that_came_built_are_absent_with_a_reason) {
  const BuildRequest made = request({write("src/a.c", kEntrySource)});
  ASSERT_TRUE(build(made, std::nullopt).is_built);
  BuildRequest prebuilt = made;
  prebuilt.settings.library = made.library;
  prebuilt.library = folder_ / "run/lib/c.so";
  const std::string reason = "the library came built: no empty one can be built the same way";
  const BuildResult result = build(prebuilt, std::nullopt);
  ASSERT_TRUE(result.is_built) << result.reason;
  EXPECT_EQ(result.empty, (EmptyLibrary{{}, reason}));
  EXPECT_EQ(own_part_of(prebuilt, result), elf::absent_use(reason));
  EXPECT_EQ(build_from_json(to_json(result)).empty, result.empty);
}

}  // namespace
}  // namespace hashprof::toolchain
