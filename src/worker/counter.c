/* SPDX-License-Identifier: MIT
 * See worker/counter.h. */
#include "worker/counter.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Layout of a read with PERF_FORMAT_GROUP and both times: perf_event_open(2). */
struct group_read {
  uint64_t count;
  uint64_t enabled_ns;
  uint64_t running_ns;
  uint64_t values[HASHPROF_MAX_EVENTS];
};

static int open_event(const struct hashprof_perf_event* wanted, int leader) {
  struct perf_event_attr attr;
  memset(&attr, 0, sizeof attr);
  attr.size = sizeof attr;
  attr.type = wanted->type;
  attr.config = wanted->config;
  attr.config1 = wanted->config1;
  attr.pinned = leader < 0;
  attr.exclude_kernel = 1;
  attr.exclude_hv = 1;
  attr.read_format =
      PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
  return (int)syscall(SYS_perf_event_open, &attr, 0, -1, leader, PERF_FLAG_FD_CLOEXEC);
}

void counter_open(struct counter_group* group, const struct hashprof_perf_event* events) {
  for (unsigned i = 0; i < HASHPROF_MAX_EVENTS; ++i) {
    if (!events[i].is_wanted || (i > 0 && group->fd < 0)) {
      continue;
    }
    const int fd = open_event(&events[i], group->fd);
    if (fd < 0) {
      group->open_errno[i] = errno;
      continue;
    }
    if (group->fd < 0) {
      group->fd = fd;
    }
    ++group->opened;
  }
}

uint64_t clock_ns(int clock) {
  struct timespec now = {0, 0};
  clock_gettime(clock, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

void counter_read(struct counter_group* group, struct reading* reading) {
  if (group->fd >= 0) {
    struct group_read raw;
    const size_t wanted = sizeof raw - (HASHPROF_MAX_EVENTS - group->opened) * sizeof raw.values[0];
    ssize_t size = 0;
    do {
      size = read(group->fd, &raw, sizeof raw);
    } while (size < 0 && errno == EINTR);
    if (size == (ssize_t)wanted && raw.count == group->opened) {
      reading->enabled_ns = raw.enabled_ns;
      reading->running_ns = raw.running_ns;
      memcpy(reading->values, raw.values, group->opened * sizeof raw.values[0]);
    } else {
      close(group->fd);
      group->fd = -1;
    }
  }
  reading->monotonic_raw_ns = clock_ns(CLOCK_MONOTONIC_RAW);
}
