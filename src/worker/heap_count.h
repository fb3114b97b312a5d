/* SPDX-License-Identifier: MIT
 * The counting behind the interposed functions of heap.c: the gate, who passes it, and the figures.
 * Nothing here allocates. */
#ifndef HASHPROF_WORKER_HEAP_COUNT_H
#define HASHPROF_WORKER_HEAP_COUNT_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "worker/heap_table.h"

#define HEAP_CLOSED 0
#define HEAP_OPEN 1
#define HEAP_OPEN_TO_LIBRARY 2 /* what the dynamic loader takes for itself does not count */

/* One of them. Read without the lock by every call; written by heap_open and heap_close only. */
extern atomic_int heap_gate;
/* Whether this thread is inside an allocation function that counts: only the outermost does. In a
 * program's own thread-local storage, so that reaching it never allocates. */
extern _Thread_local int heap_is_inside;

/* Whether `caller`, a return address, lies in the dynamic loader. */
int heap_is_loader(uintptr_t caller);

/* Whether a call that returns to `caller` counts; if so, exactly one of the functions that leave
 * follows in this thread. */
static inline int heap_enter(uintptr_t caller) {
  const int gate = atomic_load_explicit(&heap_gate, memory_order_relaxed);
  if (__builtin_expect(gate == HEAP_CLOSED, 1) || heap_is_inside ||
      (gate == HEAP_OPEN_TO_LIBRARY && heap_is_loader(caller))) {
    return 0;
  }
  heap_is_inside = 1;
  return 1;
}

/* Leaves with a block of `bytes` asked for, or with null: none was given. Returns `block`; errno is
 * kept. */
void* heap_leave_with(void* block, size_t bytes);

/* Before the C library frees it, since another thread may be given the address at once. Does not
 * leave. */
void heap_count_free(const void* block);
void heap_leave(void);

/* A block whose size is changing: out of the table, its bytes still live. */
struct heap_resize {
  struct heap_block old;
  int is_own;
  uint64_t stretch;
};

void heap_begin_resize(const void* block, struct heap_resize* resize);
/* Leaves with the block at its new size, or with null: it is as it was. Returns `moved`. */
void* heap_leave_resized(const struct heap_resize* resize, void* moved, size_t bytes);

#endif
