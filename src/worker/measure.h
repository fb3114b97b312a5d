/* SPDX-License-Identifier: MIT
 * What a worker does with the loaded hash: hash the items of a kat, calibrate, time a trial,
 * or sample single calls. */
#ifndef HASHPROF_WORKER_MEASURE_H
#define HASHPROF_WORKER_MEASURE_H

#include "worker/counter.h"
#include "worker/memory.h"
#include "worker/protocol.h"

/* The one entry of a submission: lengths in bits, 0 is success. */
typedef int (*hash_function)(int digest_bits, const unsigned char* message,
                             unsigned long long message_bits, unsigned char* digest);

struct session {
  const struct hashprof_request* request;
  struct areas areas;
  struct memory_files files;
  struct counter_group counters;
  hash_function entry;
  unsigned char first_byte; /* of the message, before calls that wait for each other change it */
};

/* Each fills `result`; a call that returns non-zero or another digest than before ends the process
 * with an ERROR event. */
void measure_kat(struct session* session, struct hashprof_result* result);
void measure_calibration(struct session* session, struct hashprof_result* result);
void measure_trial(struct session* session, struct hashprof_result* result);
/* Samples to the areas' samples; a way to read that fails meanwhile gives way to the next one, and
 * all is sampled anew: user-space reads, read(2), the clock. Discards a sample during which the
 * kernel moved the event. */
void measure_percall(struct session* session, struct hashprof_result* result);

#endif
