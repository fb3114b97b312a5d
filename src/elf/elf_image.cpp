// SPDX-License-Identifier: MIT
// From program and section headers to an Image.
#include "elf/elf_image.h"

#include <unistd.h>

#include <algorithm>

#include "base/text.h"
#include "elf/dynamic.h"
#include "elf/elf_file.h"
#include "elf/layout.h"
#include "elf/sections.h"

namespace hashprof::elf {

namespace {

Target target_of(const GElf_Ehdr& header) {
  return {header.e_machine, header.e_ident[EI_CLASS] == ELFCLASS64 ? 64U : 32U,
          header.e_ident[EI_DATA] == ELFDATA2MSB};
}

/// Bits of an address of a process: what a segment must fit into.
std::uint32_t address_bits(const Target& target) {
  if (target.bits == 32) {
    return 32;
  }
  // x86-64 with 4 levels of pages, AArch64 with 48-bit addresses; RISC-V's Sv57 is the widest.
  return target.machine == EM_X86_64 ? 47 : target.machine == EM_AARCH64 ? 48 : 56;
}

std::vector<Claim> section_claims(const std::vector<GElf_Shdr>& sections) {
  std::vector<Claim> claims;
  for (const GElf_Shdr& section : sections) {
    // .tbss has an address, but no place there: each thread gets its own.
    const bool is_tbss = section.sh_type == SHT_NOBITS && (section.sh_flags & SHF_TLS) != 0;
    if ((section.sh_flags & SHF_ALLOC) != 0 && !is_tbss && section.sh_size != 0) {
      claims.push_back({range_of(section.sh_addr, section.sh_size), class_of(section)});
    }
  }
  return claims;
}

std::vector<Claim> header_claims(const ElfFile& file, const std::vector<Segment>& segments,
                                 std::size_t program_headers) {
  const std::uint64_t table_bytes = program_headers * file.item_bytes(ELF_T_PHDR);
  std::vector<Claim> claims;
  for (const Range& offsets :
       {range_of(0, file.header().e_ehsize), range_of(file.header().e_phoff, table_bytes)}) {
    for (const Range& range : loaded_ranges(segments, offsets)) {
      claims.push_back({range, &Parts::headers});
    }
  }
  return claims;
}

void fill_parts(const ElfFile& file, const std::vector<Segment>& segments,
                const std::vector<GElf_Phdr>& headers, Image& image) {
  std::vector<GElf_Shdr> sections;
  image.parts_reason = file.read_section_headers(sections);
  if (!image.parts_reason.empty()) {
    return;
  }
  std::vector<Claim> claims = header_claims(file, segments, headers.size());
  const std::vector<Claim> of_sections = section_claims(sections);
  claims.insert(claims.end(), of_sections.begin(), of_sections.end());
  std::optional<Range> relro;
  if (const GElf_Phdr* header = find_header(headers, PT_GNU_RELRO)) {
    relro = range_of(header->p_vaddr, header->p_memsz);
  }
  image.parts = split_image(segments, std::move(claims), relro);
}

json::Array names(const std::vector<std::string>& list) {
  constexpr std::size_t kLongestName = 4096;
  json::Array array;
  for (const std::string& name : list) {
    array.emplace_back(text::printable(name, kLongestName));
  }
  return array;
}

json::Value text_or_null(const std::string& text) {
  return text.empty() ? json::Value() : json::Value(text);
}

}  // namespace

std::uint64_t Parts::*class_of(const GElf_Shdr& section) {
  if ((section.sh_flags & SHF_EXECINSTR) != 0) {
    return &Parts::text;
  }
  if ((section.sh_flags & SHF_WRITE) != 0) {
    return section.sh_type == SHT_NOBITS ? &Parts::bss : &Parts::data;
  }
  const bool is_content = section.sh_type == SHT_PROGBITS || section.sh_type == SHT_NOBITS ||
                          section.sh_type == SHT_X86_64_UNWIND;
  return is_content ? &Parts::rodata : &Parts::other;
}

const GElf_Phdr* find_header(const std::vector<GElf_Phdr>& headers, std::uint32_t type) {
  const auto found = std::find_if(headers.rbegin(), headers.rend(),
                                  [&](const GElf_Phdr& header) { return header.p_type == type; });
  return found == headers.rend() ? nullptr : &*found;
}

std::uint64_t own_page_bytes() { return static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)); }

Image read_image(const std::filesystem::path& path, std::uint64_t page_bytes) {
  const ElfFile file(path);
  const std::vector<GElf_Phdr> headers = file.program_headers();
  const std::vector<Segment> segments = find_segments(file, headers);
  Image image;
  image.target = target_of(file.header());
  image.obstacle = segments.empty() ? "no PT_LOAD segment: nothing of the file would be loaded"
                                    : find_unmappable(segments, address_bits(image.target));
  if (!image.obstacle.empty()) {
    image.parts_reason = image.exports_reason = image.obstacle;
    return image;
  }
  image.bytes = image_bytes(segments);
  image.pages = count_pages(segments, page_bytes);
  fill_parts(file, segments, headers, image);
  image.build_id = read_build_id(file, headers);
  const GElf_Phdr* dynamic = find_header(headers, PT_DYNAMIC);
  if (dynamic == nullptr) {
    image.obstacle = image.exports_reason = "no dynamic section: it names no symbol to the loader";
    return image;
  }
  read_dynamic(file, segments, *dynamic, image);
  return image;
}

json::Value to_json(const Parts& parts) {
  json::Object object;
  for (const auto& [name, part] : kPartNames) {
    object.emplace_back(name, parts.*part);
  }
  return object;
}

Parts parts_from_json(const json::Value& value) {
  Parts parts;
  for (const auto& [name, part] : kPartNames) {
    parts.*part = value.at(name).as_unsigned();
  }
  return parts;
}

json::Value to_json(const Image& image) {
  const Pages pages = image.pages.value_or(Pages{});
  return json::Object{
      {"bytes", image.bytes},
      {"reason", image.bytes ? json::Value() : json::Value(image.obstacle)},
      {"machine", machine_name(image.target.machine)},
      {"machine_number", image.target.machine},
      {"address_bits", image.target.bits},
      {"byte_order", image.target.is_big_endian ? "big" : "little"},
      {"loadable", image.is_loadable()},
      {"obstacle", text_or_null(image.obstacle)},
      {"page_bytes", image.pages ? json::Value(pages.page_bytes) : json::Value()},
      {"span_bytes", image.pages ? json::Value(pages.span_bytes) : json::Value()},
      {"mapped_bytes", image.pages ? json::Value(pages.mapped_bytes) : json::Value()},
      {"parts", image.parts ? to_json(*image.parts) : json::Value()},
      {"parts_reason", text_or_null(image.parts_reason)},
      {"build_id", text_or_null(image.build_id)},
      {"needed", names(image.needed)},
      {"exports", image.exports ? json::Value(names(*image.exports)) : json::Value()},
      {"exports_reason", text_or_null(image.exports_reason)}};
}

json::Value absent_image(const std::string& reason) {
  return json::Object{{"bytes", nullptr}, {"reason", reason}};
}

}  // namespace hashprof::elf
