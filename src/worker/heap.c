/* SPDX-License-Identifier: MIT
 * See worker/heap.h: the malloc family of hashprof-worker-heap. Each function calls the C library's
 * under its other name, and nothing here allocates. Libraries that dlopen brings bind to these
 * definitions because the program comes first in the search order and exports them. */
#include "worker/heap.h"

#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "worker/heap_count.h"

#define INTERPOSED __attribute__((visibility("default")))
#define CALLER ((uintptr_t)__builtin_return_address(0))
#define PROBE_BYTES 40u

/* The C library's names. */
/* NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming) */
extern void* __libc_malloc(size_t size);
extern void* __libc_calloc(size_t count, size_t size);
extern void* __libc_realloc(void* block, size_t size);
extern void* __libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void* block);
/* NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming) */
/* Older programs' name of free; no header declares it any more. */
extern void cfree(void* block);

typedef void (*any_function)(void);

/* glibc has no other name for it, and its versions differ in which alignments they refuse. */
static void* (*libc_aligned_alloc)(size_t alignment, size_t size);

__attribute__((constructor)) static void find_aligned_alloc(void) {
  void* const symbol = dlsym(RTLD_NEXT, "aligned_alloc");
  memcpy(&libc_aligned_alloc, &symbol, sizeof libc_aligned_alloc);
}

/* An allocation that its arguments make impossible. */
static void* refuse(int error, uintptr_t caller) {
  if (heap_enter(caller)) {
    heap_leave_with(NULL, 0);
  }
  errno = error;
  return NULL;
}

/* The block is another afterwards, or freed: glibc frees where 0 bytes are asked for. */
static void* change_size(void* block, size_t bytes, uintptr_t caller) {
  if (!heap_enter(caller)) {
    return __libc_realloc(block, bytes);
  }
  if (block == NULL) {
    return heap_leave_with(__libc_realloc(NULL, bytes), bytes);
  }
  if (bytes == 0) {
    heap_count_free(block);
    void* const nothing = __libc_realloc(block, 0);
    heap_leave();
    return nothing;
  }
  struct heap_resize resize;
  heap_begin_resize(block, &resize);
  return heap_leave_resized(&resize, __libc_realloc(block, bytes), bytes);
}

static void release(void* block, uintptr_t caller) {
  if (block != NULL && heap_enter(caller)) {
    heap_count_free(block);
    heap_leave();
  }
  __libc_free(block);
}

static void* align(size_t alignment, size_t bytes, size_t asked_bytes, uintptr_t caller) {
  if (!heap_enter(caller)) {
    return __libc_memalign(alignment, bytes);
  }
  return heap_leave_with(__libc_memalign(alignment, bytes), asked_bytes);
}

INTERPOSED void* malloc(size_t size) {
  if (!heap_enter(CALLER)) {
    return __libc_malloc(size);
  }
  return heap_leave_with(__libc_malloc(size), size);
}

INTERPOSED void* calloc(size_t count, size_t size) {
  if (!heap_enter(CALLER)) {
    return __libc_calloc(count, size);
  }
  return heap_leave_with(__libc_calloc(count, size), count * size);
}

INTERPOSED void* realloc(void* block, size_t size) { return change_size(block, size, CALLER); }

INTERPOSED void* reallocarray(void* block, size_t count, size_t size) {
  size_t bytes = 0;
  if (__builtin_mul_overflow(count, size, &bytes)) {
    return refuse(ENOMEM, CALLER);
  }
  return change_size(block, bytes, CALLER);
}

INTERPOSED void free(void* block) { release(block, CALLER); }

INTERPOSED void cfree(void* block) { release(block, CALLER); }

INTERPOSED int posix_memalign(void** block, size_t alignment, size_t size) {
  const int before = errno;
  if (alignment % sizeof(void*) != 0 || alignment == 0 || (alignment & (alignment - 1)) != 0) {
    refuse(EINVAL, CALLER);
    errno = before;
    return EINVAL;
  }
  void* const made = align(alignment, size, size, CALLER);
  errno = before; /* POSIX leaves it alone */
  if (made == NULL) {
    return ENOMEM;
  }
  *block = made;
  return 0;
}

INTERPOSED void* aligned_alloc(size_t alignment, size_t size) {
  if (libc_aligned_alloc == NULL) {
    return align(alignment, size, size, CALLER);
  }
  if (!heap_enter(CALLER)) {
    return libc_aligned_alloc(alignment, size);
  }
  return heap_leave_with(libc_aligned_alloc(alignment, size), size);
}

INTERPOSED void* memalign(size_t alignment, size_t size) {
  return align(alignment, size, size, CALLER);
}

INTERPOSED void* valloc(size_t size) {
  return align((size_t)sysconf(_SC_PAGESIZE), size, size, CALLER);
}

INTERPOSED void* pvalloc(size_t size) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  size_t rounded = 0;
  if (__builtin_add_overflow(size, page - 1, &rounded)) {
    return refuse(ENOMEM, CALLER);
  }
  return align(page, rounded / page * page, size, CALLER);
}

/* Whether a library that looks for `name` finds `own`. */
static int is_bound(const char* name, any_function own) {
  void* const symbol = dlsym(RTLD_DEFAULT, name);
  any_function found = NULL;
  memcpy(&found, &symbol, sizeof found);
  return found == own;
}

const char* heap_find_fault(void) {
  static const struct {
    const char* name;
    any_function own;
  } functions[] = {{"malloc", (any_function)malloc},
                   {"calloc", (any_function)calloc},
                   {"realloc", (any_function)realloc},
                   {"reallocarray", (any_function)reallocarray},
                   {"free", (any_function)free},
                   {"posix_memalign", (any_function)posix_memalign},
                   {"aligned_alloc", (any_function)aligned_alloc},
                   {"memalign", (any_function)memalign},
                   {"valloc", (any_function)valloc},
                   {"pvalloc", (any_function)pvalloc}};
  for (size_t i = 0; i < sizeof functions / sizeof functions[0]; ++i) {
    if (!is_bound(functions[i].name, functions[i].own)) {
      return "a library is given another allocator than the one that counts";
    }
  }
  /* Volatile: else the compiler takes away what is allocated for nothing. */
  void* (*volatile take)(size_t) = malloc;
  void (*volatile give)(void*) = free;
  struct hashprof_heap heap;
  heap_open(0);
  give(take(PROBE_BYTES));
  heap_close(&heap);
  const int is_exact = heap.allocations == 1 && heap.frees == 1 &&
                       heap.total_bytes == PROBE_BYTES && heap.peak_bytes == PROBE_BYTES &&
                       heap.left_bytes == 0 && heap.left_blocks == 0 && heap.foreign_frees == 0 &&
                       heap.failures == 0 && heap.lost == 0;
  return is_exact ? NULL : "one allocation of 40 bytes was not counted as one";
}
