/* SPDX-License-Identifier: MIT
 * The worker's own perf events: opened with the parent's privilege, read at the borders of slices:
 * in user space where the kernel grants it, else by read(2). */
#ifndef HASHPROF_WORKER_COUNTER_H
#define HASHPROF_WORKER_COUNTER_H

#include <linux/perf_event.h>
#include <stdint.h>

#include "worker/protocol.h"

struct counter_group {
  int fd;                                  /* of the leader, -1 if nothing counts */
  unsigned opened;                         /* 0, 1 or 2 events */
  uint32_t read_method;                    /* enum hashprof_read */
  int32_t open_errno[HASHPROF_MAX_EVENTS]; /* why an event is missing; 0 where it counts */
  /* Of the opened events, in order; only with user-space reads. */
  const struct perf_event_mmap_page* pages[HASHPROF_MAX_EVENTS];
};

/* All times in nanoseconds; counter values are since the opening. */
struct reading {
  uint64_t monotonic_raw_ns;
  uint64_t values[HASHPROF_MAX_EVENTS];
};

struct counter_times {
  uint64_t enabled_ns;
  uint64_t running_ns;
};

/* Opens the wanted events for this thread on any CPU as one pinned group, user mode only, and maps
 * them for user-space reads. An event that is refused is dropped with its errno; without the leader
 * nothing else is opened. All events are read in the same way: if one of them cannot be read in
 * user space, none is. */
void counter_open(struct counter_group* group, const struct hashprof_perf_event* events);

/* Reads group and clock. User-space reads that the kernel no longer grants become read(2) for
 * good. A group that cannot be read (pinned but not scheduled: read gives 0 bytes) is closed, and
 * its fd becomes -1. */
void counter_read(struct counter_group* group, struct reading* reading);

/* The values alone, without the clock. */
void counter_read_values(struct counter_group* group, uint64_t* values);

/* The cycles by read(2), whatever the method; 0 if the group cannot be read, and it is closed. */
int counter_read_cycles(struct counter_group* group, uint64_t* cycles);

/* How long the group has been enabled, and on the PMU; by read(2). Closes it as counter_read. */
void counter_read_times(struct counter_group* group, struct counter_times* times);

/* Cycles that HASHPROF_PROBE_ADDS dependent additions take: the smallest of several pairs of
 * readings around two blocks of them, less the smallest around one. 0 if nothing counts. */
uint64_t counter_probe(struct counter_group* group);

/* A clock in nanoseconds. */
uint64_t clock_ns(int clock);

#endif
