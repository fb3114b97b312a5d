// SPDX-License-Identifier: MIT
// Catches sizes of an object file that are not what binutils' size prints, and a file that is none.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <memory>

#include "base/error.h"
#include "base/file.h"
#include "elf/object_sizes.h"
#include "temporary_folder.h"

namespace hashprof::elf {
namespace {

std::string output_of(const std::string& command) {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(::popen(command.c_str(), "r"), &::pclose);
  std::array<char, 4096> text{};
  const std::size_t count = std::fread(text.data(), 1, text.size() - 1, pipe.get());
  return {text.data(), count};
}

TEST(ObjectSizes, are_those_that_size_prints) {
  const TemporaryFolder folder;
  const auto source = folder.path() / "a.c";
  write_file_atomically(source,
                        "static const int table[50] = {1};\nint counter = 3;\nint zero[77];\n"
                        "int f(int i) { counter += zero[i]; return table[i]; }\n");
  for (const char* compiler : {"gcc", "aarch64-linux-gnu-gcc"}) {
    for (const char* common : {"-fno-common", "-fcommon"}) {
      const auto object = folder.path() / (std::string(compiler) + common + ".o");
      ASSERT_EQ(output_of(std::string(compiler) + " -O2 " + common + " -c " + source.native() +
                          " -o " + object.native() + " 2>&1"),
                "");
      const std::string tool = std::string(compiler) == "gcc" ? "size" : "aarch64-linux-gnu-size";
      unsigned long text = 0;
      unsigned long data = 0;
      unsigned long bss = 0;
      const std::string printed = output_of(tool + " --common " + object.native());
      ASSERT_EQ(std::sscanf(printed.substr(printed.find('\n')).c_str(), "%lu %lu %lu", &text, &data,
                            &bss),
                3)
          << printed;
      const ObjectSizes sizes = read_object_sizes(object);
      EXPECT_EQ(sizes.text + sizes.rodata, text);
      EXPECT_EQ(sizes.data, data);
      EXPECT_EQ(sizes.bss, bss);
      EXPECT_GE(sizes.rodata, 50 * sizeof(int));
      EXPECT_EQ(sizes.data, sizeof(int));
      EXPECT_EQ(sizes.bss, 77 * sizeof(int));
      ObjectSizes twice = sizes;
      twice += sizes;
      EXPECT_EQ(twice.text, 2 * sizes.text);
    }
  }
}

TEST(ObjectSizes, of_what_is_no_object_are_refused_by_name) {
  const TemporaryFolder folder;
  write_file_atomically(folder.path() / "text.o", "no object");
  write_file_atomically(folder.path() / "empty.o", "");
  for (const auto& file : {folder.path() / "text.o", folder.path() / "empty.o"}) {
    try {
      (void)read_object_sizes(file);
      FAIL() << file;
    } catch (const Error& error) {
      EXPECT_EQ(error.what(), file.native() + ": is not an object file (.o)");
    }
  }
  EXPECT_THROW((void)read_object_sizes(folder.path() / "none.o"), Error);
}

}  // namespace
}  // namespace hashprof::elf
