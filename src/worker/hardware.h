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

/* Reads counter `number` between fences: nothing before it is still running, nothing after it has
 * begun. Ends the process with SIGILL or SIGSEGV unless the kernel grants the read at this moment
 * (worker/user_read.h asks first). */
uint64_t hardware_read(uint32_t number);

/* Adds HASHPROF_PROBE_ADDS times a register to another, `blocks` times over; each addition waits
 * for the one before it. */
void hardware_add(unsigned blocks);

#endif
