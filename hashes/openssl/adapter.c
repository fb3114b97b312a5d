/* SPDX-License-Identifier: MIT
 * A hash function of OpenSSL's libcrypto behind CryptHash, to compare candidates with. What libcrypto looks up and
 * allocates once, it looks up and allocates in the first call; every further one initialises the context again. */
#include <limits.h>
#include <openssl/evp.h>
#include <stddef.h>

int CryptHash(int digest_len_bits, const unsigned char *msg, unsigned long long msg_len_bits, unsigned char *digest);

enum { OTHER_LENGTH = -1, PARTIAL_BYTE = -2, NO_FUNCTION = -3, FAILED = -4 };

static EVP_MD *function;
static EVP_MD_CTX *context;

static int fetch(void) {
  if (context == NULL) {
    function = EVP_MD_fetch(NULL, OPENSSL_NAME, NULL);
    context = function == NULL ? NULL : EVP_MD_CTX_new();
  }
  return context != NULL;
}

static int give(unsigned char *digest, size_t bytes) {
#ifdef OPENSSL_XOF
  return EVP_DigestFinalXOF(context, digest, bytes);
#else
  (void)bytes;
  return EVP_DigestFinal_ex(context, digest, NULL);
#endif
}

int CryptHash(int digest_len_bits, const unsigned char *msg, unsigned long long msg_len_bits, unsigned char *digest) {
#ifdef OPENSSL_XOF
  if (digest_len_bits <= 0 || digest_len_bits % CHAR_BIT != 0) {
    return OTHER_LENGTH;
  }
#else
  if (digest_len_bits != DIGEST_BITS) {
    return OTHER_LENGTH;
  }
#endif
  if (msg_len_bits % CHAR_BIT != 0) {
    return PARTIAL_BYTE;
  }
  if (!fetch()) {
    return NO_FUNCTION;
  }
  const size_t bytes = (size_t)(msg_len_bits / CHAR_BIT);
  if (!EVP_DigestInit_ex2(context, function, NULL) || (bytes > 0 && !EVP_DigestUpdate(context, msg, bytes)) ||
      !give(digest, (size_t)digest_len_bits / CHAR_BIT)) {
    return FAILED;
  }
  return 0;
}
