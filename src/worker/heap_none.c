/* SPDX-License-Identifier: MIT
 * See worker/heap.h: the worker whose allocations are the C library's own. */
#include <string.h>

#include "worker/heap.h"

int heap_is_metered(void) { return 0; }

void heap_prepare(void) {}

void heap_open(int is_load) { (void)is_load; }

void heap_close(struct hashprof_heap* heap) { memset(heap, 0, sizeof *heap); }

const char* heap_find_fault(void) { return NULL; }
