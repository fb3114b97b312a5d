/* SPDX-License-Identifier: MIT
 * See worker/heap_count.h, and worker/heap.h of the gate. */
#include "worker/heap_count.h"

#include <elf.h>
#include <link.h>
#include <malloc.h>
#include <sched.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/single_threaded.h>

#include "worker/channel.h"
#include "worker/heap.h"

#define SPINS 100u

atomic_int heap_gate = HEAP_CLOSED;
_Thread_local int heap_is_inside;

static atomic_flag lock = ATOMIC_FLAG_INIT;
static struct hashprof_heap figures;
static uint64_t live_blocks;
static uint64_t live_bytes;
static uint64_t live_usable_bytes;
static uint64_t stretch; /* how often the gate was opened */
static uintptr_t loader_start;
static uintptr_t loader_end;

/* Who holds it may wait for this very core, to which a worker is pinned. A process of one thread
 * needs none: it cannot get a second one while this one is in here. */
static void take_lock(void) {
  if (__libc_single_threaded) {
    return;
  }
  for (unsigned spins = 1; atomic_flag_test_and_set_explicit(&lock, memory_order_acquire);
       ++spins) {
    if (spins % SPINS == 0) {
      sched_yield();
    }
  }
}

static void give_lock(void) { atomic_flag_clear_explicit(&lock, memory_order_release); }

/* Under the lock. A call that began before the gate was closed, in a thread that the library left
 * running, may come here after. */
static int is_open(void) {
  return atomic_load_explicit(&heap_gate, memory_order_relaxed) != HEAP_CLOSED;
}

static void add_block(void* block, size_t bytes) {
  const struct heap_block added = {(uintptr_t)block, bytes, malloc_usable_size(block)};
  figures.total_bytes += bytes;
  if (heap_table_add(&added) != 0) {
    ++figures.lost;
    return;
  }
  ++live_blocks;
  live_bytes += bytes;
  live_usable_bytes += added.usable_bytes;
  figures.peak_bytes = live_bytes > figures.peak_bytes ? live_bytes : figures.peak_bytes;
  figures.peak_usable_bytes =
      live_usable_bytes > figures.peak_usable_bytes ? live_usable_bytes : figures.peak_usable_bytes;
}

static void end_block(const struct heap_block* block) {
  --live_blocks;
  live_bytes -= block->bytes;
  live_usable_bytes -= block->usable_bytes;
}

int heap_is_loader(uintptr_t caller) { return caller >= loader_start && caller < loader_end; }

void heap_leave(void) { heap_is_inside = 0; }

void* heap_leave_with(void* block, size_t bytes) {
  take_lock();
  if (is_open()) {
    if (block == NULL) {
      ++figures.failures;
    } else {
      ++figures.allocations;
      add_block(block, bytes);
    }
  }
  give_lock();
  heap_leave();
  return block;
}

void heap_count_free(const void* block) {
  struct heap_block taken;
  take_lock();
  if (is_open()) {
    ++figures.frees;
    if (heap_table_take((uintptr_t)block, &taken)) {
      end_block(&taken);
    } else {
      ++figures.foreign_frees;
    }
  }
  give_lock();
}

void heap_begin_resize(const void* block, struct heap_resize* resize) {
  take_lock();
  resize->stretch = stretch;
  resize->is_own = is_open() && heap_table_take((uintptr_t)block, &resize->old);
  give_lock();
}

/* Under the lock. A block of the stretch before is foreign to the one that the resize ends in. */
static void end_resize(const struct heap_resize* resize, void* moved, size_t bytes) {
  const int is_own = resize->is_own && resize->stretch == stretch;
  if (moved == NULL) {
    ++figures.failures;
    if (is_own && heap_table_add(&resize->old) != 0) {
      ++figures.lost;
    }
    return;
  }
  ++figures.resizes;
  if (is_own) {
    end_block(&resize->old);
  } else {
    ++figures.foreign_frees;
  }
  add_block(moved, bytes);
}

void* heap_leave_resized(const struct heap_resize* resize, void* moved, size_t bytes) {
  take_lock();
  if (is_open()) {
    end_resize(resize, moved, bytes);
  }
  give_lock();
  heap_leave();
  return moved;
}

/* From the loader's base to the end of its last segment; nothing where the kernel does not say. */
static void find_loader(void) {
  const uintptr_t base = (uintptr_t)getauxval(AT_BASE);
  if (base == 0) {
    return;
  }
  /* The kernel gives the address as a number. NOLINTBEGIN(performance-no-int-to-ptr) */
  const ElfW(Ehdr)* const header = (const ElfW(Ehdr)*)base;
  const ElfW(Phdr)* const segments = (const ElfW(Phdr)*)(base + header->e_phoff);
  /* NOLINTEND(performance-no-int-to-ptr) */
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
  if (loader_start == 0) {
    channel_fail(HASHPROF_ERROR_METER, 0, 0, "the kernel does not say where the dynamic loader is");
  }
  if (heap_table_map() != 0) {
    channel_fail_system("mmap(blocks)");
  }
}

void heap_open(int is_load) {
  take_lock();
  memset(&figures, 0, sizeof figures);
  live_blocks = 0;
  live_bytes = 0;
  live_usable_bytes = 0;
  ++stretch;
  atomic_store_explicit(&heap_gate, is_load ? HEAP_OPEN_TO_LIBRARY : HEAP_OPEN,
                        memory_order_relaxed);
  give_lock();
}

void heap_close(struct hashprof_heap* heap) {
  take_lock();
  atomic_store_explicit(&heap_gate, HEAP_CLOSED, memory_order_relaxed);
  figures.left_bytes = live_bytes;
  figures.left_blocks = live_blocks;
  *heap = figures;
  /* Here, where nothing is watched any more: it may be megabytes. */
  heap_table_clear();
  give_lock();
}
