// SPDX-License-Identifier: MIT
// The functions and objects that a shared library defines, with what each occupies, and what it
// wants of other libraries.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "json/value.h"

namespace hashprof::elf {

enum class SymbolKind {
  function,
  object,
  thread,  ///< a thread-local object: its bytes are in every thread, and in the image if
           ///< initialised
  other    ///< no type, or one of a machine's own
};
/// "function", "object", "thread" or "other".
[[nodiscard]] const char* symbol_kind_name(SymbolKind kind);

/// One stretch of bytes that has a name.
struct Symbol {
  std::string name;       ///< as it stands in the file
  std::string demangled;  ///< as in the source, where it is a name of C++; else equal to `name`
  SymbolKind kind = SymbolKind::other;
  std::uint64_t bytes = 0;  ///< st_size
  /// Name of the class of Parts that the bytes belong to ("text"); "none" of zero-initialised
  /// thread-local objects, which have no place in the image, and of absolute symbols.
  std::string part;
  std::string section;  ///< ".rodata"; empty if the file does not say
  /// Further names of the same kind at the same address and of the same size, sorted.
  std::vector<std::string> aliases;
};

/// What a library takes from another one.
struct Import {
  std::string name;
  std::string version;       ///< "GLIBC_2.14"; empty if it asks for none
  bool is_function = false;  ///< known to be one, or not known to be an object
  bool is_weak = false;      ///< may stay undefined
  [[nodiscard]] bool operator==(const Import&) const = default;
};

struct Symbols {
  /// By size, the largest first, then by name. Symbols without a size, and those of sections and
  /// source files, are left out. Bytes are counted once for all aliases; of several names the first
  /// global one is the symbol's, else the first. Sizes may not add up to a class: the compiler's
  /// own literals, padding and start-up code have no symbol.
  std::vector<Symbol> symbols;
  /// Why local symbols are missing: "stripped: dynamic symbols only"; empty if they are there.
  std::string reason;
  std::vector<Import> imports;  ///< sorted by name
  /// False of a file without section headers: then no imports are listed, and it may have some.
  bool are_imports_known = true;
};

/// Reads .symtab, or .dynsym where the file is stripped. Throws like read_image, and Error{target}
/// if a symbol table is not within the file or names what is not there. A file without section
/// headers has no symbols, and the reason says so.
[[nodiscard]] Symbols read_symbols(const std::filesystem::path& file);

/// {"reason": null, "symbols": [{"name": ..., "demangled": ..., "kind": "object", "bytes": 1024,
/// "part": "rodata", "section": ".rodata", "aliases": []}], "imports": [{"name": "memcpy",
/// "version": "GLIBC_2.14", "function": true, "weak": false}]}; bytes of names that are not UTF-8
/// are written as \xNN.
[[nodiscard]] json::Value to_json(const Symbols& symbols);

}  // namespace hashprof::elf
