// SPDX-License-Identifier: MIT
// See elf/dynamic.h.
#include "elf/dynamic.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <string_view>

#include "base/text.h"

namespace hashprof::elf {

namespace {

/// Entries of the dynamic section that are used, and their addresses in memory.
struct Table {
  std::uint64_t strings = 0;
  std::uint64_t string_bytes = 0;
  std::uint64_t symbols = 0;
  std::uint64_t hash = 0;
  std::uint64_t gnu_hash = 0;
  std::uint64_t flags = 0;
  std::vector<std::uint64_t> needed;
};

/// A run of bytes of the file.
struct Place {
  std::uint64_t offset = 0;
  std::uint64_t available = 0;  ///< bytes of its segment from there on
};

std::string at_address(const std::string& what, std::uint64_t address) {
  return what + " at address " + std::to_string(address);
}

class Reader {
 public:
  Reader(const ElfFile& file, const std::vector<Segment>& segments)
      : file_(file), segments_(segments) {}

  /// Where the loader finds an address: in the file's part of a segment.
  [[nodiscard]] Place locate(std::uint64_t address, const std::string& what) const {
    for (const Segment& segment : segments_) {
      if (address >= segment.address && address - segment.address < segment.file_bytes) {
        const std::uint64_t skipped = address - segment.address;
        return {segment.offset + skipped, segment.file_bytes - skipped};
      }
    }
    throw file_.fault("has its " + at_address(what, address) + ", where no segment loads it");
  }

  [[nodiscard]] Elf_Data* read(const Place& place, std::uint64_t bytes, Elf_Type type,
                               const std::string& what) const {
    if (bytes > place.available) {
      throw file_.fault("has a " + what + " of " + std::to_string(bytes) + " bytes, but only " +
                        std::to_string(place.available) + " are left in its segment");
    }
    return file_.chunk(place.offset, bytes, type, what);
  }

  /// `count` 32-bit words at `address` + 4 * `skip`.
  [[nodiscard]] std::span<const std::uint32_t> words(std::uint64_t address, std::uint64_t skip,
                                                     std::uint64_t count) const {
    Place place = locate(address, "symbol hash table");
    const std::uint64_t available = place.available / sizeof(std::uint32_t);
    if (skip > available || count > available - skip) {
      throw file_.fault("has a symbol hash table that does not end within its segment");
    }
    place.offset += skip * sizeof(std::uint32_t);
    const Elf_Data* data =
        file_.chunk(place.offset, count * sizeof(std::uint32_t), ELF_T_WORD, "symbol hash table");
    return data == nullptr ? std::span<const std::uint32_t>()
                           : std::span(static_cast<const std::uint32_t*>(data->d_buf), count);
  }
  [[nodiscard]] std::uint64_t words_from(std::uint64_t address) const {
    return locate(address, "symbol hash table").available / sizeof(std::uint32_t);
  }

  [[nodiscard]] const ElfFile& file() const { return file_; }

 private:
  const ElfFile& file_;
  const std::vector<Segment>& segments_;
};

Table read_table(const ElfFile& file, const GElf_Phdr& dynamic) {
  const std::uint64_t count = dynamic.p_filesz / file.item_bytes(ELF_T_DYN);
  Elf_Data* data = file.chunk(dynamic.p_offset, count * file.item_bytes(ELF_T_DYN), ELF_T_DYN,
                              "dynamic section");
  Table table;
  for (std::uint64_t i = 0; i < count; ++i) {
    GElf_Dyn entry{};
    if (gelf_getdyn(data, static_cast<int>(i), &entry) == nullptr) {
      throw file.libelf_fault("has a damaged dynamic section");
    }
    switch (entry.d_tag) {
      case DT_NULL:
        return table;
      case DT_STRTAB:
        table.strings = entry.d_un.d_ptr;
        break;
      case DT_STRSZ:
        table.string_bytes = entry.d_un.d_val;
        break;
      case DT_SYMTAB:
        table.symbols = entry.d_un.d_ptr;
        break;
      case DT_HASH:
        // Its words have 64 bits there (s390x ABI), unlike those of DT_GNU_HASH.
        table.hash =
            file.header().e_machine == EM_S390 && file.header().e_ident[EI_CLASS] == ELFCLASS64
                ? 0
                : entry.d_un.d_ptr;
        break;
      case DT_GNU_HASH:
        table.gnu_hash = entry.d_un.d_ptr;
        break;
      case DT_FLAGS_1:
        table.flags = entry.d_un.d_val;
        break;
      case DT_NEEDED:
        table.needed.push_back(entry.d_un.d_val);
        break;
      default:
        break;
    }
  }
  return table;
}

/// A name of the string table, which must end within it.
std::string string_at(const ElfFile& file, std::string_view strings, std::uint64_t offset) {
  const std::size_t end =
      offset < strings.size() ? strings.find('\0', offset) : std::string_view::npos;
  if (end == std::string_view::npos) {
    throw file.fault("has a name at offset " + std::to_string(offset) +
                     " that does not end within its string table of " +
                     std::to_string(strings.size()) + " bytes");
  }
  return std::string(strings.substr(offset, end - offset));
}

/// Number of symbols by DT_GNU_HASH: one more than the last one of the longest chain, or the ones
/// before the table if no bucket is used.
std::uint64_t count_by_gnu_hash(const Reader& reader, std::uint64_t address) {
  const auto head = reader.words(address, 0, 4);
  const std::uint64_t buckets = head[0];
  const std::uint64_t first = head[1];
  const std::uint64_t filter_words =
      std::uint64_t{head[2]} * (reader.file().item_bytes(ELF_T_ADDR) / sizeof(std::uint32_t));
  const std::uint64_t chains = 4 + filter_words + buckets;
  std::uint64_t last = 0;
  for (const std::uint32_t bucket : reader.words(address, 4 + filter_words, buckets)) {
    last = std::max<std::uint64_t>(last, bucket);
  }
  if (last < first) {
    return first;
  }
  const std::uint64_t from = chains + (last - first);
  const std::uint64_t words = reader.words_from(address);
  for (const std::uint32_t hash :
       reader.words(address, from, from < words ? words - from : std::uint64_t{1})) {
    ++last;
    if ((hash & 1U) != 0) {
      return last;
    }
  }
  throw reader.file().fault("has a symbol hash table that does not end within its segment");
}

bool is_exported(const GElf_Sym& symbol) {
  const unsigned binding = GELF_ST_BIND(symbol.st_info);
  const unsigned visibility = GELF_ST_VISIBILITY(symbol.st_other);
  return symbol.st_shndx != SHN_UNDEF &&
         (binding == STB_GLOBAL || binding == STB_WEAK || binding == STB_GNU_UNIQUE) &&
         (visibility == STV_DEFAULT || visibility == STV_PROTECTED);
}

constexpr const char* kNoSymbols = "the file has no hash table of its symbols";

bool has_symbols(const Table& table) {
  return table.symbols != 0 && (table.gnu_hash != 0 || table.hash != 0);
}

/// The string table; empty if there is none.
std::string_view read_strings(const Reader& reader, const Table& table) {
  if (table.string_bytes == 0) {
    return {};
  }
  const Elf_Data* data = reader.read(reader.locate(table.strings, "string table"),
                                     table.string_bytes, ELF_T_BYTE, "string table");
  return {static_cast<const char*>(data->d_buf), data->d_size};
}

struct Export {
  std::string name;
  GElf_Sym symbol{};
};

std::vector<Export> read_symbols(const Reader& reader, const Table& table,
                                 std::string_view strings) {
  const std::uint64_t count = table.gnu_hash != 0 ? count_by_gnu_hash(reader, table.gnu_hash)
                                                  : reader.words(table.hash, 1, 1)[0];
  const std::uint64_t bytes = count * reader.file().item_bytes(ELF_T_SYM);
  Elf_Data* data =
      reader.read(reader.locate(table.symbols, "symbol table"), bytes, ELF_T_SYM, "symbol table");
  std::vector<Export> symbols;
  for (std::uint64_t i = 0; i < count; ++i) {
    GElf_Sym symbol{};
    if (gelf_getsym(data, static_cast<int>(i), &symbol) == nullptr) {
      throw reader.file().libelf_fault("has a damaged symbol table");
    }
    if (is_exported(symbol)) {
      symbols.push_back({string_at(reader.file(), strings, symbol.st_name), symbol});
    }
  }
  return symbols;
}

std::vector<std::string> names_of(const std::vector<Export>& symbols) {
  std::vector<std::string> names;
  names.reserve(symbols.size());
  for (const Export& symbol : symbols) {
    names.push_back(symbol.name);
  }
  std::sort(names.begin(), names.end());
  // One name in several versions is one name.
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

}  // namespace

void read_dynamic(const ElfFile& file, const std::vector<Segment>& segments,
                  const GElf_Phdr& dynamic, Image& image) {
  const Table table = read_table(file, dynamic);
  if ((table.flags & DF_1_PIE) != 0) {
    throw file.fault("is a position-independent program, not a shared library")
        .hint("link it with -shared in place of -pie");
  }
  const Reader reader(file, segments);
  const std::string_view strings = read_strings(reader, table);
  for (const std::uint64_t name : table.needed) {
    image.needed.push_back(string_at(file, strings, name));
  }
  if (!has_symbols(table)) {
    image.exports_reason = kNoSymbols;
    return;
  }
  image.exports = names_of(read_symbols(reader, table, strings));
}

std::vector<Function> read_functions(const ElfFile& file, const std::vector<Segment>& segments,
                                     const GElf_Phdr& dynamic, const std::set<std::string>& names) {
  const Table table = read_table(file, dynamic);
  if (!has_symbols(table)) {
    throw file.fault(kNoSymbols);
  }
  const Reader reader(file, segments);
  std::vector<Function> functions;
  for (const Export& symbol : read_symbols(reader, table, read_strings(reader, table))) {
    if (names.contains(symbol.name) && GELF_ST_TYPE(symbol.symbol.st_info) == STT_FUNC) {
      functions.push_back(
          {symbol.name, reader.locate(symbol.symbol.st_value, "function " + symbol.name).offset});
    }
  }
  return functions;
}

std::string read_build_id(const ElfFile& file, const std::vector<GElf_Phdr>& headers) {
  constexpr std::string_view kOwner("GNU", sizeof "GNU");
  for (const GElf_Phdr& header : headers) {
    if (header.p_type != PT_NOTE || header.p_filesz == 0) {
      continue;
    }
    // gabi: notes of 8-byte alignment pad their parts to 8.
    const Elf_Type type = header.p_align == 8 ? ELF_T_NHDR8 : ELF_T_NHDR;
    Elf_Data* data = file.chunk(header.p_offset, header.p_filesz, type, "note segment");
    GElf_Nhdr note{};
    std::size_t name_at = 0;
    std::size_t desc_at = 0;
    std::size_t next = 0;
    while ((next = gelf_getnote(data, next, &note, &name_at, &desc_at)) > 0) {
      const char* bytes = static_cast<const char*>(data->d_buf);
      if (note.n_type == NT_GNU_BUILD_ID &&
          std::string_view(bytes + name_at, note.n_namesz) == kOwner) {
        return text::hex(
            std::span(static_cast<const std::uint8_t*>(data->d_buf) + desc_at, note.n_descsz));
      }
    }
  }
  return {};
}

}  // namespace hashprof::elf
