// SPDX-License-Identifier: MIT
// Catches a library that exports more than its entry or has a wrong mode, a build that is repeated
// or reused wrongly, bytes that depend on where they were made, and paths that break a command.
#include <dlfcn.h>

#include "base/sha256.h"
#include "toolchain_fixture.h"

namespace hashprof::toolchain {
namespace {

using Entry = int (*)(int, const unsigned char*, unsigned long long, unsigned char*);

TEST_F(Toolchain, exports_exactly_the_entry_and_the_library_works) {
  const auto a = write("src/a.c", std::string("int helper(void);\nint global_state;\n") +
                                      "int other(void) { return helper(); }\n" + kEntrySource);
  const auto b = write("src/b.c", "int helper(void) { return 7; }\n");
  const BuildResult result = build(request({a, b}), std::nullopt);
  ASSERT_TRUE(result.is_built) << result.reason;
  EXPECT_EQ(result.reason, "");
  EXPECT_FALSE(result.is_reused);
  EXPECT_EQ(exports_of(folder_ / "run/lib/a.so"), std::set<std::string>{"CryptHash"});
  EXPECT_EQ(result.library_sha256, sha256_of_file(folder_ / "run/lib/a.so"));
  void* const handle = ::dlopen((folder_ / "run/lib/a.so").c_str(), RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(handle, nullptr);
  void* const symbol = ::dlsym(handle, "CryptHash");
  ASSERT_NE(symbol, nullptr);
  unsigned char digest = 0;
  EXPECT_EQ(reinterpret_cast<Entry>(symbol)(256, nullptr, 42, &digest), 256);
  EXPECT_EQ(digest, 42);
  EXPECT_EQ(::dlclose(handle), 0);
}

TEST_F(Toolchain, stack_is_not_executable_relocations_are_read_only_and_the_id_is_sha1) {
  const BuildResult result = build(request({write("src/a.c", kEntrySource)}), std::nullopt);
  ASSERT_TRUE(result.is_built) << result.reason;
  const std::string headers =
      output_of({"/usr/bin/readelf", "-lnW", (folder_ / "run/lib/a.so").native()});
  const std::size_t stack = headers.find("GNU_STACK");
  ASSERT_NE(stack, std::string::npos);
  EXPECT_NE(headers.substr(stack, headers.find('\n', stack) - stack).find(" RW "),
            std::string::npos);
  EXPECT_NE(headers.find("GNU_RELRO"), std::string::npos);
  const std::size_t id = headers.find("Build ID: ");
  ASSERT_NE(id, std::string::npos);
  EXPECT_EQ(headers.find('\n', id) - id, std::string("Build ID: ").size() + 40);
}

TEST_F(Toolchain, commands_are_the_guides_flags_and_our_additions) {
  BuildRequest made = request({write("src/a.c", kEntrySource)});
  made.settings.define = {{"W", "512"}, {"NAME", "a b"}};
  made.settings.include = {folder_ / "src"};
  made.settings.cflags = {"-funroll-loops", "-Werror=unused-variable"};
  made.settings.libraries = {"m"};
  const BuildResult result = build(made, std::nullopt);
  ASSERT_TRUE(result.is_built) << result.reason;
  const std::string gcc = made.compiler.path;
  const std::vector<std::string> compile = {gcc,
                                            "-std=c99",
                                            "-Wpedantic",
                                            "-Wall",
                                            "-Wextra",
                                            "-O2",
                                            "-DW=512",
                                            "-DNAME=a b",
                                            "-Id0",
                                            "-funroll-loops",
                                            "-Werror=unused-variable",
                                            "-fPIC",
                                            "-D_GNU_SOURCE",
                                            "-ffile-prefix-map=/proc/self/cwd=.",
                                            "-Wno-error",
                                            "-Wno-error=implicit-function-declaration",
                                            "-Wno-error=incompatible-pointer-types",
                                            "-Wno-error=int-conversion",
                                            "-Wno-error=implicit-int",
                                            "-Wno-error=unused-variable",
                                            "-c",
                                            "d0/a.c",
                                            "-o",
                                            "0.o"};
  const std::vector<std::string> link = {gcc,
                                         "-Wpedantic",
                                         "-Wall",
                                         "-Wextra",
                                         "-O2",
                                         "-funroll-loops",
                                         "-Werror=unused-variable",
                                         "-fPIC",
                                         "-shared",
                                         "-Wl,--version-script=exports.map",
                                         "-Wl,-Bsymbolic",
                                         "-Wl,--no-undefined",
                                         "-Wl,-z,noexecstack",
                                         "-Wl,-z,relro",
                                         "-Wl,--build-id=sha1",
                                         "-Wl,--require-defined=CryptHash",
                                         "0.o",
                                         "-lm",
                                         "-o",
                                         "library.so"};
  EXPECT_EQ(result.commands, (std::vector<std::vector<std::string>>{compile, link}));
  EXPECT_EQ(result.profile, "guide");
}

TEST_F(Toolchain, the_log_repeats_the_build_when_it_is_given_to_a_shell) {
  BuildRequest made = request({write("src/it's a.c", kEntrySource)});
  made.settings.define = {{"TEXT", "\"a $HOME\""}};
  const BuildResult result = build(made, std::nullopt);
  ASSERT_TRUE(result.is_built) << result.reason;
  std::istringstream lines(content(made.log));
  std::string script = "set -e\n";
  for (std::string line; std::getline(lines, line);) {
    script += line.starts_with("$ ") ? line.substr(2) + "\n" : "";
  }
  (void)output_of({"/bin/sh", "-c", script});
  EXPECT_EQ(sha256_of_file(made.library.native() + ".build/library.so"), result.library_sha256);
}

TEST_F(Toolchain, the_library_is_readable_by_all_whatever_the_umask) {
  const auto source = write("src/a.c", kEntrySource);
  const mode_t old = ::umask(0077);
  const BuildResult result = build(request({source}), std::nullopt);
  (void)::umask(old);
  ASSERT_TRUE(result.is_built) << result.reason;
  struct stat status {};
  ASSERT_EQ(::stat((folder_ / "run/lib/a.so").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777U, 0644U);
  ASSERT_EQ(::stat((folder_ / "run/build/a.log").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777U, 0644U);
}

TEST_F(Toolchain, bytes_do_not_depend_on_folders_or_on_the_day) {
  const std::string source = std::string("const char *where(void);\n") +
                             "const char *where(void) { return __FILE__ __DATE__; }\n" +
                             kEntrySource;
  BuildRequest one = request({write("src/a.c", source)});
  one.settings.cflags = {"-g"};
  BuildRequest two = request({write("elsewhere/deep er/a.c", source)});
  two.settings.cflags = {"-g"};
  two.library = folder_ / "another run/b.so";
  const BuildResult first = build(one, std::nullopt);
  const BuildResult second = build(two, std::nullopt);
  ASSERT_TRUE(first.is_built) << first.reason;
  ASSERT_TRUE(second.is_built) << second.reason;
  EXPECT_EQ(first.library_sha256, second.library_sha256);
  EXPECT_EQ(content(one.library).find(folder_.native()), std::string::npos);
}

TEST_F(Toolchain, sources_of_equal_names_in_two_folders_are_both_linked) {
  const auto a = write("src/x/core.c", "int one(void);\nint one(void) { return 1; }\n");
  const auto b = write("src/y/core.c",
                       std::string("int one(void);\n") + "int CryptHash(void) { return one(); }\n");
  const BuildResult result = build(request({a, b}), std::nullopt);
  EXPECT_TRUE(result.is_built) << result.reason;
}

TEST_F(Toolchain, unchanged_inputs_are_not_rebuilt) {
  write("src/inner/a.h", "#define V 1\n");
  const auto source =
      write("src/a.c", std::string("#include <stdio.h>\n#include \"inner/a.h\"\n") + kEntrySource);
  const BuildResult first = build(request({source}), std::nullopt);
  ASSERT_TRUE(first.is_built) << first.reason;
  EXPECT_EQ(first.inputs, (std::vector<InputFile>{{source.native(), sha256_of_file(source)},
                                                  {(folder_ / "src/inner/a.h").native(),
                                                   sha256_of_file(folder_ / "src/inner/a.h")}}));
  const std::string log = content(folder_ / "run/build/a.log");
  const auto time = std::filesystem::last_write_time(folder_ / "run/lib/a.so");
  const BuildResult second = build(request({source}), first);
  EXPECT_TRUE(second.is_built);
  EXPECT_TRUE(second.is_reused);
  EXPECT_EQ(second.library_sha256, first.library_sha256);
  EXPECT_EQ(second.inputs, first.inputs);
  EXPECT_EQ(std::filesystem::last_write_time(folder_ / "run/lib/a.so"), time);
  EXPECT_EQ(content(folder_ / "run/build/a.log"), log);
}

TEST_F(Toolchain, a_changed_header_command_compiler_or_library_is_rebuilt) {
  write("src/a.h", "#define V 1\n");
  const auto source = write("src/a.c", std::string("#include \"a.h\"\nint v(void);\n") +
                                           "int v(void) { return V; }\n" + kEntrySource);
  const BuildResult first = build(request({source}), std::nullopt);
  ASSERT_TRUE(first.is_built) << first.reason;

  BuildRequest other = request({source});
  other.settings.define = {{"X", "1"}};
  EXPECT_FALSE(build(other, first).is_reused);
  other = request({source});
  other.compiler.version += " patched";
  EXPECT_FALSE(build(other, first).is_reused);

  EXPECT_TRUE(build(request({source}), first).is_reused);
  std::filesystem::permissions(folder_ / "run/lib/a.so", std::filesystem::perms(0600));
  EXPECT_FALSE(build(request({source}), first).is_reused);
  std::ofstream(folder_ / "run/lib/a.so", std::ios::app) << "x";
  EXPECT_FALSE(build(request({source}), first).is_reused);
  std::filesystem::remove(folder_ / "run/lib/a.so");
  EXPECT_FALSE(build(request({source}), first).is_reused);

  EXPECT_TRUE(changed_inputs(first).empty());
  write("src/a.h", "#define V 2\n");
  EXPECT_EQ(changed_inputs(first), std::vector<std::string>{(folder_ / "src/a.h").native()});
  const BuildResult second = build(request({source}), first);
  EXPECT_TRUE(second.is_built);
  EXPECT_FALSE(second.is_reused);
  std::filesystem::remove(source);
  EXPECT_EQ(changed_inputs(first),
            (std::vector<std::string>{source.native(), (folder_ / "src/a.h").native()}));
}

TEST_F(Toolchain, a_new_header_that_hides_another_is_noticed) {
  write("src/far/a.h", "#define V 1\n");
  std::filesystem::create_directory(folder_ / "src/near");
  BuildRequest made = request({write("src/a.c", std::string("#include <a.h>\n") + kEntrySource)});
  made.settings.include = {folder_ / "src/near", folder_ / "src/far"};
  const BuildResult first = build(made, std::nullopt);
  ASSERT_TRUE(first.is_built) << first.reason;
  write("src/near/a.h", "#define V 2\n");
  const BuildResult second = build(made, first);
  EXPECT_FALSE(second.is_reused);
  ASSERT_EQ(second.inputs.size(), 2U);
  EXPECT_EQ(second.inputs[1].path, (folder_ / "src/near/a.h").native());
}

TEST_F(Toolchain, an_included_source_outside_its_folder_is_an_input_by_its_real_name) {
  const auto core = write("src/lib/core.c", kEntrySource);
  const auto source = write("src/deep/wrapper.c", "#include \"../lib/core.c\"\n");
  const BuildResult result = build(request({source}), std::nullopt);
  ASSERT_TRUE(result.is_built) << result.reason;
  ASSERT_EQ(result.inputs.size(), 2U);
  EXPECT_EQ(result.inputs[1].path, core.native());
}

class OddPaths : public Toolchain, public ::testing::WithParamInterface<const char*> {};

TEST_P(OddPaths, are_compiled_found_as_inputs_and_reused) {
  const std::string odd = GetParam();
  const auto header = write("src/" + odd + "/" + odd + ".h", "#define V 1\n");
  // The header is reached by a macro-free computed name: escapes of C strings are not wanted here.
  const auto plain = write("src/" + odd + "/plain.h", "#define W 1\n");
  const auto source = write("src/" + odd + "/" + odd + ".c",
                            std::string("#include \"plain.h\"\nint x = W;\n") + kEntrySource);
  BuildRequest made = request({source});
  made.settings.include = {folder_ / "src" / odd};
  made.library = folder_ / ("run " + odd) / (odd + ".so");
  made.log = folder_ / ("run " + odd) / (odd + ".log");
  const BuildResult first = build(made, std::nullopt);
  ASSERT_TRUE(first.is_built) << first.reason;
  ASSERT_EQ(first.inputs.size(), 2U);
  EXPECT_EQ(first.inputs[0].path, source.native());
  EXPECT_EQ(first.inputs[1].path, plain.native());
  EXPECT_EQ(exports_of(made.library), std::set<std::string>{"CryptHash"});
  const json::Value value = to_json(first);
  EXPECT_EQ(json::parse(json::write_pretty(value), "t"), value);
  EXPECT_TRUE(build(made, build_from_json(value)).is_reused);
  write("src/" + odd + "/plain.h", "#define W 2\n");
  EXPECT_FALSE(build(made, first).is_reused);
}

INSTANTIATE_TEST_SUITE_P(names, OddPaths,
                         ::testing::Values("two words", "-o", "@list", "a\nb", "quote'\"", "d$HOME",
                                           "a#b:c", "back\\slash", "percent%1=x",
                                           "\xE5\x93\x88 \xC3\xA9", "`id`;&|<>*?", "tab\there"));

TEST_F(Toolchain, headers_of_odd_names_are_inputs) {
  for (const char* const odd :
       {"two words.h", "a:b#c$d.h", "\xE5\x93\x88.h", "back\\slash.h", "it's.h"}) {
    const auto header = write(std::string("src/") + odd, "#define V 1\n");
    const auto source =
        write("src/a.c", std::string("#include \"") + odd + "\"\nint x = V;\n" + kEntrySource);
    const BuildResult result = build(request({source}), std::nullopt);
    ASSERT_TRUE(result.is_built) << result.reason;
    ASSERT_EQ(result.inputs.size(), 2U) << odd;
    EXPECT_EQ(result.inputs[1].path, header.native());
  }
}

TEST_F(Toolchain, a_result_survives_json) {
  const BuildResult built = build(request({write("src/a.c", kEntrySource)}), std::nullopt);
  const BuildResult failed = build(request({write("src/b.c", "x")}), std::nullopt);
  for (const BuildResult& result : {built, failed}) {
    const BuildResult back = build_from_json(to_json(result));
    EXPECT_EQ(back.label, result.label);
    EXPECT_EQ(back.is_built, result.is_built);
    EXPECT_EQ(back.reason, result.reason);
    EXPECT_EQ(back.is_reused, result.is_reused);
    EXPECT_EQ(back.is_interrupted, result.is_interrupted);
    EXPECT_EQ(back.commands, result.commands);
    EXPECT_EQ(back.inputs, result.inputs);
    EXPECT_EQ(back.compiler.command, result.compiler.command);
    EXPECT_EQ(back.compiler.path, result.compiler.path);
    EXPECT_EQ(back.compiler.version, result.compiler.version);
    EXPECT_EQ(back.compiler.target, result.compiler.target);
    EXPECT_EQ(back.profile, result.profile);
    EXPECT_EQ(back.library_sha256, result.library_sha256);
  }
  EXPECT_TRUE(to_json(built).at("reason").is_null());
  EXPECT_TRUE(to_json(failed).at("library_sha256").is_null());
}

}  // namespace
}  // namespace hashprof::toolchain
