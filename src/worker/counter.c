/* SPDX-License-Identifier: MIT
 * See worker/counter.h. */
#include "worker/counter.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "worker/hardware.h"
#include "worker/user_read.h"

#define PROBE_REPEATS 8u

/* Layout of a read with PERF_FORMAT_GROUP and both times: perf_event_open(2). */
struct group_read {
  uint64_t count;
  uint64_t enabled_ns;
  uint64_t running_ns;
  uint64_t values[HASHPROF_MAX_EVENTS];
};

static int open_once(const struct hashprof_perf_event* wanted, uint64_t config1, int leader) {
  struct perf_event_attr attr;
  memset(&attr, 0, sizeof attr);
  attr.size = sizeof attr;
  attr.type = wanted->type;
  attr.config = wanted->config;
  attr.config1 = config1;
  attr.pinned = leader < 0;
  attr.exclude_kernel = 1;
  attr.exclude_hv = 1;
  attr.read_format =
      PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
  return (int)syscall(SYS_perf_event_open, &attr, 0, -1, leader, PERF_FLAG_FD_CLOEXEC);
}

/* A PMU without 64-bit counters or user access says so at the opening; the next config1 asks for
 * less. */
static int open_event(const struct hashprof_perf_event* wanted, int leader) {
  int fd = -1;
  for (unsigned i = 0; i < wanted->tries && i < HASHPROF_MAX_TRIES && fd < 0; ++i) {
    fd = open_once(wanted, wanted->config1[i], leader);
    if (fd < 0 && errno != EOPNOTSUPP && errno != EINVAL) {
      break;
    }
  }
  return fd;
}

static const struct perf_event_mmap_page* map_page(int fd) {
  void* page = mmap(NULL, (size_t)sysconf(_SC_PAGESIZE), PROT_READ, MAP_SHARED, fd, 0);
  return page == MAP_FAILED ? NULL : page;
}

static int read_user(const struct counter_group* group, uint64_t* values) {
  for (unsigned i = 0; i < group->opened; ++i) {
    if (!hashprof_read_page(group->pages[i], hardware_read, &values[i])) {
      return 0;
    }
  }
  return 1;
}

static void choose_method(struct counter_group* group) {
  group->read_method = HASHPROF_READ_SYSCALL;
  for (unsigned i = 0; i < group->opened; ++i) {
    if (group->pages[i] == NULL) {
      return;
    }
  }
  uint64_t values[HASHPROF_MAX_EVENTS];
  if (HASHPROF_USER_READ != HASHPROF_READ_NONE && read_user(group, values)) {
    group->read_method = HASHPROF_USER_READ;
  }
}

void counter_open(struct counter_group* group, const struct hashprof_perf_event* events) {
  for (unsigned i = 0; i < HASHPROF_MAX_EVENTS; ++i) {
    if (events[i].tries == 0 || (i > 0 && group->fd < 0)) {
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
    group->pages[group->opened] = map_page(fd);
    ++group->opened;
  }
  if (group->fd >= 0) {
    choose_method(group);
  }
}

uint64_t clock_ns(int clock) {
  struct timespec now = {0, 0};
  clock_gettime(clock, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Whether the group could be read; closes it if not. */
static int read_group(struct counter_group* group, struct group_read* raw) {
  const size_t wanted = sizeof *raw - (HASHPROF_MAX_EVENTS - group->opened) * sizeof raw->values[0];
  ssize_t size = 0;
  do {
    size = read(group->fd, raw, sizeof *raw);
  } while (size < 0 && errno == EINTR);
  if (size == (ssize_t)wanted && raw->count == group->opened) {
    return 1;
  }
  close(group->fd);
  group->fd = -1;
  return 0;
}

void counter_read_values(struct counter_group* group, uint64_t* values) {
  if (group->fd < 0) {
    return;
  }
  if (group->read_method != HASHPROF_READ_SYSCALL) {
    if (read_user(group, values)) {
      return;
    }
    group->read_method = HASHPROF_READ_SYSCALL;
  }
  struct group_read raw;
  if (read_group(group, &raw)) {
    memcpy(values, raw.values, group->opened * sizeof raw.values[0]);
  }
}

int counter_read_cycles(struct counter_group* group, uint64_t* cycles) {
  struct group_read raw;
  const int is_read = read_group(group, &raw);
  *cycles = is_read ? raw.values[HASHPROF_EVENT_CYCLES] : 0;
  return is_read;
}

void counter_read(struct counter_group* group, struct reading* reading) {
  counter_read_values(group, reading->values);
  reading->monotonic_raw_ns = clock_ns(CLOCK_MONOTONIC_RAW);
}

void counter_read_times(struct counter_group* group, struct counter_times* times) {
  struct group_read raw;
  if (group->fd >= 0 && read_group(group, &raw)) {
    times->enabled_ns = raw.enabled_ns;
    times->running_ns = raw.running_ns;
  }
}

static uint64_t probe_blocks(struct counter_group* group, unsigned blocks) {
  uint64_t least = UINT64_MAX;
  for (unsigned i = 0; i < PROBE_REPEATS; ++i) {
    uint64_t before[HASHPROF_MAX_EVENTS] = {0};
    uint64_t after[HASHPROF_MAX_EVENTS] = {0};
    counter_read_values(group, before);
    hardware_add(blocks);
    counter_read_values(group, after);
    const uint64_t spent = after[HASHPROF_EVENT_CYCLES] - before[HASHPROF_EVENT_CYCLES];
    least = spent < least ? spent : least;
  }
  return least;
}

uint64_t counter_probe(struct counter_group* group) {
  const uint64_t one = probe_blocks(group, 1);
  const uint64_t two = probe_blocks(group, 2);
  return group->fd >= 0 && two > one ? two - one : 0;
}
