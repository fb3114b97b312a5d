/* SPDX-License-Identifier: MIT
 * The blocks that the current stretch owns, by address. Not thread safe; heap.c locks. */
#ifndef HASHPROF_WORKER_HEAP_TABLE_H
#define HASHPROF_WORKER_HEAP_TABLE_H

#include <stdint.h>

/* C's name, where the checker's are C++'s. NOLINTNEXTLINE(readability-identifier-naming) */
struct heap_block {
  uintptr_t address; /* 0 = a free slot */
  uint64_t bytes;    /* asked for */
  uint64_t usable_bytes;
};

/* Maps the slots and touches each page. 0, or -1 with errno. */
int heap_table_map(void);

void heap_table_clear(void);

/* 0, or -1 if HASHPROF_MAX_LIVE_BLOCKS are in it. `block` is not yet in it. */
int heap_table_add(const struct heap_block* block);

/* Takes the block out and stores it; 0 if there is none of that address. */
int heap_table_take(uintptr_t address, struct heap_block* block);

#endif
