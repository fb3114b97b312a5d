// SPDX-License-Identifier: MIT
// hash.yaml as data: a family of hash functions, its instances, and how each variant is built.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace hashprof::catalog {

/// How one variant of one instance is compiled; every layer of hash.yaml merged
/// (build < variants.V.build < instances.I.build < instances.I.variants.V).
/// Paths are absolute and lexically normal; nothing in here passes a shell.
struct BuildSettings {
  std::vector<std::filesystem::path> sources;
  std::vector<std::filesystem::path> include;
  std::string language;                                     ///< value of -std=, for example "c99"
  std::vector<std::pair<std::string, std::string>> define;  ///< -Dfirst=second, in file order
  std::vector<std::string> cflags;
  std::vector<std::string> libraries;  ///< names for -l
  std::string entry;                   ///< the one exported symbol
};

struct Variant {
  std::string name;        ///< "reference"
  std::string class_name;  ///< "reference" or "optimized": which build profile fits by default
};

/// What a variant of an extendable-output function does with the output length it is asked for.
enum class Xof {
  any,   ///< gives that length, in bits
  fixed  ///< always writes digest_bits; shorter outputs are the first bits of it
};
/// "any" or "fixed".
[[nodiscard]] const char* xof_name(Xof xof);

/// One variant of one instance.
struct InstanceVariant {
  std::string name;
  BuildSettings settings;
  std::optional<Xof> xof;  ///< empty: not an extendable-output function
};

struct Instance {
  std::string name;  ///< "SM3"; matches [A-Za-z0-9_-]{1,64}
  std::uint32_t digest_bits = 0;
  std::optional<std::uint32_t> block_bytes;
  std::vector<InstanceVariant> variants;  ///< in the order of Family::variants
};

struct Family {
  std::string id;  ///< "hash-26"
  std::string name;
  std::string category;
  std::filesystem::path file;  ///< absolute path of the hash.yaml
  std::vector<Variant> variants;
  std::vector<Instance> instances;                  ///< in file order
  std::vector<std::filesystem::path> vector_files;  ///< absolute; kat.vectors
  std::optional<std::filesystem::path> manifest;    ///< absolute; kat.manifest
  /// kat.names: instance and what the names of its known-answer files call it.
  std::vector<std::pair<std::string, std::string>> kat_names;

  /// What the names of the instance's known-answer files call it: its own name where kat.names
  /// does not say otherwise.
  [[nodiscard]] const std::string& kat_name(const std::string& instance) const;
};

/// Reads a hash.yaml. Throws Error{configuration} with file:line:column and key path on anything
/// that design section 13 does not allow, and "not in this version" for what comes later.
[[nodiscard]] Family load_family(const std::filesystem::path& file);
/// The same for text that is already read; `file` gives names and relative paths their meaning.
[[nodiscard]] Family parse_family(const std::string& text, const std::filesystem::path& file);

}  // namespace hashprof::catalog
