/* SPDX-License-Identifier: MIT
 * Kind MEMORY: what the loading of the library and two calls of each item do to the memory. The
 * order at both ends of a stretch, from without: what the kernel says, the gate of the meter, the
 * flag of descriptor 6. */
#ifndef HASHPROF_WORKER_MEMORY_CALLS_H
#define HASHPROF_WORKER_MEMORY_CALLS_H

#include "worker/measure.h"
#include "worker/protocol.h"

/* Prepares the meter and runs through an empty stretch, so that no page of our own is touched for
 * the first time later on. Before the sandbox. */
void memory_prepare_calls(struct session* session);

/* Around the loading, of which the report takes the figures. */
void memory_begin_load(struct session* session);
void memory_end_load(struct session* session);

/* Two calls of each item of descriptor 5. Ends the process with an ERROR event if the meter does
 * not count (METER) or a call returns non-zero (RETURNED, detail = item). */
void measure_memory(struct session* session, struct hashprof_result* result);

#endif
