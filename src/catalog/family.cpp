// SPDX-License-Identifier: MIT
// hash.yaml, read from the top down; build settings are merged when all layers are known.
#include "catalog/family.h"

#include <algorithm>
#include <string_view>

#include "base/text.h"
#include "catalog/build_layers.h"
#include "catalog/keys.h"
#include "yaml/reader.h"

namespace hashprof::catalog {

namespace {

constexpr std::string_view kNameCharacters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";
constexpr std::size_t kMaxName = 64;
constexpr std::uint32_t kMaxDigestBits = 65536;
constexpr std::uint32_t kMaxBlock = 65536;

/// Variants of the family with the build layer of each, in the same order.
struct Variants {
  std::vector<Variant> list;
  std::vector<BuildLayer> layers;
};

struct Reader {
  std::filesystem::path folder;
  Api api = Api::ngcc;
  bool takes_bytes = false;
  BuildLayer common;
  Variants variants;
};

void check_name(const yaml::Value& member) {
  const std::string& name = member.key();
  if (name.empty() || name.size() > kMaxName ||
      name.find_first_not_of(kNameCharacters) != std::string::npos) {
    throw member.key_fault("'" + text::printable(name) + "' cannot be a name here")
        .hint("a name is 1 to 64 of [A-Za-z0-9_-]: it stands in file names");
  }
}

Variants read_variants(const std::optional<yaml::Value>& value,
                       const std::filesystem::path& folder) {
  if (!value.has_value()) {
    return {{{"reference", "reference"}}, {BuildLayer{}}};
  }
  Variants variants;
  for (const yaml::Value& member : value->members()) {
    check_name(member);
    yaml::Map map(member, documented_keys(), "variants.VARIANT");
    Variant variant;
    variant.name = member.key();
    variant.class_name = map.require("class").choice({{"reference", "optimized", "asm"}, {}});
    if (const auto needs = map.find("needs_cpu"); needs.has_value()) {
      for (const yaml::Value& feature : needs->items()) {
        variant.needs_cpu.push_back(
            feature.name("abcdefghijklmnopqrstuvwxyz0123456789_", "[a-z0-9_]", kMaxName));
      }
    }
    BuildLayer layer;
    if (const auto build = map.find("build"); build.has_value()) {
      layer = read_build_layer(*build, folder);
    }
    map.finish();
    variants.list.push_back(std::move(variant));
    variants.layers.push_back(std::move(layer));
  }
  if (variants.list.empty()) {
    throw value->fault("no variant is listed")
        .hint("write 'reference: {class: reference}', or remove the key");
  }
  return variants;
}

std::optional<Xof> read_xof(yaml::Map& map) {
  const auto value = map.find("xof");
  if (!value.has_value()) {
    return std::nullopt;
  }
  return value->choice({{xof_name(Xof::any), xof_name(Xof::fixed)}, {}}) == xof_name(Xof::any)
             ? Xof::any
             : Xof::fixed;
}

bool reads_bytes(yaml::Map& map, bool otherwise) {
  const auto value = map.find("messages");
  return value.has_value() ? value->choice({{"bits", "bytes"}, {}}) == "bytes" : otherwise;
}

/// What an instance says of one variant.
struct OwnLayer {
  BuildLayer build;
  std::optional<Xof> xof;
  std::filesystem::path library;
};

std::filesystem::path read_library(yaml::Map& map, const std::filesystem::path& folder) {
  const auto library = map.find("library");
  return library ? (folder / library->nonempty_text()).lexically_normal() : std::filesystem::path();
}

OwnLayer read_own_layer(const yaml::Value& value, const std::filesystem::path& folder) {
  yaml::Map map(value, variant_keys(), "instances.INSTANCE.variants.VARIANT");
  OwnLayer layer{read_build_layer(map, folder), read_xof(map), read_library(map, folder)};
  map.finish();
  return layer;
}

/// Layers of `instances.I.variants`, by the index of the family's variant; empty = not built.
std::vector<std::optional<OwnLayer>> read_own_layers(const std::optional<yaml::Value>& value,
                                                     const Reader& reader) {
  const std::size_t count = reader.variants.list.size();
  if (!value.has_value()) {
    return {count, OwnLayer{}};
  }
  std::vector<std::optional<OwnLayer>> layers(count);
  std::vector<std::string> names;
  names.reserve(count);
  for (const Variant& variant : reader.variants.list) {
    names.push_back(variant.name);
  }
  const auto members = value->members();
  if (members.empty()) {
    throw value->fault("no variant is listed")
        .hint("name the variants that this instance has, or remove the key for all of them");
  }
  for (const yaml::Value& member : members) {
    const auto known = std::find(names.begin(), names.end(), member.key());
    if (known == names.end()) {
      const auto meant = text::closest(member.key(), names);
      throw member.key_fault("unknown variant '" + text::printable(member.key()) + "'")
          .hint(meant.has_value() ? "did you mean '" + *meant + "'?"
                                  : "the variants of this family are " + text::join(names, ", "));
    }
    layers[static_cast<std::size_t>(known - names.begin())] = read_own_layer(member, reader.folder);
  }
  return layers;
}

Instance read_instance(const yaml::Value& member, const Reader& reader) {
  check_name(member);
  yaml::Map map(member, documented_keys(), "instances.INSTANCE");
  Instance instance;
  instance.name = member.key();
  const yaml::Value digest_bits = map.require("digest_bits");
  instance.digest_bits = static_cast<std::uint32_t>(digest_bits.whole(8, kMaxDigestBits));
  if (instance.digest_bits % 8 != 0) {
    throw digest_bits.fault(std::to_string(instance.digest_bits) + " is no multiple of 8")
        .hint("the length of a digest is a whole number of bytes");
  }
  if (const auto block = map.find("block"); block.has_value()) {
    instance.block_bytes = static_cast<std::uint32_t>(block->whole(1, kMaxBlock));
  }
  instance.takes_bytes = reads_bytes(map, reader.takes_bytes);
  BuildLayer of_instance;
  if (const auto build = map.find("build"); build.has_value()) {
    of_instance = read_build_layer(*build, reader.folder);
  }
  const std::optional<Xof> xof = read_xof(map);
  const std::filesystem::path library = read_library(map, reader.folder);
  const auto own = read_own_layers(map.find("variants"), reader);
  map.finish();

  for (std::size_t i = 0; i < own.size(); ++i) {
    const std::optional<OwnLayer>& own_layer = own[i];
    if (!own_layer.has_value()) {
      continue;
    }
    BuildSettings settings = default_settings(reader.api);
    merge(reader.common, settings);
    merge(reader.variants.layers[i], settings);
    merge(of_instance, settings);
    merge(own_layer->build, settings);
    const std::string& variant = reader.variants.list[i].name;
    settings.library = own_layer->library.empty() ? library : own_layer->library;
    if (!settings.library.empty() && reader.api == Api::supercop) {
      throw member.key_fault("a library that is already built has the arguments of api ngcc")
          .hint(
              "put a function CryptHash before crypto_hash in the library, and write 'api: ngcc'");
    }
    if (!settings.library.empty()) {
      settings.sources.clear();
    } else if (settings.sources.empty()) {
      throw member.key_fault("no sources for the variant '" + variant + "'")
          .hint(text::join({"list them as 'sources' under build, variants.", variant,
                            ".build, or here under build or variants.", variant},
                           ""));
    }
    resolve_folders(settings);
    instance.variants.push_back(
        {variant, std::move(settings), own_layer->xof ? own_layer->xof : xof});
  }
  return instance;
}

void read_instances(const yaml::Value& value, const Reader& reader, Family& family) {
  for (const yaml::Value& member : value.members()) {
    family.instances.push_back(read_instance(member, reader));
  }
  if (family.instances.empty()) {
    throw value.fault("no instance is listed").hint("write 'NAME: {digest_bits: 256}'");
  }
}

void read_kat_names(const yaml::Value& value, Family& family) {
  std::vector<std::string> known;
  known.reserve(family.instances.size());
  for (const Instance& instance : family.instances) {
    known.push_back(instance.name);
  }
  for (const yaml::Value& member : value.members()) {
    if (std::find(known.begin(), known.end(), member.key()) == known.end()) {
      const auto meant = text::closest(member.key(), known);
      throw member.key_fault("unknown instance '" + text::printable(member.key()) + "'")
          .hint(meant.has_value() ? "did you mean '" + *meant + "'?"
                                  : "the instances of this family are " + text::join(known, ", "));
    }
    family.kat_names.emplace_back(member.key(),
                                  member.name(kNameCharacters, "[A-Za-z0-9_-]", kMaxName));
  }
}

void read_kat(const std::optional<yaml::Value>& value, const Reader& reader, Family& family) {
  if (!value.has_value()) {
    return;
  }
  yaml::Map map(*value, documented_keys(), "kat");
  if (const auto vectors = map.find("vectors"); vectors.has_value()) {
    family.vector_files = read_paths(*vectors, reader.folder);
  }
  if (const auto manifest = map.find("manifest"); manifest.has_value()) {
    family.manifest = (reader.folder / manifest->nonempty_text()).lexically_normal();
  }
  if (const auto names = map.find("names"); names.has_value()) {
    read_kat_names(*names, family);
  }
  map.finish();
}

Family read_family(const yaml::Document& document, const std::filesystem::path& file) {
  const yaml::Value root(document);
  yaml::check_version(root);
  yaml::Map map(root, documented_keys(), "");
  (void)map.require("hashprof");
  Family family;
  family.file = std::filesystem::absolute(file).lexically_normal();
  family.id = map.require("id").name(std::string(kNameCharacters) + ".",
                                     "[A-Za-z0-9._-], no dot first", kMaxName);
  const auto name = map.find("name");
  family.name = name.has_value() ? name->nonempty_text() : family.id;
  const auto category = map.find("category");
  family.category =
      category.has_value() ? category->nonempty_text() : "cryptographic hash algorithm";
  Reader reader;
  if (const auto api = map.find("api"); api.has_value()) {
    reader.api = api->choice({{"ngcc", "supercop"}, {}}) == "supercop" ? Api::supercop : Api::ngcc;
  }
  reader.folder = family.file.parent_path();
  reader.takes_bytes = reads_bytes(map, reader.api == Api::supercop);
  if (const auto build = map.find("build"); build.has_value()) {
    reader.common = read_build_layer(*build, reader.folder);
  }
  reader.variants = read_variants(map.find("variants"), reader.folder);
  family.variants = reader.variants.list;
  read_instances(map.require("instances"), reader, family);
  read_kat(map.find("kat"), reader, family);
  map.finish();
  return family;
}

}  // namespace

const std::string& BuildSettings::exported() const {
  static const std::string shim = "hashprof_crypto_hash";
  return api == Api::supercop && library.empty() ? shim : entry;
}

const char* xof_name(Xof xof) { return xof == Xof::any ? "any" : "fixed"; }

const std::string& Family::kat_name(const std::string& instance) const {
  const auto entry = std::find_if(kat_names.begin(), kat_names.end(),
                                  [&](const auto& pair) { return pair.first == instance; });
  return entry == kat_names.end() ? instance : entry->second;
}

Family parse_family(const std::string& text, const std::filesystem::path& file) {
  return read_family(yaml::parse(text, file.native()), file);
}

Family load_family(const std::filesystem::path& file) {
  return parse_family(yaml::read_text(file), file);
}

}  // namespace hashprof::catalog
