// SPDX-License-Identifier: MIT
// See elf/elf_file.h.
#include "elf/elf_file.h"

#include <sys/stat.h>

#include <algorithm>
#include <string_view>

#include "base/file.h"
#include "base/text.h"

namespace hashprof::elf {

namespace {

constexpr Bytes kLargestFile{1U << 30U};
constexpr const char* kHint = "name a shared library (.so) that the linker made with -shared";

/// What a type of file other than ET_DYN is.
std::string type_name(std::uint16_t type) {
  switch (type) {
    case ET_REL:
      return "an object file (.o)";
    case ET_EXEC:
      return "a program";
    case ET_CORE:
      return "a core dump";
    default:
      return "an ELF file of type " + std::to_string(type);
  }
}

/// Says of a directory, FIFO or device what it is; nothing of a file and of what is not there.
std::string special_name(const std::filesystem::path& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0 || S_ISREG(status.st_mode)) {
    return {};
  }
  return S_ISDIR(status.st_mode)    ? "a folder"
         : S_ISFIFO(status.st_mode) ? "a FIFO"
         : S_ISSOCK(status.st_mode) ? "a socket"
                                    : "a device";
}

std::string read_library(const std::filesystem::path& path) {
  const std::string special = special_name(path);
  if (!special.empty()) {
    throw Error(Fault::target, path.native(), "is " + special + ", not a shared library")
        .hint(kHint);
  }
  return read_file(path, kLargestFile);
}

unsigned byte_at(const std::string& content, std::size_t at) {
  return at < content.size() ? static_cast<unsigned char>(content[at]) : 0U;
}

}  // namespace

void ElfFile::End::operator()(Elf* handle) const noexcept { elf_end(handle); }

Error ElfFile::fault(const std::string& what) const { return {Fault::target, path_, what}; }

Error ElfFile::libelf_fault(const std::string& what) const {
  const char* reason = elf_errmsg(-1);
  return fault(what + ": " + (reason == nullptr ? "unknown error" : reason));
}

ElfFile::ElfFile(const std::filesystem::path& path)
    : path_(path.native()), content_(read_library(path)) {
  check_kind();
  check_header_is_whole();
  if (elf_version(EV_CURRENT) == EV_NONE) {
    throw libelf_fault("libelf is too old for it");
  }
  handle_.reset(elf_memory(content_.data(), content_.size()));
  if (!handle_) {
    throw libelf_fault("has a damaged ELF header");
  }
  read_header();
}

void ElfFile::check_kind() const {
  const auto wrong = [&](const std::string& what) {
    return fault("is " + what + ", not a shared library").hint(kHint);
  };
  const std::string_view content = content_;
  if (content.empty()) {
    throw wrong("empty");
  }
  if (content.starts_with("!<arch>\n") || content.starts_with("!<thin>\n")) {
    throw wrong("a static archive (.a)");
  }
  if (content.starts_with("#!")) {
    throw wrong("a script");
  }
  if (!content.starts_with(ELFMAG)) {
    throw wrong("no ELF file (it begins with \"" + text::printable(content.substr(0, 16)) + "\")");
  }
}

void ElfFile::check_header_is_whole() const {
  const bool is_wide = byte_at(content_, EI_CLASS) == ELFCLASS64;
  if (content_.size() < (is_wide ? sizeof(Elf64_Ehdr) : sizeof(Elf32_Ehdr))) {
    throw fault("is cut: its " + std::to_string(content_.size()) +
                " bytes do not hold an ELF header");
  }
}

void ElfFile::read_header() {
  if (elf_kind(handle_.get()) != ELF_K_ELF) {
    throw fault("has a damaged ELF header (class " + std::to_string(byte_at(content_, EI_CLASS)) +
                ", byte order " + std::to_string(byte_at(content_, EI_DATA)) + ", version " +
                std::to_string(byte_at(content_, EI_VERSION)) + ")");
  }
  if (gelf_getehdr(handle_.get(), &header_) == nullptr) {
    throw libelf_fault("has a damaged ELF header");
  }
  if (header_.e_type != ET_DYN) {
    throw fault("is " + type_name(header_.e_type) + ", not a shared library").hint(kHint);
  }
  const std::uint64_t expected = item_bytes(ELF_T_PHDR);
  if (header_.e_phnum != 0 && header_.e_phentsize != expected) {
    throw fault("has program headers of " + std::to_string(header_.e_phentsize) + " bytes, " +
                std::to_string(expected) + " are right for its class");
  }
}

std::uint64_t ElfFile::item_bytes(Elf_Type type) const {
  const std::size_t bytes = gelf_fsize(handle_.get(), type, 1, EV_CURRENT);
  if (bytes == 0) {
    throw libelf_fault("has a class without sizes");
  }
  return bytes;
}

std::vector<GElf_Phdr> ElfFile::program_headers() const {
  std::size_t count = 0;
  if (elf_getphdrnum(handle_.get(), &count) != 0) {
    throw libelf_fault("has a damaged program header table");
  }
  // libelf counts only what fits into the file.
  if (header_.e_phnum != PN_XNUM && count != header_.e_phnum) {
    throw fault("is cut: " + std::to_string(count) + " of " + std::to_string(header_.e_phnum) +
                " program headers are in the file");
  }
  std::vector<GElf_Phdr> headers;
  for (std::size_t i = 0; i < count; ++i) {
    GElf_Phdr header{};
    if (gelf_getphdr(handle_.get(), static_cast<int>(i), &header) == nullptr) {
      throw libelf_fault("is cut: program header " + std::to_string(i + 1) + " of " +
                         std::to_string(count) + " cannot be read");
    }
    headers.push_back(header);
  }
  return headers;
}

std::string ElfFile::read_section_headers(std::vector<GElf_Shdr>& headers) const {
  if (header_.e_shoff == 0) {
    return "the file has no section headers";
  }
  std::size_t count = 0;
  if (elf_getshdrnum(handle_.get(), &count) != 0) {
    return std::string("the section headers cannot be read: ") + elf_errmsg(-1);
  }
  // e_shnum is 0 where the number stands in the first section header.
  const bool is_cut = header_.e_shnum != 0 && count < header_.e_shnum;
  if (count == 0 || is_cut || header_.e_shoff > content_.size() ||
      count > (content_.size() - header_.e_shoff) / item_bytes(ELF_T_SHDR)) {
    return "the section headers lie beyond the end of the file";
  }
  for (std::size_t i = 1; i < count; ++i) {
    GElf_Shdr header{};
    Elf_Scn* section = elf_getscn(handle_.get(), i);
    if (section == nullptr || gelf_getshdr(section, &header) == nullptr) {
      return "section header " + std::to_string(i) + " cannot be read: " + elf_errmsg(-1);
    }
    headers.push_back(header);
  }
  return {};
}

Elf_Data* ElfFile::chunk(std::uint64_t offset, std::uint64_t bytes, Elf_Type type,
                         const std::string& what) const {
  if (offset > content_.size() || bytes > content_.size() - offset) {
    throw fault("is cut: its " + what + " of " + std::to_string(bytes) + " bytes at offset " +
                std::to_string(offset) + " is not within its " + std::to_string(content_.size()) +
                " bytes");
  }
  if (bytes == 0) {
    return nullptr;
  }
  Elf_Data* data =
      elf_getdata_rawchunk(handle_.get(), static_cast<std::int64_t>(offset), bytes, type);
  if (data == nullptr) {
    throw libelf_fault("has a damaged " + what);
  }
  return data;
}

std::vector<Segment> find_segments(const ElfFile& file, const std::vector<GElf_Phdr>& headers) {
  std::vector<Segment> segments;
  for (const GElf_Phdr& header : headers) {
    if (header.p_type != PT_LOAD) {
      continue;
    }
    const std::string name = "PT_LOAD segment " + std::to_string(segments.size() + 1);
    if (header.p_filesz > header.p_memsz) {
      throw file.fault("is malformed: its " + name + " has " + std::to_string(header.p_filesz) +
                       " bytes in the file, but " + std::to_string(header.p_memsz) + " in memory");
    }
    // A segment without bytes in the file may be said to lie anywhere.
    if (header.p_filesz != 0 &&
        (header.p_offset > file.size() || header.p_filesz > file.size() - header.p_offset)) {
      throw file.fault("is cut: its " + name + " of " + std::to_string(header.p_filesz) +
                       " bytes at offset " + std::to_string(header.p_offset) +
                       " is not within its " + std::to_string(file.size()) + " bytes");
    }
    if (!segments.empty() &&
        header.p_vaddr < range_of(segments.back().address, segments.back().memory_bytes).end) {
      throw file.fault("is malformed: its " + name + " begins before the one before it ends");
    }
    segments.push_back({header.p_vaddr, header.p_memsz, header.p_offset, header.p_filesz});
  }
  return segments;
}

}  // namespace hashprof::elf
