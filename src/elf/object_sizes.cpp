// SPDX-License-Identifier: MIT
// See elf/object_sizes.h.
#include "elf/object_sizes.h"

#include <gelf.h>

#include <memory>
#include <string>

#include "base/error.h"
#include "base/file.h"

namespace hashprof::elf {

namespace {

constexpr Bytes kLargestFile{1U << 30U};

struct End {
  void operator()(Elf* handle) const noexcept { (void)elf_end(handle); }
};

Error fault_of(const std::filesystem::path& file, const std::string& what) {
  return Error(Fault::target, file.native(), what);
}

/// Bytes of the common symbols of a symbol table.
std::uint64_t common_bytes(Elf_Scn* section, const GElf_Shdr& header) {
  Elf_Data* const data = elf_getdata(section, nullptr);
  if (data == nullptr || header.sh_entsize == 0) {
    return 0;
  }
  std::uint64_t bytes = 0;
  const auto count = static_cast<int>(header.sh_size / header.sh_entsize);
  for (int i = 0; i < count; ++i) {
    GElf_Sym symbol;
    if (gelf_getsym(data, i, &symbol) != nullptr && symbol.st_shndx == SHN_COMMON) {
      bytes += symbol.st_size;
    }
  }
  return bytes;
}

}  // namespace

ObjectSizes& ObjectSizes::operator+=(const ObjectSizes& other) {
  text += other.text;
  rodata += other.rodata;
  data += other.data;
  bss += other.bss;
  return *this;
}

ObjectSizes read_object_sizes(const std::filesystem::path& file) {
  std::string content = read_file(file, kLargestFile);
  if (elf_version(EV_CURRENT) == EV_NONE) {
    throw fault_of(file, "libelf is older than this program");
  }
  const std::unique_ptr<Elf, End> handle(elf_memory(content.data(), content.size()));
  GElf_Ehdr header;
  if (handle == nullptr || elf_kind(handle.get()) != ELF_K_ELF ||
      gelf_getehdr(handle.get(), &header) == nullptr || header.e_type != ET_REL) {
    throw fault_of(file, "is not an object file (.o)");
  }
  ObjectSizes sizes;
  for (Elf_Scn* section = elf_nextscn(handle.get(), nullptr); section != nullptr;
       section = elf_nextscn(handle.get(), section)) {
    GElf_Shdr entry;
    if (gelf_getshdr(section, &entry) == nullptr) {
      throw fault_of(file, "a section header is damaged");
    }
    if (entry.sh_type == SHT_SYMTAB) {
      sizes.bss += common_bytes(section, entry);
    }
    if ((entry.sh_flags & SHF_ALLOC) == 0) {
      continue;
    }
    std::uint64_t& part = (entry.sh_flags & SHF_EXECINSTR) != 0 ? sizes.text
                          : (entry.sh_flags & SHF_WRITE) == 0   ? sizes.rodata
                          : entry.sh_type == SHT_NOBITS         ? sizes.bss
                                                                : sizes.data;
    part += entry.sh_size;
  }
  return sizes;
}

json::Value to_json(const ObjectSizes& sizes) {
  return json::Object{
      {"text", sizes.text}, {"rodata", sizes.rodata}, {"data", sizes.data}, {"bss", sizes.bss}};
}

}  // namespace hashprof::elf
