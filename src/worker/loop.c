/* SPDX-License-Identifier: MIT
 * See worker/loop.h. The timed region is run_calls: calls through a pointer that the compiler
 * cannot see through, and nothing else. */
#include "worker/loop.h"

#include <sched.h>
#include <string.h>
#include <time.h>

#include "worker/channel.h"
#include "worker/memory.h"

/* A machine that slept shorter did not sleep: the clocks are read one after the other. */
#define SHORTEST_SLEEP_NS 1000000u
#define SLEEP_READINGS 3u

struct target make_target(const struct session* session) {
  const struct hashprof_request* request = session->request;
  struct target target = {session->entry, (int)request->digest_bits,
                          session->areas.message + request->message_offset, request->message_bits,
                          session->areas.digest + request->digest_offset};
  return target;
}

static size_t digest_bytes(const struct session* session) {
  return (session->request->digest_bits + 7) / 8;
}

static int is_latency(const struct session* session) {
  return (session->request->flags & HASHPROF_FLAG_LATENCY) != 0;
}

/* Volatile, so that no call is moved, merged or left out. */
__attribute__((noinline)) int run_calls(const struct target* target, uint64_t calls) {
  hash_function volatile entry = target->entry;
  const int digest_bits = target->digest_bits;
  const unsigned char* const message = target->message;
  const unsigned long long message_bits = target->message_bits;
  unsigned char* const digest = target->digest;
  int returned = 0;
  for (uint64_t i = 0; i < calls; ++i) {
    returned |= entry(digest_bits, message, message_bits, digest);
  }
  return returned;
}

__attribute__((noinline)) int run_waiting_calls(const struct target* target, uint64_t calls) {
  hash_function volatile entry = target->entry;
  const int digest_bits = target->digest_bits;
  unsigned char* const message = target->message;
  const unsigned long long message_bits = target->message_bits;
  unsigned char* const digest = target->digest;
  int returned = 0;
  for (uint64_t i = 0; i < calls; ++i) {
    message[0] ^= digest[0];
    returned |= entry(digest_bits, message, message_bits, digest);
  }
  return returned;
}

int run_wanted_calls(const struct session* session, const struct target* target, uint64_t calls) {
  return is_latency(session) ? run_waiting_calls(target, calls) : run_calls(target, calls);
}

/* A call outside the timed loop, numbered from 1. */
static void call_once(const struct target* target, uint64_t number) {
  const int returned = run_calls(target, 1);
  if (returned != 0) {
    channel_fail(HASHPROF_ERROR_RETURNED, returned, number, "");
  }
}

/* Bytes from the digest's first to the end of its area. */
static size_t digest_room(const struct session* session) {
  return session->request->digest_map_bytes - session->request->digest_offset;
}

/* Ends the process if the hash wrote beyond the output it was asked for, or not all of it. The
 * place lay filled before the first call and is filled with the complement before a second: a byte
 * that is as filled after both was not written, for one message has one digest. */
static void check_output(struct session* session, const struct target* target) {
  const size_t bytes = digest_bytes(session);
  const size_t room = digest_room(session);
  unsigned char* const digest = target->digest;
  for (size_t i = bytes; i < room; ++i) {
    if (digest[i] != memory_fill_byte(i)) {
      channel_fail(HASHPROF_ERROR_OUTPUT, (int64_t)i + 1, bytes, "");
    }
  }
  for (size_t i = 0; i < room; ++i) {
    digest[i] = (unsigned char)~memory_fill_byte(i);
  }
  call_once(target, 2);
  for (size_t i = 0; i < room; ++i) {
    const int is_left = digest[i] == (unsigned char)~memory_fill_byte(i);
    const int is_wrong =
        i < bytes ? is_left && session->areas.reference[i] == memory_fill_byte(i) : !is_left;
    if (is_wrong) {
      channel_fail(HASHPROF_ERROR_OUTPUT, (int64_t)i + 1, bytes, "");
    }
  }
}

/* The clock is the inner pair: reading the counters may be a system call. */
static void time_first_call(struct session* session, const struct target* target,
                            struct hashprof_result* result) {
  uint64_t before[HASHPROF_MAX_EVENTS] = {0};
  uint64_t after[HASHPROF_MAX_EVENTS] = {0};
  counter_read_values(&session->counters, before);
  const uint64_t start = clock_ns(CLOCK_MONOTONIC_RAW);
  call_once(target, 1);
  result->first_call_ns = clock_ns(CLOCK_MONOTONIC_RAW) - start;
  counter_read_values(&session->counters, after);
  result->first_call_cycles = after[HASHPROF_EVENT_CYCLES] - before[HASHPROF_EVENT_CYCLES];
}

void warm_up(struct session* session, const struct target* target, struct hashprof_result* result) {
  result->message_address = (uint64_t)(uintptr_t)target->message;
  result->digest_address = (uint64_t)(uintptr_t)target->digest;
  result->stack_address = (uint64_t)(uintptr_t)__builtin_frame_address(0);
  if (is_latency(session)) {
    session->first_byte = target->message[0];
  }
  result->heap_address = memory_heap_address();
  memory_read_baseline(&session->files, result);
  const int is_checked = (session->request->flags & HASHPROF_FLAG_CHECK_OUTPUT) != 0;
  if (is_checked) {
    memory_fill(target->digest, digest_room(session));
  }
  channel_announce(HASHPROF_STEP_FIRST_CALL, 1);
  time_first_call(session, target, result);
  memcpy(session->areas.reference, target->digest, digest_bytes(session));
  if (is_checked) {
    check_output(session, target);
  }
  memory_fill(target->digest, digest_bytes(session));
  if (session->request->warmups > 0) {
    channel_announce(HASHPROF_STEP_WARM_UP, session->request->warmups);
    for (uint64_t i = 0; i < session->request->warmups; ++i) {
      call_once(target, i + 2 + (uint64_t)is_checked);
    }
  }
}

/* Time that the machine slept since its start. The least of a few readings: this thread may be off
 * the CPU between the two clocks. */
static uint64_t read_slept_ns(void) {
  uint64_t least = UINT64_MAX;
  for (unsigned i = 0; i < SLEEP_READINGS; ++i) {
    const uint64_t awake_ns = clock_ns(CLOCK_MONOTONIC);
    const uint64_t slept_ns = clock_ns(CLOCK_BOOTTIME) - awake_ns;
    least = slept_ns < least ? slept_ns : least;
  }
  return least;
}

void open_loop(struct session* session, struct border* border) {
  border->slept_ns = read_slept_ns();
  getrusage(RUSAGE_THREAD, &border->usage);
  border->cpu_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);
  border->cpu = sched_getcpu();
  counter_read_times(&session->counters, &border->times);
  counter_read(&session->counters, &border->first);
  border->last = border->first;
}

void close_slice(struct session* session, struct border* border, uint64_t calls,
                 struct hashprof_result* result) {
  struct reading now = border->last;
  counter_read(&session->counters, &now);
  struct hashprof_slice* slice = &result->slices[result->slice_count++];
  slice->calls = calls;
  slice->elapsed_ns = now.monotonic_raw_ns - border->last.monotonic_raw_ns;
  slice->cycles = now.values[HASHPROF_EVENT_CYCLES] - border->last.values[HASHPROF_EVENT_CYCLES];
  slice->instructions =
      now.values[HASHPROF_EVENT_INSTRUCTIONS] - border->last.values[HASHPROF_EVENT_INSTRUCTIONS];
  result->calls += calls;
  const int cpu = sched_getcpu();
  result->migrations += cpu != border->cpu;
  border->cpu = cpu;
  border->last = now;
}

void check_returned(int returned, const struct hashprof_result* result, const char* place) {
  if (returned != 0) {
    channel_fail(HASHPROF_ERROR_RETURNED, returned, result->slice_count, place);
  }
}

static void store_usage(const struct border* border, struct hashprof_result* result) {
  struct rusage now;
  getrusage(RUSAGE_THREAD, &now);
  const struct rusage* const before = &border->usage;
  result->cpu_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID) - border->cpu_ns;
  result->voluntary_switches = (uint64_t)(now.ru_nvcsw - before->ru_nvcsw);
  result->involuntary_switches = (uint64_t)(now.ru_nivcsw - before->ru_nivcsw);
  result->minor_faults = (uint64_t)(now.ru_minflt - before->ru_minflt);
  result->major_faults = (uint64_t)(now.ru_majflt - before->ru_majflt);
}

static void store_suspension(const struct border* border, struct hashprof_result* result) {
  const uint64_t slept_ns = read_slept_ns();
  const int is_slept =
      slept_ns > border->slept_ns && slept_ns - border->slept_ns >= SHORTEST_SLEEP_NS;
  result->suspended_ns = is_slept ? slept_ns - border->slept_ns : 0;
}

/* Calls that waited for each other hashed other messages: one more has the first one's. */
static void call_again(const struct session* session, const struct target* target,
                       const struct hashprof_result* result) {
  target->message[0] = session->first_byte;
  memory_fill(target->digest, digest_bytes(session));
  check_returned(run_calls(target, 1), result, "after the timed loop");
}

void close_loop(struct session* session, const struct border* border, const struct target* target,
                struct hashprof_result* result) {
  store_usage(border, result);
  store_suspension(border, result);
  channel_announce(HASHPROF_STEP_CHECK, 0);
  struct counter_times times = border->times;
  counter_read_times(&session->counters, &times);
  result->time_enabled_ns = times.enabled_ns - border->times.enabled_ns;
  result->time_running_ns = times.running_ns - border->times.running_ns;
  result->is_counting = session->counters.fd >= 0;
  result->read_method = result->is_counting ? session->counters.read_method : HASHPROF_READ_NONE;
  memory_read_peak(&session->files, result);
  if (is_latency(session)) {
    call_again(session, target, result);
  }
  if (memcmp(session->areas.reference, target->digest, digest_bytes(session)) != 0) {
    channel_fail(HASHPROF_ERROR_DIGEST, 0, 0, "");
  }
}
