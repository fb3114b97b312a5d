// SPDX-License-Identifier: MIT
// Catches classes that differ from what readelf shows of real libraries, and a wrong own part.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "elf/static_use.h"
#include "elf_support.h"

namespace hashprof::elf {
namespace {

using ElfClasses = ElfTest;

std::uint64_t hexadecimal(const std::string& digits) { return std::stoull(digits, nullptr, 16); }

/// Sums over the lines of `readelf -SlW`: sections with X are text; with W those of NOBITS are bss
/// and the others data, but relro as far as GNU_RELRO reaches; PROGBITS with A alone are rodata,
/// all other sections with A are other.
std::map<std::string, std::uint64_t> classes_by_readelf(const std::filesystem::path& library) {
  std::map<std::string, std::uint64_t> sums;
  struct Section {
    std::string type;
    std::uint64_t address;
    std::uint64_t bytes;
    std::string flags;
  };
  std::vector<Section> sections;
  std::uint64_t relro_start = 0;
  std::uint64_t relro_end = 0;
  std::istringstream lines(output_of("LC_ALL=C readelf -SlW '" + library.native() + "' 2>&1"));
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string word;
    if (const auto bracket = line.find(']'); line.starts_with("  [") && bracket < 8) {
      std::istringstream rest(line.substr(bracket + 1));
      std::string name, type, address, offset, bytes, entry, flags;
      rest >> name >> type >> address >> offset >> bytes >> entry >> flags;
      if (flags.find('A') != std::string::npos) {
        sections.push_back({type, hexadecimal(address), hexadecimal(bytes), flags});
      }
      continue;
    }
    std::string offset, address, physical, file_bytes, memory_bytes;
    words >> word >> offset >> address >> physical >> file_bytes >> memory_bytes;
    if (word == "LOAD" && !memory_bytes.empty()) {
      sums["image"] += hexadecimal(memory_bytes);
    } else if (word == "GNU_RELRO") {
      relro_start = hexadecimal(address);
      relro_end = relro_start + hexadecimal(memory_bytes);
    }
  }
  for (const Section& section : sections) {
    const auto has = [&](char flag) { return section.flags.find(flag) != std::string::npos; };
    if (has('T') && section.type == "NOBITS") {
      continue;
    }
    std::string name =
        section.type == "PROGBITS" || section.type == "X86_64_UNWIND" ? "rodata" : "other";
    std::uint64_t protected_bytes = 0;
    if (has('X')) {
      name = "text";
    } else if (has('W')) {
      name = section.type == "NOBITS" ? "bss" : "data";
      if (section.address >= relro_start && section.address < relro_end) {
        protected_bytes = std::min(section.bytes, relro_end - section.address);
      }
    }
    sums["relro"] += protected_bytes;
    sums[name] += section.bytes - protected_bytes;
  }
  return sums;
}

void expect_same_classes(const std::filesystem::path& library) {
  const Image image = read_image(library);
  const Parts parts = parts_of(image);
  auto theirs = classes_by_readelf(library);
  EXPECT_EQ(parts.sum(), image.bytes) << library;
  EXPECT_EQ(parts.sum(), theirs["image"]) << library;
  EXPECT_EQ(parts.text, theirs["text"]) << library;
  EXPECT_EQ(parts.rodata, theirs["rodata"]) << library;
  EXPECT_EQ(parts.relro, theirs["relro"]) << library;
  EXPECT_EQ(parts.data, theirs["data"]) << library;
  EXPECT_EQ(parts.bss, theirs["bss"]) << library;
  EXPECT_EQ(parts.other, theirs["other"]) << library;
}

TEST_F(ElfClasses, of_every_library_of_the_tests_are_those_of_readelf) {
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(
           std::filesystem::path(HASHPROF_ELF_LIBRARIES).parent_path())) {
    if (entry.path().extension() == ".so") {
      expect_same_classes(entry.path());
      ++count;
    }
  }
  EXPECT_GE(count, 8U);
}

TEST_F(ElfClasses, of_the_systems_libraries_are_those_of_readelf) {
  std::size_t count = 0;
  for (const char* name :
       {"libc.so.6", "libm.so.6", "libstdc++.so.6", "libcrypto.so.3", "libelf.so.1", "libdw.so.1",
        "libz.so.1", "libgcc_s.so.1", "libbpf.so.1", "libyaml-cpp.so.0.7", "libfmt.so.9"}) {
    for (const char* folder : {"/lib/x86_64-linux-gnu/", "/usr/lib/x86_64-linux-gnu/",
                               "/lib/aarch64-linux-gnu/", "/usr/lib/aarch64-linux-gnu/"}) {
      const std::filesystem::path library = std::string(folder) + name;
      if (std::filesystem::exists(library)) {
        expect_same_classes(library);
        ++count;
        break;
      }
    }
  }
  EXPECT_GE(count, 5U) << "too few of the libraries are here for the comparison to say anything";
}

TEST(StaticUseTest, is_image_minus_empty_image_by_class) {
  const Parts image{1000, 200, 30, 40, 500, 60, 70, 80};
  const Parts empty{100, 20, 3, 4, 5, 6, 7, 90};
  const StaticUse use = subtract(image, empty);
  EXPECT_EQ(use.image, 1980U - 235U);
  EXPECT_EQ(use.text, 900U);
  EXPECT_EQ(use.rodata, 180U);
  EXPECT_EQ(use.relro, 27U);
  EXPECT_EQ(use.data, 36U);
  EXPECT_EQ(use.bss, 495U);
  EXPECT_EQ(use.rom, 900U + 180U + 27U + 36U);
  EXPECT_EQ(use.ram, 27U + 36U + 495U);
  EXPECT_EQ(use.reason, "");
}

TEST(StaticUseTest, of_the_empty_library_itself_is_zero) {
  const Parts empty{100, 20, 3, 4, 5, 6, 7, 90};
  const StaticUse use = subtract(empty, empty);
  EXPECT_EQ(use, (StaticUse{0, 0, 0, 0, 0, 0, 0, 0, ""}));
}

TEST(StaticUseTest, below_zero_is_absent_and_so_are_the_sums_of_it) {
  const Parts empty{100, 20, 3, 4, 5, 6, 7, 90};
  Parts image = empty;
  image.text = 150;
  image.rodata = 4;
  const StaticUse use = subtract(image, empty);
  EXPECT_EQ(use.text, 50U);
  EXPECT_EQ(use.rodata, std::nullopt);
  EXPECT_EQ(use.rom, std::nullopt);
  EXPECT_EQ(use.ram, 0U);
  EXPECT_EQ(use.reason, "own rodata is 16 bytes below that of the empty library");
  EXPECT_EQ(json::write_compact(to_json(use)),
            R"({"image": 34, "text": 50, "rodata": null, "relro": 0, "data": 0, "bss": 0, )"
            R"("rom": null, "ram": 0, )"
            R"("reason": "own rodata is 16 bytes below that of the empty library"})");
}

}  // namespace
}  // namespace hashprof::elf
