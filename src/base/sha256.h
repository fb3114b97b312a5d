// SPDX-License-Identifier: MIT
// SHA-256 of evidence (files, texts), by OpenSSL.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace hashprof {

/// Incremental SHA-256 (FIPS 180-4). One thread at a time.
class Sha256 {
 public:
  Sha256();
  Sha256(Sha256&&) noexcept;
  Sha256& operator=(Sha256&&) noexcept;
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;
  ~Sha256();

  void update(std::string_view bytes);
  /// Ends the computation: 64 lower-case hexadecimal digits. Call it once.
  [[nodiscard]] std::string finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

[[nodiscard]] std::string sha256_of(std::string_view bytes);
/// Digest of a regular file of any size; throws Error{environment} if it cannot be read.
[[nodiscard]] std::string sha256_of_file(const std::filesystem::path& path);

}  // namespace hashprof
