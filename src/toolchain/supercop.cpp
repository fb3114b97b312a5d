// SPDX-License-Identifier: MIT
// See toolchain/supercop.h. SUPERCOP's API: https://bench.cr.yp.to/call-hash.html.
#include "toolchain/supercop.h"

namespace hashprof::toolchain {

namespace {

constexpr const char* kHeader =
    R"(/* What SUPERCOP generates for an implementation of crypto_hash. */
#ifndef HASHPROF_CRYPTO_HASH_H
#define HASHPROF_CRYPTO_HASH_H
#define crypto_hash_BYTES (HASHPROF_DIGEST_BITS / 8)
#ifdef __cplusplus
extern "C" {
#endif
int crypto_hash(unsigned char *out, const unsigned char *in, unsigned long long inlen);
#ifdef __cplusplus
}
#endif
#endif
)";

constexpr const char* kShim =
    R"(/* Lengths in bits for a function that has them in bytes. */
int HASHPROF_ENTRY(unsigned char *out, const unsigned char *in, unsigned long long inlen);
int hashprof_crypto_hash(int digest_len_bits, const unsigned char *msg,
                         unsigned long long msg_len_bits, unsigned char *digest);

int hashprof_crypto_hash(int digest_len_bits, const unsigned char *msg,
                         unsigned long long msg_len_bits, unsigned char *digest) {
  if (digest_len_bits != HASHPROF_DIGEST_BITS || msg_len_bits % 8 != 0) {
    return -1;
  }
  return HASHPROF_ENTRY(digest, msg, msg_len_bits / 8);
}
)";

std::string integer_header(const std::string& sign, const std::string& bits) {
  const std::string name = "crypto_" + sign + bits;
  return "#ifndef " + name + "_h\n#define " + name + "_h\n#include <stdint.h>\ntypedef " + sign +
         bits + "_t " + name + ";\n#endif\n";
}

}  // namespace

const std::vector<std::pair<std::string, std::string>>& supercop_files() {
  static const std::vector<std::pair<std::string, std::string>> files = [] {
    std::vector<std::pair<std::string, std::string>> all = {{"crypto_hash.h", kHeader},
                                                            {kShimName, kShim}};
    for (const std::string sign : {"int", "uint"}) {
      for (const std::string bits : {"8", "16", "32", "64"}) {
        std::string name = "crypto_";
        all.emplace_back(name.append(sign).append(bits).append(".h"), integer_header(sign, bits));
      }
    }
    return all;
  }();
  return files;
}

}  // namespace hashprof::toolchain
