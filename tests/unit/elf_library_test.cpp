// SPDX-License-Identifier: MIT
// Catches a reading of real libraries that differs from what readelf and the loader say.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <link.h>

#include <algorithm>
#include <cstring>
#include <set>

#include "base/text.h"
#include "elf/function_offsets.h"
#include "elf_support.h"
#include "tables.h"

namespace hashprof::elf {
namespace {

using Library = ElfTest;

const std::vector<std::string> kBuilt = {"plain", "joined",     "norelro",    "sysv",
                                         "wide",  "needs_math", "no_build_id"};

std::vector<std::string> words_of(const std::string& line) {
  std::vector<std::string> words = text::split(line, ' ');
  words.erase(std::remove(words.begin(), words.end(), ""), words.end());
  return words;
}

/// Sum of MemSiz over the LOAD lines of `readelf -lW`.
std::uint64_t readelf_bytes(const std::filesystem::path& file) {
  std::uint64_t sum = 0;
  for (const std::string& line :
       text::split(output_of("LC_ALL=C readelf -lW '" + file.native() + "'"), '\n')) {
    const auto words = words_of(line);
    if (words.size() > 5 && words[0] == "LOAD") {
      sum += std::stoull(words[5], nullptr, 16);
    }
  }
  return sum;
}

/// What the loader says of a file; empty if it takes it.
std::string loader_says(const std::filesystem::path& file) {
  void* library = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    return ::dlerror();
  }
  EXPECT_EQ(::dlclose(library), 0);
  return {};
}

/// Program header `index` of a 64-bit library, for patching.
template <typename Change>
std::string with_header(std::string content, std::size_t index, Change change) {
  Elf64_Phdr header{};
  const std::size_t at = sizeof(Elf64_Ehdr) + index * sizeof header;
  std::copy_n(content.data() + at, sizeof header, reinterpret_cast<char*>(&header));
  change(header);
  std::copy_n(reinterpret_cast<const char*>(&header), sizeof header, content.data() + at);
  return content;
}

std::vector<Elf64_Phdr> headers_of(const std::string& content) {
  Elf64_Ehdr header{};
  std::copy_n(content.data(), sizeof header, reinterpret_cast<char*>(&header));
  std::vector<Elf64_Phdr> headers(header.e_phnum);
  std::copy_n(content.data() + header.e_phoff, headers.size() * sizeof(Elf64_Phdr),
              reinterpret_cast<char*>(headers.data()));
  return headers;
}

TEST_F(Library, image_size_is_what_readelf_adds_up_to) {
  for (const std::string& name : kBuilt) {
    const Image image = read_image(built_library(name));
    EXPECT_EQ(image.bytes, readelf_bytes(built_library(name))) << name;
    EXPECT_TRUE(image.is_loadable()) << name << ": " << image.obstacle;
    EXPECT_EQ(loader_says(built_library(name)), "") << name;
    EXPECT_EQ(parts_of(image).sum(), image.bytes) << name;
  }
}

TEST_F(Library, image_size_of_ten_system_libraries_is_what_readelf_adds_up_to) {
  std::filesystem::path folder;
  ::dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* found) {
        const std::filesystem::path file = info->dlpi_name;
        if (file.filename() == "libc.so.6") {
          *static_cast<std::filesystem::path*>(found) = file.parent_path();
        }
        return 0;
      },
      &folder);
  ASSERT_FALSE(folder.empty());
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.is_regular_file() && !entry.is_symlink() &&
        entry.path().filename().native().find(".so.") != std::string::npos) {
      files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  ASSERT_GE(files.size(), 10U);
  // Spread over the alphabet: neighbours come from one package.
  for (std::size_t i = 0; i < 10; ++i) {
    const auto& file = files[i * files.size() / 10];
    const Image image = read_image(file);
    EXPECT_EQ(image.bytes, readelf_bytes(file)) << file;
    EXPECT_EQ(image.target, own_target()) << file;
    EXPECT_EQ(parts_of(image).sum(), image.bytes) << file;
  }
  EXPECT_EQ(read_image(folder / "libc.so.6").bytes, readelf_bytes(folder / "libc.so.6"));
}

TEST_F(Library, classes_hold_the_arrays_of_the_source) {
  for (const std::string& name : kBuilt) {
    const Parts parts = parts_of(read_image(built_library(name)));
    const auto holds = [&](const char* part, std::uint64_t found, std::uint64_t bytes) {
      EXPECT_GE(found, bytes) << name << " " << part;
      EXPECT_LT(found, bytes + 2048) << name << " " << part;
    };
    holds("rodata", parts.rodata, ELF_CONSTANT_BYTES);
    holds("data", parts.data, ELF_DATA_BYTES);
    holds("bss", parts.bss, ELF_ZERO_BYTES);
    EXPECT_GT(parts.text, 64U) << name;
    EXPECT_LT(parts.text, 2048U) << name;
    EXPECT_EQ(parts.relro == 0, name == "norelro") << name;
    EXPECT_GT(parts.other, 100U) << name;
    EXPECT_GE(parts.headers, 64U + 56U * 4) << name;
  }
}

TEST_F(Library, exports_are_its_visible_definitions) {
  EXPECT_EQ(read_image(built_library("plain")).exports,
            (std::vector<std::string>{"elf_entry", "elf_weak"}));
  EXPECT_EQ(read_image(built_library("sysv")).exports,
            (std::vector<std::string>{"elf_entry", "elf_weak"}));
}

TEST_F(Library, needed_libraries_are_in_the_order_of_the_file) {
  const auto needed = read_image(built_library("needs_math")).needed;
  ASSERT_GE(needed.size(), 2U);  // and the loader's own, for the thread storage
  EXPECT_EQ(needed[0], "libm.so.6");
  EXPECT_EQ(needed[1], "libc.so.6");
}

TEST_F(Library, build_id_is_the_one_the_linker_was_given) {
  EXPECT_EQ(read_image(built_library("plain")).build_id, "0123456789abcdef");
  EXPECT_EQ(read_image(built_library("no_build_id")).build_id, "");
}

TEST_F(Library, without_a_section_table_keeps_all_but_its_classes) {
  std::string content = content_of(built_library("plain"));
  content.replace(offsetof(Elf64_Ehdr, e_shoff), 8, std::string(8, '\0'));
  content.replace(offsetof(Elf64_Ehdr, e_shnum), 4, std::string(4, '\0'));
  const auto file = write(content);
  const Image image = read_image(file);
  const Image whole = read_image(built_library("plain"));
  EXPECT_EQ(image.bytes, whole.bytes);
  EXPECT_EQ(image.pages, whole.pages);
  EXPECT_EQ(image.exports, whole.exports);
  EXPECT_EQ(image.build_id, whole.build_id);
  EXPECT_EQ(image.parts, std::nullopt);
  EXPECT_EQ(image.parts_reason, "the file has no section headers");
  EXPECT_TRUE(image.is_loadable());
  EXPECT_EQ(loader_says(file), "");
}

TEST_F(Library, without_load_segments_is_refused_as_the_loader_refuses_it) {
  std::string content = content_of(built_library("plain"));
  const auto headers = headers_of(content);
  for (std::size_t i = 0; i < headers.size(); ++i) {
    if (headers[i].p_type == PT_LOAD) {
      content = with_header(content, i, [](Elf64_Phdr& header) { header.p_type = PT_NULL; });
    }
  }
  const auto file = write(content);
  EXPECT_EQ(read_image(file).bytes, std::nullopt);
  EXPECT_EQ(read_image(file).obstacle, "no PT_LOAD segment: nothing of the file would be loaded");
  EXPECT_EQ(loader_says(file), file.native() + ": object file has no loadable segments");
}

TEST_F(Library, too_large_for_an_address_space_is_refused_as_the_loader_refuses_it) {
  const std::string content = content_of(built_library("plain"));
  const auto headers = headers_of(content);
  const auto last = std::find_if(headers.rbegin(), headers.rend(),
                                 [](const Elf64_Phdr& header) { return header.p_type == PT_LOAD; });
  const auto index = static_cast<std::size_t>(headers.rend() - last) - 1;
  const auto file = write(with_header(
      content, index, [](Elf64_Phdr& header) { header.p_memsz = std::uint64_t{1} << 63U; }));
  EXPECT_EQ(read_image(file).bytes, std::nullopt);
  EXPECT_EQ(loader_says(file), file.native() + ": failed to map segment from shared object");
}

TEST_F(Library, functions_begin_in_the_file_where_their_segment_is_loaded_from) {
  for (const std::string& name : kBuilt) {
    const auto offsets = find_function_offsets(built_library(name), {"elf_entry", "absent"});
    ASSERT_EQ(offsets.size(), 1U) << name;
    const std::string file = content_of(built_library(name));
    void* library = ::dlopen(built_library(name).c_str(), RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(library, nullptr) << name;
    const void* loaded = ::dlsym(library, "elf_entry");
    ASSERT_NE(loaded, nullptr) << name;
    EXPECT_EQ(std::memcmp(file.data() + offsets.begin()->first, loaded, 8), 0) << name;
    ::dlclose(library);
  }
}

TEST_F(Library, aliases_of_a_function_share_an_offset) {
  Dl_info libc{};
  ASSERT_NE(::dladdr(::dlsym(::dlopen("libc.so.6", RTLD_NOW | RTLD_NOLOAD), "read"), &libc), 0);
  const auto offsets = find_function_offsets(libc.dli_fname, {"read", "__read", "write"});
  ASSERT_EQ(offsets.size(), 2U);
  std::set<std::set<std::string>> names;
  for (const auto& [offset, here] : offsets) {
    names.insert(here);
  }
  EXPECT_EQ(names, (std::set<std::set<std::string>>{{"read", "__read"}, {"write"}}));
}

}  // namespace
}  // namespace hashprof::elf
