// SPDX-License-Identifier: MIT
// Catches a library that stands although something it was made of changed, one that is built again
// for nothing, and two builds that get into each other's way.
#include <functional>
#include <thread>

#include "toolchain/layout.h"
#include "toolchain_fixture.h"

namespace hashprof::toolchain {
namespace {

class CacheTest : public Toolchain {
 protected:
  void SetUp() override {
    Toolchain::SetUp();
    write("src/x.h", "#define V 1\n");
    source_ = write("src/a.c", std::string("#include \"x.h\"\n") + kEntrySource +
                                   "int v(void) { return V; }\n");
  }
  /// A request of another run directory.
  BuildRequest request_in(const std::string& run) {
    BuildRequest made = request({source_});
    made.library = folder_ / run / "lib/a.so";
    made.log = folder_ / run / "build/a.log";
    made.cache = folder_ / "cache";
    return made;
  }
  BuildResult built_in(const std::string& run) {
    BuildResult result = build(request_in(run), std::nullopt);
    EXPECT_TRUE(result.is_built) << result.reason;
    return result;
  }
  std::filesystem::path source_;
};

TEST_F(CacheTest, another_run_takes_what_one_built) {
  const BuildResult first = built_in("one");
  EXPECT_FALSE(first.is_from_cache);
  const BuildResult second = built_in("two");
  EXPECT_TRUE(second.is_from_cache);
  EXPECT_EQ(second.library_sha256, first.library_sha256);
  EXPECT_EQ(second.inputs, first.inputs);
  EXPECT_EQ(content(folder_ / "one/lib/a.so"), content(folder_ / "two/lib/a.so"));
  EXPECT_NE(content(folder_ / "two/build/a.log").find("from the cache, SHA-256"),
            std::string::npos);
  BuildRequest without = request_in("three");
  without.cache.clear();
  EXPECT_FALSE(build(without, std::nullopt).is_from_cache);
}

TEST_F(CacheTest, what_changed_is_built_and_what_comes_back_is_found) {
  const BuildResult first = built_in("one");
  write("src/x.h", "#define V 2\n");
  const BuildResult changed = built_in("two");
  EXPECT_FALSE(changed.is_from_cache);
  EXPECT_NE(changed.library_sha256, first.library_sha256);
  write("src/x.h", "#define V 1\n");
  const BuildResult again = built_in("three");
  EXPECT_TRUE(again.is_from_cache);
  EXPECT_EQ(again.library_sha256, first.library_sha256);
  BuildRequest other = request_in("four");
  other.profile.flags.push_back("-O1");
  EXPECT_FALSE(build(other, std::nullopt).is_from_cache);
  other = request_in("five");
  other.native = "-march=other";
  EXPECT_FALSE(build(other, std::nullopt).is_from_cache);
}

TEST_F(CacheTest, a_header_that_would_be_found_first_is_noticed) {
  BuildRequest made = request_in("one");
  std::filesystem::create_directories(folder_ / "early");
  std::filesystem::create_directories(folder_ / "late");
  std::filesystem::rename(folder_ / "src/x.h", folder_ / "late/x.h");
  made.settings.include = {folder_ / "early", folder_ / "late"};
  const BuildResult first = build(made, std::nullopt);
  ASSERT_TRUE(first.is_built) << first.reason;
  EXPECT_TRUE(build(made, first).is_reused);
  write("early/x.h", "#define V 7\n");
  const BuildResult second = build(made, first);
  EXPECT_FALSE(second.is_reused);
  EXPECT_FALSE(second.is_from_cache);
  EXPECT_NE(second.library_sha256, first.library_sha256);
  // A file that nothing includes makes nothing new.
  write("early/y.h", "");
  EXPECT_TRUE(build(made, second).is_reused);
}

TEST_F(CacheTest, what_no_preprocessor_sees_is_never_taken_for_unchanged) {
  const std::string table = write("src/table.bin", "abc").native();
  source_ = write("src/a.c", "__asm__(\".section .rodata\\n.incbin \\\"" + table +
                                 "\\\"\\n.text\\n\");\n" + kEntrySource);
  const BuildRequest made = request_in("one");
  const BuildResult first = build(made, std::nullopt);
  ASSERT_TRUE(first.is_built) << first.reason;
  EXPECT_TRUE(first.has_unseen_inputs);
  write("src/table.bin", "abd");
  const BuildResult second = build(made, first);
  EXPECT_FALSE(second.is_reused || second.is_from_cache);
  EXPECT_NE(second.library_sha256, first.library_sha256);
}

/// Every way in which a header may become another: the library says which one was in it.
TEST_F(CacheTest, whatever_the_preprocessor_would_find_now_is_noticed) {
  const std::string entry = kEntrySource;
  struct Change {
    const char* source;  ///< begins the source
    std::function<void()> before;
    std::function<void()> after;
  };
  namespace fs = std::filesystem;
  const std::vector<Change> changes = {
      {"#if __has_include(\"../above/o.h\")\nint above;\n#endif\n", [] {},
       [&] { write("above/o.h", ""); }},
      {"#include \"../cur/x.h\"\n",
       [&] {
         write("v1/x.h", "#define V 1\n");
         write("v2/x.h", "#define V 2\n");
         fs::create_directory_symlink("v1", folder_ / "cur");
       },
       [&] {
         fs::remove(folder_ / "cur");
         fs::create_directory_symlink("v2", folder_ / "cur");
       }},
      {"#include \"../inc/b.h\"\n",
       [&] {
         write("inc/b.h", "#include \"c.h\"\n");
         write("late/c.h", "#define V 1\n");
       },
       [&] { write("inc/c.h", "#define V 2\n"); }},
      {"#include \"dangling.h\"\n",
       [&] {
         write("late/dangling.h", "#define V 1\n");
         fs::create_directories(folder_ / "early");
         fs::create_symlink("../generated.h", folder_ / "early/dangling.h");
       },
       [&] { write("generated.h", "#define V 2\n"); }},
  };
  for (const Change& change : changes) {
    change.before();
    source_ = write("src/a.c", std::string(change.source) + "#ifndef V\n#define V 0\n#endif\n" +
                                   entry + "int v(void) { return V; }\n");
    BuildRequest made = request_in("one");
    made.settings.include = {folder_ / "early", folder_ / "late"};
    const BuildResult first = build(made, std::nullopt);
    ASSERT_TRUE(first.is_built) << first.reason;
    EXPECT_TRUE(build(made, first).is_reused);
    change.after();
    const BuildResult second = build(made, first);
    ASSERT_TRUE(second.is_built) << second.reason;
    EXPECT_FALSE(second.is_reused || second.is_from_cache) << change.source;
  }
}

TEST_F(CacheTest, a_header_that_comes_first_is_an_input) {
  BuildRequest made = request_in("one");
  made.settings.header = write("first/one.h", "#define ONE 1\n");
  const BuildResult first = build(made, std::nullopt);
  ASSERT_EQ(first.inputs.size(), 3U);
  write("first/one.h", "#define ONE 2\n");
  EXPECT_FALSE(build(made, first).is_reused);
}

TEST_F(CacheTest, a_compiler_that_is_a_script_is_known_by_its_text) {
  const auto wrapper = [&](const std::string& flags) {
    write("tools/gcc", "#!/bin/sh\nexec /usr/bin/gcc " + flags + " \"$@\"\n");
    (void)::chmod((folder_ / "tools/gcc").c_str(), 0755);
    BuildRequest made = request_in("one");
    made.compiler = identify_compiler((folder_ / "tools/gcc").native());
    return made;
  };
  const BuildResult first = build(wrapper("-DA=1"), std::nullopt);
  ASSERT_TRUE(first.is_built) << first.reason;
  EXPECT_TRUE(build(wrapper("-DA=1"), first).is_reused);
  const BuildResult second = build(wrapper("-DA=2"), first);
  EXPECT_FALSE(second.is_reused || second.is_from_cache);
}

TEST_F(CacheTest, what_is_damaged_in_a_cache_is_built_anew) {
  const BuildResult first = built_in("one");
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_ / "cache")) {
    if (entry.path().extension() == ".so") {
      std::ofstream(entry.path(), std::ios::app) << "x";
    }
  }
  const BuildResult second = built_in("two");
  EXPECT_FALSE(second.is_from_cache);
  EXPECT_EQ(second.library_sha256, first.library_sha256);
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_ / "cache")) {
    if (entry.path().extension() == ".json") {
      std::ofstream(entry.path()) << "{";
    }
  }
  EXPECT_FALSE(built_in("three").is_from_cache);
}

TEST_F(CacheTest, a_cache_that_cannot_be_used_is_passed_over) {
  BuildRequest made = request_in("one");
  made.cache = write("file", "") / "below";
  EXPECT_TRUE(build(made, std::nullopt).is_built);
}

TEST_F(CacheTest, many_builds_at_once_do_not_disturb_each_other) {
  constexpr std::size_t kBuilds = 6;
  std::vector<BuildResult> results(kBuilds);
  std::vector<BuildRequest> requests;
  for (std::size_t i = 0; i < kBuilds; ++i) {
    requests.push_back(request_in("run" + std::to_string(i)));
  }
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < kBuilds; ++i) {
    threads.emplace_back([&, i] { results[i] = build(requests[i], std::nullopt); });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  for (std::size_t i = 0; i < kBuilds; ++i) {
    ASSERT_TRUE(results[i].is_built) << results[i].reason;
    EXPECT_EQ(results[i].library_sha256, results[0].library_sha256);
  }
  EXPECT_TRUE(built_in("last").is_from_cache);
}

TEST_F(CacheTest, layouts_are_the_same_objects_in_other_places) {
  source_ = write("src/a.c", kEntrySource);
  BuildRequest made = request_in("one");
  made.settings.sources.push_back(write("src/b.c", "int b(int x) { return x * 3; }\n"));
  made.settings.sources.push_back(write("src/c.c", "int c(int x) { return x * 5; }\n"));
  made.layouts = 3;
  const BuildResult result = build(made, std::nullopt);
  ASSERT_TRUE(result.is_built) << result.reason;
  ASSERT_EQ(result.layout_sha256.size(), 2U);
  const auto compiled = [](const std::vector<std::string>& command) {
    return command.at(command.size() - 3).rfind(".c") != std::string::npos;
  };
  EXPECT_EQ(std::count_if(result.commands.begin(), result.commands.end(), compiled), 3);
  std::set<std::string> places;
  for (std::uint32_t layout = 0; layout < 3; ++layout) {
    const std::string symbols =
        output_of({"/usr/bin/nm", layout_library(made.library, layout).native()});
    const std::size_t at = symbols.find(" T CryptHash");
    ASSERT_NE(at, std::string::npos);
    places.insert(symbols.substr(at - 16, 16));
  }
  EXPECT_EQ(places.size(), 3U);
  EXPECT_TRUE(build(made, result).is_reused);
  made.library = folder_ / "two/lib/a.so";
  const BuildResult copied = build(made, std::nullopt);
  EXPECT_TRUE(copied.is_from_cache);
  EXPECT_EQ(copied.layout_sha256, result.layout_sha256);
  std::filesystem::remove(layout_library(made.library, 2));
  EXPECT_FALSE(build(made, copied).is_reused);
  made.seed = 2;
  EXPECT_NE(build(made, std::nullopt).layout_sha256, result.layout_sha256);
}

TEST(Layout, is_a_function_of_seed_and_number) {
  EXPECT_EQ(link_order(4, 1, 0), (std::vector<std::size_t>{0, 1, 2, 3}));
  EXPECT_EQ(link_order(4, 1, 1), link_order(4, 1, 1));
  std::set<std::vector<std::size_t>> orders;
  for (std::uint32_t layout = 1; layout < 200; ++layout) {
    auto order = link_order(3, 1, layout);
    orders.insert(order);
    EXPECT_LT(padding_bytes(1, layout), 4096U);
    EXPECT_EQ(padding_bytes(1, layout) % 4, 0U);
  }
  EXPECT_EQ(orders.size(), 6U);
  EXPECT_EQ(layout_library("/r/A.guide.so", 0), "/r/A.guide.so");
  EXPECT_EQ(layout_library("/r/A.guide.so", 2), "/r/A.guide.layout2.so");
}

}  // namespace
}  // namespace hashprof::toolchain
