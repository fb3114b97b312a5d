// SPDX-License-Identifier: MIT
// Catches a compiler that is found by chance (a relative PATH, a folder) or whose absence is not
// explained.
#include "base/text.h"
#include "toolchain_fixture.h"

namespace hashprof::toolchain {
namespace {

class Compiler : public Toolchain {
 protected:
  void SetUp() override {
    Toolchain::SetUp();
    path_ = std::getenv("PATH");
  }
  void TearDown() override {
    ASSERT_EQ(::setenv("PATH", path_.c_str(), 1), 0);
    Toolchain::TearDown();
  }
  static std::string error_of(const std::string& command) {
    try {
      (void)identify_compiler(command);
    } catch (const Error& error) {
      EXPECT_EQ(error.fault(), Fault::environment);
      return error.render();
    }
    return "no error";
  }
  std::string path_;
};

TEST_F(Compiler, gcc_is_found_and_says_who_it_is) {
  const CompilerIdentity gcc = identify_compiler("gcc");
  EXPECT_EQ(gcc.command, "gcc");
  EXPECT_TRUE(gcc.path.starts_with("/"));
  EXPECT_TRUE(gcc.path.ends_with("/gcc"));
  EXPECT_EQ(gcc.version + "\n",
            output_of({gcc.path, "--version"}).substr(0, gcc.version.size() + 1));
  EXPECT_EQ(gcc.target + "\n", output_of({gcc.path, "-dumpmachine"}));
}

TEST_F(Compiler, the_first_program_of_path_counts_and_folders_and_relative_elements_do_not) {
  const CompilerIdentity fake =
      script("case $1 in -dumpmachine) echo box;; *) echo fake 2;; esac\n");
  std::filesystem::create_directories(folder_ / "one/fake-cc");
  ASSERT_EQ(::setenv("PATH", ("::.:" + folder_.native() + "/one:" + folder_.native()).c_str(), 1),
            0);
  const CompilerIdentity found = identify_compiler("fake-cc");
  EXPECT_EQ(found.path, fake.path);
  EXPECT_EQ(found.version, "fake 2");
  EXPECT_EQ(found.target, "box");
  EXPECT_EQ(identify_compiler(fake.path).path, fake.path);
}

TEST_F(Compiler, a_missing_compiler_names_it_where_it_was_sought_and_the_package) {
  ASSERT_EQ(::setenv("PATH", "/none:/nothing", 1), 0);
  EXPECT_EQ(error_of("gcc"),
            "hashprof: error: compiler 'gcc': not found in PATH (/none:/nothing)\n"
            "  hint: apt-get install gcc, or name another compiler\n");
  EXPECT_EQ(error_of("clang-14"),
            "hashprof: error: compiler 'clang-14': not found in PATH (/none:/nothing)\n"
            "  hint: apt-get install clang, or name another compiler\n");
  EXPECT_EQ(error_of("/none/gcc"),
            "hashprof: error: compiler '/none/gcc': no such program\n"
            "  hint: apt-get install gcc, or name another compiler\n");
}

TEST_F(Compiler, a_program_that_does_not_answer_like_a_compiler_is_refused) {
  const CompilerIdentity fake = script("exit 4\n");
  EXPECT_EQ(error_of(fake.path), "hashprof: error: compiler '" + fake.path + "': '" + fake.path +
                                     " --version' ended with status 4\n"
                                     "  hint: apt-get install gcc, or name another compiler\n");
}

TEST_F(Compiler, the_guide_profile_is_the_guides) {
  EXPECT_EQ(profiles()[0].name, "guide");
  EXPECT_EQ(text::join(profiles()[0].flags, " "), "-Wpedantic -Wall -Wextra -O2");
  EXPECT_EQ(profiles()[0].source,
            "guide for performance self-assessment, section 3.2, reference version");
  const auto flags_of = [](const std::string& name, const std::string& target) {
    const auto profile = find_profile(name, target);
    return profile ? text::join(profile->flags, " ") + " | " + text::join(profile->needs_cpu, " ")
                   : "none";
  };
  EXPECT_EQ(flags_of("guide", "riscv64-linux-gnu"), "-Wpedantic -Wall -Wextra -O2 | ");
  EXPECT_EQ(flags_of("performance", "x86_64-linux-gnu"),
            "-O3 -march=x86-64 -mavx2 -mtune=native -flto -fomit-frame-pointer -Wpedantic -Wall "
            "-Wextra | avx2");
  EXPECT_EQ(flags_of("performance", "aarch64-linux-gnu"),
            "-O3 -march=armv8.2-a+sve -flto -fomit-frame-pointer -Wpedantic -Wall -Wextra | sve");
  EXPECT_EQ(flags_of("resource", "x86_64-linux-gnu"),
            "-Os -march=x86-64 -mavx2 -flto -fomit-frame-pointer -Wpedantic -Wall -Wextra | avx2");
  EXPECT_EQ(flags_of("resource", "aarch64-linux-gnu"), "none");
  EXPECT_EQ(flags_of("performance", "riscv64-linux-gnu"), "none");
}

TEST_F(Compiler, c_and_cxx_compilers_are_pairs) {
  ASSERT_EQ(::setenv("PATH", path_.c_str(), 1), 0);
  const CompilerIdentity gcc = identify_compiler("gcc", true);
  EXPECT_EQ(std::filesystem::path(gcc.cxx_path).filename(), "g++");
  EXPECT_EQ(identify_compiler("g++", true).path, gcc.path);
  EXPECT_EQ(identify_compiler("gcc").cxx_path, "");
  EXPECT_EQ(std::filesystem::path(identify_compiler("clang", true).cxx_path).filename(), "clang++");
  EXPECT_NE(gcc.linker.find("ld"), std::string::npos) << gcc.linker;
  EXPECT_EQ(gcc.libc, "glibc " + std::to_string(__GLIBC__) + "." + std::to_string(__GLIBC_MINOR__));
}

TEST_F(Compiler, native_is_resolved) {
  ASSERT_EQ(::setenv("PATH", path_.c_str(), 1), 0);
  for (const char* name : {"gcc", "clang"}) {
    const CompilerIdentity compiler = identify_compiler(name);
    EXPECT_EQ(resolve_native(compiler, {"-O2", "-mtune=generic"}), "");
    const std::string native = resolve_native(compiler, {"-O3", "-mtune=native", "-flto"});
    EXPECT_NE(native.find("tune"), std::string::npos) << native;
    EXPECT_EQ(native.find("=native"), std::string::npos) << native;
  }
}

TEST_F(Compiler, clang_builds_too) {
  ASSERT_EQ(::setenv("PATH", path_.c_str(), 1), 0);
  const CompilerIdentity clang = identify_compiler("clang");
  write("src/e\xC3\xA9/a b.h", "#define V 1\n");
  BuildRequest made =
      request({write("src/a.c", std::string("#include \"e\xC3\xA9/a b.h\"\n") + kEntrySource)});
  made.compiler = clang;
  const BuildResult result = build(made, std::nullopt);
  ASSERT_TRUE(result.is_built) << result.reason;
  ASSERT_EQ(result.inputs.size(), 2U);
  EXPECT_EQ(result.inputs[1].path, (folder_ / "src/e\xC3\xA9/a b.h").native());
  EXPECT_EQ(exports_of(made.library), std::set<std::string>{"CryptHash"});
}

}  // namespace
}  // namespace hashprof::toolchain
