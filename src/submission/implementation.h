// SPDX-License-Identifier: MIT
// One folder that implements one hash function: what has to be compiled, and how.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "catalog/source_folder.h"
#include "submission/file_tree.h"
#include "submission/include_search.h"

namespace hashprof::submission {

enum class Api { ngcc, supercop };
/// As hash.yaml calls it.
[[nodiscard]] const char* api_name(Api api);

/// All paths are absolute. What is only guessed is named in `unsure`.
struct Implementation {
  std::filesystem::path folder;
  Api api = Api::ngcc;
  std::string algorithm;  ///< ALGORITHM_INSTANCE as it stands there; may be empty
  std::optional<std::uint32_t> digest_bits;  ///< empty: nothing in the sources says it
  std::string digest_origin;                 ///< "DIGEST_BIT_LENGTH of CryptHash_Toy.h"
  std::vector<std::filesystem::path> sources;
  std::vector<catalog::LeftOut> left_out;
  std::vector<std::filesystem::path> include;
  std::vector<std::filesystem::path> suggested_sources;
  std::vector<std::filesystem::path> suggested_include;
  std::optional<std::filesystem::path> suggested_header;  ///< defines types of <stdint.h> itself
  std::string language;
  std::vector<std::string> libraries;
  std::vector<std::string> cflags;
  std::vector<std::string> needs_cpu;
  std::vector<std::string> unsure;  ///< sentences for people, one line each
};

/// Whether a source of `folder` that is no driver computes digests (CryptHash or crypto_hash);
/// else nothing. A folder that cannot be scanned is a note.
[[nodiscard]] std::optional<Implementation> find_implementation(Library& library,
                                                                const std::filesystem::path& folder,
                                                                std::vector<std::string>& notes);

}  // namespace hashprof::submission
