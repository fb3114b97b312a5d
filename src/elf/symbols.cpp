// SPDX-License-Identifier: MIT
// See elf/symbols.h.
#include "elf/symbols.h"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>
#include <string_view>
#include <tuple>

#include "base/text.h"
#include "elf/elf_file.h"
#include "elf/layout.h"
#include "elf/sections.h"

namespace hashprof::elf {

namespace {

constexpr std::size_t kLongestName = 4096;

std::string demangle(const std::string& name) {
  // Anything else is a type's name to __cxa_demangle: "i" would become "int".
  if (!name.starts_with("_Z")) {
    return name;
  }
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), std::free);
  return status == 0 && text != nullptr ? std::string(text.get()) : name;
}

SymbolKind kind_of(const GElf_Sym& symbol) {
  switch (GELF_ST_TYPE(symbol.st_info)) {
    case STT_FUNC:
    case STT_GNU_IFUNC:
      return SymbolKind::function;
    case STT_OBJECT:
    case STT_COMMON:
      return SymbolKind::object;
    case STT_TLS:
      return SymbolKind::thread;
    default:
      return SymbolKind::other;
  }
}

class Reader {
 public:
  explicit Reader(const std::filesystem::path& path) : file_(path) {
    if (const auto headers = file_.program_headers();
        const GElf_Phdr* relro = find_header(headers, PT_GNU_RELRO)) {
      relro_ = range_of(relro->p_vaddr, relro->p_memsz);
    }
    result_.reason = file_.read_section_headers(sections_);
  }

  Symbols run() {
    if (!result_.reason.empty()) {
      result_.are_imports_known = false;
      return std::move(result_);
    }
    const GElf_Shdr* const all = find_section(SHT_SYMTAB);
    const GElf_Shdr* const dynamic = find_section(SHT_DYNSYM);
    if (all == nullptr) {
      result_.reason =
          dynamic == nullptr ? "the file has no symbol table" : "stripped: dynamic symbols only";
    }
    if (const GElf_Shdr* const table = all != nullptr ? all : dynamic) {
      read_defined(*table);
    }
    if (dynamic != nullptr) {
      read_versions();
      read_imports(*dynamic);
    }
    return std::move(result_);
  }

 private:
  [[nodiscard]] const GElf_Shdr* find_section(std::uint32_t type) const {
    const auto found = std::find_if(sections_.begin(), sections_.end(),
                                    [&](const GElf_Shdr& entry) { return entry.sh_type == type; });
    return found == sections_.end() ? nullptr : &*found;
  }

  /// The section of an index as symbols and links have it; nullptr if there is none.
  [[nodiscard]] const GElf_Shdr* section_at(std::uint64_t index) const {
    return index == 0 || index > sections_.size() ? nullptr : &sections_[index - 1];
  }

  /// The bytes of a string table; none if it is no such table.
  [[nodiscard]] std::string_view strings_of(std::uint64_t index) const {
    const GElf_Shdr* const section = section_at(index);
    if (section == nullptr || section->sh_type != SHT_STRTAB) {
      throw file_.fault("has a symbol table whose names are in section " + std::to_string(index) +
                        ", which is no string table");
    }
    const Elf_Data* const data =
        file_.chunk(section->sh_offset, section->sh_size, ELF_T_BYTE, "string table");
    return data == nullptr ? std::string_view()
                           : std::string_view(static_cast<const char*>(data->d_buf), data->d_size);
  }

  [[nodiscard]] std::string string_at(std::string_view strings, std::uint64_t offset) const {
    const std::size_t end =
        offset < strings.size() ? strings.find('\0', offset) : std::string_view::npos;
    if (end == std::string_view::npos) {
      throw file_.fault("has a name at offset " + std::to_string(offset) +
                        " that does not end within its string table of " +
                        std::to_string(strings.size()) + " bytes");
    }
    return std::string(strings.substr(offset, end - offset));
  }

  [[nodiscard]] std::vector<GElf_Sym> symbols_of(const GElf_Shdr& table) const {
    const std::uint64_t each = file_.item_bytes(ELF_T_SYM);
    const std::uint64_t count = table.sh_size / each;
    Elf_Data* const data = file_.chunk(table.sh_offset, count * each, ELF_T_SYM, "symbol table");
    std::vector<GElf_Sym> symbols(count);
    for (std::uint64_t i = 0; i < count; ++i) {
      if (gelf_getsym(data, static_cast<int>(i), &symbols[i]) == nullptr) {
        throw file_.libelf_fault("has a damaged symbol table");
      }
    }
    return symbols;
  }

  [[nodiscard]] std::string part_of(const GElf_Sym& symbol, const GElf_Shdr* section) const {
    const bool is_allocated = section != nullptr && (section->sh_flags & SHF_ALLOC) != 0;
    const bool is_tbss =
        is_allocated && section->sh_type == SHT_NOBITS && (section->sh_flags & SHF_TLS) != 0;
    if (!is_allocated || is_tbss) {
      return "none";
    }
    std::uint64_t Parts::*part = class_of(*section);
    // The address of a thread-local symbol is an offset; its section tells where it lies.
    const std::uint64_t address =
        GELF_ST_TYPE(symbol.st_info) == STT_TLS ? section->sh_addr : symbol.st_value;
    if ((part == &Parts::data || part == &Parts::bss) && relro_ && address >= relro_->start &&
        address < relro_->end) {
      part = &Parts::relro;
    }
    const auto named = std::find_if(kPartNames.begin(), kPartNames.end(),
                                    [&](const auto& entry) { return entry.second == part; });
    return named->first;
  }

  void read_defined(const GElf_Shdr& table) {
    const std::string_view names = strings_of(table.sh_link);
    const std::string_view section_names = file_.header().e_shstrndx == SHN_UNDEF
                                               ? std::string_view()
                                               : strings_of(file_.header().e_shstrndx);
    // Kind, section, address and size are one stretch of bytes.
    using Place = std::tuple<SymbolKind, std::uint32_t, std::uint64_t, std::uint64_t>;
    std::map<Place, std::pair<Symbol, bool>> places;
    for (const GElf_Sym& entry : symbols_of(table)) {
      const unsigned type = GELF_ST_TYPE(entry.st_info);
      if (entry.st_shndx == SHN_UNDEF || entry.st_size == 0 || type == STT_SECTION ||
          type == STT_FILE) {
        continue;
      }
      add(entry, string_at(names, entry.st_name), section_names,
          places[{kind_of(entry), entry.st_shndx, entry.st_value, entry.st_size}]);
    }
    for (auto& [place, named] : places) {
      std::sort(named.first.aliases.begin(), named.first.aliases.end());
      result_.symbols.push_back(std::move(named.first));
    }
    std::sort(result_.symbols.begin(), result_.symbols.end(),
              [](const Symbol& left, const Symbol& right) {
                return left.bytes != right.bytes ? left.bytes > right.bytes
                                                 : left.name < right.name;
              });
  }

  /// One more name of a place; `named.second` says whether its own name is a global one.
  void add(const GElf_Sym& entry, std::string name, std::string_view section_names,
           std::pair<Symbol, bool>& named) const {
    Symbol& symbol = named.first;
    const bool is_global = GELF_ST_BIND(entry.st_info) != STB_LOCAL;
    if (symbol.bytes != 0) {
      const bool is_better = is_global != named.second ? is_global : name < symbol.name;
      if (is_better) {
        std::swap(name, symbol.name);
        symbol.demangled = demangle(symbol.name);
        named.second = is_global;
      }
      if (name != symbol.name &&
          std::find(symbol.aliases.begin(), symbol.aliases.end(), name) == symbol.aliases.end()) {
        symbol.aliases.push_back(std::move(name));
      }
      return;
    }
    const GElf_Shdr* const section =
        entry.st_shndx < SHN_LORESERVE ? section_at(entry.st_shndx) : nullptr;
    symbol.name = std::move(name);
    symbol.demangled = demangle(symbol.name);
    symbol.kind = kind_of(entry);
    symbol.bytes = entry.st_size;
    symbol.part = part_of(entry, section);
    symbol.section = section == nullptr || section_names.empty()
                         ? ""
                         : string_at(section_names, section->sh_name);
    named.second = is_global;
  }

  /// Names of the versions that are asked for, by their index.
  void read_versions() {
    const GElf_Shdr* const section = find_section(SHT_GNU_verneed);
    if (section == nullptr) {
      return;
    }
    Elf_Data* const data =
        file_.chunk(section->sh_offset, section->sh_size, ELF_T_VNEED, "version table");
    const std::string_view names = strings_of(section->sh_link);
    std::uint64_t at = 0;
    for (std::uint64_t i = 0; data != nullptr && i < section->sh_info; ++i) {
      GElf_Verneed need{};
      if (at > section->sh_size || gelf_getverneed(data, static_cast<int>(at), &need) == nullptr) {
        throw file_.fault("has a damaged version table");
      }
      std::uint64_t each = at + need.vn_aux;
      for (unsigned k = 0; k < need.vn_cnt; ++k) {
        GElf_Vernaux version{};
        if (each > section->sh_size ||
            gelf_getvernaux(data, static_cast<int>(each), &version) == nullptr) {
          throw file_.fault("has a damaged version table");
        }
        versions_[version.vna_other & kVersionIndex] = string_at(names, version.vna_name);
        each += version.vna_next;
        if (version.vna_next == 0) {
          break;
        }
      }
      at += need.vn_next;
      if (need.vn_next == 0) {
        break;
      }
    }
  }

  void read_imports(const GElf_Shdr& table) {
    const std::string_view names = strings_of(table.sh_link);
    const std::vector<GElf_Sym> symbols = symbols_of(table);
    const GElf_Shdr* const section = find_section(SHT_GNU_versym);
    Elf_Data* const indices = section == nullptr ? nullptr
                                                 : file_.chunk(section->sh_offset, section->sh_size,
                                                               ELF_T_HALF, "version table");
    for (std::size_t i = 1; i < symbols.size(); ++i) {
      const GElf_Sym& symbol = symbols[i];
      if (symbol.st_shndx != SHN_UNDEF) {
        continue;
      }
      Import import;
      import.name = string_at(names, symbol.st_name);
      import.is_weak = GELF_ST_BIND(symbol.st_info) == STB_WEAK;
      const SymbolKind kind = kind_of(symbol);
      import.is_function = kind == SymbolKind::function || kind == SymbolKind::other;
      GElf_Versym index = 0;
      if (indices != nullptr && gelf_getversym(indices, static_cast<int>(i), &index) != nullptr) {
        const auto found = versions_.find(index & kVersionIndex);
        import.version = found == versions_.end() ? "" : found->second;
      }
      result_.imports.push_back(std::move(import));
    }
    std::sort(result_.imports.begin(), result_.imports.end(),
              [](const Import& left, const Import& right) {
                return std::tie(left.name, left.version) < std::tie(right.name, right.version);
              });
  }

  static constexpr unsigned kVersionIndex = 0x7fff;  // the bit above hides a symbol

  const ElfFile file_;
  std::vector<GElf_Shdr> sections_;
  std::optional<Range> relro_;
  std::map<unsigned, std::string> versions_;
  Symbols result_;
};

json::Value to_json(const Symbol& symbol) {
  json::Array aliases;
  for (const std::string& alias : symbol.aliases) {
    aliases.emplace_back(text::printable(alias, kLongestName));
  }
  return json::Object{{"name", text::printable(symbol.name, kLongestName)},
                      {"demangled", text::printable(symbol.demangled, kLongestName)},
                      {"kind", symbol_kind_name(symbol.kind)},
                      {"bytes", symbol.bytes},
                      {"part", symbol.part},
                      {"section", text::printable(symbol.section, kLongestName)},
                      {"aliases", std::move(aliases)}};
}

}  // namespace

const char* symbol_kind_name(SymbolKind kind) {
  switch (kind) {
    case SymbolKind::function:
      return "function";
    case SymbolKind::object:
      return "object";
    case SymbolKind::thread:
      return "thread";
    case SymbolKind::other:
      break;
  }
  return "other";
}

Symbols read_symbols(const std::filesystem::path& file) { return Reader(file).run(); }

json::Value to_json(const Symbols& symbols) {
  json::Array list;
  for (const Symbol& symbol : symbols.symbols) {
    list.push_back(to_json(symbol));
  }
  json::Array imports;
  for (const Import& import : symbols.imports) {
    imports.emplace_back(
        json::Object{{"name", text::printable(import.name, kLongestName)},
                     {"version", import.version.empty()
                                     ? json::Value()
                                     : json::Value(text::printable(import.version, kLongestName))},
                     {"function", import.is_function},
                     {"weak", import.is_weak}});
  }
  return json::Object{
      {"reason", symbols.reason.empty() ? json::Value() : json::Value(symbols.reason)},
      {"symbols", std::move(list)},
      {"imports", std::move(imports)}};
}

}  // namespace hashprof::elf
