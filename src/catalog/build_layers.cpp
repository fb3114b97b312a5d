// SPDX-License-Identifier: MIT
// See catalog/build_layers.h.
#include "catalog/build_layers.h"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

#include "base/error.h"
#include "base/text.h"
#include "catalog/keys.h"
#include "catalog/source_folder.h"

namespace hashprof::catalog {

namespace {

constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_";
constexpr std::string_view kDigits = "0123456789";
/// The worker's request has room for 127 bytes of a symbol.
constexpr std::size_t kMaxSymbol = 127;

bool is_identifier(std::string_view name) {
  return !name.empty() && name.size() <= kMaxSymbol &&
         kDigits.find(name.front()) == std::string_view::npos &&
         name.find_first_not_of(std::string(kLetters) + std::string(kDigits)) ==
             std::string_view::npos;
}

std::string read_language(const yaml::Value& value) {
  return value.choice({{"c99", "c11", "c17", "gnu99", "gnu11", "gnu17", "c++11", "c++14", "c++17",
                        "c++20", "gnu++11", "gnu++14", "gnu++17", "gnu++20"},
                       {}});
}

std::vector<std::pair<std::string, std::string>> read_define(const yaml::Value& value) {
  std::vector<std::pair<std::string, std::string>> define;
  for (const yaml::Value& member : value.members()) {
    if (!is_identifier(member.key())) {
      throw member.key_fault("'" + text::printable(member.key()) + "' is no name of a macro")
          .hint("a macro is named by letters, digits and '_', and begins with no digit");
    }
    define.emplace_back(member.key(), member.text());
  }
  return define;
}

/// What a flag would do to the build, if it would take it out of hashprof's hands; else nothing.
std::optional<std::string> trespass(const std::string& flag) {
  struct Rule {
    std::string_view start;
    bool is_whole;
    const char* what;
  };
  constexpr const char* kOutput = "would change where the output goes";
  constexpr const char* kKind = "would change what the compiler makes";
  constexpr const char* kLinker = "would change how the library is linked";
  static const std::array<Rule, 22> rules = {{{"-o", false, kOutput},
                                              {"--output", false, kOutput},
                                              {"-M", false, kOutput},
                                              {"-dump", false, kOutput},
                                              {"-save-temps", false, kOutput},
                                              {"--save-temps", false, kOutput},
                                              {"-aux-info", false, kOutput},
                                              {"-c", true, kKind},
                                              {"-S", true, kKind},
                                              {"-E", true, kKind},
                                              {"-x", false, kKind},
                                              {"-fsyntax-only", true, kKind},
                                              {"-###", true, kKind},
                                              {"--help", false, kKind},
                                              {"--version", true, kKind},
                                              {"-shared", true, kKind},
                                              {"-static", false, kLinker},
                                              {"-Wl,", false, kLinker},
                                              {"-Xlinker", false, kLinker},
                                              {"-wrapper", false, "would run another program"},
                                              {"-specs", false, "would run another program"},
                                              {"@", false, "would hide flags in a file"}}};
  for (const Rule& rule : rules) {
    if (rule.is_whole ? flag == rule.start : flag.rfind(rule.start, 0) == 0) {
      return rule.what;
    }
  }
  return std::nullopt;
}

std::vector<std::string> read_flags(const yaml::Value& value) {
  std::vector<std::string> flags;
  for (const yaml::Value& item : value.items()) {
    const std::string& flag = item.nonempty_text();
    if (flag.rfind("-std=", 0) == 0) {
      throw item.fault("'" + text::printable(flag) + "' contradicts the key 'language'")
          .hint("write 'language: " + text::printable(flag.substr(5)) + "'");
    }
    const auto what = trespass(flag);
    if (what.has_value()) {
      throw item.fault("the flag '" + text::printable(flag) + "' " + *what)
          .hint("remove it; hashprof gives the flags of that kind itself");
    }
    flags.push_back(flag);
  }
  return flags;
}

std::vector<std::string> read_libraries(const yaml::Value& value) {
  const std::string characters = std::string(kLetters) + std::string(kDigits) + "+.-";
  std::vector<std::string> libraries;
  for (const yaml::Value& item : value.items()) {
    const std::string& name = item.name(characters, "[A-Za-z0-9_+.-]", 128);
    if (name.front() == '-') {
      throw item.fault("'" + name + "' is a flag, not the name of a library")
          .hint("write the name alone: 'm' for -lm");
    }
    libraries.push_back(name);
  }
  return libraries;
}

std::string read_entry(const yaml::Value& value) {
  const std::string& entry = value.nonempty_text();
  if (!is_identifier(entry)) {
    throw value.fault("'" + text::printable(entry) + "' is no name of a C function")
        .hint("name the function that computes the digest, such as CryptHash");
  }
  return entry;
}

}  // namespace

std::vector<std::filesystem::path> read_paths(const yaml::Value& value,
                                              const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> paths;
  std::map<std::filesystem::path, std::size_t> lines;
  for (const yaml::Value& item : value.items()) {
    const std::filesystem::path path = (folder / item.nonempty_text()).lexically_normal();
    const auto [known, is_new] = lines.emplace(path, item.line());
    if (!is_new) {
      throw item
          .fault("'" + text::printable(item.text()) + "' is listed twice, first at line " +
                 std::to_string(known->second))
          .hint("remove one of the two");
    }
    paths.push_back(path);
  }
  return paths;
}

BuildLayer read_build_layer(const yaml::Value& value, const std::filesystem::path& folder) {
  yaml::Map map(value, documented_keys(), "build");
  BuildLayer layer = read_build_layer(map, folder);
  map.finish();
  return layer;
}

BuildLayer read_build_layer(yaml::Map& map, const std::filesystem::path& folder) {
  BuildLayer layer;
  if (const auto sources = map.find("sources"); sources.has_value()) {
    layer.sources = sources->is_word("auto") ? std::vector{folder} : read_paths(*sources, folder);
    if (layer.sources->empty()) {
      throw sources->fault("no source is listed").hint("list the source files, or write auto");
    }
  }
  if (const auto include = map.find("include"); include.has_value()) {
    layer.include = read_paths(*include, folder);
  }
  if (const auto language = map.find("language"); language.has_value()) {
    layer.language = read_language(*language);
  }
  if (const auto define = map.find("define"); define.has_value()) {
    layer.define = read_define(*define);
  }
  if (const auto cflags = map.find("cflags"); cflags.has_value()) {
    layer.cflags = read_flags(*cflags);
  }
  if (const auto cxxflags = map.find("cxxflags"); cxxflags.has_value()) {
    layer.cxxflags = read_flags(*cxxflags);
  }
  if (const auto libraries = map.find("libraries"); libraries.has_value()) {
    layer.libraries = read_libraries(*libraries);
  }
  if (const auto header = map.find("header"); header.has_value()) {
    layer.header = header->is_word("auto") ? std::filesystem::path()
                                           : (folder / header->nonempty_text()).lexically_normal();
  }
  if (const auto entry = map.find("entry"); entry.has_value()) {
    layer.entry = read_entry(*entry);
  }
  return layer;
}

BuildSettings default_settings(Api api) {
  BuildSettings settings;
  settings.language = "c99";
  settings.api = api;
  settings.entry = api == Api::supercop ? "crypto_hash" : "CryptHash";
  return settings;
}

void resolve_folders(BuildSettings& settings) {
  std::vector<std::filesystem::path> files;
  for (const std::filesystem::path& source : settings.sources) {
    std::error_code code;
    if (!std::filesystem::is_directory(source, code)) {
      files.push_back(source);
      continue;
    }
    const SourceFolder found = scan_source_folder(source);
    if (found.sources.empty()) {
      throw Error(Fault::configuration, text::printable(source.native()),
                  "holds no source of a hash: " + std::to_string(found.left_out.size()) +
                      " files were left out as drivers")
          .hint("a folder stands for its *.c, *.cc, *.cpp, *.cxx and *.S but those with main");
    }
    files.insert(files.end(), found.sources.begin(), found.sources.end());
  }
  settings.sources.clear();
  for (const std::filesystem::path& file : files) {
    if (std::find(settings.sources.begin(), settings.sources.end(), file) ==
        settings.sources.end()) {
      settings.sources.push_back(file);
    }
  }
}

void merge(const BuildLayer& layer, BuildSettings& settings) {
  settings.sources = layer.sources.value_or(settings.sources);
  settings.include = layer.include.value_or(settings.include);
  settings.language = layer.language.value_or(settings.language);
  settings.cflags = layer.cflags.value_or(settings.cflags);
  settings.cxxflags = layer.cxxflags.value_or(settings.cxxflags);
  settings.header = layer.header.value_or(settings.header);
  settings.libraries = layer.libraries.value_or(settings.libraries);
  settings.entry = layer.entry.value_or(settings.entry);
  for (const auto& [name, value] : layer.define) {
    const auto known = std::find_if(settings.define.begin(), settings.define.end(),
                                    [&](const auto& macro) { return macro.first == name; });
    if (known == settings.define.end()) {
      settings.define.emplace_back(name, value);
    } else {
      known->second = value;
    }
  }
}

}  // namespace hashprof::catalog
