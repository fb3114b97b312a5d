/* SPDX-License-Identifier: MIT
 * Calls the hash of a library a number of times, for a tool that counts instructions outside.
 * usage: call_hash LIBRARY DIGEST_BITS MESSAGE_BYTES CALLS */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

typedef int (*hash_function)(int, const unsigned char*, unsigned long long, unsigned char*);

/* The message of the published campaign: byte i = (131 i + length) mod 256. */
static void fill(unsigned char* message, size_t length) {
  for (size_t i = 0; i < length; ++i) {
    message[i] = (unsigned char)(131 * i + length);
  }
}

int main(int argc, char** argv) {
  if (argc != 5) {
    fprintf(stderr, "usage: call_hash LIBRARY DIGEST_BITS MESSAGE_BYTES CALLS\n");
    return 2;
  }
  void* const library = dlopen(argv[1], RTLD_NOW);
  if (library == NULL) {
    fprintf(stderr, "call_hash: %s\n", dlerror());
    return 1;
  }
  hash_function hash;
  *(void**)&hash = dlsym(library, "CryptHash");
  const int digest_bits = atoi(argv[2]);
  const size_t length = strtoull(argv[3], NULL, 10);
  const unsigned long calls = strtoul(argv[4], NULL, 10);
  unsigned char* const message = malloc(length + 1);
  unsigned char* const digest = malloc((size_t)digest_bits / 8 + 1);
  if (hash == NULL || message == NULL || digest == NULL) {
    fprintf(stderr, "call_hash: no CryptHash, or no memory\n");
    return 1;
  }
  fill(message, length);
  for (unsigned long i = 0; i < calls; ++i) {
    if (hash(digest_bits, message, 8ULL * length, digest) != 0) {
      fprintf(stderr, "call_hash: CryptHash returned non-zero\n");
      return 1;
    }
  }
  return 0;
}
