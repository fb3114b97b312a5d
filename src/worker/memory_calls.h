/* SPDX-License-Identifier: MIT
 * Kind MEMORY: what the loading of the library and two calls of each item do to the memory. The
 * order at both ends of a stretch: what the kernel says, the flag of descriptor 6, the gate. */
#ifndef HASHPROF_WORKER_MEMORY_CALLS_H
#define HASHPROF_WORKER_MEMORY_CALLS_H

#include "worker/measure.h"
#include "worker/protocol.h"

/* Around the loading, of which the report takes the figures. The first prepares the meter and runs
 * through an empty stretch, so that no page of our own is touched for the first time later on. */
void memory_begin_load(struct session* session);
void memory_end_load(struct session* session);

/* Two calls of each item of descriptor 5. Ends the process with an ERROR event if the meter does
 * not count (METER) or a call returns non-zero (RETURNED, detail = item). */
void measure_memory(struct session* session, struct hashprof_result* result);

#endif
