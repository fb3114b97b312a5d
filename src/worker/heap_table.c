/* SPDX-License-Identifier: MIT
 * See worker/heap_table.h. Open addressing with linear probing; a slot that is freed is filled from
 * behind (Knuth, The Art of Computer Programming 3, 6.4, algorithm R), so that there are no
 * tombstones. */
#include "worker/heap_table.h"

#include <string.h>
#include <sys/mman.h>

#include "worker/protocol.h"

/* Half empty at its fullest. */
#define SLOTS ((size_t)2 * HASHPROF_MAX_LIVE_BLOCKS)
#define TABLE_BYTES (SLOTS * sizeof(struct heap_block))
HASHPROF_STATIC_ASSERT(TABLE_BYTES == HASHPROF_METER_BYTES, "the runner makes room for it");

static struct heap_block* slots;
static uint64_t count;

/* Blocks are aligned to 16 bytes; the multiplier is 2^64 / golden ratio. */
static size_t home_of(uintptr_t address) {
  return (size_t)((((uint64_t)address >> 4u) * UINT64_C(0x9e3779b97f4a7c15)) >> 32u) % SLOTS;
}

static size_t find_slot(uintptr_t address) {
  size_t at = home_of(address);
  while (slots[at].address != 0 && slots[at].address != address) {
    at = (at + 1) % SLOTS;
  }
  return at;
}

int heap_table_map(void) {
  void* const area =
      mmap(NULL, TABLE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (area == MAP_FAILED) {
    return -1;
  }
  memset(area, 1, TABLE_BYTES);
  memset(area, 0, TABLE_BYTES);
  slots = area;
  return 0;
}

void heap_table_clear(void) {
  if (count > 0) {
    memset(slots, 0, TABLE_BYTES);
    count = 0;
  }
}

int heap_table_add(const struct heap_block* block) {
  if (count >= HASHPROF_MAX_LIVE_BLOCKS) {
    return -1;
  }
  slots[find_slot(block->address)] = *block;
  ++count;
  return 0;
}

int heap_table_take(uintptr_t address, struct heap_block* block) {
  size_t hole = find_slot(address);
  if (slots[hole].address == 0) {
    return 0;
  }
  *block = slots[hole];
  --count;
  for (size_t at = (hole + 1) % SLOTS; slots[at].address != 0; at = (at + 1) % SLOTS) {
    const size_t home = home_of(slots[at].address);
    /* Whether the hole lies between the block's home and where it is. */
    if ((at + SLOTS - home) % SLOTS >= (at + SLOTS - hole) % SLOTS) {
      slots[hole] = slots[at];
      hole = at;
    }
  }
  slots[hole].address = 0;
  return 1;
}
