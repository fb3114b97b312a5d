/* SPDX-License-Identifier: MIT
 * What a pair of malloc and free costs: of the C library itself, through the worker's heap meter
 * with its gate closed, and counted. Prints figures; asserts nothing about time. The rounds of the
 * three take turns. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "worker/heap.h"

#define PAIRS 200000u
#define ROUNDS 51u
#define BYTES 48u
#define WAYS 3u

/* The C library's names. */
/* NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming) */
extern void* __libc_malloc(size_t size);
extern void __libc_free(void* block);
/* NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming) */

static double now_ns(void) {
  struct timespec now;
  if (clock_gettime(CLOCK_MONOTONIC_RAW, &now) != 0) {
    abort();
  }
  return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

/* Volatile: the compiler would take the pairs away. */
static double pair_ns(void* (*volatile take)(size_t), void (*volatile give)(void*)) {
  const double start = now_ns();
  for (unsigned i = 0; i < PAIRS; ++i) {
    give(take(BYTES));
  }
  return (now_ns() - start) / PAIRS;
}

static int compare(const void* left, const void* right) {
  const double a = *(const double*)left;
  const double b = *(const double*)right;
  return (a > b) - (a < b);
}

int main(void) {
  static double rounds[WAYS][ROUNDS];
  static const char* const names[WAYS] = {"C library", "gate closed", "counted"};
  struct hashprof_heap heap;
  heap_prepare();
  for (unsigned i = 0; i < ROUNDS; ++i) {
    rounds[0][i] = pair_ns(__libc_malloc, __libc_free);
    rounds[1][i] = pair_ns(malloc, free);
    heap_open(0);
    rounds[2][i] = pair_ns(malloc, free);
    heap_close(&heap);
    if (heap.allocations != PAIRS || heap.frees != PAIRS || heap.peak_bytes != BYTES) {
      fprintf(stderr, "heap_bench: the meter did not count the pairs\n");
      return 1;
    }
  }
  double plain_ns = 0;
  for (unsigned way = 0; way < WAYS; ++way) {
    qsort(rounds[way], ROUNDS, sizeof rounds[way][0], compare);
    const double median_ns = rounds[way][ROUNDS / 2];
    plain_ns = way == 0 ? median_ns : plain_ns;
    printf(
        "malloc and free, %s: median %.1f ns a pair (n = %u of %u pairs, %.1f to %.1f), ratio "
        "%.2f\n",
        names[way], median_ns, ROUNDS, PAIRS, rounds[way][0], rounds[way][ROUNDS - 1],
        median_ns / plain_ns);
  }
  return 0;
}
