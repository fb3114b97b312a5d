/* SPDX-License-Identifier: MIT
 * See worker/measure.h. */
#include "worker/measure.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "worker/channel.h"
#include "worker/loop.h"

/* A calibration times batches of a sixteenth of its length, and at least this many. */
#define CALIBRATION_BATCHES 16u
#define CALIBRATION_MIN_BATCHES 3u

void measure_trial(struct session* session, struct hashprof_result* result) {
  const struct target target = make_target(session);
  warm_up(session, &target, result);
  const uint64_t calls = session->request->calls;
  uint64_t slices = session->request->slices;
  slices = slices > HASHPROF_MAX_SLICES ? HASHPROF_MAX_SLICES : slices;
  slices = slices > calls ? calls : slices;
  struct border border;
  memset(&border, 0, sizeof border);
  channel_announce(HASHPROF_STEP_CALL, 0);
  open_loop(session, &border);
  for (uint64_t i = 0; i < slices; ++i) {
    const uint64_t share = calls / slices + (i < calls % slices);
    const int returned = run_wanted_calls(session, &target, share);
    close_slice(session, &border, share, result);
    check_returned(returned, result, "");
  }
  close_loop(session, &border, &target, result);
}

/* Calls a batch that takes a sixteenth of the wanted time; finding it warms up. By CPU time: a
 * batch during which another process ran is not a long batch. */
static uint64_t find_batch(const struct session* session, const struct target* target) {
  const uint64_t wanted_ns = session->request->calibrate_ns / CALIBRATION_BATCHES;
  uint64_t calls = 1;
  for (;;) {
    const uint64_t start = clock_ns(CLOCK_THREAD_CPUTIME_ID);
    const int returned = run_wanted_calls(session, target, calls);
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
  channel_announce(HASHPROF_STEP_CALL, 0);
  const uint64_t wanted_ns = session->request->calibrate_ns;
  /* One call that is longer than the whole calibration is its own steady figure. */
  const int is_long = result->first_call_ns > wanted_ns;
  const uint64_t batch = is_long ? 1 : find_batch(session, &target);
  const uint64_t min_batches = is_long ? 1 : CALIBRATION_MIN_BATCHES;
  open_loop(session, &border);
  while (result->slice_count < min_batches ||
         (result->slice_count < HASHPROF_MAX_SLICES &&
          border.last.monotonic_raw_ns - border.first.monotonic_raw_ns < wanted_ns)) {
    const int returned = run_wanted_calls(session, &target, batch);
    close_slice(session, &border, batch, result);
    check_returned(returned, result, "");
  }
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
