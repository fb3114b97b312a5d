/* SPDX-License-Identifier: MIT
 * Samples of single calls: two readings, and between them a call, or a batch of calls where one is
 * too short to be told from the readings. */
#include <string.h>
#include <time.h>

#include "worker/channel.h"
#include "worker/hardware.h"
#include "worker/loop.h"
#include "worker/measure.h"
#include "worker/user_read.h"

/* A sample that the kernel disturbs so often in a row is too long for user-space reads. */
#define MOST_DISCARDS 4u
/* Of so many samples the shortest says how long a batch takes. */
#define BATCH_SAMPLES 3u

/* How a sample is read; each is what remains where the one before it failed. */
enum way { WAY_USER, WAY_READ, WAY_CLOCK };

/* Samples to take, all of one kind. */
struct series {
  struct target target;
  uint64_t batch;
  uint64_t count;
  uint64_t* samples;
  int is_latency;
  int returned; /* or of what the calls returned */
};

static enum way find_way(const struct counter_group* group) {
  if (group->fd < 0) {
    return WAY_CLOCK;
  }
  return group->read_method == HASHPROF_READ_SYSCALL ? WAY_READ : WAY_USER;
}

/* Called like a hash. */
static int do_nothing(int digest_bits, const unsigned char* message,
                      unsigned long long message_bits, unsigned char* digest) {
  (void)digest_bits;
  (void)message;
  (void)message_bits;
  (void)digest;
  return 0;
}

/* run_calls and run_waiting_calls of one batch, as part of the function that reads before and
 * after. */
__attribute__((always_inline)) static inline int call_batch(const struct series* series,
                                                            hash_function volatile* entry,
                                                            const int is_latency) {
  const struct target* const target = &series->target;
  int returned = 0;
  uint64_t left = series->batch;
  do {
    if (is_latency) {
      target->message[0] ^= target->digest[0];
    }
    returned |=
        (*entry)(target->digest_bits, target->message, target->message_bits, target->digest);
  } while (--left > 0);
  return returned;
}

/* One lock around both reads: a sample during which it changed is taken again. Returns 0 where the
 * kernel does not grant the read, or disturbs a sample again and again. */
__attribute__((always_inline)) static inline int sample_user(
    struct series* series, const struct perf_event_mmap_page* shared, const int is_latency) {
  const volatile struct perf_event_mmap_page* const page = shared;
  hash_function volatile entry = series->target.entry;
  unsigned discards = 0;
  for (uint64_t i = 0; i < series->count;) {
    const uint32_t lock = page->lock;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    const uint32_t index = page->index;
    const unsigned width = page->pmc_width;
    if (page->cap_user_rdpmc == 0 || index == 0) {
      return 0;
    }
    const uint64_t start = hardware_read_inline(index - 1);
    const int returned = call_batch(series, &entry, is_latency);
    const uint64_t stop = hardware_read_inline(index - 1);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    series->returned |= returned;
    if (page->lock == lock) {
      series->samples[i++] = hashprof_extend_sign(stop - start, width);
      discards = 0;
    } else if (++discards == MOST_DISCARDS) {
      return 0;
    }
  }
  return 1;
}

__attribute__((always_inline)) static inline int sample_read(struct series* series,
                                                             struct counter_group* group,
                                                             const int is_latency) {
  hash_function volatile entry = series->target.entry;
  for (uint64_t i = 0; i < series->count; ++i) {
    uint64_t start = 0;
    uint64_t stop = 0;
    if (!counter_read_cycles(group, &start)) {
      return 0;
    }
    const int returned = call_batch(series, &entry, is_latency);
    if (!counter_read_cycles(group, &stop)) {
      return 0;
    }
    series->returned |= returned;
    series->samples[i] = stop - start;
  }
  return 1;
}

static uint64_t ns_between(const struct timespec* start, const struct timespec* stop) {
  const int64_t seconds = (int64_t)stop->tv_sec - (int64_t)start->tv_sec;
  return (uint64_t)(seconds * 1000000000 + (int64_t)stop->tv_nsec - (int64_t)start->tv_nsec);
}

__attribute__((always_inline)) static inline void sample_clock(struct series* series,
                                                               const int is_latency) {
  hash_function volatile entry = series->target.entry;
  for (uint64_t i = 0; i < series->count; ++i) {
    struct timespec start;
    struct timespec stop;
    clock_gettime(CLOCK_MONOTONIC_RAW, &start);
    const int returned = call_batch(series, &entry, is_latency);
    clock_gettime(CLOCK_MONOTONIC_RAW, &stop);
    series->returned |= returned;
    series->samples[i] = ns_between(&start, &stop);
  }
}

/* One function for each mode, so that no choice lies between the readings; whole, for the test that
 * counts what does. */
__attribute__((noipa)) static int sample_user_calls(struct series* series,
                                                    const struct perf_event_mmap_page* page) {
  return sample_user(series, page, 0);
}

__attribute__((noipa)) static int sample_user_waiting_calls(
    struct series* series, const struct perf_event_mmap_page* page) {
  return sample_user(series, page, 1);
}

static int take(struct series* series, struct counter_group* group, enum way way) {
  const struct perf_event_mmap_page* const page = group->pages[HASHPROF_EVENT_CYCLES];
  switch (way) {
    case WAY_USER: {
      const int is_taken = series->is_latency ? sample_user_waiting_calls(series, page)
                                              : sample_user_calls(series, page);
      if (!is_taken) {
        group->read_method = HASHPROF_READ_SYSCALL;
      }
      return is_taken;
    }
    case WAY_READ:
      return series->is_latency ? sample_read(series, group, 1) : sample_read(series, group, 0);
    default:
      if (series->is_latency) {
        sample_clock(series, 1);
      } else {
        sample_clock(series, 0);
      }
      return 1;
  }
}

static uint64_t median_of(const uint64_t* values) {
  static uint64_t sorted[HASHPROF_EMPTY_SAMPLES];
  for (size_t i = 0; i < HASHPROF_EMPTY_SAMPLES; ++i) {
    size_t at = i;
    for (; at > 0 && sorted[at - 1] > values[i]; --at) {
      sorted[at] = sorted[at - 1];
    }
    sorted[at] = values[i];
  }
  return sorted[HASHPROF_EMPTY_SAMPLES / 2];
}

/* The calls of a sample that is HASHPROF_BATCH_FACTOR times the empty one; 0 if the way to read
 * failed. Stops where the counter stands still: no batch would be long enough. */
static uint64_t choose_batch(struct series series, struct counter_group* group, enum way way,
                             const uint64_t* empty, const struct hashprof_result* result) {
  uint64_t tried[BATCH_SAMPLES];
  const uint64_t median = median_of(empty);
  const uint64_t wanted = HASHPROF_BATCH_FACTOR * (median > 0 ? median : 1);
  series.count = BATCH_SAMPLES;
  series.samples = tried;
  for (series.batch = 1;; series.batch *= 2) {
    if (!take(&series, group, way)) {
      return 0;
    }
    check_returned(series.returned, result, "while the calls of a sample were counted");
    uint64_t least = tried[0];
    for (size_t i = 1; i < BATCH_SAMPLES; ++i) {
      least = tried[i] < least ? tried[i] : least;
    }
    if (least >= wanted || least == 0 || series.batch == HASHPROF_MAX_BATCH) {
      return series.batch;
    }
  }
}

/* Takes what `series` asks for as a slice of the timed loop. */
static int take_slice(struct series* series, struct session* session, enum way way,
                      struct border* border, struct hashprof_result* result) {
  if (!take(series, &session->counters, way)) {
    return 0;
  }
  close_slice(session, border, series->batch * series->count, result);
  check_returned(series->returned, result, "in the samples of single calls");
  return 1;
}

/* Whether all could be sampled in one way. */
static int sample_all(struct session* session, const struct target* target,
                      struct hashprof_result* result) {
  const uint64_t calls = session->request->calls;
  const int is_latency = (session->request->flags & HASHPROF_FLAG_LATENCY) != 0;
  const enum way way = find_way(&session->counters);
  uint64_t* const empty_samples = session->areas.samples;
  struct series empty = {*target, 1, HASHPROF_EMPTY_SAMPLES, empty_samples, is_latency, 0};
  empty.target.entry = do_nothing;
  struct series single = {*target, 1, calls, empty_samples + HASHPROF_EMPTY_SAMPLES, is_latency, 0};
  if (!take(&empty, &session->counters, way)) {
    return 0;
  }
  single.batch = choose_batch(single, &session->counters, way, empty_samples, result);
  if (single.batch == 0) {
    return 0;
  }
  struct series doubled = single;
  doubled.batch *= 2;
  doubled.count = single.batch > 1 ? HASHPROF_DOUBLED_SAMPLES(calls) : 0;
  doubled.samples += calls;
  struct border border;
  memset(&border, 0, sizeof border);
  open_loop(session, &border);
  if (!take_slice(&single, session, way, &border, result) ||
      (doubled.count > 0 && !take_slice(&doubled, session, way, &border, result))) {
    return 0;
  }
  close_loop(session, &border, target, result);
  result->batch = (uint32_t)single.batch;
  result->doubled_count = (uint32_t)doubled.count;
  return find_way(&session->counters) == way;
}

void measure_percall(struct session* session, struct hashprof_result* result) {
  const struct target target = make_target(session);
  warm_up(session, &target, result);
  do {
    channel_announce(HASHPROF_STEP_CALL, 0);
    result->slice_count = 0;
    result->calls = 0;
    result->migrations = 0;
  } while (!sample_all(session, &target, result));
}
