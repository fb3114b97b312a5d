// SPDX-License-Identifier: MIT
// Known-answer files that were submitted, as lines of a manifest.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "kat/message_set.h"
#include "submission/file_tree.h"

namespace hashprof::submission {

struct KatFile {
  std::filesystem::path file;  ///< absolute
  kat::Kind kind = kat::Kind::k2_12;
  std::string name;  ///< what the file's name calls the instance; any bytes
  std::string sha256;
  std::uint32_t digest_bits = 0;  ///< its Dst_Len
};

/// The files KAT_<kind>_<name>.txt of the tree that hold what the procedure writes. Others of such
/// a name, blank templates among them, are notes.
[[nodiscard]] std::vector<KatFile> find_kat_files(const FileTree& tree,
                                                  std::vector<std::string>& notes);

}  // namespace hashprof::submission
