/* SPDX-License-Identifier: MIT
 * See worker/heap.h: the malloc family of hashprof-worker-heap. Each function calls the C library's
 * under its other name, and nothing here allocates. Libraries that dlopen brings bind to these
 * definitions because the program comes first in the search order and exports them. */
#include "worker/heap.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <link.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "worker/channel.h"
#include "worker/heap_table.h"

#define INTERPOSED __attribute__((visibility("default")))
#define CALLER ((uintptr_t)__builtin_return_address(0))
#define PROBE_BYTES 40u

extern void* __libc_malloc(size_t size);
extern void* __libc_calloc(size_t count, size_t size);
extern void* __libc_realloc(void* block, size_t size);
extern void* __libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void* block);

static atomic_int gate;
static atomic_flag lock = ATOMIC_FLAG_INIT;
static struct hashprof_heap figures;
static uint64_t live_bytes;
static uint64_t live_usable_bytes;
static int is_loading;
static uintptr_t loader_start;
static uintptr_t loader_end;

static void take_lock(void) {
  while (atomic_flag_test_and_set_explicit(&lock, memory_order_acquire)) {
  }
}

static void give_lock(void) { atomic_flag_clear_explicit(&lock, memory_order_release); }

/* Whether a call from `caller` counts. */
static int is_counted(uintptr_t caller) {
  return __builtin_expect(atomic_load_explicit(&gate, memory_order_relaxed), 0) &&
         !(is_loading && caller >= loader_start && caller < loader_end);
}

static void add_block(const void* block, size_t bytes) {
  const struct heap_block added = {(uintptr_t)block, bytes, malloc_usable_size((void*)block)};
  figures.total_bytes += bytes;
  if (heap_table_add(&added) != 0) {
    ++figures.lost;
    return;
  }
  live_bytes += bytes;
  live_usable_bytes += added.usable_bytes;
  figures.peak_bytes = live_bytes > figures.peak_bytes ? live_bytes : figures.peak_bytes;
  figures.peak_usable_bytes =
      live_usable_bytes > figures.peak_usable_bytes ? live_usable_bytes : figures.peak_usable_bytes;
}

static void count_allocation(const void* block, size_t bytes) {
  take_lock();
  if (block == NULL) {
    ++figures.failures;
  } else {
    ++figures.allocations;
    add_block(block, bytes);
  }
  give_lock();
}

/* Before the C library frees it: another thread may be given the address at once. */
static int take_block(const void* block, struct heap_block* taken) {
  const int is_own = heap_table_take((uintptr_t)block, taken);
  if (is_own) {
    live_bytes -= taken->bytes;
    live_usable_bytes -= taken->usable_bytes;
  }
  return is_own;
}

static void count_free(const void* block) {
  struct heap_block taken;
  take_lock();
  ++figures.frees;
  figures.foreign_frees += take_block(block, &taken) ? 0 : 1;
  give_lock();
}

static void* resize(void* block, size_t bytes) {
  struct heap_block old;
  take_lock();
  const int is_own = take_block(block, &old);
  give_lock();
  void* const moved = __libc_realloc(block, bytes);
  take_lock();
  if (moved == NULL) {
    ++figures.failures;
    if (is_own) {
      /* It was there a moment ago: there is room, and the peak has seen it. */
      live_bytes += old.bytes;
      live_usable_bytes += old.usable_bytes;
      figures.lost += heap_table_add(&old) != 0;
    }
  } else {
    ++figures.resizes;
    figures.foreign_frees += is_own ? 0 : 1;
    add_block(moved, bytes);
  }
  give_lock();
  return moved;
}

static void* change_size(void* block, size_t bytes, uintptr_t caller) {
  if (!is_counted(caller)) {
    return __libc_realloc(block, bytes);
  }
  if (block == NULL) {
    void* const made = __libc_realloc(NULL, bytes);
    count_allocation(made, bytes);
    return made;
  }
  if (bytes == 0) {
    count_free(block);
    return __libc_realloc(block, 0);
  }
  return resize(block, bytes);
}

static void* align(size_t alignment, size_t bytes, size_t asked_bytes, uintptr_t caller) {
  void* const block = __libc_memalign(alignment, bytes);
  if (is_counted(caller)) {
    count_allocation(block, asked_bytes);
  }
  return block;
}

INTERPOSED void* malloc(size_t size) {
  void* const block = __libc_malloc(size);
  if (is_counted(CALLER)) {
    count_allocation(block, size);
  }
  return block;
}

INTERPOSED void* calloc(size_t count, size_t size) {
  void* const block = __libc_calloc(count, size);
  if (is_counted(CALLER)) {
    count_allocation(block, count * size);
  }
  return block;
}

INTERPOSED void* realloc(void* block, size_t size) { return change_size(block, size, CALLER); }

INTERPOSED void* reallocarray(void* block, size_t count, size_t size) {
  size_t bytes = 0;
  if (__builtin_mul_overflow(count, size, &bytes)) {
    if (is_counted(CALLER)) {
      count_allocation(NULL, 0);
    }
    errno = ENOMEM;
    return NULL;
  }
  return change_size(block, bytes, CALLER);
}

INTERPOSED void free(void* block) {
  if (block != NULL && is_counted(CALLER)) {
    count_free(block);
  }
  __libc_free(block);
}

INTERPOSED int posix_memalign(void** block, size_t alignment, size_t size) {
  if (alignment % sizeof(void*) != 0 || alignment == 0 || (alignment & (alignment - 1)) != 0) {
    if (is_counted(CALLER)) {
      count_allocation(NULL, 0);
    }
    return EINVAL;
  }
  const int before = errno;
  void* const made = align(alignment, size, size, CALLER);
  errno = before; /* POSIX leaves it alone */
  if (made == NULL) {
    return ENOMEM;
  }
  *block = made;
  return 0;
}

INTERPOSED void* aligned_alloc(size_t alignment, size_t size) {
  return align(alignment, size, size, CALLER);
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
    if (is_counted(CALLER)) {
      count_allocation(NULL, 0);
    }
    errno = ENOMEM;
    return NULL;
  }
  return align(page, rounded / page * page, size, CALLER);
}

/* Where the dynamic loader lies: from its base to the end of its last segment. */
static void find_loader(void) {
  const uintptr_t base = (uintptr_t)getauxval(AT_BASE);
  if (base == 0) {
    return;
  }
  const ElfW(Ehdr)* const header = (const ElfW(Ehdr)*)base;
  const ElfW(Phdr)* const segments = (const ElfW(Phdr)*)(base + header->e_phoff);
  loader_start = base;
  for (unsigned i = 0; i < header->e_phnum; ++i) {
    const uintptr_t end = base + segments[i].p_vaddr + segments[i].p_memsz;
    if (segments[i].p_type == PT_LOAD && end > loader_end) {
      loader_end = end;
    }
  }
}

int heap_is_metered(void) { return 1; }

void heap_prepare(void) {
  find_loader();
  if (heap_table_map() != 0) {
    channel_fail_system("mmap(blocks)");
  }
}

void heap_open(int is_load) {
  heap_table_clear();
  memset(&figures, 0, sizeof figures);
  live_bytes = 0;
  live_usable_bytes = 0;
  is_loading = is_load;
  atomic_store_explicit(&gate, 1, memory_order_seq_cst);
}

void heap_close(struct hashprof_heap* heap) {
  atomic_store_explicit(&gate, 0, memory_order_seq_cst);
  take_lock();
  figures.left_bytes = live_bytes;
  figures.left_blocks = heap_table_count();
  *heap = figures;
  give_lock();
}

const char* heap_find_fault(void) {
  void* const found = dlsym(RTLD_DEFAULT, "malloc");
  void* (*const own)(size_t) = malloc;
  void* (*take)(size_t) = NULL;
  memcpy(&take, &found, sizeof take);
  if (take != own) {
    return "a library would be given another malloc than the meter's";
  }
  struct hashprof_heap heap;
  void* (*volatile call)(size_t) = take;
  heap_open(0);
  void* const block = call(PROBE_BYTES);
  free(block);
  heap_close(&heap);
  return heap.allocations == 1 && heap.frees == 1 && heap.peak_bytes == PROBE_BYTES &&
                 heap.left_blocks == 0
             ? NULL
             : "one allocation was not counted as one";
}
