// SPDX-License-Identifier: MIT
// Catches a build whose failure ends the campaign, hides its reason, leaves files or processes
// behind, or writes where it must not: failing sources, floods, hangs, refused settings, signals.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>

#include "toolchain_fixture.h"

namespace hashprof::toolchain {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

class Hostile : public Toolchain {
 protected:
  [[nodiscard]] std::string log_note() const {
    return "; all it said is in " + (folder_ / "run/build/a.log").native();
  }
  [[nodiscard]] std::string reason_of(const BuildRequest& made) const {
    const BuildResult result = build(made, std::nullopt);
    EXPECT_FALSE(result.is_built);
    EXPECT_FALSE(result.is_interrupted);
    EXPECT_EQ(result.library_sha256, "");
    EXPECT_FALSE(std::filesystem::exists(made.library));
    EXPECT_FALSE(std::filesystem::exists(made.library.native() + ".build"));
    EXPECT_NE(content(made.log).find("\nresult: not built: " + result.reason + "\n"),
              std::string::npos);
    return result.reason;
  }
  [[nodiscard]] std::string refusal_of_flag(const std::string& flag) const {
    BuildRequest made = request({folder_ / "src/a.c"});
    made.settings.cflags = {flag};
    return reason_of(made);
  }
  [[nodiscard]] pid_t recorded_pid() const {
    for (int i = 0; i < 500; ++i) {
      pid_t pid = 0;
      if (std::ifstream(folder_ / "pid") >> pid && pid > 0) {
        return pid;
      }
      std::this_thread::sleep_for(milliseconds(10));
    }
    return 0;
  }
  /// Whether a process is gone (or only its exit status is left) within a second.
  static bool ends_within_a_second(pid_t pid) {
    for (int i = 0; i < 100; ++i) {
      const std::optional<std::string> status =
          find_file_text("/proc/" + std::to_string(pid) + "/stat");
      if (!status.has_value() || status->find(") Z ") != std::string::npos) {
        return true;
      }
      std::this_thread::sleep_for(milliseconds(10));
    }
    return false;
  }
};

TEST_F(Hostile, a_failing_compile_names_the_first_error_and_the_log) {
  const auto source = write("src/bad.c", "#warning first\nint x = ;\nint y = ;\n");
  EXPECT_EQ(reason_of(request({source})), "gcc could not compile 'bad.c': " + source.native() +
                                              ":2:9: error: expected expression before ';' token" +
                                              log_note());
  EXPECT_NE(content(folder_ / "run/build/a.log").find("d0/bad.c:2:9: error:"), std::string::npos);
}

TEST_F(Hostile, a_missing_header_names_it) {
  const auto source = write("src/a.c", "#include \"none.h\"\n");
  EXPECT_EQ(reason_of(request({source})),
            "gcc could not compile 'a.c': " + source.native() +
                ":1:10: fatal error: none.h: No such file or directory" + log_note());
}

TEST_F(Hostile, an_undefined_symbol_fails_the_link) {
  const auto source =
      write("src/a.c", "int missing(void);\nint CryptHash(void) { return missing(); }\n");
  const std::string reason = reason_of(request({source}));
  EXPECT_EQ(reason.find("gcc could not link: "), 0U);
  EXPECT_NE(reason.find("undefined reference to `missing'" + log_note()), std::string::npos)
      << reason;
}

TEST_F(Hostile, a_missing_entry_is_said_so) {
  EXPECT_EQ(reason_of(request({write("src/a.c", "int crypt_hash(void) { return 0; }\n")})),
            "gcc could not link: no source defines the entry 'CryptHash'; did you mean "
            "'crypt_hash'?" +
                log_note());
}

TEST_F(Hostile, a_failing_build_leaves_no_earlier_library_behind) {
  const auto source = write("src/a.c", kEntrySource);
  const BuildResult first = build(request({source}), std::nullopt);
  ASSERT_TRUE(first.is_built);
  write("src/a.c", "x");
  EXPECT_FALSE(build(request({source}), first).is_built);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "run/lib/a.so"));
}

TEST_F(Hostile, warnings_of_measured_code_never_fail_a_build) {
  BuildRequest made = request(
      {write("src/a.c",
             "int CryptHash(n) { int unused; char *p = 5; return undeclared_sqrt ? n : *p; }\n"
             "int undeclared_sqrt2(void) { static int i; return i; }\n")});
  made.settings.define = {{"undeclared_sqrt", "1"}};
  made.settings.cflags = {"-Werror", "-Werror=unused-variable", "-Werror=int-conversion"};
  const BuildResult result = build(made, std::nullopt);
  EXPECT_TRUE(result.is_built) << result.reason;
  EXPECT_NE(content(made.log).find("[-Wunused-variable]"), std::string::npos);
}

TEST_F(Hostile, a_flood_of_warnings_is_cut_in_the_log_and_the_error_after_it_is_still_found) {
  std::string flood;
  for (int i = 0; i < 2000; ++i) {
    flood += "#warning \"" + std::string(600, 'w') + "\"\n";
  }
  const auto source = write("src/flood.c", flood + kEntrySource);
  const BuildResult result = build(request({source}), std::nullopt);
  EXPECT_TRUE(result.is_built) << result.reason;
  const std::string log = content(folder_ / "run/build/a.log");
  EXPECT_NE(log.find("\n[output cut here: more than 1048576 bytes]\n[ended with status 0]\n"),
            std::string::npos);
  EXPECT_LT(log.size(), kOutputCap + 8192);

  const auto broken = write("src/flood.c", flood + "int x = ;\n");
  EXPECT_EQ(reason_of(request({broken})),
            "gcc could not compile 'flood.c': " + broken.native() +
                ":2001:9: error: expected expression before ';' token" + log_note());
}

TEST_F(Hostile, a_hanging_compiler_is_killed_with_its_children) {
  BuildRequest made = request({write("src/a.c", kEntrySource)});
  made.compiler = script("sleep 1000 &\necho $! > " + (folder_ / "pid").native() + "\nwait\n");
  made.time_limit = Nanoseconds{500'000'000};
  const auto start = steady_clock::now();
  EXPECT_EQ(reason_of(made),
            "fake-cc could not compile 'a.c': fake-cc did not end within 0.5 s and was killed" +
                log_note());
  EXPECT_LT(steady_clock::now() - start, std::chrono::seconds(10));
  const pid_t child = recorded_pid();
  ASSERT_GT(child, 0);
  EXPECT_TRUE(ends_within_a_second(child));
}

TEST_F(Hostile, a_compiler_that_is_gone_crashes_or_fails_without_a_word_is_named) {
  BuildRequest made = request({write("src/a.c", kEntrySource)});
  made.compiler.path = folder_ / "none";
  EXPECT_EQ(reason_of(made),
            "gcc could not compile 'a.c': gcc could not be started: No such file or directory "
            "(ENOENT)" +
                log_note());
  made.compiler = script("kill -SEGV $$\n");
  EXPECT_EQ(reason_of(made),
            "fake-cc could not compile 'a.c': fake-cc was killed by SIGSEGV" + log_note());
  made.compiler = script("exit 3\n");
  EXPECT_EQ(reason_of(made),
            "fake-cc could not compile 'a.c': fake-cc ended with status 3" + log_note());
}

TEST_F(Hostile, a_build_writes_its_library_and_log_and_nothing_else) {
  const auto source = write("src/a.c", kEntrySource);
  std::set<std::string> expected = tree();
  const BuildResult result = build(request({source}), std::nullopt);
  ASSERT_TRUE(result.is_built) << result.reason;
  expected.insert({"run", "run/lib", "run/lib/a.so", "run/build", "run/build/a.log"});
  EXPECT_EQ(tree(), expected);
}

TEST_F(Hostile, flags_that_name_files_load_code_or_speak_to_other_programs_are_refused) {
  write("src/a.c", kEntrySource);
  const std::string outside = (folder_ / "outside").native();
  const std::vector<std::string> flags = {"-o" + outside,
                                          "-MF" + outside,
                                          "-MMD",
                                          "-save-temps=cwd",
                                          "-fdump-tree-all=" + outside,
                                          "-dumpbase",
                                          "-aux-info",
                                          "-fplugin=" + outside,
                                          "-wrapper",
                                          "-B" + outside,
                                          "@" + outside,
                                          "-specs=" + outside,
                                          "-Wl,-Map=" + outside,
                                          "-Wa,-al=" + outside,
                                          "-Wp,-MD," + outside,
                                          "-Xlinker",
                                          "-I" + outside,
                                          "-include",
                                          "-x",
                                          "-c",
                                          "-D",
                                          "-fprofile-generate",
                                          "a.c",
                                          ""};
  for (const std::string& flag : flags) {
    EXPECT_EQ(
        refusal_of_flag(flag),
        "flag '" + flag +
            "': not a flag that only chooses code generation, warnings or macros in one word");
  }
  EXPECT_FALSE(std::filesystem::exists(outside));
  EXPECT_EQ(refusal_of_flag("-fvisibility=hidden"),
            "flag '-fvisibility=hidden': it hides the entry; what is exported is the linker's "
            "choice");
}

TEST_F(Hostile, settings_that_cannot_be_built_are_refused_with_a_reason) {
  const auto source = write("src/a.c", kEntrySource);
  EXPECT_EQ(reason_of(request({})), "no sources");
  EXPECT_EQ(reason_of(request({folder_ / "src/none.c"})),
            "source '" + (folder_ / "src/none.c").native() + "': no such file");
  EXPECT_EQ(reason_of(request({write("src/a.txt", "")})),
            "source '" + (folder_ / "src/a.txt").native() +
                "': neither C (.c), C++ (.cc, .cpp, .cxx) nor assembler (.S, .s)");
  ASSERT_EQ(::mkfifo((folder_ / "src/fifo.c").c_str(), 0600), 0);
  EXPECT_EQ(reason_of(request({folder_ / "src/fifo.c"})),
            "source '" + (folder_ / "src/fifo.c").native() + "': not a regular file");
  EXPECT_EQ(
      reason_of(request({write("src/\xff.c", "")})),
      "path '" + folder_.native() + "/src/\\xff.c': not UTF-8, so that no record could name it");
  BuildRequest made = request({source});
  made.settings.entry = "*";
  EXPECT_EQ(reason_of(made), "entry '*': not a C identifier");
  made = request({source});
  made.settings.language = "c99 -o x";
  EXPECT_EQ(reason_of(made), "language 'c99 -o x': not a value of -std=");
  made = request({source});
  made.settings.define = {{"A B", "1"}};
  EXPECT_EQ(reason_of(made), "define 'A B': not a macro name with a text as its value");
  made = request({source});
  made.settings.libraries = {"../x"};
  EXPECT_EQ(reason_of(made), "library '../x': not a name for -l");
}

TEST_F(Hostile, an_invented_line_directive_is_no_input) {
  const auto source =
      write("src/a.c", std::string("#line 1 \"invented.y\"\n# 1 \"/none/x.h\" 1\n") + kEntrySource);
  const BuildResult result = build(request({source}), std::nullopt);
  ASSERT_TRUE(result.is_built) << result.reason;
  EXPECT_EQ(result.inputs.size(), 1U);
}

TEST_F(Hostile, a_source_that_changes_while_it_is_compiled_is_noticed) {
  const auto source = write("src/a.c", kEntrySource);
  BuildRequest made = request({source});
  made.compiler = script("case \"$*\" in *-E*) ;; *) echo '/* more */' >> " + source.native() +
                         " ;; esac\nexec gcc \"$@\"\n");
  EXPECT_EQ(reason_of(made), source.native() + " changed while it was compiled");
}

TEST_F(Hostile, the_environment_is_fixed_and_standard_input_is_empty) {
  ASSERT_EQ(::setenv("CPATH", "/evil", 1), 0);
  BuildRequest made = request({write("src/a.c", kEntrySource)});
  made.compiler = script("cat\nenv | sort\npwd -P\nexit 1\n");
  (void)reason_of(made);
  (void)::unsetenv("CPATH");
  const std::string log = content(made.log);
  const std::string home = made.library.native() + ".build";
  EXPECT_NE(log.find("\nHOME=" + home + "\nLC_ALL=C\nPATH=" + folder_.native() +
                     ":/usr/local/bin:/usr/bin:/bin\nPWD="),
            std::string::npos)
      << log;
  EXPECT_NE(log.find("\nSOURCE_DATE_EPOCH=0\nTMPDIR=.\n"), std::string::npos);
  EXPECT_NE(log.find("\n" + home + "\n[ended with status 1]\n"), std::string::npos);
  EXPECT_EQ(log.find("CPATH"), std::string::npos);
}

TEST_F(Hostile, a_stop_interrupts_the_build_and_keeps_the_earlier_library) {
  const auto source = write("src/a.c", kEntrySource);
  const BuildResult first = build(request({source}), std::nullopt);
  ASSERT_TRUE(first.is_built);
  write("src/a.c", std::string(kEntrySource) + "/* changed */\n");
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  ASSERT_EQ(::write(ends[1], "x", 1), 1);
  BuildRequest made = request({source});
  made.compiler = script("sleep 1000\n");
  made.stop_fd = ends[0];
  const auto start = steady_clock::now();
  const BuildResult result = build(made, first);
  EXPECT_LT(steady_clock::now() - start, std::chrono::seconds(10));
  EXPECT_TRUE(result.is_interrupted);
  EXPECT_FALSE(result.is_built);
  EXPECT_EQ(result.reason, "interrupted");
  EXPECT_TRUE(std::filesystem::exists(made.library));
  EXPECT_FALSE(std::filesystem::exists(made.library.native() + ".build"));
  (void)::close(ends[0]);
  (void)::close(ends[1]);
}

TEST_F(Hostile, a_killed_hashprof_leaves_no_compiler_behind_and_the_next_build_cleans_up) {
  const auto source = write("src/a.c", kEntrySource);
  BuildRequest made = request({source});
  made.compiler = script("sleep 1000 &\necho $! > " + (folder_ / "pid").native() + "\nwait\n");
  const pid_t victim = ::fork();
  ASSERT_GE(victim, 0);
  if (victim == 0) {
    (void)build(made, std::nullopt);
    ::_exit(0);
  }
  const pid_t compiler_child = recorded_pid();
  EXPECT_EQ(::kill(victim, SIGKILL), 0);
  EXPECT_EQ(::waitpid(victim, nullptr, 0), victim);
  ASSERT_GT(compiler_child, 0);
  EXPECT_TRUE(ends_within_a_second(compiler_child));
  EXPECT_TRUE(std::filesystem::exists(made.library.native() + ".build"));
  EXPECT_TRUE(build(request({source}), std::nullopt).is_built);
  EXPECT_FALSE(std::filesystem::exists(made.library.native() + ".build"));
}

TEST_F(Hostile, a_library_that_cannot_be_written_is_an_output_fault) {
  BuildRequest made = request({write("src/a.c", kEntrySource)});
  write("file", "");
  made.library = folder_ / "file/a.so";
  try {
    (void)build(made, std::nullopt);
    FAIL() << "a library was written below a file";
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::output);
    EXPECT_EQ(error.what(), (folder_ / "file").native() + ": mkdir: Not a directory (ENOTDIR)");
  }
}

}  // namespace
}  // namespace hashprof::toolchain
