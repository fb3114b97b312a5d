/* SPDX-License-Identifier: MIT */
/* One helper function as an instance of its own: it hands the arguments on. */
#include "CryptHash_AlgorithmInstance.h"

#include "auxfunc.h"

int CryptHash(int digest_len_bits, const unsigned char* msg, unsigned long long msg_len_bits,
              unsigned char* digest) {
  if (digest_len_bits != DIGEST_BIT_LENGTH) {
    return -4;
  }
  return ICCS_FUNCTION(DIGEST_BIT_LENGTH, msg, msg_len_bits, digest);
}
