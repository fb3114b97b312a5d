/* SPDX-License-Identifier: MIT
 * See worker/depth.h. */
#include "worker/depth.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>

#include "worker/channel.h"
#include "worker/stack.h"

#define AREA_BYTES (1u << 20u)
#define AREA_SLACK 64u /* what starts beside the middle reaches beyond the end */
#define ALIGNMENT 64u

/* One call of a function of the C library, and what it returned. */
struct library_call {
  uintptr_t function;
  uintptr_t arguments[4];
  uint64_t returned;
};

/* More blocks of a size than the C library keeps aside for the next caller. */
#define CROWD 24u

static const size_t lengths[] = {0, 1, 7, 15, 16, 33, 64, 150, 300, 5000, AREA_BYTES / 2};
static const size_t block_sizes[] = {0,      24,     100,    1000,   5000,     40000,
                                     100000, 100000, 200000, 400000, 4u << 20u};
#define LENGTHS (sizeof lengths / sizeof lengths[0])
#define BLOCKS (sizeof block_sizes / sizeof block_sizes[0])

static unsigned char* area;
static uint64_t deepest[HASHPROF_DEPTH_FUNCTIONS];

static uint64_t run_library_call(void* top, void* argument) {
  struct library_call* const call = argument;
  call->returned = stack_call(top, call->function, call->arguments[0], call->arguments[1],
                              call->arguments[2], call->arguments[3]);
  return 0;
}

static uintptr_t find_function(const char* name) { return (uintptr_t)dlsym(RTLD_DEFAULT, name); }

/* 0 of a function that is not there. */
static uintptr_t call_function(const char* name, uintptr_t a, uintptr_t b, uintptr_t c,
                               uintptr_t d) {
  struct library_call call = {find_function(name), {a, b, c, d}, 0};
  if (call.function == 0) {
    return 0;
  }
  const struct stack_probe probe = {run_library_call, &call};
  const uint64_t depth = stack_measure_once(&probe);
  for (size_t i = 0; i < HASHPROF_DEPTH_FUNCTIONS; ++i) {
    if (strcmp(hashprof_depth_functions[i], name) == 0 && depth > deepest[i]) {
      deepest[i] = depth;
    }
  }
  return (uintptr_t)call.returned;
}

static void use_areas(void) {
  const uintptr_t from = (uintptr_t)area;
  const uintptr_t to = from + AREA_BYTES / 2;
  for (size_t i = 0; i < LENGTHS; ++i) {
    const uintptr_t length = lengths[i];
    call_function("memcpy", to, from, length, 0);
    call_function("memmove", to, from, length, 0);
    call_function("memmove", from + 1, from, length, 0);
    call_function("memmove", from, from + 1, length, 0);
    call_function("memset", to, 0, length, 0);
    call_function("memset", from + 1, 1, length, 0);
    call_function("memcmp", to, from, length, 0);
    call_function("bzero", to, length, 0, 0);
    call_function("explicit_bzero", to, length, 0, 0);
    call_function("__memcpy_chk", to, from, length, AREA_BYTES / 2);
    call_function("__memmove_chk", to, from, length, AREA_BYTES / 2);
    call_function("__memset_chk", to, 0, length, AREA_BYTES / 2);
    memset(area, 'a', length);
    area[length] = '\0';
    call_function("strlen", from, 0, 0, 0);
  }
}

/* Takes a block of each size and gives them back, the first taken first or last. */
static void use_blocks(const char* allocator, int is_reversed) {
  uintptr_t blocks[BLOCKS];
  for (size_t i = 0; i < BLOCKS; ++i) {
    const uintptr_t size = block_sizes[i];
    if (strcmp(allocator, "calloc") == 0) {
      blocks[i] = call_function(allocator, 1, size, 0, 0);
    } else if (strcmp(allocator, "aligned_alloc") == 0) {
      blocks[i] = call_function(allocator, ALIGNMENT, size, 0, 0);
    } else if (strcmp(allocator, "posix_memalign") == 0) {
      blocks[i] = 0;
      call_function(allocator, (uintptr_t)&blocks[i], ALIGNMENT, size, 0);
    } else if (strcmp(allocator, "realloc") == 0) {
      blocks[i] = call_function(allocator, 0, size, 0, 0);
    } else {
      blocks[i] = call_function(allocator, size, 0, 0, 0);
    }
  }
  for (size_t i = 0; i < BLOCKS; ++i) {
    call_function("free", blocks[is_reversed ? BLOCKS - 1 - i : i], 0, 0, 0);
  }
}

/* Blocks that the C library merges later: every other one of a crowd, then the rest, then a long
 * one that makes it merge what there is. */
static void use_crowds(void) {
  static const size_t sizes[] = {24, 100, 2000};
  uintptr_t blocks[CROWD];
  for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; ++s) {
    for (size_t i = 0; i < CROWD; ++i) {
      blocks[i] = call_function("malloc", sizes[s], 0, 0, 0);
    }
    for (size_t i = 0; i < CROWD; i += 2) {
      call_function("free", blocks[i], 0, 0, 0);
    }
    call_function("free", call_function("malloc", 3000, 0, 0, 0), 0, 0, 0);
    for (size_t i = 1; i < CROWD; i += 2) {
      call_function("free", blocks[i], 0, 0, 0);
    }
    call_function("free", call_function("calloc", 1, 100000, 0, 0), 0, 0, 0);
  }
}

/* One block through every size, upwards and downwards, with a neighbour that is in its way. */
static void resize_blocks(void) {
  uintptr_t block = 0;
  for (size_t i = 1; i < BLOCKS; ++i) {
    block = call_function("realloc", block, block_sizes[i], 0, 0);
    const uintptr_t neighbour = call_function("malloc", 100, 0, 0, 0);
    call_function("free", neighbour, 0, 0, 0);
  }
  for (size_t i = BLOCKS; i-- > 1;) {
    block = call_function("realloc", block, block_sizes[i], 0, 0);
  }
  call_function("free", block, 0, 0, 0);
}

void measure_depth(struct session* session, struct hashprof_result* result) {
  static const char* const allocators[] = {"malloc", "calloc", "realloc", "posix_memalign",
                                           "aligned_alloc"};
  area = mmap(NULL, AREA_BYTES + AREA_SLACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
              -1, 0);
  if (area == MAP_FAILED) {
    channel_fail_system("mmap(area)");
  }
  channel_announce(HASHPROF_STEP_CALL, 0);
  use_areas();
  for (int round = 0; round < 2; ++round) {
    for (size_t i = 0; i < sizeof allocators / sizeof allocators[0]; ++i) {
      use_blocks(allocators[i], round);
    }
    use_crowds();
    resize_blocks();
  }
  struct hashprof_stack_item* const items = session->areas.report;
  for (uint32_t i = 0; i < HASHPROF_DEPTH_FUNCTIONS && i < session->request->items; ++i) {
    items[i].bytes = deepest[i];
    items[i].is_measured = deepest[i] > 0 || find_function(hashprof_depth_functions[i]) != 0;
    ++result->items_done;
  }
}
