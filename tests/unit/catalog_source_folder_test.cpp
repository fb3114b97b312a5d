// SPDX-License-Identifier: MIT
// Catches a driver, or a file that only makes sense inside another, that is compiled into a
// library, and a source that is left out of it.
#include <gtest/gtest.h>

#include <filesystem>

#include "base/error.h"
#include "base/file.h"
#include "catalog/c_text.h"
#include "catalog/source_folder.h"
#include "temporary_folder.h"

namespace hashprof::catalog {
namespace {

TEST(CText, comments_literals_and_continued_lines_are_no_code) {
  EXPECT_EQ(code_of("a/* int main( */b // main(\nc"), "a b \nc");
  EXPECT_EQ(code_of("x = \"/* \\\" main(\"; y"), "x = \"\"; y");
  EXPECT_EQ(code_of("c = '\"'; // '\nd"), "c = ''; \nd");
  EXPECT_EQ(code_of("#include \"a.c\"\r\nb\r\n"), "#include \"a.c\"\nb\n");
  EXPECT_EQ(code_of("// a \\\nmain()\nb"), "\nb");
  EXPECT_EQ(code_of("n = 1'000'000; m"), "n = 1'000'000; m");
  EXPECT_EQ(code_of("/* open"), " ");
  EXPECT_EQ(code_of("\xb2\xe2 /* \xca\xd4 */ x"), "\xb2\xe2   x");
}

TEST(CText, finds_quoted_includes) {
  const std::string code = code_of(
      "# include \"core.c\" /* x */\n#include <a.h>\n//#include \"no.c\"\n  #include\"b.h\"\n"
      "#define X \"c.h\"\n");
  EXPECT_EQ(quoted_includes(code), (std::vector<std::string>{"core.c", "b.h"}));
}

TEST(CText, finds_definitions_outside_of_braces) {
  EXPECT_TRUE(defines_function(code_of("int\nmain (int c, char **v)\n{ }"), "main"));
  EXPECT_TRUE(defines_function(code_of("int main(c) int c; { }"), "main"));
  EXPECT_TRUE(defines_function(code_of("extern \"C\" {\nint f(void) { }\n}"), "f"));
  EXPECT_TRUE(defines_function(code_of("int g(void) { }\nint main(void (*f)(int)) {}"), "main"));
  EXPECT_FALSE(defines_function(code_of("int main(void);"), "main"));
  EXPECT_FALSE(defines_function(code_of("void f(void) { main(); }"), "main"));
  EXPECT_FALSE(defines_function(code_of("#define main(x) {}\nint domain(int x) { }"), "main"));
  EXPECT_FALSE(defines_function(code_of("int main_loop(int x) { }"), "main"));
}

class SourceFolderTest : public ::testing::Test {
 protected:
  void write(const std::string& name, const std::string& text) {
    write_file_atomically(folder_.path() / name, text);
  }
  [[nodiscard]] std::string scanned() const {
    const SourceFolder result = scan_source_folder(folder_.path());
    std::string out;
    for (const auto& file : result.sources) {
      out += file.filename().native() + " ";
    }
    for (const LeftOut& each : result.left_out) {
      out += "| " + each.file.filename().native() + " " + each.reason + " ";
    }
    return out;
  }
  TemporaryFolder folder_;
};

TEST_F(SourceFolderTest, drivers_and_included_sources_are_left_out) {
  write("wrapper.c", "#define W 1\n#include \"core.c\"\n");
  write("core.c", "#ifndef W\n#error alone\n#endif\n");
  write("KAT_CryptHash.c", "int main(void) { return 0; }");
  write("runner.c", "#include \"wrapper.c\"\nint main(void) { return 0; }");
  write("throughput.cpp", "void measure() {}");
  write("testimony.c", "int t;");
  write("round.S", ".globl round\nround: ret\n");
  write("boot.S", "main: ret\n");
  write("notes.txt", "int main(void) { }");
  write("a.h", "int main(void) { }");
  EXPECT_EQ(scanned(),
            "round.S testimony.c wrapper.c | KAT_CryptHash.c defines main | boot.S defines main | "
            "core.c is included by wrapper.c | runner.c defines main | throughput.cpp is named "
            "like a driver ");
}

TEST_F(SourceFolderTest, folders_and_dangling_links_named_like_sources_are_passed_over) {
  std::filesystem::create_directory(folder_.path() / "sub.c");
  std::filesystem::create_symlink("nowhere.c", folder_.path() / "link.c");
  write("x.c", "");
  EXPECT_EQ(scanned(), "x.c ");
  EXPECT_THROW((void)scan_source_folder(folder_.path() / "none"), Error);
}

}  // namespace
}  // namespace hashprof::catalog
