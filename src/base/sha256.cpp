// SPDX-License-Identifier: MIT
// See base/sha256.h.
#include "base/sha256.h"

#include <fcntl.h>
#include <openssl/evp.h>

#include <array>
#include <cstdint>

#include "base/error.h"
#include "base/sys.h"
#include "base/text.h"

namespace hashprof {

namespace {

void check(int result, const char* call) {
  if (result != 1) {
    throw Error(Fault::internal, call, "OpenSSL refused to compute SHA-256");
  }
}

}  // namespace

struct Sha256::State {
  std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context{EVP_MD_CTX_new(),
                                                                  &EVP_MD_CTX_free};
};

Sha256::Sha256() : state_(std::make_unique<State>()) {
  check(EVP_DigestInit_ex(state_->context.get(), EVP_sha256(), nullptr), "EVP_DigestInit_ex");
}
Sha256::Sha256(Sha256&&) noexcept = default;
Sha256& Sha256::operator=(Sha256&&) noexcept = default;
Sha256::~Sha256() = default;

void Sha256::update(std::string_view bytes) {
  check(EVP_DigestUpdate(state_->context.get(), bytes.data(), bytes.size()), "EVP_DigestUpdate");
}

std::string Sha256::finish() {
  std::array<std::uint8_t, 32> digest{};
  check(EVP_DigestFinal_ex(state_->context.get(), digest.data(), nullptr), "EVP_DigestFinal_ex");
  return text::hex(digest);
}

std::string sha256_of(std::string_view bytes) {
  Sha256 hash;
  hash.update(bytes);
  return hash.finish();
}

std::string sha256_of_file(const std::filesystem::path& path) {
  const UniqueFd fd = sys::open(path, O_RDONLY | O_NONBLOCK);
  const struct stat status = sys::fstat(fd.get(), path.native());
  if (!S_ISREG(status.st_mode)) {
    throw Error(Fault::environment, path.native(), "not a regular file");
  }
  Sha256 hash;
  std::array<std::uint8_t, 65536> block{};
  for (;;) {
    const std::size_t count = sys::read(fd.get(), block, path.native());
    if (count == 0) {
      return hash.finish();
    }
    // The bytes are only re-typed, from the unsigned char of read(2) to the char of the text.
    hash.update({reinterpret_cast<const char*>(block.data()), count});
  }
}

}  // namespace hashprof
