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

/// The function that the sources define.
enum class Api {
  ngcc,     ///< CryptHash of the guide: digest length, message, message length in bits, digest
  supercop  ///< crypto_hash of SUPERCOP: digest, message, message length in bytes
};

/// How one variant of one instance is compiled; every layer of hash.yaml merged
/// (build < variants.V.build < instances.I.build < instances.I.variants.V).
/// Paths are absolute and lexically normal; nothing in here passes a shell.
struct BuildSettings {
  std::vector<std::filesystem::path> sources;  ///< files; folders are resolved
  std::vector<std::filesystem::path> include;
  /// Value of -std=, for example "c99". One of C++ holds for every source, one of C for those in C:
  /// the others are then kDefaultCxx.
  std::string language;
  std::vector<std::pair<std::string, std::string>> define;  ///< -Dfirst=second, in file order
  std::vector<std::string> cflags;                          ///< of every source
  std::vector<std::string> cxxflags;                        ///< of those in C++, after cflags
  std::vector<std::string> libraries;                       ///< names for -l
  /// Included before anything else in every source in C or C++; empty = none.
  std::filesystem::path header;
  Api api = Api::ngcc;
  std::string entry;  ///< the function that the sources define
  /// Already built: nothing of the above but `entry` and `api` matters then; empty = to be built.
  std::filesystem::path library;

  /// The one symbol that the library exports: the entry, or what calls it with the lengths of
  /// Api::ngcc.
  [[nodiscard]] const std::string& exported() const;
};
/// The language of a source in C++ of a family in C.
inline constexpr const char* kDefaultCxx = "c++17";

struct Variant {
  std::string name;  ///< "reference"
  /// "reference", "optimized" or "asm" (assembler or intrinsics, as in a system's own library):
  /// which build profile fits by default, and what a report says beside a baseline.
  std::string class_name;
  /// Features that the CPU must have, as /proc/cpuinfo names them: "avx2", "sve".
  std::vector<std::string> needs_cpu = {};
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
  bool takes_bytes = false;               ///< messages of whole bytes only
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
