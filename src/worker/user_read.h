/* SPDX-License-Identifier: MIT
 * The arithmetic of reading a hardware counter from user space (perf_event_open(2), struct
 * perf_event_mmap_page). Compiled as C by the worker and as C++ by its tests, which bring a
 * hardware of their own. */
#ifndef HASHPROF_WORKER_USER_READ_H
#define HASHPROF_WORKER_USER_READ_H

#include <linux/perf_event.h>
#include <stdint.h>

#ifdef __cplusplus
#define HASHPROF_AS_UNSIGNED(number) static_cast<uint64_t>(number)
#else
#define HASHPROF_AS_UNSIGNED(number) ((uint64_t)(number))
#endif

/* The names are C's. */
/* NOLINTBEGIN(readability-identifier-naming) */

/* The lower `width` bits of a counter register as a signed number, modulo 2^64: the kernel starts a
 * counter at a negative value, so the upper bits are not zeros. A width of 0 or of 64 and more
 * leaves all bits. */
static inline uint64_t hashprof_extend_sign(uint64_t value, unsigned width) {
  if (width == 0 || width >= 64) {
    return value;
  }
  const uint64_t sign = UINT64_C(1) << (width - 1);
  const uint64_t low = value & ((sign << 1) - 1);
  return (low ^ sign) - sign;
}

/* Reads hardware counter `number` (index - 1 of the page). */
typedef uint64_t (*hashprof_hardware_read)(uint32_t number);

/* The count of an event since its opening into `value`, modulo 2^64. Returns 0, without having
 * touched the hardware, where the kernel does not grant the read now: no user access, or the event
 * is on no counter. Reads again where the kernel changed the page meanwhile. */
static inline int hashprof_read_page(const struct perf_event_mmap_page* shared,
                                     hashprof_hardware_read read_hardware, uint64_t* value) {
  const volatile struct perf_event_mmap_page* const page = shared;
  uint32_t lock = 0;
  do {
    lock = page->lock;
    __atomic_signal_fence(__ATOMIC_SEQ_CST); /* writer and reader share a CPU */
    const uint32_t index = page->index;
    if (page->cap_user_rdpmc == 0 || index == 0) {
      return 0;
    }
    *value = HASHPROF_AS_UNSIGNED(page->offset) +
             hashprof_extend_sign(read_hardware(index - 1), page->pmc_width);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
  } while (page->lock != lock);
  return 1;
}

/* NOLINTEND(readability-identifier-naming) */

#endif
