// SPDX-License-Identifier: MIT
// Catches a file that is read past its end, that hangs, or whose fault is not named.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "base/file.h"
#include "elf_support.h"

namespace hashprof::elf {
namespace {

using Malformed = ElfTest;

const std::string kHint = "  hint: name a shared library (.so) that the linker made with -shared\n";

std::string text_of(const std::string& said) { return "hashprof: error: x.so: " + said + "\n"; }

/// small_library with its dynamic section of 8 entries at 0x800, address 0x1800.
ElfText with_dynamic(const std::vector<std::pair<std::uint64_t, std::uint64_t>>& entries) {
  ElfText text = small_library();
  text.segments[2].file_bytes = text.segments[2].memory_bytes = 0x80;
  std::string table;
  for (const auto& [tag, value] : entries) {
    table += text.address(tag) + text.address(value);
  }
  text.patches.emplace_back(0x800, table);
  return text;
}

TEST_F(Malformed, what_is_no_library_is_called_what_it_is) {
  EXPECT_EQ(fault_of_content(""), text_of("is empty, not a shared library") + kHint);
  EXPECT_EQ(fault_of_content("#!/bin/sh\nexit 0\n"),
            text_of("is a script, not a shared library") + kHint);
  EXPECT_EQ(fault_of_content("!<arch>\n"),
            text_of("is a static archive (.a), not a shared library") + kHint);
  EXPECT_EQ(
      fault_of_content("MZ\x90 and more than sixteen bytes"),
      text_of("is no ELF file (it begins with \"MZ\\x90 and more tha\"), not a shared library") +
          kHint);
}

TEST_F(Malformed, an_elf_file_of_another_type_is_called_what_it_is) {
  ElfText text = small_library();
  text.type = ET_REL;
  EXPECT_EQ(fault_of_content(text.bytes()),
            text_of("is an object file (.o), not a shared library") + kHint);
  text.type = ET_EXEC;
  EXPECT_EQ(fault_of_content(text.bytes()), text_of("is a program, not a shared library") + kHint);
  text.type = ET_CORE;
  EXPECT_EQ(fault_of_content(text.bytes()),
            text_of("is a core dump, not a shared library") + kHint);
  text.type = 0xfe01;
  EXPECT_EQ(fault_of_content(text.bytes()),
            text_of("is an ELF file of type 65025, not a shared library") + kHint);
}

TEST_F(Malformed, an_object_file_and_an_archive_of_the_compiler_are_refused) {
  EXPECT_EQ(fault_of_content(content_of(HASHPROF_ELF_OBJECT)),
            text_of("is an object file (.o), not a shared library") + kHint);
  const auto archive = folder_.path() / "x.a";
  (void)output_of("ar rc '" + archive.native() + "' '" HASHPROF_ELF_OBJECT "'");
  EXPECT_EQ(fault_of(archive),
            "hashprof: error: x.a: is a static archive (.a), not a shared library\n" + kHint);
}

TEST_F(Malformed, a_program_of_this_machine_is_refused) {
  const std::string said = fault_of("/proc/self/exe");
  EXPECT_EQ(said,
            "hashprof: error: /proc/self/exe: is a position-independent program, not a shared "
            "library\n  hint: link it with -shared in place of -pie\n");
}

TEST_F(Malformed, folders_fifos_and_devices_are_refused_without_waiting) {
  const auto fifo = folder_.path() / "fifo";
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  EXPECT_EQ(fault_of(fifo), "hashprof: error: fifo: is a FIFO, not a shared library\n" + kHint);
  make_directories(folder_.path() / "folder");
  EXPECT_EQ(fault_of(folder_.path() / "folder"),
            "hashprof: error: folder: is a folder, not a shared library\n" + kHint);
  EXPECT_EQ(fault_of("/dev/zero"),
            "hashprof: error: /dev/zero: is a device, not a shared library\n" + kHint);
}

TEST_F(Malformed, a_missing_file_is_of_the_environment) {
  EXPECT_EQ(fault_of(folder_.path() / "none.so"),
            "hashprof: error: none.so: open: No such file or directory (ENOENT)\n");
}

TEST_F(Malformed, a_cut_header_is_named) {
  const std::string whole = small_library().bytes();
  for (const std::size_t bytes : {4U, 16U, 20U, 63U}) {
    EXPECT_EQ(fault_of_content(whole.substr(0, bytes)),
              text_of("is cut: its " + std::to_string(bytes) + " bytes do not hold an ELF header"));
  }
}

TEST_F(Malformed, a_header_of_no_class_or_byte_order_is_named) {
  ElfText text = small_library();
  text.patches = {{EI_CLASS, "\x07"}};
  EXPECT_EQ(fault_of_content(text.bytes()),
            text_of("has a damaged ELF header (class 7, byte order 1, version 1)"));
  text.patches = {{EI_DATA, "\x03"}};
  EXPECT_EQ(fault_of_content(text.bytes()),
            text_of("has a damaged ELF header (class 2, byte order 3, version 1)"));
  text.patches = {{EI_VERSION, "\x02"}};
  EXPECT_EQ(fault_of_content(text.bytes()),
            text_of("has a damaged ELF header (class 2, byte order 1, version 2)"));
}

TEST_F(Malformed, a_cut_program_header_table_is_not_read_as_a_shorter_one) {
  const std::string whole = small_library().bytes();
  EXPECT_EQ(fault_of_content(whole.substr(0, 64 + 2 * 56)),
            text_of("is cut: 2 of 3 program headers are in the file"));
  EXPECT_EQ(fault_of_content(whole.substr(0, 64 + 2 * 56 + 55)),
            text_of("is cut: 2 of 3 program headers are in the file"));
  EXPECT_EQ(fault_of_content(whole.substr(0, 64)),
            text_of("has a damaged program header table: invalid data"));
}

TEST_F(Malformed, program_headers_of_a_wrong_size_are_named) {
  ElfText text = small_library();
  text.patches = {{offsetof(Elf64_Ehdr, e_phentsize), text.number(32, 2)}};
  EXPECT_EQ(fault_of_content(text.bytes()),
            text_of("has program headers of 32 bytes, 56 are right for its class"));
}

TEST_F(Malformed, a_program_header_table_beyond_the_file_is_named) {
  ElfText text = small_library();
  text.patches = {{offsetof(Elf64_Ehdr, e_phoff), text.address(0x100000)}};
  EXPECT_EQ(fault_of_content(text.bytes()),
            text_of("has a damaged program header table: invalid data"));
}

TEST_F(Malformed, a_segment_beyond_the_file_is_named) {
  ElfText text = small_library();
  text.segments[1].file_bytes = text.segments[1].memory_bytes = 0x801;
  text.content_bytes = 0x1000;
  EXPECT_EQ(fault_of_content(text.bytes()),
            text_of("is cut: its PT_LOAD segment 2 of 2049 bytes at offset 2048 is not within its "
                    "4096 bytes"));
  text.segments[1].offset = ~std::uint64_t{0} - 0x400;
  EXPECT_EQ(fault_of_content(text.bytes()),
            text_of("is cut: its PT_LOAD segment 2 of 2049 bytes at offset 18446744073709550591 is "
                    "not within its 4096 bytes"));
}

TEST_F(Malformed, a_segment_smaller_in_memory_than_in_the_file_is_named) {
  ElfText text = small_library();
  text.segments[0].memory_bytes = 0x7ff;
  EXPECT_EQ(fault_of_content(text.bytes()),
            text_of("is malformed: its PT_LOAD segment 1 has 2048 bytes in the file, but 2047 in "
                    "memory"));
}

TEST_F(Malformed, segments_that_overlap_or_descend_are_named) {
  ElfText text = small_library();
  text.segments[1].address = 0x7ff;
  EXPECT_EQ(fault_of_content(text.bytes()),
            text_of("is malformed: its PT_LOAD segment 2 begins before the one before it ends"));
}

TEST_F(Malformed, a_dynamic_section_beyond_the_file_is_named) {
  ElfText text = small_library();
  text.segments[2].offset = 4096 - 0x10;
  EXPECT_EQ(fault_of_content(text.bytes()),
            text_of("is cut: its dynamic section of 32 bytes at offset 4080 is not within its 4096 "
                    "bytes"));
}

TEST_F(Malformed, notes_beyond_the_file_are_named) {
  ElfText text = small_library();
  text.segments.push_back({PT_NOTE, 4000, 0x700, 0x100, 0x100, 4});
  EXPECT_EQ(fault_of_content(text.bytes()),
            text_of("is cut: its note segment of 256 bytes at offset 4000 is not within its 4096 "
                    "bytes"));
}

TEST_F(Malformed, tables_that_no_segment_loads_are_named) {
  EXPECT_EQ(fault_of_content(with_dynamic({{DT_STRTAB, 0x5000}, {DT_STRSZ, 16}}).bytes()),
            text_of("has its string table at address 20480, where no segment loads it"));
  // Beyond the file's part of the segment there are only zeros.
  EXPECT_EQ(fault_of_content(with_dynamic({{DT_STRTAB, 0x1a00}, {DT_STRSZ, 16}}).bytes()),
            text_of("has its string table at address 6656, where no segment loads it"));
  EXPECT_EQ(fault_of_content(with_dynamic({{DT_STRTAB, 0x19f8}, {DT_STRSZ, 16}}).bytes()),
            text_of("has a string table of 16 bytes, but only 8 are left in its segment"));
  EXPECT_EQ(fault_of_content(with_dynamic({{DT_SYMTAB, 0x5000}, {DT_HASH, 0x1900}}).bytes()),
            text_of("has its symbol table at address 20480, where no segment loads it"));
  EXPECT_EQ(fault_of_content(with_dynamic({{DT_SYMTAB, 0x1900}, {DT_HASH, 0x5000}}).bytes()),
            text_of("has its symbol hash table at address 20480, where no segment loads it"));
}

TEST_F(Malformed, more_symbols_than_the_segment_holds_are_named) {
  ElfText text = with_dynamic({{DT_SYMTAB, 0x1900}, {DT_HASH, 0x19f0}});
  text.patches.emplace_back(0x9f0, text.number(1, 4) + text.number(0xffffffff, 4));
  EXPECT_EQ(fault_of_content(text.bytes()),
            text_of("has a symbol table of 103079215080 bytes, but only 256 are left in its "
                    "segment"));
}

TEST_F(Malformed, a_hash_table_without_an_end_is_named) {
  const std::string said = text_of("has a symbol hash table that does not end within its segment");
  ElfText text = with_dynamic({{DT_SYMTAB, 0x1900}, {DT_GNU_HASH, 0x1980}});
  // One bucket, first symbol 1, no filter, bucket 1, and a chain of even words to the end.
  text.patches.emplace_back(
      0x980, text.number(1, 4) + text.number(1, 4) + text.number(0, 8) + text.number(1, 4));
  EXPECT_EQ(fault_of_content(text.bytes()), said);
  text.patches.back().second = text.number(0xffffffff, 4) + text.number(1, 4) + text.number(0, 8);
  EXPECT_EQ(fault_of_content(text.bytes()), said);
  text.patches.back().second = text.number(1, 4) + text.number(1, 4) + text.number(0xffffffff, 4);
  EXPECT_EQ(fault_of_content(text.bytes()), said);
  text.patches.back().second =
      text.number(1, 4) + text.number(1, 4) + text.number(0, 8) + text.number(0xfffffff0, 4);
  EXPECT_EQ(fault_of_content(text.bytes()), said);
  EXPECT_EQ(fault_of_content(with_dynamic({{DT_SYMTAB, 0x1900}, {DT_HASH, 0x19fc}}).bytes()), said);
}

TEST_F(Malformed, names_outside_the_string_table_are_named) {
  EXPECT_EQ(
      fault_of_content(
          with_dynamic({{DT_NEEDED, 99}, {DT_STRTAB, 0x1900}, {DT_STRSZ, 16}}).bytes()),
      text_of("has a name at offset 99 that does not end within its string table of 16 bytes"));
  ElfText text = with_dynamic({{DT_NEEDED, 12}, {DT_STRTAB, 0x1900}, {DT_STRSZ, 16}});
  text.patches.emplace_back(0x90c, "abcd");
  EXPECT_EQ(
      fault_of_content(text.bytes()),
      text_of("has a name at offset 12 that does not end within its string table of 16 bytes"));
}

TEST_F(Malformed, files_cut_anywhere_end_in_an_error_or_in_the_same_size) {
  const std::string whole = content_of(built_library("plain"));
  const Image image = read_image(built_library("plain"));
  std::size_t faults = 0;
  for (std::size_t bytes = 0; bytes < whole.size(); bytes += 97) {
    try {
      EXPECT_EQ(read_image(write(whole.substr(0, bytes))).bytes, image.bytes) << bytes;
    } catch (const Error& error) {
      EXPECT_EQ(error.fault(), Fault::target) << error.render();
      ++faults;
    }
  }
  EXPECT_GT(faults, 10U);
}

TEST_F(Malformed, any_byte_changed_ends_in_an_error_or_in_classes_that_add_up) {
  const std::string whole = content_of(built_library("joined"));
  std::size_t images = 0;
  for (std::size_t at = 0; at < 0x1000; at += 3) {
    for (const char value : {'\x00', '\x01', '\x7f', '\xff'}) {
      std::string changed = whole;
      changed[at] = value;
      try {
        const Image image = read_image(write(changed));
        if (image.parts) {
          EXPECT_EQ(image.parts->sum(), image.bytes) << at;
          ++images;
        }
      } catch (const Error& error) {
        EXPECT_EQ(error.fault(), Fault::target) << error.render();
      }
    }
  }
  EXPECT_GT(images, 100U);
}

}  // namespace
}  // namespace hashprof::elf
