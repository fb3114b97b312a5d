// SPDX-License-Identifier: MIT
// Finished builds kept for other run directories. Private to unit toolchain.
//
// CACHE/<key>/ holds result.json and the libraries of one build; the key is made of commands,
// compiler, the digests of sources and headers, and of what the preprocessor makes of them. A
// folder is filled under another name and renamed, so that any number of builds may use a cache at
// a time; whatever is damaged in it is passed over. It may be deleted at any time.
#pragma once

#include <filesystem>
#include <optional>

#include "toolchain/toolchain.h"

namespace hashprof::toolchain {

class Cache {
 public:
  explicit Cache(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// Copies the libraries of a build that `wanted` (all but its libraries is filled) would make
  /// again to where the request wants them, and returns its result. Nothing if there is none.
  /// Throws Error{output} if they cannot be written there.
  [[nodiscard]] std::optional<BuildResult> take(const BuildRequest& request,
                                                const BuildResult& wanted);
  /// Keeps what was built, and removes the oldest beyond 1000 builds. A cache that cannot be
  /// written stays as it is.
  void store(const BuildRequest& request, const BuildResult& result) noexcept;

 private:
  std::filesystem::path folder_;
};

}  // namespace hashprof::toolchain
