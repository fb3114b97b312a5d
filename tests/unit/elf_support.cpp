// SPDX-License-Identifier: MIT
// See elf_support.h.
#include "elf_support.h"

#include <array>
#include <cstdio>
#include <fstream>

#include "base/file.h"

namespace hashprof::elf {

std::string ElfText::number(std::uint64_t value, std::size_t width) const {
  std::string out;
  for (std::size_t i = 0; i < width; ++i) {
    const std::size_t byte = target.is_big_endian ? width - 1 - i : i;
    out.push_back(static_cast<char>(value >> (8 * byte)));
  }
  return out;
}

std::string ElfText::address(std::uint64_t value) const { return number(value, target.bits / 8); }

std::string ElfText::bytes() const {
  const bool is_wide = target.bits == 64;
  const std::uint64_t header_bytes = is_wide ? sizeof(Elf64_Ehdr) : sizeof(Elf32_Ehdr);
  const std::uint64_t entry_bytes = is_wide ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr);
  const std::uint64_t section_bytes = is_wide ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr);
  std::string out = ELFMAG;
  out += number(is_wide ? ELFCLASS64 : ELFCLASS32, 1);
  out += number(target.is_big_endian ? ELFDATA2MSB : ELFDATA2LSB, 1);
  out += number(EV_CURRENT, 1) + std::string(9, '\0');
  out += number(type, 2) + number(target.machine, 2) + number(EV_CURRENT, 4) + address(0);
  out += address(segments.empty() ? 0 : header_bytes);
  out += address(sections.empty() ? 0 : content_bytes) + number(0, 4) + number(header_bytes, 2);
  out += number(entry_bytes, 2) + number(segments.size(), 2) + number(section_bytes, 2);
  out += number(sections.empty() ? 0 : sections.size() + 1, 2) + number(0, 2);
  for (const SegmentText& segment : segments) {
    out += number(segment.type, 4) + (is_wide ? number(PF_R, 4) : "");
    out += address(segment.offset) + address(segment.address) + address(segment.address);
    out += address(segment.file_bytes) + address(segment.memory_bytes);
    out += (is_wide ? "" : number(PF_R, 4)) + address(segment.align);
  }
  out.resize(content_bytes, '\0');
  if (!sections.empty()) {
    out += std::string(section_bytes, '\0');
  }
  for (const SectionText& section : sections) {
    out += number(0, 4) + number(section.type, 4) + address(section.flags);
    out += address(section.address) + address(section.address) + address(section.bytes);
    out += number(0, 4) + number(0, 4) + address(1) + address(0);
  }
  for (const auto& [offset, patch] : patches) {
    out.replace(offset, patch.size(), patch);
  }
  return out;
}

ElfText small_library() {
  ElfText text;
  text.segments = {{PT_LOAD, 0, 0, 0x800, 0x800, 4096},
                   {PT_LOAD, 0x800, 0x1800, 0x200, 0x900, 4096},
                   {PT_DYNAMIC, 0x800, 0x1800, 0x20, 0x20, 8}};
  return text;
}

std::filesystem::path ElfTest::write(const std::string& content, const std::string& name) const {
  auto file = folder_.path() / name;
  // Neither synced nor written over, which syncs too: some tests write thousands of files.
  std::filesystem::remove(file);
  std::ofstream(file, std::ios::binary) << content;
  return file;
}

Image ElfTest::image_of(const ElfText& text) const { return read_image(write(text.bytes()), 4096); }

std::string ElfTest::fault_of(const std::filesystem::path& path) const {
  try {
    (void)read_image(path);
  } catch (const Error& error) {
    std::string said = error.render();
    const std::string folder = folder_.path().native() + "/";
    const auto at = said.find(folder);
    return at == std::string::npos ? said : said.erase(at, folder.size());
  }
  return "(none)";
}

std::string ElfTest::fault_of_content(const std::string& content) const {
  return fault_of(write(content));
}

Parts parts_of(const Image& image) {
  EXPECT_TRUE(image.parts.has_value()) << image.parts_reason;
  return image.parts.value_or(Parts{});
}

std::filesystem::path built_library(const std::string& name) {
  return std::filesystem::path(HASHPROF_ELF_LIBRARIES) / (name + ".so");
}

std::string content_of(const std::filesystem::path& file) {
  return read_file(file, Bytes{64U << 20U});
}

std::string output_of(const std::string& command) {
  std::string out;
  FILE* pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) {
    ADD_FAILURE() << "cannot run " << command;
    return out;
  }
  std::array<char, 4096> block{};
  for (std::size_t count = 0; (count = std::fread(block.data(), 1, block.size(), pipe)) != 0;) {
    out.append(block.data(), count);
  }
  EXPECT_EQ(::pclose(pipe), 0) << command;
  return out;
}

}  // namespace hashprof::elf
