/* SPDX-License-Identifier: MIT
 * See worker/measure.h. The timed region is run_calls: calls through a pointer that the compiler
 * cannot see through, and nothing else. */
#include "worker/measure.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "worker/channel.h"

/* A calibration times batches of a sixteenth of its length, and at least this many. */
#define CALIBRATION_BATCHES 16u
#define CALIBRATION_MIN_BATCHES 3u

struct target {
  hash_function entry;
  int digest_bits;
  const unsigned char* message;
  unsigned long long message_bits;
  unsigned char* digest;
};

static struct target make_target(const struct session* session) {
  const struct hashprof_request* request = session->request;
  struct target target = {session->entry, (int)request->digest_bits,
                          session->areas.message + request->message_offset, request->message_bits,
                          session->areas.digest + request->digest_offset};
  return target;
}

static size_t digest_bytes(const struct session* session) {
  return (session->request->digest_bits + 7) / 8;
}

/* Or of what the calls returned. Volatile, so that no call is moved, merged or left out. */
__attribute__((noinline)) static int run_calls(const struct target* target, uint64_t calls) {
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

/* The first call and the warm-ups. The digest of the first is kept and its place overwritten, so
 * that a later call that writes nothing shows. */
static void warm_up(struct session* session, const struct target* target,
                    struct hashprof_result* result) {
  result->message_address = (uint64_t)(uintptr_t)target->message;
  result->digest_address = (uint64_t)(uintptr_t)target->digest;
  result->stack_address = (uint64_t)(uintptr_t)__builtin_frame_address(0);
  memory_read_baseline(&session->files, result);
  const int is_checked = (session->request->flags & HASHPROF_FLAG_CHECK_OUTPUT) != 0;
  if (is_checked) {
    memory_fill(target->digest, digest_room(session));
  }
  channel_announce(HASHPROF_STEP_FIRST_CALL, 1);
  const uint64_t start = clock_ns(CLOCK_MONOTONIC_RAW);
  call_once(target, 1);
  result->first_call_ns = clock_ns(CLOCK_MONOTONIC_RAW) - start;
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

struct usage {
  uint64_t cpu_ns;
  struct rusage rusage;
};

static void take_usage(struct usage* usage) {
  getrusage(RUSAGE_THREAD, &usage->rusage);
  usage->cpu_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

static void store_usage(const struct usage* before, const struct usage* after,
                        struct hashprof_result* result) {
  result->cpu_ns = after->cpu_ns - before->cpu_ns;
  result->voluntary_switches = (uint64_t)(after->rusage.ru_nvcsw - before->rusage.ru_nvcsw);
  result->involuntary_switches = (uint64_t)(after->rusage.ru_nivcsw - before->rusage.ru_nivcsw);
  result->minor_faults = (uint64_t)(after->rusage.ru_minflt - before->rusage.ru_minflt);
  result->major_faults = (uint64_t)(after->rusage.ru_majflt - before->rusage.ru_majflt);
}

/* The running end of the timed loop: each border closes one slice and opens the next, so that the
 * slices tile the loop without a gap. */
struct border {
  struct counter_times times; /* at the opening */
  struct reading first;
  struct reading last;
  int cpu;
};

static void open_loop(struct session* session, struct border* border) {
  border->cpu = sched_getcpu();
  counter_read_times(&session->counters, &border->times);
  counter_read(&session->counters, &border->first);
  border->last = border->first;
}

static void close_slice(struct session* session, struct border* border, uint64_t calls,
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

static void check_slice(int returned, const struct hashprof_result* result) {
  if (returned != 0) {
    channel_fail(HASHPROF_ERROR_RETURNED, returned, result->slice_count, "");
  }
}

static void close_loop(struct session* session, const struct border* border,
                       const struct target* target, struct hashprof_result* result) {
  channel_announce(HASHPROF_STEP_CHECK, 0);
  struct counter_times times = border->times;
  counter_read_times(&session->counters, &times);
  result->time_enabled_ns = times.enabled_ns - border->times.enabled_ns;
  result->time_running_ns = times.running_ns - border->times.running_ns;
  result->is_counting = session->counters.fd >= 0;
  result->read_method = result->is_counting ? session->counters.read_method : HASHPROF_READ_NONE;
  memory_read_peak(&session->files, result);
  if (memcmp(session->areas.reference, target->digest, digest_bytes(session)) != 0) {
    channel_fail(HASHPROF_ERROR_DIGEST, 0, 0, "");
  }
}

void measure_trial(struct session* session, struct hashprof_result* result) {
  const struct target target = make_target(session);
  warm_up(session, &target, result);
  const uint64_t calls = session->request->calls;
  uint64_t slices = session->request->slices;
  slices = slices > HASHPROF_MAX_SLICES ? HASHPROF_MAX_SLICES : slices;
  slices = slices > calls ? calls : slices;
  struct border border;
  memset(&border, 0, sizeof border);
  struct usage before;
  struct usage after;
  channel_announce(HASHPROF_STEP_CALL, 0);
  take_usage(&before);
  open_loop(session, &border);
  for (uint64_t i = 0; i < slices; ++i) {
    const uint64_t share = calls / slices + (i < calls % slices);
    const int returned = run_calls(&target, share);
    close_slice(session, &border, share, result);
    check_slice(returned, result);
  }
  take_usage(&after);
  store_usage(&before, &after, result);
  close_loop(session, &border, &target, result);
}

/* Calls a batch that takes a sixteenth of the wanted time; finding it warms up. By CPU time: a
 * batch during which another process ran is not a long batch. */
static uint64_t find_batch(const struct session* session, const struct target* target) {
  const uint64_t wanted_ns = session->request->calibrate_ns / CALIBRATION_BATCHES;
  uint64_t calls = 1;
  for (;;) {
    const uint64_t start = clock_ns(CLOCK_THREAD_CPUTIME_ID);
    const int returned = run_calls(target, calls);
    const uint64_t spent_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID) - start;
    if (returned != 0) {
      channel_fail(HASHPROF_ERROR_RETURNED, returned, 0, "");
    }
    if (spent_ns >= wanted_ns || calls > UINT64_MAX / 4) {
      return calls;
    }
    calls *= 2;
  }
}

void measure_calibration(struct session* session, struct hashprof_result* result) {
  const struct target target = make_target(session);
  warm_up(session, &target, result);
  struct border border;
  memset(&border, 0, sizeof border);
  struct usage before;
  struct usage after;
  channel_announce(HASHPROF_STEP_CALL, 0);
  const uint64_t wanted_ns = session->request->calibrate_ns;
  /* One call that is longer than the whole calibration is its own steady figure. */
  const int is_long = result->first_call_ns > wanted_ns;
  const uint64_t batch = is_long ? 1 : find_batch(session, &target);
  const uint64_t min_batches = is_long ? 1 : CALIBRATION_MIN_BATCHES;
  take_usage(&before);
  open_loop(session, &border);
  while (result->slice_count < min_batches ||
         (result->slice_count < HASHPROF_MAX_SLICES &&
          border.last.monotonic_raw_ns - border.first.monotonic_raw_ns < wanted_ns)) {
    const int returned = run_calls(&target, batch);
    close_slice(session, &border, batch, result);
    check_slice(returned, result);
  }
  take_usage(&after);
  store_usage(&before, &after, result);
  close_loop(session, &border, &target, result);
}

/* The calls of KAT_Loop after the first: the message turns to the left by the length of the digest,
 * takes the digest onto its beginning, and is hashed again. */
static void chain_calls(const struct target* target, unsigned char* message, uint32_t calls,
                        uint64_t item) {
  static unsigned char head[HASHPROF_MAX_CHAINED_BYTES];
  const size_t bytes = target->message_bits / 8;
  const size_t digest_length = (size_t)target->digest_bits / 8;
  for (uint32_t i = 1; i <= calls; ++i) {
    memcpy(head, message, digest_length);
    memmove(message, message + digest_length, bytes - digest_length);
    memcpy(message + bytes - digest_length, head, digest_length);
    for (size_t at = 0; at < digest_length; ++at) {
      message[at] ^= target->digest[at];
    }
    const int returned = run_calls(target, 1);
    if (returned != 0) {
      char text[HASHPROF_TEXT_BYTES];
      snprintf(text, sizeof text, "in chained call %u of %u", i, calls);
      channel_fail(HASHPROF_ERROR_RETURNED, returned, item, text);
    }
  }
}

void measure_kat(struct session* session, struct hashprof_result* result) {
  memory_read_baseline(&session->files, result);
  for (uint32_t i = 0; i < session->request->items; ++i) {
    channel_announce(HASHPROF_STEP_CALL, i);
    /* Copied: the library could have scribbled on the table since. */
    struct hashprof_item item;
    memcpy(&item, session->areas.message + i * sizeof item, sizeof item);
    unsigned char* const message = item.repeat_bytes > 0 ? session->areas.repeated[i]
                                                         : session->areas.message + item.message_at;
    const int is_own = item.digest_bits != HASHPROF_OF_REQUEST;
    const uint32_t digest_bits = is_own ? item.digest_bits : session->request->digest_bits;
    unsigned char* const digest =
        session->areas.digest +
        (is_own ? item.digest_at : (uint64_t)i * session->request->digest_offset);
    memory_fill(digest, (digest_bits + 7) / 8);
    const struct target target = {session->entry, (int)digest_bits, message, item.message_bits,
                                  digest};
    const int returned = run_calls(&target, 1);
    if (returned != 0) {
      channel_fail(HASHPROF_ERROR_RETURNED, returned, i, "");
    }
    chain_calls(&target, message, item.chained, i);
    ++result->items_done;
  }
  memory_read_peak(&session->files, result);
}
