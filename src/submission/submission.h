// SPDX-License-Identifier: MIT
// A folder that somebody submitted, as instances and variants of a hash.yaml. It is read; nothing
// of it is compiled or run.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "submission/implementation.h"
#include "submission/kat_files.h"

namespace hashprof::submission {

struct Variant {
  std::string name;
  std::string class_name;              ///< "reference" or "optimized"
  std::vector<std::string> needs_cpu;  ///< of all its implementations; a guess
};

struct InstanceVariant {
  std::string name;
  Implementation implementation;
};

struct Instance {
  std::string name;
  std::uint32_t digest_bits = 0;
  std::string digest_origin;              ///< what says so
  std::vector<InstanceVariant> variants;  ///< in the order of Submission::variants
  std::string kat_name;                   ///< what its known-answer files call it
  std::vector<KatFile> kat_files;         ///< at most one a kind
  std::vector<std::string> unsure;
};

struct Submission {
  FileTree tree;
  std::string id;
  std::string name;  ///< UTF-8
  Api api = Api::ngcc;
  std::vector<Variant> variants;
  std::vector<Instance> instances;  ///< LLH-256 before LLH-1024
  std::vector<std::string> notes;   ///< what was passed over and why

  [[nodiscard]] bool has_kat_files() const;
};

/// Reads a folder: of one instance, of a family with instances below, or in the layout of SUPERCOP
/// (crypto_hash/NAME/IMPLEMENTATION). Throws Error{usage} if it is no folder, and
/// Error{configuration} if no source in it defines CryptHash or crypto_hash.
[[nodiscard]] Submission read_submission(const std::filesystem::path& folder);

}  // namespace hashprof::submission
