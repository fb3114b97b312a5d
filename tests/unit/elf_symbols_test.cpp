// SPDX-License-Identifier: MIT
// Catches a symbol with a wrong size, class or name, one that is counted twice or missed, and a
// damaged table that is read past its end.
#include "elf/symbols.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "elf_support.h"

namespace hashprof::elf {
namespace {

using ElfSymbols = ElfTest;

Symbol symbol_of(const Symbols& symbols, const std::string& name) {
  const auto found = std::find_if(symbols.symbols.begin(), symbols.symbols.end(),
                                  [&](const Symbol& symbol) { return symbol.demangled == name; });
  EXPECT_NE(found, symbols.symbols.end()) << name;
  return found == symbols.symbols.end() ? Symbol{} : *found;
}

/// "object 1024 rodata .rodata"
std::string summary(const Symbol& symbol) {
  return std::string(symbol_kind_name(symbol.kind)) + " " + std::to_string(symbol.bytes) + " " +
         symbol.part + " " + symbol.section;
}

TEST_F(ElfSymbols, sizes_and_classes_are_those_of_the_source) {
  const Symbols symbols = read_symbols(built_library("symbols"));
  EXPECT_EQ(symbols.reason, "");
  EXPECT_EQ(summary(symbol_of(symbols, "known_data")), "object 120 data .data");
  EXPECT_EQ(summary(symbol_of(symbols, "known_buffer")), "object 1000 bss .bss");
  EXPECT_EQ(summary(symbol_of(symbols, "known_relocated")), "object 40 relro .data.rel.ro");
  EXPECT_EQ(summary(symbol_of(symbols, "known_thread_data")), "thread 24 relro .tdata");
  EXPECT_EQ(summary(symbol_of(symbols, "known_thread_zero")), "thread 40 none .tbss");
}

TEST_F(ElfSymbols, functions_of_cxx_have_their_name_of_the_source) {
  const Symbol sum =
      symbol_of(read_symbols(built_library("symbols")), "known::sum(int const*, unsigned long)");
  EXPECT_EQ(sum.name, "_ZN5known3sumEPKim");
  EXPECT_EQ(sum.kind, SymbolKind::function);
  EXPECT_EQ(sum.part, "text");
  EXPECT_EQ(sum.section, ".text");
  EXPECT_GT(sum.bytes, 0U);
}

TEST_F(ElfSymbols, two_names_of_one_object_count_once) {
  const Symbols symbols = read_symbols(built_library("symbols"));
  const Symbol table = symbol_of(symbols, "known_alias");
  EXPECT_EQ(summary(table), "object 1024 rodata .rodata");
  EXPECT_EQ(table.aliases, std::vector<std::string>{"known_table"});
  EXPECT_TRUE(std::none_of(symbols.symbols.begin(), symbols.symbols.end(),
                           [](const Symbol& symbol) { return symbol.name == "known_table"; }));
}

TEST_F(ElfSymbols, the_largest_comes_first) {
  const Symbols symbols = read_symbols(built_library("symbols"));
  ASSERT_GT(symbols.symbols.size(), 2U);
  EXPECT_EQ(symbols.symbols[0].name, "known_alias");
  EXPECT_EQ(symbols.symbols[1].demangled, "known_buffer");
  EXPECT_TRUE(std::is_sorted(
      symbols.symbols.begin(), symbols.symbols.end(),
      [](const Symbol& left, const Symbol& right) { return left.bytes > right.bytes; }));
}

TEST_F(ElfSymbols, imports_have_their_versions) {
  const Symbols symbols = read_symbols(built_library("symbols"));
  const auto found = std::find_if(symbols.imports.begin(), symbols.imports.end(),
                                  [](const Import& import) { return import.name == "memset"; });
  ASSERT_NE(found, symbols.imports.end());
  EXPECT_TRUE(found->version.starts_with("GLIBC_2.")) << found->version;
  EXPECT_TRUE(found->is_function);
  EXPECT_FALSE(found->is_weak);
}

TEST_F(ElfSymbols, sizes_are_those_of_nm) {
  for (const char* name : {"plain", "joined", "symbols"}) {
    std::multiset<std::string> ours;
    for (const Symbol& symbol : read_symbols(built_library(name)).symbols) {
      ours.insert(symbol.name + " " + std::to_string(symbol.bytes));
      for (const std::string& alias : symbol.aliases) {
        ours.insert(alias + " " + std::to_string(symbol.bytes));
      }
    }
    std::multiset<std::string> theirs;
    std::istringstream lines(output_of("nm -S -t d --defined-only '" +
                                       built_library(name).native() + "' | awk 'NF == 4'"));
    std::string address;
    std::string kind;
    std::string symbol;
    for (std::uint64_t bytes = 0; lines >> address >> bytes >> kind >> symbol;) {
      theirs.insert(symbol + " " + std::to_string(bytes));
    }
    EXPECT_FALSE(theirs.empty());
    EXPECT_EQ(ours, theirs) << name;
  }
}

TEST_F(ElfSymbols, of_a_stripped_library_are_the_dynamic_ones_with_a_reason) {
  const auto stripped = folder_.path() / "stripped.so";
  (void)output_of("strip -o '" + stripped.native() + "' '" + built_library("symbols").native() +
                  "'");
  const Symbols symbols = read_symbols(stripped);
  EXPECT_EQ(symbols.reason, "stripped: dynamic symbols only");
  EXPECT_EQ(summary(symbol_of(symbols, "known_data")), "object 120 data .data");
  EXPECT_TRUE(std::none_of(symbols.symbols.begin(), symbols.symbols.end(),
                           [](const Symbol& symbol) { return symbol.name == "known_buffer"; }));
}

TEST_F(ElfSymbols, without_section_headers_are_absent_with_a_reason) {
  const Symbols symbols = read_symbols(write(small_library().bytes()));
  EXPECT_TRUE(symbols.symbols.empty());
  EXPECT_EQ(symbols.reason, "the file has no section headers");
  EXPECT_FALSE(symbols.are_imports_known);
  EXPECT_EQ(json::write_compact(to_json(symbols)),
            R"({"reason": "the file has no section headers", "symbols": [], "imports": []})");
}

TEST_F(ElfSymbols, as_json_have_every_field) {
  Symbols symbols;
  symbols.symbols.push_back({"_Z1fv", "f()", SymbolKind::function, 7, "text", ".text", {"\xff"}});
  symbols.imports.push_back({"memcpy", "", true, false});
  EXPECT_EQ(json::write_compact(to_json(symbols)),
            R"x({"reason": null, "symbols": [{"name": "_Z1fv", "demangled": "f()", )x"
            R"x("kind": "function", "bytes": 7, "part": "text", "section": ".text", )x"
            R"x("aliases": ["\\xff"]}], "imports": [{"name": "memcpy", "version": null, )x"
            R"x("function": true, "weak": false}]})x");
}

TEST_F(ElfSymbols, any_byte_of_the_section_headers_changed_ends_in_an_error_or_in_symbols) {
  const std::string whole = content_of(built_library("symbols"));
  std::size_t faults = 0;
  const std::size_t tables = whole.size() - 40 * sizeof(Elf64_Shdr);
  for (std::size_t at = tables; at < whole.size(); at += 2) {
    for (const char value : {'\x01', '\x7f', '\xff'}) {
      std::string changed = whole;
      changed[at] = value;
      try {
        (void)read_symbols(write(changed));
      } catch (const Error& error) {
        EXPECT_EQ(error.fault(), Fault::target) << error.render();
        ++faults;
      }
    }
  }
  EXPECT_GT(faults, 10U);
}

TEST_F(ElfSymbols, of_a_cut_file_end_in_an_error_or_in_a_reason) {
  const std::string whole = content_of(built_library("symbols"));
  for (std::size_t bytes = 0; bytes < whole.size(); bytes += 211) {
    try {
      EXPECT_NE(read_symbols(write(whole.substr(0, bytes))).reason, "") << bytes;
    } catch (const Error& error) {
      EXPECT_EQ(error.fault(), Fault::target) << error.render();
    }
  }
}

}  // namespace
}  // namespace hashprof::elf
