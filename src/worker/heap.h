/* SPDX-License-Identifier: MIT
 * The heap meter: hashprof-worker-heap interposes the malloc family and counts while its gate is
 * open; hashprof-worker has the C library's own functions, and a meter that says so. */
#ifndef HASHPROF_WORKER_HEAP_H
#define HASHPROF_WORKER_HEAP_H

#include "worker/protocol.h"

/* 1 if this program counts. */
int heap_is_metered(void);

/* Once, before anything is counted: maps and touches the table of blocks, and finds the dynamic
 * loader. Ends the process with an ERROR event if it cannot. */
void heap_prepare(void);

/* Opens the gate: from here on the calls of every thread count, into figures that begin at 0. With
 * `is_load`, those that the dynamic loader makes for itself do not; those of constructors do, of
 * the library and of what it links. */
void heap_open(int is_load);

/* Closes it and stores what was counted. Blocks that are live then are foreign ever after. */
void heap_close(struct hashprof_heap* heap);

/* Why this program would not count what a library allocates; null if it does. Gate closed. */
const char* heap_find_fault(void);

#endif
