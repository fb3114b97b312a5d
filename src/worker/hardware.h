/* SPDX-License-Identifier: MIT
 * What only the processor can do: read its counter registers, and add one after the other. */
#ifndef HASHPROF_WORKER_HARDWARE_H
#define HASHPROF_WORKER_HARDWARE_H

#include <stdint.h>

#include "worker/protocol.h"

/* How this processor reads its counters in user space: HASHPROF_READ_RDPMC or _MRS; _NONE where
 * it cannot. */
#if defined(__x86_64__)
#define HASHPROF_USER_READ HASHPROF_READ_RDPMC
#elif defined(__aarch64__)
#define HASHPROF_USER_READ HASHPROF_READ_MRS
#else
#define HASHPROF_USER_READ HASHPROF_READ_NONE
#endif

#if defined(__x86_64__)

/* Reads counter `number` between fences: nothing before it is still running, nothing after it has
 * begun. Ends the process with SIGILL or SIGSEGV unless the kernel grants the read at this moment
 * (worker/user_read.h asks first). */
__attribute__((always_inline)) static inline uint64_t hardware_read_inline(uint32_t number) {
  uint32_t low = 0;
  uint32_t high = 0;
  __asm__ volatile("lfence\n\trdpmc\n\tlfence" : "=a"(low), "=d"(high) : "c"(number) : "memory");
  return ((uint64_t)high << 32) | low;
}

#elif defined(__aarch64__)

#define HASHPROF_READ_CASE(n)                                     \
  case n:                                                         \
    __asm__ volatile("mrs %0, pmevcntr" #n "_el0" : "=r"(value)); \
    break;

/* A system register has no number at run time: one instruction each. Number 31 is the cycle
 * counter (arm64/perf.rst). */
__attribute__((always_inline)) static inline uint64_t hardware_register(uint32_t number) {
  uint64_t value = 0;
  switch (number) {
    HASHPROF_READ_CASE(0)
    HASHPROF_READ_CASE(1)
    HASHPROF_READ_CASE(2)
    HASHPROF_READ_CASE(3)
    HASHPROF_READ_CASE(4)
    HASHPROF_READ_CASE(5)
    HASHPROF_READ_CASE(6)
    HASHPROF_READ_CASE(7)
    HASHPROF_READ_CASE(8)
    HASHPROF_READ_CASE(9)
    HASHPROF_READ_CASE(10)
    HASHPROF_READ_CASE(11)
    HASHPROF_READ_CASE(12)
    HASHPROF_READ_CASE(13)
    HASHPROF_READ_CASE(14)
    HASHPROF_READ_CASE(15)
    HASHPROF_READ_CASE(16)
    HASHPROF_READ_CASE(17)
    HASHPROF_READ_CASE(18)
    HASHPROF_READ_CASE(19)
    HASHPROF_READ_CASE(20)
    HASHPROF_READ_CASE(21)
    HASHPROF_READ_CASE(22)
    HASHPROF_READ_CASE(23)
    HASHPROF_READ_CASE(24)
    HASHPROF_READ_CASE(25)
    HASHPROF_READ_CASE(26)
    HASHPROF_READ_CASE(27)
    HASHPROF_READ_CASE(28)
    HASHPROF_READ_CASE(29)
    HASHPROF_READ_CASE(30)
    default:
      __asm__ volatile("mrs %0, pmccntr_el0" : "=r"(value));
  }
  return value;
}

/* As on x86-64. */
__attribute__((always_inline)) static inline uint64_t hardware_read_inline(uint32_t number) {
  __asm__ volatile("isb" ::: "memory");
  const uint64_t value = hardware_register(number);
  __asm__ volatile("isb" ::: "memory");
  return value;
}

#undef HASHPROF_READ_CASE

#else
#error "hashprof measures on x86-64 and AArch64"
#endif

/* The same as a function. */
uint64_t hardware_read(uint32_t number);

/* Adds HASHPROF_PROBE_ADDS times a register to another, `blocks` times over; each addition waits
 * for the one before it. */
void hardware_add(unsigned blocks);

#endif
