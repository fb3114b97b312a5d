/* SPDX-License-Identifier: MIT
 * The worker's own perf events: opened with the parent's privilege, read with read(2) at the
 * borders of slices. */
#ifndef HASHPROF_WORKER_COUNTER_H
#define HASHPROF_WORKER_COUNTER_H

#include <stdint.h>

#include "worker/protocol.h"

struct counter_group {
  int fd;                                  /* of the leader, -1 if nothing counts */
  unsigned opened;                         /* 0, 1 or 2 events */
  int32_t open_errno[HASHPROF_MAX_EVENTS]; /* why an event is missing; 0 where it counts */
};

/* All times in nanoseconds; counter values are since the opening. */
struct reading {
  uint64_t monotonic_raw_ns;
  uint64_t enabled_ns;
  uint64_t running_ns;
  uint64_t values[HASHPROF_MAX_EVENTS];
};

/* Opens the wanted events for this thread on any CPU as one pinned group, user mode only. An event
 * that is refused is dropped with its errno; without the leader nothing else is opened. */
void counter_open(struct counter_group* group, const struct hashprof_perf_event* events);

/* Reads group and clock. A group that cannot be read (pinned but not scheduled: read gives 0
 * bytes) is closed, and its fd becomes -1. */
void counter_read(struct counter_group* group, struct reading* reading);

/* A clock in nanoseconds. */
uint64_t clock_ns(int clock);

#endif
