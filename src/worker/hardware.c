/* SPDX-License-Identifier: MIT
 * See worker/hardware.h. */
#include "worker/hardware.h"

#define TEXT_OF(number) #number
#define TEXT(number) TEXT_OF(number)

uint64_t hardware_read(uint32_t number) { return hardware_read_inline(number); }

#if defined(__x86_64__)

/* Registers, not an immediate: newer processors add small immediates without spending a cycle. */
void hardware_add(unsigned blocks) {
  uint64_t sum = 0;
  const uint64_t one = 1;
  for (unsigned i = 0; i < blocks; ++i) {
    __asm__ volatile(".rept " TEXT(HASHPROF_PROBE_ADDS) "\n\tadd %1, %0\n\t.endr"
                     : "+r"(sum)
                     : "r"(one)
                     : "cc");
  }
}

#elif defined(__aarch64__)

void hardware_add(unsigned blocks) {
  uint64_t sum = 0;
  const uint64_t one = 1;
  for (unsigned i = 0; i < blocks; ++i) {
    __asm__ volatile(".rept " TEXT(HASHPROF_PROBE_ADDS) "\n\tadd %0, %0, %1\n\t.endr"
                     : "+r"(sum)
                     : "r"(one));
  }
}

#endif
