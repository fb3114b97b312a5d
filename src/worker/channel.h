/* SPDX-License-Identifier: MIT
 * The worker's end of the protocol: the request in, announcements, errors and
 * the result out. Nothing here allocates or returns after a failure. */
#ifndef HASHPROF_WORKER_CHANNEL_H
#define HASHPROF_WORKER_CHANNEL_H

#include <stdint.h>

#include "worker/protocol.h"

/* Exit codes of the worker itself; a library may of course exit with any. */
#define HASHPROF_EXIT_DONE 0   /* the result was sent */
#define HASHPROF_EXIT_FAILED 1 /* an ERROR event was sent */
#define HASHPROF_EXIT_MUTE 124 /* nothing can be sent any more */

/* Waits for the request and checks magic, version, size, kind and entry. Ends the process with an
 * ERROR event if it is not one that this worker understands. */
void channel_receive(struct hashprof_request* request);

/* Says what is done next; the step is charged with whatever happens until the next one. */
void channel_announce(uint32_t step, uint64_t detail);

/* Waits for one packet, whatever it holds. Ends the process if the other end is gone. */
void channel_wait(void);

/* What a contract check saw; the process goes on. */
void channel_find(uint32_t finding, int64_t number, uint64_t detail);

/* Sends an ERROR event and ends the process. `text` is cut to HASHPROF_TEXT_BYTES - 1. */
_Noreturn void channel_fail(uint32_t error, int64_t number, uint64_t detail, const char* text);

/* ERROR_SYSTEM with the current errno. */
_Noreturn void channel_fail_system(const char* call);

/* Sends the RESULT event and the result, and ends the process without running any destructor. */
_Noreturn void channel_finish(const struct hashprof_result* result);

#endif
