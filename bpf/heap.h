/* SPDX-License-Identifier: MIT
 * What heap.bpf.c and src/probes say to each other. Compiled as C, for the BPF machine too, and as
 * C++; fixed widths, no padding. */
#ifndef HASHPROF_BPF_HEAP_H
#define HASHPROF_BPF_HEAP_H

#include <stdint.h>

#include "worker/protocol.h"

/* The names are C's (snake_case structs, upper-case constants), the checker's are C++'s. */
/* NOLINTBEGIN(readability-identifier-naming) */

/* Why a call could not be counted; the sentences stand in probes/heap_probe.cpp. */
enum hashprof_heap_drop {
  HASHPROF_HEAP_DROP_TABLE = 0,   /* no room left in the table of blocks */
  HASHPROF_HEAP_DROP_THREADS = 1, /* no room left in the table of threads */
  HASHPROF_HEAP_DROP_RETURN = 2,  /* the return of a call was not seen */
  HASHPROF_HEAP_DROP_READ = 3,    /* memory of the process could not be read */
  HASHPROF_HEAP_DROP_PEAK = 4,    /* other threads changed the peak again and again */
  HASHPROF_HEAP_DROP_FREE = 5,    /* a block was given that nobody was seen to give back */
  HASHPROF_HEAP_DROPS = 6
};

/* Blocks of all stretches that were not given back lie in one table. */
#define HASHPROF_HEAP_TABLE_BLOCKS (4u * HASHPROF_MAX_LIVE_BLOCKS)
#define HASHPROF_HEAP_THREADS 1024u

/* One stretch; the fields are those of hashprof_heap, but for the last two. */
struct hashprof_heap_count {
  uint64_t allocations;
  uint64_t resizes;
  uint64_t frees;
  uint64_t failures;
  uint64_t total_bytes;
  uint64_t peak_bytes;
  uint64_t live_bytes; /* of blocks of this stretch, as long as it goes on */
  uint64_t live_blocks;
  uint64_t foreign_frees;
  uint64_t dropped[HASHPROF_HEAP_DROPS];
};

HASHPROF_STATIC_ASSERT(sizeof(struct hashprof_heap_count) == 8 * (9 + HASHPROF_HEAP_DROPS),
                       "layout");

/* NOLINTEND(readability-identifier-naming) */

#endif
