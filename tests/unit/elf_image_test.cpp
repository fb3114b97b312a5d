// SPDX-License-Identifier: MIT
// Catches image sizes and classes that do not add up: files are written byte by byte, so that each
// figure is known beforehand.
#include "elf/elf_image.h"

#include <gtest/gtest.h>

#include "elf_support.h"

namespace hashprof::elf {
namespace {

using ElfImage = ElfTest;

/// Sections of every kind over the segments [0, 0x1000), [0x2000, 0x3000), [0x4000, 0x6000).
ElfText full_library() {
  ElfText text;
  text.content_bytes = 0x4000;
  text.segments = {{PT_LOAD, 0, 0, 0x1000, 0x1000, 4096},
                   {PT_LOAD, 0x1000, 0x2000, 0x1000, 0x1000, 4096},
                   {PT_LOAD, 0x2000, 0x4000, 0x1000, 0x2000, 4096},
                   {PT_DYNAMIC, 0x2100, 0x4100, 0x20, 0x20, 8},
                   {PT_GNU_RELRO, 0x2000, 0x4000, 0x800, 0x800, 1}};
  text.sections = {
      {SHT_DYNSYM, SHF_ALLOC, 0x300, 0x100},
      {SHT_GNU_HASH, SHF_ALLOC, 0x400, 0x80},
      {SHT_NOTE, SHF_ALLOC, 0x480, 0x20},
      {SHT_PROGBITS, SHF_ALLOC, 0x600, 0x900},                        // .rodata
      {SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 0x2000, 0xf00},       // .text
      {SHT_NOBITS, SHF_ALLOC | SHF_WRITE | SHF_TLS, 0x4000, 0x5000},  // .tbss: no place
      {SHT_DYNAMIC, SHF_ALLOC | SHF_WRITE, 0x4100, 0x700},            // relro
      {SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, 0x4800, 0x800},           // .data
      {SHT_NOBITS, SHF_ALLOC | SHF_WRITE, 0x5010, 0xff0},             // .bss
      {SHT_PROGBITS, 0, 0, 0x7777},                                   // .debug_info
  };
  return text;
}

TEST_F(ElfImage, every_byte_of_the_image_is_in_one_class) {
  const Image image = image_of(full_library());
  const Parts parts = parts_of(image);
  const std::uint64_t headers = 64 + 5 * 56;
  EXPECT_EQ(image.bytes, 0x4000U);
  EXPECT_EQ(parts.headers, headers);
  EXPECT_EQ(parts.other, 0x1a0U);
  EXPECT_EQ(parts.rodata, 0x900U);
  EXPECT_EQ(parts.text, 0xf00U);
  EXPECT_EQ(parts.relro, 0x700U);
  EXPECT_EQ(parts.data, 0x800U);
  EXPECT_EQ(parts.bss, 0xff0U);
  EXPECT_EQ(parts.gaps, (0x1000U - headers - 0x1a0U - 0x900U) + 0x100U + 0x100U + 0x10U);
  EXPECT_EQ(parts.sum(), image.bytes);
  EXPECT_EQ(image.parts_reason, "");
  EXPECT_TRUE(image.is_loadable());
}

TEST_F(ElfImage, a_section_that_leaves_relro_is_split_at_its_end) {
  ElfText text = full_library();
  text.segments.back().memory_bytes = 0xa00;
  const Parts parts = parts_of(image_of(text));
  EXPECT_EQ(parts.relro, 0x900U);
  EXPECT_EQ(parts.data, 0x600U);
  EXPECT_EQ(parts.sum(), 0x4000U);
}

TEST_F(ElfImage, overlapping_and_oversized_sections_do_not_count_twice) {
  ElfText text = full_library();
  text.sections.push_back({SHT_PROGBITS, SHF_ALLOC, 0x900, 0x200});
  text.sections.push_back({SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, 0x5800, ~std::uint64_t{0} - 0x10});
  const Parts parts = parts_of(image_of(text));
  EXPECT_EQ(parts.rodata, 0x900U);
  EXPECT_EQ(parts.data, 0x800U);
  EXPECT_EQ(parts.bss, 0xff0U);
  EXPECT_EQ(parts.sum(), 0x4000U);
}

TEST_F(ElfImage, a_section_over_two_segments_counts_in_both_and_not_between) {
  ElfText text = small_library();
  text.sections = {{SHT_PROGBITS, SHF_ALLOC, 0x400, 0x1500}};
  const Parts parts = parts_of(image_of(text));
  EXPECT_EQ(parts.rodata, 0x400U + 0x100U);
  EXPECT_EQ(parts.headers, 64U + 3 * 56U);
  EXPECT_EQ(parts.gaps, 0x400U - parts.headers + 0x800U);
  EXPECT_EQ(parts.sum(), 0x1100U);
}

TEST_F(ElfImage, is_the_same_in_every_class_and_byte_order) {
  for (const Target& target :
       {Target{EM_386, 32, false}, Target{EM_ARM, 32, true}, Target{EM_AARCH64, 64, true}}) {
    ElfText text = full_library();
    text.target = target;
    const Image image = image_of(text);
    EXPECT_EQ(image.target, target);
    EXPECT_EQ(image.bytes, 0x4000U);
    const Parts parts = parts_of(image);
    EXPECT_EQ(parts.headers, target.bits == 64 ? 64U + 5 * 56U : 52U + 5 * 32U);
    EXPECT_EQ(parts.text, 0xf00U);
    EXPECT_EQ(parts.relro, 0x700U);
    EXPECT_EQ(parts.sum(), 0x4000U);
  }
}

TEST_F(ElfImage, pages_count_holes_in_the_span_only_and_shared_pages_once) {
  ElfText text = small_library();
  text.segments = {{PT_LOAD, 0, 0x10010, 0x800, 0x800, 4096},
                   {PT_LOAD, 0x900, 0x10900, 0x10, 0x10, 4096},     // in the same page
                   {PT_LOAD, 0xa00, 0x20a00, 0x100, 0x1601, 4096},  // one byte into a third page
                   {PT_DYNAMIC, 0xa00, 0x20a00, 0x20, 0x20, 8}};
  const Image image = image_of(text);
  EXPECT_EQ(image.bytes, 0x800U + 0x10U + 0x1601U);
  EXPECT_EQ(image.pages, (Pages{4096, 0x13000, 0x1000 + 0x3000}));
  EXPECT_EQ(read_image(write(text.bytes()), 65536).pages, (Pages{65536, 0x20000, 0x20000}));
}

TEST_F(ElfImage, a_segment_without_bytes_in_the_file_may_lie_beyond_its_end) {
  ElfText text = small_library();
  text.segments.push_back({PT_TLS, 0x123456, 0x1a00, 0, 0x40, 16});
  text.segments.push_back({PT_LOAD, 0x123000, 0x9000, 0, 0x1000, 4096});
  const Image image = image_of(text);
  EXPECT_EQ(image.bytes, 0x800U + 0x900U + 0x1000U);
  EXPECT_TRUE(image.is_loadable()) << image.obstacle;
}

TEST_F(ElfImage, without_segments_has_no_size) {
  ElfText text = small_library();
  for (SegmentText& segment : text.segments) {
    segment.type = PT_NULL;
  }
  const Image image = image_of(text);
  EXPECT_EQ(image.obstacle, "no PT_LOAD segment: nothing of the file would be loaded");
  EXPECT_FALSE(image.is_loadable());
  EXPECT_EQ(image.bytes, std::nullopt);
  EXPECT_EQ(image.pages, std::nullopt);
  EXPECT_EQ(image.parts, std::nullopt);
  EXPECT_EQ(image.parts_reason, image.obstacle);
}

TEST_F(ElfImage, larger_than_an_address_space_has_no_size) {
  ElfText text = small_library();
  text.segments[1].memory_bytes = std::uint64_t{1} << 63U;
  EXPECT_EQ(image_of(text).obstacle,
            "a PT_LOAD segment of 9223372036854775808 bytes does not fit into the 47 bits of an "
            "address");
  EXPECT_EQ(image_of(text).bytes, std::nullopt);
  text.segments[1].address = ~std::uint64_t{0} - 0xfff;
  text.segments[1].memory_bytes = 0x2000;
  EXPECT_EQ(image_of(text).obstacle,
            "a PT_LOAD segment of 8192 bytes does not fit into the 47 bits of an address");
  text.target = {EM_AARCH64, 64, false};
  text.segments[1].address = (std::uint64_t{1} << 48U) - 0x1000;
  EXPECT_EQ(image_of(text).obstacle,
            "a PT_LOAD segment of 8192 bytes does not fit into the 48 bits of an address");
  text.segments[1].memory_bytes = 0xfff;
  EXPECT_EQ(image_of(text).bytes, 0x800U + 0xfffU);
}

TEST_F(ElfImage, without_a_dynamic_section_has_a_size_but_is_not_loadable) {
  ElfText text = small_library();
  text.segments.pop_back();
  const Image image = image_of(text);
  EXPECT_EQ(image.bytes, 0x1100U);
  EXPECT_EQ(image.obstacle, "no dynamic section: it names no symbol to the loader");
  EXPECT_EQ(image.exports_reason, image.obstacle);
}

TEST_F(ElfImage, keeps_its_size_where_the_sections_are_missing_or_cut) {
  ElfText text = full_library();
  const std::string whole = text.bytes();
  Image image = read_image(write(whole.substr(0, whole.size() - 1)), 4096);
  EXPECT_EQ(image.bytes, 0x4000U);
  EXPECT_EQ(image.parts, std::nullopt);
  EXPECT_EQ(image.parts_reason, "the section headers lie beyond the end of the file");
  text.sections.clear();
  image = image_of(text);
  EXPECT_EQ(image.bytes, 0x4000U);
  EXPECT_EQ(image.parts_reason, "the file has no section headers");
}

TEST_F(ElfImage, as_json_has_every_figure) {
  EXPECT_EQ(json::write_compact(to_json(image_of(full_library()))),
            R"({"bytes": 16384, "reason": null, "machine": "x86-64", "machine_number": 62, )"
            R"("address_bits": 64, "byte_order": "little", "loadable": true, "obstacle": null, )"
            R"("page_bytes": 4096, "span_bytes": 24576, "mapped_bytes": 16384, )"
            R"("parts": {"text": 3840, "rodata": 2304, "relro": 1792, "data": 2048, "bss": 4080, )"
            R"("other": 416, "headers": 344, "gaps": 1560}, "parts_reason": null, )"
            R"("build_id": null, "needed": [], "exports": null, )"
            R"("exports_reason": "the file has no hash table of its symbols"})");
}

TEST_F(ElfImage, that_does_not_exist_is_null_with_a_reason_in_json) {
  ElfText text = small_library();
  text.segments.clear();
  const json::Value value = to_json(image_of(text));
  EXPECT_TRUE(value.at("bytes").is_null());
  EXPECT_TRUE(value.at("span_bytes").is_null());
  EXPECT_FALSE(value.at("loadable").as_bool());
  EXPECT_EQ(value.at("reason").as_string(),
            "no PT_LOAD segment: nothing of the file would be loaded");
  EXPECT_EQ(json::write_compact(absent_image("why")), R"({"bytes": null, "reason": "why"})");
}

}  // namespace
}  // namespace hashprof::elf
