/* SPDX-License-Identifier: MIT
 * What calibrations, trials and percalls share: the calls, what goes before a timed loop, and the
 * loop's borders. */
#ifndef HASHPROF_WORKER_LOOP_H
#define HASHPROF_WORKER_LOOP_H

#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>

#include "worker/counter.h"
#include "worker/measure.h"
#include "worker/protocol.h"

/* A call and where it reads and writes. */
struct target {
  hash_function entry;
  int digest_bits;
  unsigned char* message;
  unsigned long long message_bits;
  unsigned char* digest;
};

/* That of the request. */
struct target make_target(const struct session* session);

/* Or of what the calls returned; each follows the one before it at once. */
int run_calls(const struct target* target, uint64_t calls);

/* The same, but each waits for the one before it: the first byte of the message takes (xor) that of
 * the digest. The message is another one afterwards. */
int run_waiting_calls(const struct target* target, uint64_t calls);

/* One or the other, as the request wants. */
int run_wanted_calls(const struct session* session, const struct target* target, uint64_t calls);

/* The first call and the warm-ups. The digest of the first is kept and its place overwritten, so
 * that a later call that writes nothing shows. */
void warm_up(struct session* session, const struct target* target, struct hashprof_result* result);

/* The running end of the timed loop: each border closes one slice and opens the next, so that the
 * slices tile the loop without a gap. */
struct border {
  struct counter_times times; /* at the opening */
  struct reading first;
  struct reading last;
  uint64_t cpu_ns;
  struct rusage usage;
  uint64_t slept_ns;
  int cpu;
};

void open_loop(struct session* session, struct border* border);
void close_slice(struct session* session, struct border* border, uint64_t calls,
                 struct hashprof_result* result);
/* Ends the process if a call of the slice before, or of what `place` says, returned non-zero. */
void check_returned(int returned, const struct hashprof_result* result, const char* place);
/* Stores what the loop as a whole took, gives the message its first byte back, and compares the
 * digest of the last call, or of one more where calls waited for each other, with the first
 * call's. */
void close_loop(struct session* session, const struct border* border, const struct target* target,
                struct hashprof_result* result);

#endif
