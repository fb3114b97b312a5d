/* SPDX-License-Identifier: MIT
 * What window.bpf.c and src/probes say to each other. Compiled as C, for the BPF machine too, and
 * as C++; fixed widths, no padding. */
#ifndef HASHPROF_BPF_WINDOW_H
#define HASHPROF_BPF_WINDOW_H

#include <stdint.h>

#include "worker/protocol.h"

/* The names are C's (snake_case structs, upper-case constants), the checker's are C++'s. */
/* NOLINTBEGIN(readability-identifier-naming) */

/* Why an event could not be counted; the sentences stand in probes/window_probe.cpp. */
enum hashprof_window_drop {
  HASHPROF_WINDOW_DROP_CALLS = 0, /* no room left in the table of system calls */
  HASHPROF_WINDOW_DROP_READ = 1,  /* arguments of a system call could not be read */
  HASHPROF_WINDOW_DROP_ANON = 2,  /* anonymous memory before the stretch is not known */
  HASHPROF_WINDOW_DROP_FILE = 3,  /* mapped files before the stretch are not known */
  HASHPROF_WINDOW_DROPS = 4
};

/* How much a kind of memory grew by; bytes of an unsigned sum that may fall below its begin. */
struct hashprof_growth {
  uint64_t is_based; /* 1 once base_bytes is known */
  uint64_t base_bytes;
  uint64_t most_bytes; /* above the base */
};

/* One stretch. */
struct hashprof_window_count {
  uint64_t page_faults;
  struct hashprof_growth anon;
  struct hashprof_growth file;
  struct hashprof_growth heap_end; /* moved by brk */
  uint64_t mapped_bytes;
  uint64_t mapped_calls;
  uint64_t unmapped_bytes;
  uint64_t switches;
  uint64_t migrations;
  uint64_t interrupts;
  uint64_t interrupt_ns;
  uint64_t dropped[HASHPROF_WINDOW_DROPS];
};

HASHPROF_STATIC_ASSERT(sizeof(struct hashprof_growth) == 24, "layout");
HASHPROF_STATIC_ASSERT(sizeof(struct hashprof_window_count) ==
                           8 * (8 + HASHPROF_WINDOW_DROPS) + 3 * 24,
                       "layout");

/* The record of kmem:rss_stat; probes/tracepoint.cpp compares it with the kernel's own format. */
struct hashprof_rss_stat {
  uint64_t common;
  uint32_t mm_id;
  uint32_t curr;  /* 1: of the process that is running */
  int32_t member; /* HASHPROF_MEMBER_... */
  int32_t padding;
  int64_t size; /* bytes */
};
#define HASHPROF_MEMBER_FILE 0
#define HASHPROF_MEMBER_ANON 1

HASHPROF_STATIC_ASSERT(sizeof(struct hashprof_rss_stat) == 32, "layout");

/* NOLINTEND(readability-identifier-naming) */

#endif
