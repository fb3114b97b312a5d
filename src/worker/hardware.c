/* SPDX-License-Identifier: MIT
 * See worker/hardware.h. */
#include "worker/hardware.h"

#define TEXT_OF(number) #number
#define TEXT(number) TEXT_OF(number)

#if defined(__x86_64__)

uint64_t hardware_read(uint32_t number) {
  uint32_t low = 0;
  uint32_t high = 0;
  __asm__ volatile("lfence\n\trdpmc\n\tlfence" : "=a"(low), "=d"(high) : "c"(number) : "memory");
  return ((uint64_t)high << 32) | low;
}

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

#define READ_CASE(n)                                              \
  case n:                                                         \
    __asm__ volatile("mrs %0, pmevcntr" #n "_el0" : "=r"(value)); \
    break;

/* A system register has no number at run time: one instruction each. Number 31 is the cycle
 * counter (arm64/perf.rst). */
static uint64_t read_register(uint32_t number) {
  uint64_t value = 0;
  switch (number) {
    READ_CASE(0)
    READ_CASE(1)
    READ_CASE(2)
    READ_CASE(3)
    READ_CASE(4)
    READ_CASE(5)
    READ_CASE(6)
    READ_CASE(7)
    READ_CASE(8)
    READ_CASE(9)
    READ_CASE(10)
    READ_CASE(11)
    READ_CASE(12)
    READ_CASE(13)
    READ_CASE(14)
    READ_CASE(15)
    READ_CASE(16)
    READ_CASE(17)
    READ_CASE(18)
    READ_CASE(19)
    READ_CASE(20)
    READ_CASE(21)
    READ_CASE(22)
    READ_CASE(23)
    READ_CASE(24)
    READ_CASE(25)
    READ_CASE(26)
    READ_CASE(27)
    READ_CASE(28)
    READ_CASE(29)
    READ_CASE(30)
    default:
      __asm__ volatile("mrs %0, pmccntr_el0" : "=r"(value));
  }
  return value;
}

uint64_t hardware_read(uint32_t number) {
  __asm__ volatile("isb" ::: "memory");
  const uint64_t value = read_register(number);
  __asm__ volatile("isb" ::: "memory");
  return value;
}

void hardware_add(unsigned blocks) {
  uint64_t sum = 0;
  const uint64_t one = 1;
  for (unsigned i = 0; i < blocks; ++i) {
    __asm__ volatile(".rept " TEXT(HASHPROF_PROBE_ADDS) "\n\tadd %0, %0, %1\n\t.endr"
                     : "+r"(sum)
                     : "r"(one));
  }
}

#else
#error "hashprof measures on x86-64 and AArch64"
#endif
